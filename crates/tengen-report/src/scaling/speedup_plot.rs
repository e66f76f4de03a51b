//! Plots of the strength of parallel search.

use super::{Match, Opponent, Scheme, Speedups, Work};
use crate::plots::{Axis, DataPoint, Drawing, Heading, Lines, ReferenceLine, Scale, Series};
use strum::VariantArray;

/// Strength-speedups of Chaslot, Winands and van den Herik 2008, "Parallel
/// Monte-Carlo tree search": 13×13, by number of threads.
const CHASLOT: [(&str, &[(f64, f64)]); 3] = [
    ("root, published: Chaslot et al. 2008, 13×13", &[(4.0, 6.5), (16.0, 14.9)]),
    ("tree with virtual loss, published: the same", &[(16.0, 8.5)]),
    ("leaf, published: the same", &[(16.0, 2.4)]),
];

/// Horizontal offset between the points of one n, in doublings of n, so that none hides another: the
/// published figures stand at n, root and tree left of it, leaf and shared right of it, the sequential
/// search furthest right.
const APART: f64 = 0.07;

/// `n`, moved by `steps` of [`APART`].
fn beside(n: f64, steps: f64) -> f64 {
    n * (APART * steps).exp2()
}

/// How far the points of `scheme` are from their n, in steps of [`APART`].
const fn offset(scheme: Scheme) -> f64 {
    match scheme {
        Scheme::Root => -2.0,
        Scheme::Tree => -1.0,
        Scheme::Leaf => 1.0,
        Scheme::Shared => 2.0,
    }
}

/// How far the points of the sequential search are from theirs.
const SEQUENTIAL_OFFSET: f64 = 3.0;

/// What the experiment models rather than measures, as every subtitle says.
const MODEL: &str = "root workers beyond the cores ran one after the other; tree: n leaves in \
                     flight in one tree with virtual loss, a model of n threads";

/// The plot of the strength-speedup by degree of parallelism n, a line per scheme,
/// with n times the simulations or with the same number.
#[must_use]
pub fn draw_speedups(speedups: &Speedups, work: Work, conditions: &str) -> Drawing {
    let of = |scheme| {
        speedups.matches.iter().filter(move |met| {
            met.entrant.parallel.is_some_and(|p| p.scheme == scheme && p.work == work)
        })
    };
    let point = |met: &Match| {
        let parallel = met.entrant.parallel?;
        let speedup = met.speedup?;
        let interval = Some(speedup.interval.map(f64::exp2));
        // A search beyond the curve has no factor: the plot leaves NaN out.
        let y = speedup.factor().unwrap_or(f64::NAN);
        let x = beside(f64::from(parallel.n), offset(parallel.scheme));
        Some(DataPoint { x, y, interval })
    };
    let mut series: Vec<Series> = Scheme::VARIANTS
        .iter()
        .map(|&scheme| {
            let name = match scheme {
                Scheme::Root => "root: n workers",
                Scheme::Tree => "tree, modelled: n leaves in flight",
                Scheme::Leaf => "leaf: n playouts per leaf",
                Scheme::Shared => "shared, modelled: n workers with one upper tree",
            };
            Series {
                name: name.into(),
                points: of(scheme).filter_map(point).collect(),
                ..Series::default()
            }
        })
        .filter(|series: &Series| !series.points.is_empty())
        .collect();
    let plain = |(x, y)| DataPoint { x, y, interval: None };
    let (title, mut references) = match work {
        Work::FixedTime => ("Strength-speedup with n times the simulations", Vec::new()),
        Work::FixedWork => ("Strength-speedup with the same simulations", Vec::new()),
    };
    if work == Work::FixedTime {
        let mut sizes: Vec<f64> = speedups
            .matches
            .iter()
            .filter_map(|met| met.entrant.parallel.map(|p| p.n.into()))
            .collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        let point = |n| plain((beside(n, SEQUENTIAL_OFFSET), n));
        let points = sizes.into_iter().map(point).collect();
        series.push(Series {
            name: "sequential, n times the simulations".into(),
            points,
            ..Series::default()
        });
        series.extend(CHASLOT.map(|(name, points)| Series {
            name: name.into(),
            points: points.iter().copied().map(plain).collect(),
            ..Series::default()
        }));
    } else {
        references.push(ReferenceLine { y: 1.0, label: "sequential".into() });
    }
    Lines {
        heading: Heading {
            title: title.into(),
            subtitle: format!(
                "{conditions}; factor 1: {} simulations; opponent of all: {}; bars: 95 % interval by \
                 bootstrap; points beyond the doubling curve are left out; the points \
                 of one n stand side by side; {MODEL}",
                speedups.base, speedups.opponent
            ),
        },
        x: Axis { label: "n".into(), scale: Scale::Log2 },
        y: Axis {
            label: "factor of sequential simulations of equal Elo".into(),
            scale: Scale::Log2,
        },
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
    let mut measured: Vec<DataPoint> = sequential
        .filter_map(|met| {
            let (elo, interval) = met.elo?;
            let interval = Some(interval.map(|end| end.0));
            Some(DataPoint { x: met.entrant.playouts as f64, y: elo.0, interval })
        })
        .collect();
    if let Opponent::Sequential(playouts) = speedups.opponent {
        measured.push(DataPoint { x: playouts as f64, y: 0.0, interval: None });
    }
    measured.sort_by(|a, b| a.x.total_cmp(&b.x));
    let base = speedups.base as f64;
    let fitted = speedups.curve.points().iter().map(|&(log2, y)| DataPoint {
        x: log2.exp2() * base,
        y,
        interval: None,
    });
    let name = "monotone, half a pair won and lost added: speedups are read from this";
    Lines {
        heading: Heading {
            title: "Elo of the sequential search by simulations".into(),
            subtitle: format!("{conditions}; bars: 95 % interval; infinite Elo is left out"),
        },
        x: Axis { label: "simulations per move".into(), scale: Scale::Log2 },
        y: Axis { label: format!("Elo over {}", speedups.opponent), scale: Scale::Linear },
        series: vec![
            Series { name: "measured".into(), points: measured, ..Series::default() },
            Series { name: name.into(), points: fitted.collect(), ..Series::default() },
        ],
        references: Vec::new(),
    }
    .draw()
}
