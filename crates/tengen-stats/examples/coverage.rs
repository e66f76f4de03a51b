//! How often intervals for pairs cover the true score: this crate's, and others.
//!
//! ```sh
//! cargo run --release -p tengen-stats --example coverage > coverage.csv
//! ```
//!
//! The coverage is exact: the sum of the probabilities of all results whose interval contains the
//! true score. A table of the worst and the mean coverage goes to stderr.

use tengen_stats::coverage::{Coverage, PairModel};
use tengen_stats::{Interval, Level, Moments, Pairs, wilson};

const LEVEL: Level = Level::P95;

/// The name of an interval, and the function that computes it.
type Method = (&'static str, fn(&Pairs) -> Option<Interval>);

/// The intervals that are compared. `wilson` is Wilson's at the effective number of games,
/// `student` uses the quantile of Student's distribution instead. The number is the number of
/// pseudo-pairs from which, with the match, the variance is estimated.
const METHODS: [Method; 9] = [
    ("tengen", |pairs| pairs.interval(LEVEL)),
    ("student-2", |pairs| effective(pairs, [0.5, 1.0, 0.5], true)),
    ("student-8", |pairs| effective(pairs, [2.0, 4.0, 2.0], true)),
    ("wilson-2", |pairs| effective(pairs, [0.5, 1.0, 0.5], false)),
    ("wilson-4", |pairs| effective(pairs, [1.0, 2.0, 1.0], false)),
    ("wilson-8", |pairs| effective(pairs, [2.0, 4.0, 2.0], false)),
    ("at-most-2N", at_most_two_games),
    ("tango", tango),
    ("normal", normal),
];

fn moments(pairs: &Pairs) -> Option<Moments> {
    pairs.moments()
}

/// Wilson's interval at the effective number of games, with these pseudo-pairs.
fn effective(pairs: &Pairs, pseudo: [f64; 3], is_student: bool) -> Option<Interval> {
    let Moments { units, mean: score, .. } = moments(pairs)?;
    let counts = pairs.by_result();
    let cells: Vec<f64> = counts.iter().zip(pseudo).map(|(&n, more)| n as f64 + more).collect();
    let all: f64 = cells.iter().sum();
    let of = |f: &dyn Fn(f64) -> f64| -> f64 {
        cells.iter().zip([0.0, 0.5, 1.0]).map(|(n, score)| n * f(score)).sum::<f64>() / all
    };
    let mean = of(&|score| score);
    let variance = of(&|score| (score - mean).powi(2));
    let games = units * mean * (1.0 - mean) / variance;
    // A wider quantile has the effect of fewer games.
    let wider = if is_student { LEVEL.t(all - 1.0) / LEVEL.z() } else { 1.0 };
    wilson(score, games / wider.powi(2), LEVEL)
}

/// Wilson's interval at the effective number of games of the pairs alone, clamped to N to 2N.
fn at_most_two_games(pairs: &Pairs) -> Option<Interval> {
    let Moments { units, mean, variance, .. } = moments(pairs)?;
    let games = units * mean * (1.0 - mean) / variance;
    wilson(mean, if games < 2.0 * units { games.max(units) } else { 2.0 * units }, LEVEL)
}

/// The normal interval of the mean.
fn normal(pairs: &Pairs) -> Option<Interval> {
    let moments = moments(pairs)?;
    let half = LEVEL.z() * moments.standard_error();
    Some(Interval { low: moments.mean - half, high: moments.mean + half })
}

/// The score interval of a difference of paired proportions (Tango 1998, "Equivalence test and
/// confidence interval for the difference in proportions for the paired-sample design").
fn tango(pairs: &Pairs) -> Option<Interval> {
    let [lost, _, won] = pairs.by_result().map(|count| count as f64);
    let n = moments(pairs)?.units;
    // The largest difference that the score test accepts, for these numbers gained and lost.
    let upper = |gained: f64, lost: f64| {
        let accepts = |difference: f64| {
            let linear = -gained - lost + (2.0 * n - gained + lost) * difference;
            let constant = -lost * difference * (1.0 - difference);
            let root = (linear * linear - 8.0 * n * constant).max(0.0).sqrt();
            let share = (root - linear) / (4.0 * n);
            let variance = n * (2.0 * share + difference * (1.0 - difference));
            (gained - lost - n * difference).powi(2) <= LEVEL.z().powi(2) * variance
        };
        let (mut low, mut high) = ((gained - lost) / n, 1.0);
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            if accepts(middle) { low = middle } else { high = middle }
        }
        high
    };
    Some(Interval {
        low: (1.0 - upper(lost, won)) / 2.0,
        high: f64::midpoint(1.0, upper(won, lost)),
    })
}

fn main() {
    let models = PairModel::all();
    println!("method,pairs,score,correlation,covered,width");
    eprintln!(
        "| method | pairs | worst | mean | below 93 % | mean width |\n|---|---|---|---|---|---|"
    );
    for pairs in [5, 10, 20, 50, 200, 2_000] {
        for (name, interval) in METHODS {
            let found = Coverage::over(&models, pairs, interval);
            for (PairModel { score, correlation }, Coverage { covered, width }) in
                models.iter().zip(&found)
            {
                println!("{name},{pairs},{score},{correlation:.4},{covered:.4},{width:.4}");
            }
            let mean = |of: fn(&Coverage) -> f64| {
                100.0 * found.iter().map(of).sum::<f64>() / found.len() as f64
            };
            let worst = 100.0 * found.iter().map(|found| found.covered).fold(1.0, f64::min);
            let low = found.iter().filter(|found| found.covered < 0.93).count();
            let (covered, width) = (mean(|found| found.covered), mean(|found| found.width));
            let of = found.len();
            eprintln!(
                "| {name} | {pairs} | {worst:.1} | {covered:.1} | {low} of {of} | {width:.2} |"
            );
        }
    }
}
