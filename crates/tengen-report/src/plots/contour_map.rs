//! A quantity over two variables, as filled contours.

use super::axis::{Axis, Ticks};
use super::drawing::{Anchor, Drawing, MARGIN, Point, Shape, size};
use super::palette::{self, GREY, INK, PAPER};
use super::{Heading, text};

/// A quantity over two variables.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContourMap {
    /// Title and subtitle.
    pub heading: Heading,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Where the columns of `values` lie on the horizontal axis, in rising order and
    /// evenly spaced on its scale.
    pub columns: Vec<f64>,
    /// Where its rows lie on the vertical axis.
    pub rows: Vec<f64>,
    /// The quantity, a list of columns for each row.
    pub values: Vec<Vec<f64>>,
    /// What the quantity is, with its unit.
    pub label: String,
    /// Points that were measured: dots.
    pub samples: Vec<(f64, f64)>,
    /// The point of interest: a mark, with its name below the map.
    pub best: Option<((f64, f64), String)>,
}

const SIDE: f64 = 460.0;
/// Number of colours.
const LEVELS: usize = 10;

/// The mapping from values to the page.
struct Frame {
    x: Ticks,
    y: Ticks,
    left: f64,
    top: f64,
}

impl Frame {
    fn at(&self, x: f64, y: f64) -> Point {
        (self.left + SIDE * self.x.fraction(x), self.top + SIDE * (1.0 - self.y.fraction(y)))
    }
}

impl ContourMap {
    /// The picture: areas of like values in ten colours, the darker the higher.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        let x = Ticks::cover(self.x.scale, positions(&self.x, &self.columns), 8.0);
        let y = Ticks::cover(self.y.scale, positions(&self.y, &self.rows), 8.0);
        let labels = y.marks.iter().map(|(_, label)| text::width(label, size::SMALL));
        let left = MARGIN + 24.0 + labels.fold(0.0, f64::max) + 8.0;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // some hundreds
        let mut drawing = Drawing::new((left + SIDE + 220.0) as u32);
        let top = drawing.heading(&self.heading) + 4.0;
        let frame = Frame { x, y, left, top };
        let finite = || self.values.iter().flatten().copied().filter(|value| value.is_finite());
        let (low, high) =
            finite().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let span = if high > low { high - low } else { 1.0 };
        self.fill(&mut drawing, &frame, |value| ((value - low) / span).clamp(0.0, 1.0));
        self.draw_axes(&mut drawing, &frame);
        let place = |&(x, y): &(f64, f64)| {
            Some(frame.at(self.x.scale.position(x)?, self.y.scale.position(y)?))
        };
        for center in self.samples.iter().filter_map(place) {
            drawing.shapes.push(Shape::Disc { center, radius: 2.0, color: GREY });
        }
        let mut bottom = top + SIDE + 46.0;
        if let Some((best, name)) = &self.best {
            if let Some((x, y)) = place(best) {
                for (radius, color) in [(9.0, PAPER), (7.0, palette::series(1))] {
                    drawing.shapes.push(Shape::Disc { center: (x, y), radius, color });
                }
            }
            for line in text::wrap(name, size::SMALL, left + SIDE, 3) {
                bottom += 18.0;
                drawing.text((MARGIN, bottom), line, size::SMALL, INK, Anchor::Left);
            }
        }
        self.draw_scale(&mut drawing, (left + SIDE + 24.0, top), low, span);
        drawing.end_at(bottom)
    }

    /// A rectangle in the colour of its level around each value.
    fn fill(&self, drawing: &mut Drawing, frame: &Frame, share: impl Fn(f64) -> f64) {
        let edges = |axis: &Axis, values: &[f64]| -> Vec<f64> {
            let at: Vec<f64> = positions(axis, values).collect();
            let between = at.windows(2).map(|two| f64::midpoint(two[0], two[1]));
            at.first().copied().into_iter().chain(between).chain(at.last().copied()).collect()
        };
        let (columns, rows) = (edges(&self.x, &self.columns), edges(&self.y, &self.rows));
        for (row, values) in rows.windows(2).zip(&self.values) {
            for (column, &value) in columns.windows(2).zip(values) {
                if value.is_finite() {
                    let color = level_color(share(value));
                    let from = frame.at(column[0], row[0]);
                    drawing.rectangle(from, frame.at(column[1], row[1]), color);
                }
            }
        }
    }

    fn draw_axes(&self, drawing: &mut Drawing, frame: &Frame) {
        let (left, bottom) = (frame.left, frame.top + SIDE);
        let mut free = 0.0;
        for (position, label) in &frame.x.marks {
            let x = left + SIDE * frame.x.fraction(*position);
            drawing.line((x, bottom), (x, bottom + 5.0), 1.0, INK);
            let half = text::width(label, size::SMALL) / 2.0;
            if x - half >= free {
                drawing.text((x, bottom + 14.0), label, size::SMALL, INK, Anchor::Center);
                free = x + half + 8.0;
            }
        }
        for (position, label) in &frame.y.marks {
            let y = frame.top + SIDE * (1.0 - frame.y.fraction(*position));
            drawing.line((left - 5.0, y), (left, y), 1.0, INK);
            drawing.text((left - 8.0, y), label, size::SMALL, INK, Anchor::Right);
        }
        drawing.line((left, bottom), (left + SIDE, bottom), 1.0, INK);
        drawing.line((left, frame.top), (left, bottom), 1.0, INK);
        let middle = (left + SIDE / 2.0, bottom + 38.0);
        drawing.text(middle, self.x.label.as_str(), size::SMALL, GREY, Anchor::Center);
        let middle = (MARGIN + 2.0, frame.top + SIDE / 2.0);
        drawing.text(middle, self.y.label.as_str(), size::SMALL, GREY, Anchor::CenterUpwards);
    }

    /// The colours with the values between them.
    fn draw_scale(&self, drawing: &mut Drawing, (x, top): Point, low: f64, span: f64) {
        let mut y = top;
        for line in text::wrap(&self.label, size::SMALL, 170.0, 4) {
            drawing.text((x, y + 6.0), line, size::SMALL, GREY, Anchor::Left);
            y += 18.0;
        }
        y += 12.0;
        let height = 26.0;
        for level in 0..=LEVELS {
            let share = level as f64 / LEVELS as f64;
            let at = y + height * (LEVELS - level) as f64;
            if level < LEVELS {
                let color = level_color(share + 0.5 / LEVELS as f64);
                drawing.rectangle((x, at - height), (x + 20.0, at), color);
            }
            let label = text::number(rounded(low + share * span, span));
            drawing.text((x + 28.0, at), label, size::SMALL, INK, Anchor::Left);
        }
    }
}

