//! Axes: scales, ranges and ticks.

use super::text;
use std::f64::consts::LOG10_2;

/// The scale of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Linear.
    #[default]
    Linear,
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

impl Scale {
    /// The position of `value` on the axis; `None` if it is not finite or, on a
    /// logarithmic axis, not positive.
    pub(super) fn position(self, value: f64) -> Option<f64> {
        let position = match self {
            Self::Linear => value,
            Self::Log2 => value.log2(),
            Self::Log10 => value.log10(),
        };
        position.is_finite().then_some(position)
    }

    /// The label of a tick at `position`.
    fn label(self, position: f64) -> String {
        text::number(match self {
            Self::Linear => position,
            Self::Log2 => position.exp2(),
            Self::Log10 => round(10_f64.powf(position)),
        })
    }
}

/// The visible part of an axis, in positions, and its ticks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ticks {
    pub low: f64,
    pub high: f64,
    /// Position and label, ascending.
    pub marks: Vec<(f64, String)>,
}

impl Ticks {
    /// Range and ticks of an axis that shows all of `positions` with a little room
    /// around them, and has about `wanted` ticks; of a single position, a tick there alone, so
    /// that the one board size of a measurement has no fractions beside it.
    pub fn cover(scale: Scale, positions: impl Iterator<Item = f64>, wanted: f64) -> Self {
        let (low, high) = positions
            .filter(|p| p.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
        let (low, high) = match scale {
            _ if low > high => (0.0, 1.0),
            Scale::Linear if high - low <= 1e-9 * high.abs() => {
                let room = if low == 0.0 { 1.0 } else { 0.1 * low.abs() };
                let marks = vec![(low, scale.label(low))];
                return Self { low: low - room, high: high + room, marks };
            }
            _ if high - low < 1e-9 => (low - 0.5, high + 0.5),
            _ => (low, high),
        };
        let room = 0.04 * (high - low);
        let (low, high) = (low - room, high + room);
        let step = match scale {
            Scale::Linear => nice_step((high - low) / wanted),
            Scale::Log2 | Scale::Log10 if high - low > 1.0 => {
                ((high - low) / wanted).ceil().max(1.0)
            }
            // Less than one doubling, or than a factor of ten.
            Scale::Log2 | Scale::Log10 => return Self::within_a_power(scale, low, high),
        };
        // Over few powers of ten, 2 and 5 times each as well.
        let is_short = scale == Scale::Log10 && high - low < wanted / 3.0;
        let parts = if is_short { &[0.0, LOG10_2, 1.0 - LOG10_2][..] } else { &[0.0] };
        let mut marks = Vec::new();
        let mut tick = (low / step).floor();
        while tick * step <= high {
            let positions = parts.iter().map(|part| tick * step + part);
            let visible = positions.filter(|p| (low..=high).contains(p));
            marks.extend(visible.map(|position| (position, scale.label(position))));
            tick += 1.0;
        }
        Self { low, high, marks }
    }

    /// Ticks at round numbers on a logarithmic axis without room for powers.
    fn within_a_power(scale: Scale, low: f64, high: f64) -> Self {
        let back = |p: f64| if scale == Scale::Log2 { p.exp2() } else { 10_f64.powf(p) };
        let step = nice_step((back(high) - back(low)) / 5.0);
        let mut marks = Vec::new();
        let mut tick = (back(low) / step).ceil().max(1.0);
        while tick * step <= back(high) {
            if let Some(position) = scale.position(tick * step) {
                marks.push((position, text::number(tick * step)));
            }
            tick += 1.0;
        }
        Self { low, high, marks }
    }

    /// `position` as a fraction of the visible part: 0 at `low`, 1 at `high`.
    pub fn fraction(&self, position: f64) -> f64 {
        (position - self.low) / (self.high - self.low)
    }
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

/// `value` rounded to three significant digits.
fn round(value: f64) -> f64 {
    let unit = 10_f64.powf(value.log10().floor() - 2.0);
    (value / unit).round() * unit
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
        for scale in [Scale::Linear, Scale::Log2, Scale::Log10] {
            for values in [&[][..], &[5.0], &[0.0], &[-1.0, f64::NAN, f64::INFINITY]] {
                let positions = values.iter().filter_map(|&v| scale.position(v));
                let ticks = Ticks::cover(scale, positions, 6.0);
                assert!(ticks.high > ticks.low, "{scale:?} {values:?}");
                assert!(ticks.marks.len() < 20, "{scale:?} {values:?}");
            }
        }
    }
}
