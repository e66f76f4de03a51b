//! Line plots with error bars.

use super::axis::{Axis, Ticks};
use super::drawing::{Anchor, Drawing, MARGIN, Point, Shape, line_height, size};
use super::palette::{self, GREY, GRID, INK};
use super::{Heading, text};
use plotters::style::RGBColor;
use tengen_stats::Interval;

/// One measurement: a point with its error bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DataPoint {
    /// The independent variable.
    pub x: f64,
    /// The measured value.
    pub y: f64,
    /// The error bar; an infinite end reaches the edge of the plot.
    pub interval: Option<Interval>,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// A line through marks with error bars.
    #[default]
    Line,
    /// A line in the band of its intervals.
    Band,
    /// Marks with error bars, and no line.
    Marks,
}

/// A line of the plot: measurements joined in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// How the series is drawn.
    pub style: Style,
    /// The name in the legend; empty for no entry.
    pub name: String,
    /// The measurements; a point that is not finite, or not positive on a logarithmic
    /// axis, is left out and breaks the line.
    pub points: Vec<DataPoint>,
}

/// A dashed horizontal line.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceLine {
    /// Its position on the y axis.
    pub y: f64,
    /// Its label.
    pub label: String,
}

/// A plot of one or several series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// Title and subtitle.
    pub heading: Heading,
    /// The x axis: the independent variable.
    pub x: Axis,
    /// The y axis: the measured quantity.
    pub y: Axis,
    /// The lines.
    pub series: Vec<Series>,
    /// Horizontal reference lines; the y axis always shows them.
    pub references: Vec<ReferenceLine>,
}

const WIDTH: u32 = 1000;
const HEIGHT: f64 = 420.0;
/// The widest that a line of the legend gets, without its key.
const LEGEND_WIDTH: f64 = 170.0;
/// The width of a key of the legend and the gap behind it.
const KEY: f64 = 36.0;
/// The widest that the label of a reference gets.
const REFERENCE_WIDTH: f64 = 110.0;
/// Most points of a series that are drawn with marks; a longer series is a bare line.
const MARKED: usize = 60;

/// The mapping from values to the page.
struct Frame {
    x: Ticks,
    y: Ticks,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Frame {
    fn across(&self, position: f64) -> f64 {
        self.left + (self.right - self.left) * self.x.fraction(position)
    }

    fn up(&self, position: f64) -> f64 {
        self.bottom - (self.bottom - self.top) * self.y.fraction(position)
    }
}

impl Lines {
    /// Draws the plot: axes, reference lines, series and legend.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        let mut drawing = Drawing::new(WIDTH);
        let top = drawing.heading(&self.heading) + 4.0;
        let (x, y) = self.ticks();
        let labels = y.marks.iter().map(|(_, label)| text::width(label, size::SMALL));
        let left = MARGIN + 24.0 + labels.fold(0.0, f64::max) + 8.0;
        let [references, legend] = [self.reference_labels(), self.legend()].map(|texts| {
            let lines = texts.iter().flatten();
            lines.map(|line| text::width(line, size::SMALL)).fold(0.0, f64::max)
        });
        let legend_room = if legend > 0.0 { legend + KEY + 20.0 } else { 0.0 };
        // Half of the last label of the x axis lies outside the frame.
        let right = f64::from(WIDTH) - MARGIN - (references + 10.0).max(30.0) - legend_room;
        let frame = Frame { x, y, left, right, top, bottom: top + HEIGHT };

        // Below the grid and the references, which would else end at them.
        for (i, series) in self.series.iter().enumerate().filter(|(_, s)| s.style == Style::Band) {
            self.draw_band(&mut drawing, &frame, series, i);
        }
        self.draw_axes(&mut drawing, &frame);
        self.draw_references(&mut drawing, &frame);
        for (i, series) in self.series.iter().enumerate() {
            self.draw_series(&mut drawing, &frame, series, i);
        }
        let legend_end =
            self.draw_legend(&mut drawing, (f64::from(WIDTH) - MARGIN - legend - KEY, top));
        drawing.end_at(legend_end.max(frame.bottom + 46.0))
    }

