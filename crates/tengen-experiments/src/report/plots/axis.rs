//! Axes: scales, ranges and ticks, and the frame that two axes make.

use super::drawing::{Anchor, Drawing, MARGIN, Point, size};
use super::palette::{GREY, GRID, INK};
use super::text;
use std::f64::consts::LOG10_2;

/// The scale of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Linear.
    #[default]
    Linear,
    /// Linear, with ticks at whole numbers.
    Whole,
    /// Logarithmic, with ticks at powers of two.
    Log2,
    /// Logarithmic, with ticks at powers of ten.
    Log10,
}

/// An axis of a plot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axis {
    /// The label: quantity and unit.
    pub label: String,
    /// The scale.
    pub scale: Scale,
}

impl Axis {
    /// The axis with this label and scale.
    pub fn new(label: impl Into<String>, scale: Scale) -> Self {
        Self { label: label.into(), scale }
    }
}

impl Scale {
    /// The position of `value` on the axis; `None` if it is not finite or, on a
    /// logarithmic axis, not positive.
    pub(crate) fn position(self, value: f64) -> Option<f64> {
        let position = match self {
            Self::Linear | Self::Whole => value,
            Self::Log2 => value.log2(),
            Self::Log10 => value.log10(),
        };
        position.is_finite().then_some(position)
    }

    /// The value at `position`.
    fn value(self, position: f64) -> f64 {
        match self {
            Self::Linear | Self::Whole => position,
            Self::Log2 => position.exp2(),
            Self::Log10 => 10_f64.powf(position),
        }
    }

    /// A tick at `position`. Its value is rounded, since powers of ten are computed with an error.
    fn mark(self, position: f64) -> (f64, String) {
        let value = self.value(position);
        (
            position,
            text::number(if self == Self::Log10 { text::rounded(value, value) } else { value }),
        )
    }
}

/// The visible part of an axis, in positions, and its ticks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ticks {
    pub low: f64,
    pub high: f64,
    /// Position and label, ascending.
    pub marks: Vec<(f64, String)>,
}

impl Ticks {
    /// Range and ticks of an axis that shows all of `positions` with a little room
    /// around them, and has about `wanted` ticks. A single position gets the only tick, so
    /// that an axis of one board size shows no fractions.
    pub fn cover(scale: Scale, positions: impl Iterator<Item = f64>, wanted: f64) -> Self {
        let (low, high) =
            positions.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
        let (low, high) = match scale {
            _ if low > high => (0.0, 1.0),
            Scale::Linear | Scale::Whole if high - low <= 1e-9 * high.abs() => {
                let room = if low == 0.0 { 1.0 } else { 0.1 * low.abs() };
                return Self { low: low - room, high: high + room, marks: vec![scale.mark(low)] };
            }
            _ if high - low < 1e-9 => (low - 0.5, high + 0.5),
            _ => (low, high),
        };
        let room = 0.04 * (high - low);
        let (low, high) = (low - room, high + room);
        let is_seen = |position: &f64| (low..=high).contains(position);
        let is_linear = matches!(scale, Scale::Linear | Scale::Whole);
        let marks = if is_linear || high - low > 1.0 {
            let step = match scale {
                Scale::Linear => nice_step((high - low) / wanted),
                Scale::Whole => nice_step((high - low) / wanted).max(1.0),
                _ => ((high - low) / wanted).ceil(),
            };
            // A range of few powers of ten gets ticks at 2 and 5 times each as well.
            let is_short = scale == Scale::Log10 && high - low < wanted / 3.0;
            let parts = if is_short { &[0.0, LOG10_2, 1.0 - LOG10_2][..] } else { &[0.0] };
            multiples(step, low, high)
                .flat_map(|tick| parts.iter().map(move |part| tick + part))
                .filter(is_seen)
                .map(|position| scale.mark(position))
                .collect()
        } else {
            // A range below one doubling, or one factor of ten, gets ticks at round numbers.
            let (low, high) = (scale.value(low), scale.value(high));
            let ticks = multiples(nice_step((high - low) / 5.0), low, high);
            let mark = |value| Some((scale.position(value)?, text::number(value)));
            ticks.filter_map(mark).filter(|(position, _)| is_seen(position)).collect()
        };
        Self { low, high, marks }
    }

    /// The left end of a frame that has these ticks at its left.
    pub fn left(&self) -> f64 {
        let labels = self.marks.iter().map(|(_, label)| text::width(label, size::SMALL));
        MARGIN + 24.0 + labels.fold(0.0, f64::max) + 8.0
    }
}

/// The multiples of `step` from the last one below `low` to the last one up to `high`.
fn multiples(step: f64, low: f64, high: f64) -> impl Iterator<Item = f64> {
    let ticks = std::iter::successors(Some((low / step).floor()), |tick| Some(tick + 1.0));
    ticks.map(move |tick| tick * step).take_while(move |&value| value <= high)
}

/// The nearest of 1, 2, 5, 10, … times a power of ten.
fn nice_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let lead = step / power;
    power
        * match lead {
            ..1.5 => 1.0,
            1.5..3.2 => 2.0,
            3.2..7.1 => 5.0,
            _ => 10.0,
        }
}