fn positions<'a>(axis: &'a Axis, values: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    values.iter().filter_map(|&value| axis.scale.position(value))
}

/// The colour of the level that a share of the whole span belongs to.
fn level_color(share: f64) -> plotters::style::RGBColor {
    let level = (share * LEVELS as f64).floor().min(LEVELS as f64 - 1.0);
    palette::sequential((level + 0.5) / LEVELS as f64)
}

/// `value` to a hundredth of `span` or so.
fn rounded(value: f64, span: f64) -> f64 {
    let unit = 10_f64.powf(2.0 - span.abs().log10().floor());
    (value * unit).round() / unit
}

#[cfg(test)]
mod tests {
    use super::super::Scale;
    use super::super::tests::{heading, save};
    use super::*;

    fn hill(count: usize) -> ContourMap {
        let share = |i: usize| i as f64 / (count.max(2) - 1) as f64;
        let columns: Vec<f64> = (0..count).map(|i| 0.05 * 40_f64.powf(share(i))).collect();
        let rows: Vec<f64> = (0..count).map(|i| 9_000.0 * share(i)).collect();
        let value =
            |r: usize, c: usize| -200.0 * ((share(c) - 0.4).powi(2) + (share(r) - 0.7).powi(2));
        ContourMap {
            heading: heading(),
            x: Axis { label: "exploration".into(), scale: Scale::Log10 },
            y: Axis { label: "rave".into(), scale: Scale::Linear },
            values: (0..count).map(|r| (0..count).map(|c| value(r, c)).collect()).collect(),
            label: "Elo above the default settings".into(),
            samples: columns.iter().copied().zip(rows.iter().copied()).collect(),
            best: columns.first().map(|&x| ((x, 6_300.0), "estimate: 0.22, 6,300".into())),
            columns,
            rows,
        }
    }

    #[test]
    fn every_size_is_legible() {
        for count in [0, 1, 2, 8, 33] {
            hill(count).draw().assert_legible();
        }
    }

    #[test]
    fn higher_is_darker() {
        let map = hill(33).draw();
        let luminance = |color: plotters::style::RGBColor| u32::from(color.0) + u32::from(color.1);
        let areas: Vec<u32> = map
            .shapes
            .iter()
            .filter_map(|shape| match shape {
                Shape::Polygon { color, .. } => Some(luminance(*color)),
                _ => None,
            })
            .take(33 * 33)
            .collect();
        // Row 23 of 33 holds the summit, row 0 does not.
        assert!(areas[23 * 33 + 13] < areas[13]);
    }

    #[test]
    #[ignore = "writes pictures to look at into target/plots"]
    fn gallery() {
        save(&hill(33).draw(), "contour-map");
    }
}
