//! A quantity over two variables, as filled contours.

use super::axis::{Axis, Frame, Ticks};
use super::drawing::{Drawing, MARGIN, Shape};
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
    /// Where the rows of `values` lie on the vertical axis.
    pub rows: Vec<f64>,
    /// The quantity, a list of columns for each row.
    pub values: Vec<Vec<f64>>,
    /// What the quantity is, with its unit.
    pub label: String,
    /// The measured points, drawn as dots.
    pub samples: Vec<(f64, f64)>,
    /// The point of interest: a mark, with its name below the map.
    pub best: Option<((f64, f64), String)>,
}

const SIDE: f64 = 460.0;
/// Number of colours.
const LEVELS: u32 = 10;

impl ContourMap {
    /// The picture: areas of similar values in ten colours, darker for higher values.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        let x = Ticks::cover(self.x.scale, positions(&self.x, &self.columns), 8.0);
        let y = Ticks::cover(self.y.scale, positions(&self.y, &self.rows), 8.0);
        let (left, right) = (y.left(), y.left() + SIDE);
        let mut drawing = Drawing::new(right + 220.0);
        let top = drawing.heading(&self.heading) + 4.0;
        let (axes, ticks, bottom) = ([&self.x, &self.y], [x, y], top + SIDE);
        let frame = Frame { axes, ticks, left, right, top, bottom };
        let finite = || self.values.iter().flatten().copied().filter(|value| value.is_finite());
        let (low, high) =
            finite().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let span = if high > low { high - low } else { 1.0 };
        self.fill(&mut drawing, &frame, |value| ((value - low) / span).clamp(0.0, 1.0));
        frame.draw(&mut drawing, false);
        for center in self.samples.iter().filter_map(|&sample| frame.place(sample)) {
            drawing.shapes.push(Shape::Disc { center, radius: 2.0, color: GREY });
        }
        let mut bottom = frame.bottom + 64.0;
        if let Some((best, name)) = &self.best {
            if let Some(center) = frame.place(*best) {
                for (radius, color) in [(9.0, PAPER), (7.0, palette::series(1))] {
                    drawing.shapes.push(Shape::Disc { center, radius, color });
                }
            }
            bottom = drawing.note((MARGIN, bottom), name, (frame.right, 3), INK);
        }
        let x = frame.right + 24.0;
        let below = drawing.note((x, top + 6.0), &self.label, (170.0, 4), GREY) + 6.0;
        let labels = (0..=LEVELS).map(|level| {
            let share = f64::from(level) / f64::from(LEVELS);
            (share, text::number(text::rounded(low + share * span, span)))
        });
        drawing.color_scale((x, below), (260.0, LEVELS), palette::sequential, labels);
        drawing.end_at(bottom - 18.0)
    }

    /// A rectangle in the colour of its level around each value.
    fn fill(&self, drawing: &mut Drawing, frame: &Frame<'_>, share: impl Fn(f64) -> f64) {
        let edges = |axis: &Axis, values: &[f64]| -> Vec<f64> {
            let at: Vec<f64> = positions(axis, values).collect();
            let between = at.windows(2).map(|two| f64::midpoint(two[0], two[1]));
            at.first().copied().into_iter().chain(between).chain(at.last().copied()).collect()
        };
        let columns: Vec<f64> =
            edges(&self.x, &self.columns).into_iter().map(|x| frame.across(x)).collect();
        let rows: Vec<f64> = edges(&self.y, &self.rows).into_iter().map(|y| frame.up(y)).collect();
        for (row, values) in rows.windows(2).zip(&self.values) {
            for (column, &value) in columns.windows(2).zip(values) {
                if value.is_finite() {
                    let levels = f64::from(LEVELS);
                    let level = (share(value) * levels).floor().min(levels - 1.0);
                    let color = palette::sequential((level + 0.5) / levels);
                    drawing.rectangle((column[0], row[0]), (column[1], row[1]), color);
                }
            }
        }
    }
}

fn positions<'a>(axis: &'a Axis, values: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    values.iter().filter_map(|&value| axis.scale.position(value))
}

#[cfg(test)]
mod tests {
    use super::super::Scale;
    use super::super::tests::heading;
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
}