/// The mapping from values to the page: an area with an axis below it and one left of it.
pub(crate) struct Frame<'a> {
    /// The horizontal axis and the vertical one, and their ticks.
    pub axes: [&'a Axis; 2],
    pub ticks: [Ticks; 2],
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl Frame<'_> {
    /// The page's x of a position on the x axis.
    pub fn across(&self, position: f64) -> f64 {
        let Ticks { low, high, .. } = self.ticks[0];
        self.left + (self.right - self.left) * ((position - low) / (high - low))
    }

    /// The page's y of a position on the y axis.
    pub fn up(&self, position: f64) -> f64 {
        let Ticks { low, high, .. } = self.ticks[1];
        self.bottom - (self.bottom - self.top) * ((position - low) / (high - low))
    }

    /// Where the values `(x, y)` are on the page; none if they cannot be shown.
    pub fn place(&self, (x, y): Point) -> Option<Point> {
        let [x_axis, y_axis] = self.axes;
        Some((self.across(x_axis.scale.position(x)?), self.up(y_axis.scale.position(y)?)))
    }

    /// Draws both axes, with lines across the area at their ticks if it is to have a grid.
    pub fn draw(&self, drawing: &mut Drawing, has_grid: bool) {
        let &Self { left, right, top, bottom, .. } = self;
        let color = if has_grid { GRID } else { INK };
        let mut free = 0.0;
        for (position, label) in &self.ticks[0].marks {
            let x = self.across(*position);
            let ends = if has_grid { (top, bottom) } else { (bottom, bottom + 5.0) };
            drawing.line((x, ends.0), (x, ends.1), 1.0, color);
            let half = text::width(label, size::SMALL) / 2.0;
            if x - half >= free {
                drawing.text((x, bottom + 14.0), label, size::SMALL, INK, Anchor::Center);
                free = x + half + 8.0;
            }
        }
        for (position, label) in &self.ticks[1].marks {
            let y = self.up(*position);
            let ends = if has_grid { (left, right) } else { (left - 5.0, left) };
            drawing.line((ends.0, y), (ends.1, y), 1.0, color);
            drawing.text((left - 8.0, y), label, size::SMALL, INK, Anchor::Right);
        }
        drawing.line((left, bottom), (right, bottom), 1.0, INK);
        drawing.line((left, top), (left, bottom), 1.0, INK);
        let x_middle = (f64::midpoint(left, right), bottom + 38.0);
        let y_middle = (MARGIN + 2.0, f64::midpoint(top, bottom));
        for (axis, at, room, anchor) in [
            (self.axes[0], x_middle, right - left, Anchor::Center),
            (self.axes[1], y_middle, bottom - top, Anchor::CenterUpwards),
        ] {
            let label = text::wrap(&axis.label, size::SMALL, room, 1).concat();
            drawing.text(at, label, size::SMALL, GREY, anchor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, values: &[f64], wanted: f64) -> Vec<String> {
        let positions = values.iter().filter_map(|&v| scale.position(v));
        Ticks::cover(scale, positions, wanted).marks.into_iter().map(|(_, l)| l).collect()
    }

    #[test]
    fn linear_ticks_are_round() {
        assert_eq!(labels(Scale::Linear, &[0.0, 100.0], 5.0), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(
            labels(Scale::Linear, &[-3.0, 3.0], 6.0),
            ["−3", "−2", "−1", "0", "1", "2", "3"]
        );
        assert_eq!(labels(Scale::Linear, &[0.5, 0.56], 4.0), ["0.5", "0.52", "0.54", "0.56"]);
        assert_eq!(labels(Scale::Whole, &[1.0, 4.0], 12.0), ["1", "2", "3", "4"]);
        assert_eq!(labels(Scale::Whole, &[1.0, 40.0], 5.0), ["0", "10", "20", "30", "40"]);
    }

    #[test]
    fn logarithmic_ticks_are_powers() {
        assert_eq!(labels(Scale::Log2, &[128.0, 1024.0], 8.0), ["128", "256", "512", "1,024"]);
        assert_eq!(
            labels(Scale::Log10, &[1e3, 1e6], 8.0),
            ["1,000", "10,000", "100,000", "1,000,000"]
        );
        assert_eq!(labels(Scale::Log10, &[6e4, 6e5], 8.0), ["100,000", "200,000", "500,000"]);
        assert!(labels(Scale::Log10, &[20.0, 70.0], 8.0).len() >= 3);
        assert!(labels(Scale::Log2, &[1.0, 1e9], 8.0).len() <= 9);
    }

    #[test]
    fn one_value_or_none_still_has_an_axis() {
        for scale in [Scale::Linear, Scale::Whole, Scale::Log2, Scale::Log10] {
            for values in [&[][..], &[5.0], &[0.0], &[-1.0, f64::NAN, f64::INFINITY]] {
                let positions = values.iter().filter_map(|&v| scale.position(v));
                let ticks = Ticks::cover(scale, positions, 6.0);
                assert!(ticks.high > ticks.low, "{scale:?} {values:?}");
                assert!(ticks.marks.len() < 20, "{scale:?} {values:?}");
            }
        }
    }
}
