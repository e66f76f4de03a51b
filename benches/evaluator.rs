//! Searches with an evaluator: evaluations per second of CPU time, on 9×9 with Go's rules and
//! positional superko, 800 simulations per search. The searches begin in positions of random games:
//! 64 searches side by side after 0 to 63 plies, single searches after 32 plies. The evaluator only
//! writes planes, so the benchmark measures the search. Each run checks the number of simulations.
//! The case `uniform` equals that of `python/bench/evaluator.py`: 64 searches from the empty board,
//! with all weights 1.
//!
//! ```sh
//! cargo bench --bench evaluator                        # all cases, five rounds in turn
//! cargo bench --bench evaluator -- --rounds 20 alone   # one case
//! valgrind --tool=callgrind --toggle-collect='*evaluator*measured*' BINARY --rounds 1 alone
//! ```

#![allow(clippy::cast_possible_truncation)] // draws below a small number

use std::hint::black_box;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use tengen::go::{Bits, Game, Move, Preset, Rules, Size, default_komi};
use tengen::search::evaluator::{Batch, Evaluator, Leaf, NamedEvaluator};
use tengen::search::tree::Tree;
use tengen::search::{UctConfig, driver, root_parallel};

const SIMULATIONS: u64 = 800;

/// Pseudo-random weights; each position uses a section of them.
static WEIGHTS: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let draw = |number| (tengen::seed::mix(7, number) >> 40) as f32 / (1_u64 << 24) as f32;
    (0..4_096).map(|number| draw(number).powi(4)).collect()
});

/// The number of evaluations of all evaluators.
static EVALUATIONS: AtomicU64 = AtomicU64::new(0);

/// Values every position as even; the weights of moves follow from the position, or are all 1.
#[derive(Default)]
struct Free {
    planes: Vec<f32>,
    is_uniform: bool,
}

impl Evaluator for Free {
    fn evaluate(&mut self, batch: Batch<'_>) -> Result<(), String> {
        EVALUATIONS.fetch_add(batch.leaves.len() as u64, Ordering::Relaxed);
        let moves = batch.size.points() + 1;
        self.planes.resize(Leaf::plane_values(batch.size), 0.0);
        batch.values.fill(0.5);
        for (leaf, weights) in batch.leaves.iter().zip(batch.priors.chunks_exact_mut(moves)) {
            leaf.write_planes(black_box(&mut self.planes[..]));
            if self.is_uniform {
                weights.fill(1.0);
                continue;
            }
            let first = leaf.board.hash() as usize % (WEIGHTS.len() - moves);
            weights.copy_from_slice(&WEIGHTS[first..first + moves]);
        }
        Ok(())
    }
}

/// A case: its name, the number of searches side by side, and the leaves in flight of each.
const CASES: [(&str, usize, u32); 4] =
    [("together", 64, 1), ("alone", 1, 1), ("in-flight", 1, 8), (UNIFORM, 64, 1)];

/// The case of 64 searches from the empty board by uniform weights.
const UNIFORM: &str = "uniform";

/// A game of random moves after `plies` plies.
fn after(plies: u64) -> Game {
    let size = Size::square(9).expect("a size");
    let mut game = Game::new(size, Rules::new(Preset::Tengen, size, default_komi(size)));
    for ply in 0..plies {
        let points = game.sensible_points();
        let count = u64::from(points.count());
        let mv = match (tengen::seed::mix(9, ply) >> 32).checked_rem(count) {
            Some(drawn) => Move::Play(Bits::<6>::vertex(points.nth(drawn as u32))),
            None => Move::Pass,
        };
        game.play(game.to_play(), mv).expect("a legal move");
    }
    game
}

/// Searches each of `games` with `in_flight` leaves in flight, `times` times; returns the number of
/// evaluations.
#[inline(never)]
fn measured(games: &[Game], in_flight: u32, times: u64, is_uniform: bool) -> u64 {
    let free = move || Ok(Box::new(Free { is_uniform, ..Free::default() }) as _);
    let evaluator = NamedEvaluator::new("free", "1", free);
    let config = UctConfig { in_flight, ..UctConfig::with_evaluator(evaluator) };
    let before = EVALUATIONS.load(Ordering::Relaxed);
    for _ in 0..times {
        let tree = || Tree::new(config.extras());
        let begin = |game| root_parallel::begin_one(game, &config, SIMULATIONS, 1, tree());
        let searches = games.iter().map(begin).collect();
        let results = driver::run(games[0].size(), searches).expect("an evaluation of every leaf");
        for result in results {
            assert_eq!(u64::from(result.tree.visits(Tree::ROOT)), SIMULATIONS);
        }
    }
    EVALUATIONS.load(Ordering::Relaxed) - before
}

/// CPU time of this thread in seconds; wall-clock time if the system does not tell CPU time.
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
            let is_uniform = name == UNIFORM;
            let plies = |search| if is_uniform { 0 } else { search };
            let from = |search| after(if searches == 1 { 32 } else { plies(search) });
            let games: Vec<Game> = (0..searches as u64).map(from).collect();
            let before = cpu_seconds(began);
            let evaluations = measured(&games, in_flight, times, is_uniform);
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
