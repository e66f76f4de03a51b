//! Speeds of playouts and of searches: medians over the repeats of their
//! measurements, as tables and as plots.

pub mod playouts;
mod reference;
pub mod searches;

pub use reference::{ReferenceSpeed, ReferenceSpeedError};

use crate::plots::{Axis, DataPoint, Drawing, Heading, Lines, Scale, Series};
use crate::text::{Align, TextTable};
use tengen_go::Size;
use tengen_stats::Interval;

/// The values of one quantity in all repeats of a measurement, ascending; at least
/// one.
pub(crate) struct Repeats(Vec<f64>);

impl Repeats {
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        Self(values)
    }

    pub(crate) fn median(&self) -> f64 {
        let count = self.0.len();
        f64::midpoint(self.0[(count - 1) / 2], self.0[count / 2])
    }

    /// The range from the least to the greatest value.
    pub(crate) fn range(&self) -> Interval {
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

/// A column of a table of measurements: heading, alignment, and the cell of the repeats of one.
type Column<R> = (&'static str, Align, fn(&[&R]) -> String);

/// The table with a line per measurement: the `rows` with equal keys are its repeats.
fn table_of<R, K: PartialEq>(
    columns: &[Column<R>],
    rows: &[R],
    key: impl Fn(&R) -> K,
) -> TextTable {
    let headings: Vec<_> = columns.iter().map(|(heading, align, _)| (*heading, *align)).collect();
    let mut table = TextTable::new(&headings);
    for (_, repeats) in groups(rows, |row| key(row)) {
        table.push(columns.iter().map(|(.., cell)| cell(&repeats)));
    }
    table
}

/// The values of one quantity in the repeats of a measurement.
fn repeats<R>(rows: &[&R], value: impl Fn(&R) -> f64) -> Repeats {
    Repeats::of(rows.iter().map(|row| value(row)))
}

/// The median of a quantity that not every system measures.
fn median_or_dash<R>(rows: &[&R], value: impl Fn(&R) -> Option<f64>) -> String {
    let values: Option<Vec<f64>> = rows.iter().map(|row| value(row)).collect();
    values.map_or_else(|| "-".to_owned(), |values| format!("{:.0}", Repeats::of(values).median()))
}

/// One repeat of a measurement, as part of a point of a plot.
struct Measured {
    /// Name of the series to which the point belongs.
    name: String,
    size: Size,
    threads: usize,
    rate: f64,
}

/// A series per name, in order of appearance, with a point per `x`: median and
/// range of the rates there.
fn series(
    measured: impl IntoIterator<Item = Measured>,
    x: impl Fn(&Measured) -> f64,
) -> Vec<Series> {
    let point = |(x, measured): (f64, Vec<Measured>)| {
        let rates = Repeats::of(measured.iter().map(|measured| measured.rate));
        DataPoint::new(x, rates.median(), Some(rates.range()))
    };
    groups(measured, |measured| measured.name.clone())
        .into_iter()
        .map(|(name, measured)| {
            let mut by_x = groups(measured, &x);
            by_x.sort_by(|a, b| a.0.total_cmp(&b.0));
            Series::line(name, by_x.into_iter().map(point).collect())
        })
        .collect()
}

/// A series per name by the longer side of the board, with the fewest threads, and their number.
fn by_size(measured: Vec<Measured>) -> (Vec<Series>, usize) {
    let fewest = measured.iter().map(|measured| measured.threads).min().unwrap_or(1);
    let chosen = measured.into_iter().filter(|measured| measured.threads == fewest);
    (series(chosen, |measured| measured.size.longer_side() as f64), fewest)
}

/// The plot of rates by the longer side of the board.
fn draw_by_size(title: String, subtitle: &str, rate: &str, series: Vec<Series>) -> Drawing {
    let x = Axis::new("longer side of the board", Scale::Linear);
    let y = Axis::new(rate, Scale::Log10);
    Lines { heading: Heading::new(title, subtitle), x, y, series, references: Vec::new() }.draw()
}

/// The plot of rates by threads, a line per size and name.
fn draw_by_threads(
    title: &str,
    subtitle: &str,
    rate: &str,
    measured: impl Iterator<Item = Measured>,
) -> Drawing {
    let named = measured.map(|one| Measured { name: format!("{} {}", one.size, one.name), ..one });
    Lines {
        heading: Heading::new(title, subtitle),
        x: Axis::new("threads", Scale::Log2),
        y: Axis::new(rate, Scale::Log10),
        series: series(named, |measured| measured.threads as f64),
        references: Vec::new(),
    }
    .draw()
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
        let measured = |name: &str, size: u8, rate| {
            let size = Size::square(size).unwrap();
            Measured { name: name.into(), size, threads: 1, rate }
        };
        let all = [
            measured("b", 9, 10.0),
            measured("a", 5, 1.0),
            measured("b", 5, 30.0),
            measured("b", 9, 20.0),
        ];
        let (series, _) = by_size(all.into());
        let names: Vec<&str> = series.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(names, ["b", "a"]);
        let points: Vec<(f64, f64)> = series[0].points.iter().map(|p| (p.x, p.y)).collect();
        assert_eq!(points, [(5.0, 30.0), (9.0, 15.0)]);
    }
}
