//! Plots of the strength of parallel search.

use super::{Match, Opponent, Scheme, Speedups, Work, elo_point};
use crate::report::plots::{
    Axis, DataPoint, Drawing, Heading, Lines, ReferenceLine, Scale, Series,
};
use std::collections::BTreeSet;

/// Strength-speedups of Chaslot, Winands and van den Herik 2008, "Parallel
/// Monte-Carlo tree search": 13×13, by number of threads.
const CHASLOT: [(&str, &[(f64, f64)]); 3] = [
    ("root, published: Chaslot et al. 2008, 13×13", &[(4.0, 6.5), (16.0, 14.9)]),
    ("tree with virtual loss, published: the same", &[(16.0, 8.5)]),
    ("leaf, published: the same", &[(16.0, 2.4)]),
];

/// Horizontal offset between points of the same n, in doublings of n, so that no point hides
/// another. Published figures are drawn at n, root and tree to the left, leaf and shared to the
/// right, and the sequential search furthest right.
const APART: f64 = 0.07;

/// `n`, moved by `steps` of [`APART`].
fn beside(n: f64, steps: f64) -> f64 {
    n * (APART * steps).exp2()
}

/// The name of the line of `scheme`, and how far its points are from their n, in steps of [`APART`].
const fn line_of(scheme: Scheme) -> (&'static str, f64) {
    match scheme {
        Scheme::Root => ("root: n workers", -2.0),
        Scheme::Tree => ("tree, modelled: n leaves in flight", -1.0),
        Scheme::Leaf => ("leaf: n playouts per leaf", 1.0),
        Scheme::Shared => ("shared, modelled: n workers with one upper tree", 2.0),
    }
}

/// How far the points of the sequential search are drawn from their n, in steps of [`APART`].
const SEQUENTIAL_OFFSET: f64 = 3.0;

/// What the experiment models instead of measuring: part of every subtitle.
const MODEL: &str = "root workers beyond the cores ran one after the other; tree: n leaves in \
                     flight in one tree with virtual loss, a model of n threads";

/// The plot of the strength-speedup by degree of parallelism n, a line per scheme,
/// with n times the simulations or with the same number.
#[must_use]
pub fn draw_speedups(speedups: &Speedups, work: Work, conditions: &str) -> Drawing {
    let mut series = Vec::new();
    for &scheme in Scheme::VARIANTS {
        let (name, offset) = line_of(scheme);
        let point = |met: &Match| {
            let parallel = met.entrant.parallel.filter(|p| p.scheme == scheme && p.work == work)?;
            let speedup = met.speedup?;
            // A search beyond the curve has no factor: the plot leaves NaN out.
            let y = speedup.factor().unwrap_or(f64::NAN);
            let x = beside(f64::from(parallel.n), offset);
            Some(DataPoint::new(x, y, Some(speedup.interval.map(f64::exp2))))
        };
        let points: Vec<DataPoint> = speedups.matches.iter().filter_map(point).collect();
        if !points.is_empty() {
            series.push(Series::line(name, points));
        }
    }
    let (title, references) = match work {
        Work::FixedTime => ("Strength-speedup with n times the simulations", Vec::new()),
        Work::FixedWork => (
            "Strength-speedup with the same simulations",
            vec![ReferenceLine::new(1.0, "sequential")],
        ),
    };
    if work == Work::FixedTime {
        let parallel = speedups.matches.iter().filter_map(|met| met.entrant.parallel);
        let sizes: BTreeSet<u32> = parallel.map(|parallel| parallel.n).collect();
        let point = |n| DataPoint::new(beside(n, SEQUENTIAL_OFFSET), n, None);
        let points = sizes.into_iter().map(f64::from).map(point).collect();
        series.push(Series::line("sequential, n times the simulations", points));
        series.extend(CHASLOT.map(|(name, points)| {
            Series::line(name, points.iter().map(|&(x, y)| DataPoint::new(x, y, None)).collect())
        }));
    }
    let subtitle = format!(
        "{conditions}; factor 1: {} simulations; opponent of all: {}; bars: 95 % interval by \
         bootstrap; points beyond the doubling curve are left out; the points \
         of one n stand side by side; {MODEL}",
        speedups.base, speedups.opponent
    );
    Lines {
        heading: Heading::new(title, subtitle),
        x: Axis::new("n", Scale::Log2),
        y: Axis::new("factor of sequential simulations of equal Elo", Scale::Log2),
        series,
        references,
    }
    .draw()
}

/// The plot of the doubling curve: measured Elo by simulations per move, and the
/// monotone curve from which speedups are read.
#[must_use]
pub fn draw_curve(speedups: &Speedups, conditions: &str) -> Drawing {
    let sequential = speedups.matches.iter().filter(|met| met.entrant.parallel.is_none());
    let points = sequential.filter_map(|met| elo_point(met.entrant.simulations, &met.line));
    let mut measured: Vec<DataPoint> = points.collect();
    if let Opponent::Sequential(simulations) = speedups.opponent {
        measured.push(DataPoint::new(simulations as f64, 0.0, None));
    }
    measured.sort_by(|a, b| a.x.total_cmp(&b.x));
    let base = speedups.base as f64;
    let fitted = speedups.curve.points().iter();
    let fitted = fitted.map(|&(log2, y)| DataPoint::new(log2.exp2() * base, y, None));
    let name = "monotone, half a pair won and lost added: speedups are read from this";
    let subtitle = format!("{conditions}; bars: 95 % interval; infinite Elo is left out");
    Lines {
        heading: Heading::new("Elo of the sequential search by simulations", subtitle),
        x: Axis::new("simulations per move", Scale::Log2),
        y: Axis::new(format!("Elo over {}", speedups.opponent), Scale::Linear),
        series: vec![Series::line("measured", measured), Series::line(name, fitted.collect())],
        references: Vec::new(),
    }
    .draw()
}
