//! How often successive elimination drops the best arm, and how many pairs it takes.
//!
//! ```sh
//! cargo run --release -p tengen-stats --example elimination > elimination.csv
//! ```
//!
//! Each simulated run has an error rate of 5 % and ends after 1,024 pairs of each remaining arm, if
//! several remain. The arms' scores against the first bot are around 50 or 80 %. `field` says how
//! they lie: `equal`, `one` (one arm is `gap` Elo better than all others) or `ladder` (each arm is
//! `gap` Elo better than the next). A table goes to stderr.

use tengen_stats::coverage::{PairModel, games_of};
use tengen_stats::seed::{mix, uniform};
use tengen_stats::{Elimination, Elo};

const RUNS: u64 = 2_000;
const PAIRS: u64 = 1_024;
const ERROR: f64 = 0.05;

/// The Elo of each arm below the best one.
fn behind(field: &str, gap: f64, arms: usize) -> Vec<f64> {
    let place = |arm: usize| match field {
        "one" => usize::from(arm > 0),
        "ladder" => arm,
        _ => 0,
    };
    (0..arms).map(|arm| gap * place(arm) as f64).collect()
}

/// Shares of the runs in which the best arm was dropped and in which it alone remained, and the mean
/// pairs of all arms together.
fn simulate(models: &[PairModel], seed: u64) -> (f64, f64, f64) {
    let cells: Vec<[f64; 3]> = models.iter().map(PairModel::cells).collect();
    let (mut dropped, mut found, mut pairs) = (0, 0, 0);
    for run in 0..RUNS {
        let own = mix(seed, run);
        let mut elimination = Elimination::new(models.len(), ERROR);
        for pair in 0..PAIRS {
            for (arm, &cells) in cells.iter().enumerate() {
                if pair >= elimination.limit(arm) {
                    continue;
                }
                let drawn = uniform(own, pair * models.len() as u64 + arm as u64);
                elimination.finish(arm, Some(games_of(cells, drawn)));
                pairs += 1;
            }
            if elimination.best().is_some() {
                break;
            }
        }
        dropped += u64::from(elimination.dropped_after(0).is_some());
        found += u64::from(elimination.best() == Some(0));
    }
    let share = |count: u64| count as f64 / RUNS as f64;
    (share(dropped), share(found), share(pairs))
}

fn main() {
    println!("field,gap,arms,best_score,correlation,dropped,found,pairs");
    eprintln!("| field | arms | best dropped, worst | best alone | pairs of 1,024 per arm |");
    eprintln!("|---|---|---|---|---|");
    let fields = [("equal", 0.0), ("one", 30.0), ("one", 60.0), ("ladder", 30.0), ("ladder", 60.0)];
    let mut seed = 0;
    for (field, gap) in fields {
        for arms in [3, 8, 20] {
            let mut rows = Vec::new();
            for (best, correlation) in [(0.5, 0.0), (0.5, -0.3), (0.8, 0.0), (0.8, 0.3)] {
                let elo = Elo::from_score(best).0;
                let models: Vec<PairModel> = behind(field, gap, arms)
                    .into_iter()
                    .map(|below| PairModel { score: Elo(elo - below).score(), correlation })
                    .collect();
                seed += 1;
                let (dropped, found, pairs) = simulate(&models, seed);
                println!(
                    "{field},{gap},{arms},{best},{correlation},{dropped:.4},{found:.4},{pairs:.1}"
                );
                rows.push((dropped, found, pairs));
            }
            let mean = |value: fn(&(f64, f64, f64)) -> f64| {
                rows.iter().map(value).sum::<f64>() / rows.len() as f64
            };
            eprintln!(
                "| {field} {gap} | {arms} | {:.1} % | {:.1} % | {:.0} % |",
                100.0 * rows.iter().map(|row| row.0).fold(0.0, f64::max),
                100.0 * mean(|row| row.1),
                100.0 * mean(|row| row.2) / (arms as f64 * PAIRS as f64),
            );
        }
    }
}