    /// The positions of a point on both axes; none if it cannot be shown.
    fn position(&self, point: &DataPoint) -> Option<Point> {
        Some((self.x.scale.position(point.x)?, self.y.scale.position(point.y)?))
    }

    fn ticks(&self) -> (Ticks, Ticks) {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let shown: Vec<Point> = points().filter_map(|point| self.position(point)).collect();
        let ends = points()
            .filter(|point| self.position(point).is_some())
            .filter_map(|point| point.interval)
            .flat_map(|interval| [interval.low, interval.high])
            .chain(self.references.iter().map(|reference| reference.y))
            .filter_map(|y| self.y.scale.position(y));
        let ys = shown.iter().map(|p| p.1).chain(ends);
        let x = Ticks::cover(self.x.scale, shown.iter().map(|p| p.0), 12.0);
        (x, Ticks::cover(self.y.scale, ys, 8.0))
    }

    fn draw_axes(&self, drawing: &mut Drawing, frame: &Frame) {
        let Frame { left, right, top, bottom, .. } = *frame;
        let mut free = 0.0;
        for (position, label) in &frame.x.marks {
            let x = frame.across(*position);
            drawing.line((x, top), (x, bottom), 1.0, GRID);
            let half = text::width(label, size::SMALL) / 2.0;
            if x - half >= free {
                drawing.text((x, bottom + 14.0), label, size::SMALL, INK, Anchor::Center);
                free = x + half + 8.0;
            }
        }
        for (position, label) in &frame.y.marks {
            let y = frame.up(*position);
            drawing.line((left, y), (right, y), 1.0, GRID);
            drawing.text((left - 8.0, y), label, size::SMALL, INK, Anchor::Right);
        }
        drawing.line((left, bottom), (right, bottom), 1.0, INK);
        drawing.line((left, top), (left, bottom), 1.0, INK);
        let label = |axis: &Axis, room| text::wrap(&axis.label, size::SMALL, room, 1).concat();
        let middle = (f64::midpoint(left, right), bottom + 38.0);
        let x_label = label(&self.x, right - left);
        drawing.text(middle, x_label, size::SMALL, GREY, Anchor::Center);
        let middle = (MARGIN + 2.0, f64::midpoint(top, bottom));
        let y_label = label(&self.y, bottom - top);
        drawing.text(middle, y_label, size::SMALL, GREY, Anchor::CenterUpwards);
    }

    fn reference_labels(&self) -> Vec<Vec<String>> {
        let label = |r: &ReferenceLine| text::wrap(&r.label, size::SMALL, REFERENCE_WIDTH, 3);
        self.references.iter().map(label).collect()
    }

    /// Draws the reference lines across the plot, and their labels beside it.
    fn draw_references(&self, drawing: &mut Drawing, frame: &Frame) {
        let mut labels: Vec<(f64, Vec<String>)> = Vec::new();
        for (reference, label) in self.references.iter().zip(self.reference_labels()) {
            let Some(position) = self.y.scale.position(reference.y) else { continue };
            let y = frame.up(position);
            drawing.dashed((frame.left, y), (frame.right, y), 1.5, GREY);
            labels.push((y, label));
        }
        labels.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut free = frame.top - MARGIN;
        for (y, label) in labels {
            let half = line_height(size::SMALL) * label.len() as f64 / 2.0;
            let y = y.max(free + half);
            drawing.lines((frame.right + 8.0, y), &label, size::SMALL, Anchor::Left);
            free = y + half;
        }
    }

    /// The areas of the intervals of a series.
    fn draw_band(&self, drawing: &mut Drawing, frame: &Frame, series: &Series, index: usize) {
        let color = palette::tint(palette::series(index));
        let ends = |point: &DataPoint| {
            let x = frame.across(self.position(point)?.0);
            let [(low, _), (high, _)] = self.ends(frame, point.interval?);
            Some([(x, low), (x, high)])
        };
        let all: Vec<_> = series.points.iter().map(ends).collect();
        for run in all.split(Option::is_none).filter(|run| run.len() > 1) {
            let lower = run.iter().flatten().map(|[low, _]| *low);
            let upper = run.iter().flatten().rev().map(|[_, high]| *high);
            let points = lower.chain(upper).collect();
            drawing.shapes.push(Shape::Polygon { points, color });
        }
    }

