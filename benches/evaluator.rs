//! Searches with an evaluator: evaluations per second of CPU time, 9×9 with Go's rules, positional
//! superko and 800 simulations a search. The evaluator writes planes and costs nothing else, so
//! that what is measured is the tree. The number of simulations is checked while it is timed.
//!
//! ```sh
//! cargo bench --bench evaluator                        # all cases, five rounds in turn
//! cargo bench --bench evaluator -- --rounds 20 alone   # one case
//! valgrind --tool=callgrind --toggle-collect='*evaluator*measured*' BINARY --rounds 1 alone
//! ```

use std::hint::black_box;
use std::time::Instant;
use tengen::go::{Game, Preset, Rules, Size, default_komi};
use tengen::search::evaluator::{Batch, Evaluator, Leaf, NamedEvaluator};
use tengen::search::tree::Tree;
use tengen::search::{UctConfig, driver, root_parallel};

const SIMULATIONS: u64 = 800;

/// Weights that look random, from which each position takes a stretch.
const WEIGHTS: usize = 4_096;

/// Judges every position as even; the weights of moves follow from the position.
struct Free {
    weights: Vec<f32>,
    planes: Vec<f32>,
}

impl Free {
    fn new() -> Self {
        let draw = |number| (tengen::seed::mix(7, number) >> 40) as f32 / (1_u64 << 24) as f32;
        Self { weights: (0..WEIGHTS as u64).map(|n| draw(n).powi(4)).collect(), planes: Vec::new() }
    }
}

impl Evaluator for Free {
    fn evaluate(&mut self, batch: Batch<'_>) -> Result<(), String> {
        let moves = batch.size.points() + 1;
        self.planes.resize(Leaf::plane_values(batch.size), 0.0);
        batch.values.fill(0.5);
        for (leaf, weights) in batch.leaves.iter().zip(batch.priors.chunks_exact_mut(moves)) {
            leaf.write_planes(black_box(&mut self.planes[..]));
            let first = leaf.board.hash() as usize % (WEIGHTS - moves);
            weights.copy_from_slice(&self.weights[first..first + moves]);
        }
        Ok(())
    }
}

/// A case: its name, the number of searches side by side, and the leaves in flight of each.
const CASES: [(&str, usize, u32); 3] = [("together", 64, 1), ("alone", 1, 1), ("in-flight", 1, 8)];

/// Runs `searches` searches with `in_flight` leaves in flight, `times` times; returns the number of
/// evaluations.
#[inline(never)]
fn measured(searches: usize, in_flight: u32, times: u64) -> u64 {
    let size = Size::square(9).expect("a size");
    let game = Game::new(size, Rules::new(Preset::Tengen, size, default_komi(size)));
    let evaluator = NamedEvaluator::new("free", "1", || Ok(Box::new(Free::new()) as _));
    let config = UctConfig { in_flight, ..UctConfig::with_evaluator(evaluator) };
    for _ in 0..times {
        let tree = || Tree::new(config.extras());
        let begin = |seed| root_parallel::begin_one(&game, &config, SIMULATIONS, seed, tree());
        let searches = (0..searches as u64).map(begin).collect();
        let results = driver::run(size, searches, None).expect("an evaluation of every leaf");
        for result in results {
            assert_eq!(u64::from(result.tree.visits(Tree::ROOT)), SIMULATIONS);
        }
    }
    searches as u64 * SIMULATIONS * times
}

/// CPU time of this thread in seconds; where the system does not tell, the time of a clock.
fn cpu_seconds(began: Instant) -> f64 {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.and_then(|spent| spent.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| began.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let rounds = arguments.iter().position(|it| it == "--rounds");
    let rounds = rounds.and_then(|place| arguments.get(place + 1)?.parse().ok()).unwrap_or(5);
    let named = |name: &str| arguments.iter().any(|it| it == name);
    let any_named = CASES.iter().any(|(name, ..)| named(name));
    let began = Instant::now();
    let mut speeds = vec![Vec::new(); CASES.len()];
    for _ in 0..rounds {
        for ((name, searches, in_flight), speeds) in CASES.into_iter().zip(&mut speeds) {
            if any_named && !named(name) {
                continue;
            }
            let times = if rounds == 1 { 1 } else { 128 / searches as u64 };
            let before = cpu_seconds(began);
            let evaluations = measured(searches, in_flight, times);
            speeds.push(evaluations as f64 / (cpu_seconds(began) - before) / 1_000.0);
        }
    }
    for ((name, ..), mut speeds) in CASES.into_iter().zip(speeds) {
        speeds.sort_by(f64::total_cmp);
        if let (Some(least), Some(most)) = (speeds.first(), speeds.last()) {
            let median = speeds[speeds.len() / 2];
            println!("evaluator/{name}: {median:.0} thousand a second ({least:.0} to {most:.0})");
        }
    }
}
