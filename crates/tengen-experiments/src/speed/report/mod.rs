//! Speeds of playouts and of searches: medians over the repeats of their
//! measurements, as tables and as plots.
//!
//! Speeds are compared per second of CPU time, the speed of one thread on a core of its own: other
//! programs on the machine do not lengthen CPU time. The interval of a median is that of
//! [`median_interval`] ([`range_note`]).

pub mod playouts;
mod reference;
pub mod searches;

pub use reference::ReferenceSpeed;

use crate::report::cells::Cells;
use crate::report::groups;
use crate::report::plots::{Axis, DataPoint, Drawing, Heading, Lines, Scale, Series};
use crate::report::text::{Column, TextTable};
use std::collections::BTreeMap;
use tengen_go::Size;
use tengen_stats::{Interval, Level, median_interval, percent};

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

    /// The interval of the median: the range from the least to the greatest value, or a narrower one
    /// if the repeats are many.
    pub(crate) fn range(&self) -> Interval {
        let found = median_interval(&self.0, Level::P95);
        found.map_or(Interval { low: self.0[0], high: self.0[self.0.len() - 1] }, |found| found.0)
    }
}

/// The table with a line per measurement: the `rows` with equal keys are its repeats.
fn table_of<R: Clone, K: PartialEq>(
    columns: &[Column<'_, Vec<R>>],
    rows: &[R],
    key: impl Fn(&R) -> K,
) -> TextTable {
    let measurements = groups(rows.iter().cloned(), key);
    TextTable::of(measurements.into_iter().map(|(_, repeats)| repeats), columns)
}

/// The values of one quantity in the repeats of a measurement.
fn repeats<R>(rows: &[R], value: impl Fn(&R) -> f64) -> Repeats {
    Repeats::of(rows.iter().map(value))
}

/// The repeats of a quantity that not every system measures.
fn known<R>(rows: &[R], value: impl Fn(&R) -> Option<f64>) -> Option<Repeats> {
    rows.iter().map(value).collect::<Option<Vec<f64>>>().map(Repeats::of)
}

/// The median of a quantity that not every system measures.
fn median_or_dash<R>(rows: &[R], value: impl Fn(&R) -> Option<f64>) -> String {
    known(rows, value).map_or_else(|| "-".to_owned(), |known| format!("{:.0}", known.median()))
}

/// The range of a quantity that not every system measures.
fn range_or_dash<R>(rows: &[R], value: impl Fn(&R) -> Option<f64>) -> String {
    known(rows, value).map_or_else(
        || "-".to_owned(),
        |known| {
            let Interval { low, high } = known.range();
            format!("{low:.0}-{high:.0}")
        },
    )
}

/// What the range of `repeats` repeats says about the median, in one line.
#[must_use]
pub fn range_note(repeats: u32) -> String {
    // The places of the ends among the repeats in ascending order.
    let places: Vec<f64> = (1..=repeats).map(f64::from).collect();
    match median_interval(&places, Level::P95) {
        Some((Interval { low, high }, confidence)) if repeats > 1 => {
            let ends = if low > 1.0 {
                format!("number {low} and number {high} of {repeats} repeats from the lowest")
            } else {
                format!("lowest and highest of {repeats} repeats")
            };
            format!(
                "range: {ends}, which enclose the median speed with {} confidence",
                percent(confidence)
            )
        }
        _ => "range: one repeat has none; more --repeats show the error".to_owned(),
    }
}

/// One repeat of a measurement, as part of a point of a plot.
struct Measured {
    /// Name of the series to which the point belongs.
    name: String,
    size: Size,
    threads: usize,
    /// Speed of one thread.
    rate: f64,
}

/// Measurements whose speeds are all per second of CPU time, or all per second of wall-clock time if
/// the CPU time of one is not known; and the name of the axis of these speeds of `things`. The
/// `measured` ones have the speed by the wall clock, and beside it that by CPU time.
fn by_one_clock(
    measured: impl Iterator<Item = (Measured, Option<f64>)> + Clone,
    things: &str,
) -> (Vec<Measured>, String) {
    let is_cpu = measured.clone().all(|(_, cpu_rate)| cpu_rate.is_some());
    let clock = if is_cpu { "CPU time" } else { "wall-clock time" };
    let by_clock = |(wall, cpu_rate): (Measured, Option<f64>)| match cpu_rate {
        Some(rate) if is_cpu => Measured { rate, ..wall },
        _ => wall,
    };
    (measured.map(by_clock).collect(), format!("{things} per second of {clock}"))
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

/// The measurements with the fewest threads; and that number of threads.
fn with_fewest_threads(measured: Vec<Measured>) -> (impl Iterator<Item = Measured>, usize) {
    let fewest = measured.iter().map(|measured| measured.threads).min().unwrap_or(1);
    (measured.into_iter().filter(move |measured| measured.threads == fewest), fewest)
}

/// A series per name by the longer side of the board, for the fewest threads; and that number of
/// threads.
fn by_size(measured: Vec<Measured>) -> (Vec<Series>, usize) {
    let (chosen, fewest) = with_fewest_threads(measured);
    (series(chosen, |measured| measured.size.longer_side() as f64), fewest)
}

/// A sentence for each size, in the order of the rows: which measurement is the fastest with the
/// fewest threads, and how much slower the slowest is.
fn answers(measured: Vec<Measured>, axis: &str) -> Vec<String> {
    let (chosen, fewest) = with_fewest_threads(measured);
    let threads =
        if fewest == 1 { "one thread".to_owned() } else { format!("each of {fewest} threads") };
    let of_size = |(size, measured): (Size, Vec<Measured>)| {
        let mut by_name: Vec<(String, Repeats)> = groups(measured, |one| one.name.clone())
            .into_iter()
            .map(|(name, own)| (name, Repeats::of(own.iter().map(|one| one.rate))))
            .collect();
        by_name.sort_by(|one, other| other.1.median().total_cmp(&one.1.median()));
        let (name, rates) = by_name.first()?;
        let Interval { low, high } = rates.range().map(|rate| rate / 1e3);
        let repeats = match rates.0.len() {
            1 => String::new(),
            count => format!(" ({low:.0} to {high:.0} in {count} repeats)"),
        };
        let rest = match by_name.last().filter(|_| by_name.len() > 1) {
            Some((slowest, slow)) => {
                format!("; {slowest} is the slowest, with {:.0} thousand", slow.median() / 1e3)
            }
            None => String::new(),
        };
        let what = if by_name.len() > 1 { " is the fastest:" } else { ":" };
        Some(format!(
            "On {size} {name}{what} {threads} makes {:.0} thousand {axis}{repeats}{rest}.",
            rates.median() / 1e3
        ))
    };
    groups(chosen, |one| one.size).into_iter().filter_map(of_size).collect()
}

/// The plot of rates by the longer side of the board.
fn draw_by_size(title: String, subtitle: &str, rate: &str, series: Vec<Series>) -> Drawing {
    let x = Axis::new("longer side of the board", Scale::Linear);
    let y = Axis::new(rate, Scale::Log10);
    Lines { heading: Heading::new(title, subtitle), x, y, series, references: Vec::new() }.draw()
}

/// The plot of the rates of all threads together by their number, a line per size and name.
fn draw_by_threads(
    title: &str,
    subtitle: &str,
    rate: &str,
    measured: impl Iterator<Item = Measured>,
) -> Drawing {
    let named = measured.map(|one| Measured {
        name: format!("{} {}", one.size, one.name),
        rate: one.rate * one.threads as f64,
        ..one
    });
    Lines {
        heading: Heading::new(title, subtitle),
        x: Axis::new("threads", Scale::Log2),
        y: Axis::new(format!("{rate}, times threads"), Scale::Log10),
        series: series(named, |measured| measured.threads as f64),
        references: Vec::new(),
    }
    .draw()
}

/// The configuration with the highest median speed on the first board size, with the fewest
/// threads.
fn fastest(rows: &[Cells], what: &str, columns: &[&str]) -> Option<String> {
    let size = rows.first()?.text("size");
    let threads = |row: &Cells| row.number("threads").unwrap_or(1.0);
    let rate = |row: &Cells| {
        let wall = row.number(&format!("{what}_per_second")).map(|rate| rate / threads(row));
        row.number(&format!("{what}_per_cpu_second")).or(wall).unwrap_or(0.0)
    };
    let mut rates: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let own: Vec<&Cells> = rows.iter().filter(|row| row.text("size") == size).collect();
    let fewest = own.iter().map(|row| threads(row)).fold(f64::INFINITY, f64::min);
    for row in own.into_iter().filter(|row| threads(row) <= fewest) {
        let names = columns.iter().map(|name| row.text(name));
        let names = names.filter(|name| !["", "uniform", "none"].contains(name));
        rates.entry(names.collect::<Vec<_>>().join(" ")).or_default().push(rate(row));
    }
    // The median of the repeats, as in the sentences of the run itself.
    let medians = rates.into_iter().map(|(names, rates)| (names, Repeats::of(rates).median()));
    let (names, best) = medians.max_by(|one, other| one.1.total_cmp(&other.1))?;
    Some(format!("{size}: {names} {:.0} thousand {what}/s", best / 1e3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_by_hand() {
        let odd = Repeats::of([3.0, 1.0, 2.0]);
        assert_eq!(odd.median(), 2.0);
        let even = Repeats::of([4.0, 1.0, 2.0, 3.0]);
        assert_eq!((even.median(), even.range()), (2.5, Interval { low: 1.0, high: 4.0 }));
    }

    #[test]
    fn the_note_says_how_often_the_range_encloses_the_median() {
        assert!(range_note(5).contains("5 repeats") && range_note(5).contains("93.8 %"));
        assert!(range_note(2).contains("50.0 %"), "{}", range_note(2));
        assert!(range_note(1).contains("one repeat"));
        let many = range_note(9);
        assert!(
            many.contains("number 2 and number 8 of 9 repeats") && many.contains("96.1 %"),
            "{many}"
        );
        let nine = Repeats::of((1..=9).map(f64::from));
        assert_eq!(nine.range(), Interval { low: 2.0, high: 8.0 });
    }

    #[test]
    fn speeds_are_per_second_of_cpu_time_if_all_have_one() {
        let rates = |cpu_rates: [Option<f64>; 2]| {
            let size = Size::square(9).unwrap();
            let wall = || Measured { name: String::new(), size, threads: 2, rate: 3.0 };
            let (found, axis) =
                by_one_clock(cpu_rates.iter().map(|&rate| (wall(), rate)), "playouts");
            (found[0].rate, axis)
        };
        let cpu = (4.0, "playouts per second of CPU time".to_owned());
        assert_eq!(rates([Some(4.0), Some(5.0)]), cpu);
        let wall = (3.0, "playouts per second of wall-clock time".to_owned());
        assert_eq!(rates([Some(4.0), None]), wall);
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
