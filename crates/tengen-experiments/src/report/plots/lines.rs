//! Line plots with error bars.

use super::axis::{Axis, Frame, Ticks};
use super::drawing::{Anchor, Drawing, MARGIN, Point, Shape, line_height, size};
use super::palette::{self, GREY};
use super::{Heading, text};
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

impl DataPoint {
    /// The measurement of `y` at `x`, with its error bar if it has one.
    #[must_use]
    pub const fn new(x: f64, y: f64, interval: Option<Interval>) -> Self {
        Self { x, y, interval }
    }
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

impl Series {
    /// A line with this name through these points.
    pub fn line(name: impl Into<String>, points: Vec<DataPoint>) -> Self {
        Self { name: name.into(), points, style: Style::Line }
    }

    /// Whether the points of the series have marks.
    fn is_marked(&self) -> bool {
        match self.style {
            Style::Line => self.points.len() <= MARKED,
            Style::Band => false,
            Style::Marks => true,
        }
    }
}

/// A dashed horizontal line.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceLine {
    /// Its position on the y axis.
    pub y: f64,
    /// Its label.
    pub label: String,
}

impl ReferenceLine {
    /// The line at `y`.
    pub fn new(y: f64, label: impl Into<String>) -> Self {
        Self { y, label: label.into() }
    }
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

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 420.0;
/// The largest width of a line of the legend, without its key.
const LEGEND_WIDTH: f64 = 170.0;
/// The width of a key of the legend and the gap behind it.
const KEY: f64 = 36.0;
/// The largest width of a reference line's label.
const REFERENCE_WIDTH: f64 = 110.0;
/// Most points of a series with marks; a longer series is a bare line.
const MARKED: usize = 60;

impl Lines {
    /// Draws the plot: axes, reference lines, series and legend.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        let mut drawing = Drawing::new(WIDTH);
        let top = drawing.heading(&self.heading) + 4.0;
        let [references, legend] = [self.reference_labels(), self.legend()].map(|texts| {
            let lines = texts.iter().flatten();
            lines.map(|line| text::width(line, size::SMALL)).fold(0.0, f64::max)
        });
        let legend_room = if legend > 0.0 { legend + KEY + 20.0 } else { 0.0 };
        // Half of the last label of the x axis lies outside the frame.
        let right = WIDTH - MARGIN - (references + 10.0).max(30.0) - legend_room;
        let ticks = self.ticks();
        let (left, bottom) = (ticks[1].left(), top + HEIGHT);
        let frame = Frame { axes: [&self.x, &self.y], ticks, left, right, top, bottom };

        // Bands first: they would otherwise hide the grid and the reference lines.
        for (i, series) in self.series.iter().enumerate().filter(|(_, s)| s.style == Style::Band) {
            self.draw_band(&mut drawing, &frame, series, i);
        }
        frame.draw(&mut drawing, true);
        self.draw_references(&mut drawing, &frame);
        for (i, series) in self.series.iter().enumerate() {
            self.draw_series(&mut drawing, &frame, series, i);
        }
        let legend_end = self.draw_legend(&mut drawing, (WIDTH - MARGIN - legend - KEY, top));
        drawing.end_at(legend_end.max(frame.bottom + 46.0))
    }

    fn ticks(&self) -> [Ticks; 2] {
        let (x, y) = (self.x.scale, self.y.scale);
        let points = self.series.iter().flat_map(|series| &series.points);
        let shown = points.filter_map(|p| Some((x.position(p.x)?, y.position(p.y)?, p.interval)));
        let shown: Vec<(f64, f64, Option<Interval>)> = shown.collect();
        let intervals = shown.iter().filter_map(|point| point.2);
        let ends = intervals
            .flat_map(|interval| [interval.low, interval.high])
            .chain(self.references.iter().map(|reference| reference.y))
            .filter_map(|end| y.position(end));
        let ys = shown.iter().map(|point| point.1).chain(ends);
        [Ticks::cover(x, shown.iter().map(|point| point.0), 12.0), Ticks::cover(y, ys, 8.0)]
    }

    fn reference_labels(&self) -> Vec<Vec<String>> {
        let label = |r: &ReferenceLine| text::wrap(&r.label, size::SMALL, REFERENCE_WIDTH, 3);
        self.references.iter().map(label).collect()
    }

    /// Draws the reference lines across the plot, and their labels beside it.
    fn draw_references(&self, drawing: &mut Drawing, frame: &Frame<'_>) {
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
    fn draw_band(&self, drawing: &mut Drawing, frame: &Frame<'_>, series: &Series, index: usize) {
        let color = palette::tint(palette::series(index));
        let ends = |point: &DataPoint| {
            let (x, _) = frame.place((point.x, point.y))?;
            Some(self.ends(frame, point.interval?).map(|(y, _)| (x, y)))
        };
        let all: Vec<_> = series.points.iter().map(ends).collect();
        for run in all.split(Option::is_none).filter(|run| run.len() > 1) {
            let lower = run.iter().flatten().map(|[low, _]| *low);
            let upper = run.iter().flatten().rev().map(|[_, high]| *high);
            let points = lower.chain(upper).collect();
            drawing.shapes.push(Shape::Polygon { points, color });
        }
    }

    fn draw_series(&self, drawing: &mut Drawing, frame: &Frame<'_>, series: &Series, index: usize) {
        let color = palette::series(index);
        let places: Vec<Option<(Option<Interval>, Point)>> = series
            .points
            .iter()
            .map(|point| Some((point.interval, frame.place((point.x, point.y))?)))
            .collect();
        for run in places.split(Option::is_none) {
            for &(interval, (x, _)) in run.iter().flatten() {
                if let (Some(interval), true) = (interval, series.style != Style::Band) {
                    // A bar has a cap at each end that lies within the plot.
                    let ends = self.ends(frame, interval);
                    drawing.line((x, ends[0].0), (x, ends[1].0), 1.5, color);
                    for (y, _) in ends.into_iter().filter(|(_, inside)| *inside) {
                        drawing.line((x - 5.0, y), (x + 5.0, y), 1.5, color);
                    }
                }
            }
            let points: Vec<Point> = run.iter().flatten().map(|(_, at)| *at).collect();
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
    fn ends(&self, frame: &Frame<'_>, interval: Interval) -> [(f64, bool); 2] {
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
