//! Pictures of the speed of playouts.

use super::{Reference, SpeedRow};
use crate::go::Size;
use crate::playout::{EarlyStop, Policy};
use crate::plots::{Axis, DataPoint, Drawing, Heading, Lines, Scale, Series};
use crate::stats::Interval;

/// Median of the rates, and their range.
fn point(x: f64, mut rates: Vec<f64>) -> DataPoint {
    rates.sort_by(f64::total_cmp);
    let interval = Interval { low: rates[0], high: rates[rates.len() - 1] };
    DataPoint { x, y: median(&rates), interval: Some(interval) }
}

/// The middle of rates in order.
fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) {
        f64::midpoint(sorted[middle - 1], sorted[middle])
    } else {
        sorted[middle]
    }
}

/// A name, and for each `x` the rates there.
type Group = (String, Vec<(f64, Vec<f64>)>);

/// One series a name, in order of appearance, one point an `x`: median and
/// range of the rates there. From `x`, rate and name of each measurement.
pub(in crate::bench) fn series(rows: impl Iterator<Item = (f64, f64, String)>) -> Vec<Series> {
    let mut groups: Vec<Group> = Vec::new();
    for (x, rate, name) in rows {
        let place = groups.iter().position(|group| group.0 == name).unwrap_or_else(|| {
            groups.push((name, Vec::new()));
            groups.len() - 1
        });
        let points = &mut groups[place].1;
        match points.iter_mut().find(|point| point.0.total_cmp(&x).is_eq()) {
            Some(point) => point.1.push(rate),
            None => points.push((x, vec![rate])),
        }
    }
    groups
        .into_iter()
        .map(|(name, mut points)| {
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let points = points.into_iter().map(|(x, rates)| point(x, rates)).collect();
            Series { name, points }
        })
        .collect()
}

fn y_axis() -> Axis {
    Axis { label: "playouts a second".into(), scale: Scale::Log10 }
}

/// What a line is named by: policy and stop rule only if they are not the
/// usual ones.
fn kind(row: &SpeedRow) -> String {
    let policy = (row.policy != Policy::default().to_string()).then(|| row.policy.clone());
    let stop = (row.stop != EarlyStop::Never).then(|| row.stop.to_string());
    [Some(row.isa.clone()), policy, stop].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Speed by the longer side of the board, a line an instruction set,
/// policy and stop rule; median and range of the repeats. A line a program and
/// source of the references.
#[must_use]
pub fn draw_sizes(rows: &[SpeedRow], references: &[Reference], subtitle: &str) -> Drawing {
    let fewest = rows.iter().map(|row| row.threads).min().unwrap_or(1);
    let chosen = rows.iter().filter(|row| row.threads == fewest);
    let side = |size: Size| size.longer_side() as f64;
    let ours = chosen.map(|row| (side(row.size), row.playouts_per_second, kind(row)));
    let others = references.iter().map(|reference| {
        let name = format!("{} ({})", reference.program, reference.source);
        (side(reference.size), reference.playouts_per_second, name)
    });
    let series = series(ours.chain(others));
    let heading =
        Heading { title: "Playouts a second by board size".into(), subtitle: subtitle.into() };
    let x = Axis { label: "longer side of the board".into(), scale: Scale::Linear };
    Lines { heading, x, y: y_axis(), series, references: Vec::new() }.draw()
}

/// Speed by threads, a line a size, instruction set, policy and stop
/// rule.
#[must_use]
pub fn draw_threads(rows: &[SpeedRow], subtitle: &str) -> Drawing {
    let series = series(rows.iter().map(|row| {
        (row.threads as f64, row.playouts_per_second, format!("{} {}", row.size, kind(row)))
    }));
    let heading =
        Heading { title: "Playouts a second by threads".into(), subtitle: subtitle.into() };
    let x = Axis { label: "threads".into(), scale: Scale::Log2 };
    Lines { heading, x, y: y_axis(), series, references: Vec::new() }.draw()
}
