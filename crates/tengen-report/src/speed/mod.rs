//! Speeds of playouts and of searches: medians over the repeats of their
//! measurements, as tables and as plots.

pub mod playouts;
mod reference;
pub mod searches;

pub use reference::{ReferenceSpeed, ReferenceSpeedError};

use crate::plots::{Axis, DataPoint, Drawing, Heading, Lines, Scale, Series};
use tengen_stats::Interval;

/// The values of one quantity in all repeats of a measurement, ascending; at least
/// one.
struct Repeats(Vec<f64>);

impl Repeats {
    fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        Self(values)
    }

    fn median(&self) -> f64 {
        let count = self.0.len();
        f64::midpoint(self.0[(count - 1) / 2], self.0[count / 2])
    }

    /// The range from the least to the greatest value.
    fn range(&self) -> Interval {
        Interval { low: self.0[0], high: self.0[self.0.len() - 1] }
    }

    /// The width of the range as a share of the median.
    fn spread(&self) -> f64 {
        let Interval { low, high } = self.range();
        (high - low) / self.median()
    }
}

/// Groups `rows` by `key`; the keys are in order of first appearance.
fn groups<R, K: PartialEq>(
    rows: impl IntoIterator<Item = R>,
    key: impl Fn(&R) -> K,
) -> Vec<(K, Vec<R>)> {
    let mut groups: Vec<(K, Vec<R>)> = Vec::new();
    for row in rows {
        let key = key(&row);
        match groups.iter_mut().find(|group| group.0 == key) {
            Some(group) => group.1.push(row),
            None => groups.push((key, vec![row])),
        }
    }
    groups
}

/// One repeat of a measurement, as part of a point of a plot.
struct Measured {
    /// Name of the series to which the point belongs.
    name: String,
    x: f64,
    rate: f64,
}

/// A series per name, in order of appearance, with a point per `x`: median and
/// range of the rates there.
fn series(measured: impl IntoIterator<Item = Measured>) -> Vec<Series> {
    let point = |(x, measured): (f64, Vec<Measured>)| {
        let rates = Repeats::of(measured.iter().map(|measured| measured.rate));
        DataPoint { x, y: rates.median(), interval: Some(rates.range()) }
    };
    groups(measured, |measured| measured.name.clone())
        .into_iter()
        .map(|(name, measured)| {
            let mut by_x = groups(measured, |measured| measured.x);
            by_x.sort_by(|a, b| a.0.total_cmp(&b.0));
            Series { name, points: by_x.into_iter().map(point).collect(), ..Series::default() }
        })
        .collect()
}

/// The plot of rates on a logarithmic axis, labelled `rate`, by the quantity of
/// `x_axis`.
fn rate_plot(heading: Heading, x_axis: Axis, rate: &str, series: Vec<Series>) -> Drawing {
    let y = Axis { label: rate.to_owned(), scale: Scale::Log10 };
    Lines { heading, x: x_axis, y, series, references: Vec::new() }.draw()
}

fn size_axis() -> Axis {
    Axis { label: "longer side of the board".into(), scale: Scale::Linear }
}

fn threads_axis() -> Axis {
    Axis { label: "threads".into(), scale: Scale::Log2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_by_hand() {
        let odd = Repeats::of([3.0, 1.0, 2.0]);
        assert_eq!((odd.median(), odd.spread()), (2.0, 1.0));
        let even = Repeats::of([4.0, 1.0, 2.0, 3.0]);
        assert_eq!((even.median(), even.range()), (2.5, Interval { low: 1.0, high: 4.0 }));
    }

    #[test]
    fn series_are_by_name_and_points_by_x() {
        let measured = |name: &str, x, rate| Measured { name: name.into(), x, rate };
        let series = series([
            measured("b", 9.0, 10.0),
            measured("a", 5.0, 1.0),
            measured("b", 5.0, 30.0),
            measured("b", 9.0, 20.0),
        ]);
        let names: Vec<&str> = series.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(names, ["b", "a"]);
        let points: Vec<(f64, f64)> = series[0].points.iter().map(|p| (p.x, p.y)).collect();
        assert_eq!(points, [(5.0, 30.0), (9.0, 15.0)]);
    }
}