    fn draw_series(&self, drawing: &mut Drawing, frame: &Frame, series: &Series, index: usize) {
        let color = palette::series(index);
        let positions: Vec<_> = series.points.iter().map(|p| (p, self.position(p))).collect();
        for run in positions.split(|(_, position)| position.is_none()) {
            let points: Vec<Point> = run
                .iter()
                .filter_map(|(_, p)| p.map(|p| (frame.across(p.0), frame.up(p.1))))
                .collect();
            for ((point, _), at) in run.iter().zip(&points) {
                if let (Some(interval), true) = (point.interval, series.style != Style::Band) {
                    draw_bar(drawing, self.ends(frame, interval), at.0, color);
                }
            }
            if points.len() > 1 && series.style != Style::Marks {
                drawing.shapes.push(Shape::Path { points: points.clone(), width: 2.0, color });
            }
            if series.is_marked() || points.len() == 1 {
                for at in points {
                    drawing.mark(at, index);
                }
            }
        }
    }

    /// The ends of an interval on the page, the lower one first, and whether they lie
    /// within the plot.
    fn ends(&self, frame: &Frame, interval: Interval) -> [(f64, bool); 2] {
        let end = |y: f64, otherwise: f64| match self.y.scale.position(y) {
            Some(position) => (frame.up(position), true),
            None => (otherwise, false),
        };
        [end(interval.low, frame.bottom), end(interval.high, frame.top)]
    }

    /// The names of the series, wrapped.
    fn legend(&self) -> Vec<Vec<String>> {
        let name = |series: &Series| text::wrap(&series.name, size::SMALL, LEGEND_WIDTH, 3);
        self.series.iter().map(name).collect()
    }

    /// Draws the legend, keys and names, from `(x, y)` down, and returns the y where it
    /// ends.
    fn draw_legend(&self, drawing: &mut Drawing, (x, y): Point) -> f64 {
        let mut top = y;
        for ((i, series), lines) in self.series.iter().enumerate().zip(self.legend()) {
            if lines.is_empty() {
                continue;
            }
            let height = line_height(size::SMALL) * lines.len() as f64;
            let middle = top + height / 2.0;
            if series.style != Style::Marks {
                drawing.line((x, middle), (x + 26.0, middle), 2.0, palette::series(i));
            }
            if series.is_marked() {
                drawing.mark((x + 13.0, middle), i);
            }
            drawing.lines((x + KEY, middle), &lines, size::SMALL, Anchor::Left);
            top += height + 8.0;
        }
        top
    }
}

impl Series {
    /// Whether its points have marks.
    fn is_marked(&self) -> bool {
        match self.style {
            Style::Line => self.points.len() <= MARKED,
            Style::Band => false,
            Style::Marks => true,
        }
    }
}

/// A vertical bar with caps where it does not leave the plot.
fn draw_bar(drawing: &mut Drawing, ends: [(f64, bool); 2], x: f64, color: RGBColor) {
    let [low, high] = ends;
    drawing.line((x, low.0), (x, high.0), 1.5, color);
    for (y, _) in ends.into_iter().filter(|(_, inside)| *inside) {
        drawing.line((x - 5.0, y), (x + 5.0, y), 1.5, color);
    }
}

impl Drawing {
    /// Draws the mark of a series: series differ in colour and in shape, so that a
    /// print without colour distinguishes them too.
    fn mark(&mut self, (x, y): Point, index: usize) {
        let color = palette::series(index);
        let around = |offsets: &[Point]| Shape::Polygon {
            points: offsets.iter().map(|(dx, dy)| (x + dx, y + dy)).collect(),
            color,
        };
        self.shapes.push(match index % 4 {
            0 => Shape::Disc { center: (x, y), radius: 5.0, color },
            1 => around(&[(-4.5, -4.5), (4.5, -4.5), (4.5, 4.5), (-4.5, 4.5)]),
            2 => around(&[(0.0, -6.0), (6.0, 5.0), (-6.0, 5.0)]),
            _ => around(&[(0.0, -6.5), (6.5, 0.0), (0.0, 6.5), (-6.5, 0.0)]),
        });
    }
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
