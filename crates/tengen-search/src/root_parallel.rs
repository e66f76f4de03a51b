//! Root-parallel search: independent workers, merged at the root.
//!
//! `workers` is a number of the algorithm and decides what is found; the
//! threads that run them are the machine's and decide only when.

use super::config::{Merge, UctConfig};
use super::driver;
use super::report::{self, Report};
use super::tree::Tree;
use super::tree_parallel;
use super::uct::Search;
use rayon::prelude::*;
use std::time::{Duration, Instant};
use tengen_go::seed::mix;
use tengen_go::{Game, with_words};

/// What one worker is to do.
#[derive(Clone, Debug)]
pub struct Task {
    budget: u64,
    seed: u64,
    tree: Tree,
}

/// What one worker did.
#[derive(Clone, Debug)]
pub struct Finished {
    tree: Tree,
    simulations: u64,
    depth_sum: u64,
    depth_most: usize,
}

impl Task {
    /// The search that does it, in the position of `game`.
    #[must_use]
    pub fn begin<const W: usize>(self, game: &Game, config: &UctConfig) -> Search<W> {
        Search::new(game, config, self.budget, self.seed, self.tree)
    }
}

impl<const W: usize> From<Search<W>> for Finished {
    fn from(search: Search<W>) -> Self {
        Self {
            simulations: search.simulations(),
            depth_sum: search.depth_sum(),
            depth_most: search.depth_most(),
            tree: search.into_tree(),
        }
    }
}

impl From<tree_parallel::Outcome> for Finished {
    fn from(outcome: tree_parallel::Outcome) -> Self {
        Self {
            tree: outcome.tree,
            simulations: outcome.simulations,
            depth_sum: outcome.depth_sum,
            depth_most: outcome.depth_most,
        }
    }
}

impl Finished {
    /// Simulations made.
    #[must_use]
    pub const fn simulations(&self) -> u64 {
        self.simulations
    }
}

/// A task for each worker: number w has the seed `mix(seed, w)`, its share of
/// the playouts, and continues the tree number w of `kept`, or a new one.
#[must_use]
pub fn tasks(config: &UctConfig, seed: u64, kept: Vec<Tree>) -> Vec<Task> {
    let mut trees = kept;
    trees.resize_with(config.workers as usize, || Tree::new(config.extras()));
    let task = |(number, tree): (u64, Tree)| {
        let budget = config.playouts.map_or(u64::MAX, |playouts| share(playouts, config, number));
        Task { budget, seed: mix(seed, number), tree }
    };
    (0..).zip(trees).map(task).collect()
}

/// Merges what the workers found at the root of `game`'s position, in worker
/// order, after `seconds`. Returns their trees too.
#[must_use]
pub fn report(
    game: &Game,
    finished: Vec<Finished>,
    merge: Merge,
    seconds: f64,
) -> (Report, Vec<Tree>) {
    let playouts = finished.iter().map(|worker| worker.simulations).sum();
    let depth_sum: u64 = finished.iter().map(|worker| worker.depth_sum).sum();
    let most_depth = finished.iter().map(|worker| worker.depth_most).max().unwrap_or(0);
    let trees: Vec<Tree> = finished.into_iter().map(|worker| worker.tree).collect();
    let moves = report::merge(&trees, merge);
    let report = Report {
        to_play: game.to_play(),
        variation: moves.first().map_or(Vec::new(), |best| report::variation(&trees, best.made)),
        moves,
        playouts,
        mean_depth: depth_sum as f64 / playouts.max(1) as f64,
        most_depth,
        nodes: trees.iter().map(Tree::len).sum(),
        bytes: trees.iter().map(Tree::bytes).sum(),
        seconds,
    };
    (report, trees)
}

/// Does all `tasks`, on the threads of `pool`, or on this one where there is
/// none; for a budget in playouts the result is the same. The workers of a
/// thread share its lanes. A budget of seconds is the time of the whole search
/// by the clock.
#[must_use]
pub fn run(
    game: &Game,
    config: &UctConfig,
    tasks: &[Task],
    pool: Option<&rayon::ThreadPool>,
) -> Vec<Finished> {
    let deadline = config.seconds.map(|s| Instant::now() + Duration::from_secs_f64(s));
    let work = |tasks: &[Task]| -> Vec<Finished> {
        with_words!(game.size(), W => {
            if config.tree_threads > 1 {
                let shared = |task: &Task| {
                    tree_parallel::search::<W>(game, config, task.budget, task.seed, deadline)
                };
                return tasks.iter().map(|task| shared(task).into()).collect();
            }
            let begin = |task: &Task| task.clone().begin::<W>(game, config);
            let mut searches: Vec<Search<W>> = tasks.iter().map(begin).collect();
            driver::run(&mut searches, deadline);
            searches.into_iter().map(Finished::from).collect()
        })
    };
    match pool {
        Some(pool) => {
            let share = tasks.len().div_ceil(pool.current_num_threads()).max(1);
            pool.install(|| tasks.par_chunks(share).flat_map_iter(work).collect())
        }
        None => work(tasks),
    }
}

/// Searches the position of `game` with all [`tasks`] and merges what they
/// found: [`run`], then [`report()`].
#[must_use]
pub fn search(
    game: &Game,
    config: &UctConfig,
    seed: u64,
    kept: Vec<Tree>,
    pool: Option<&rayon::ThreadPool>,
) -> (Report, Vec<Tree>) {
    let started = Instant::now();
    let finished = run(game, config, &tasks(config, seed, kept), pool);
    report(game, finished, config.merge, started.elapsed().as_secs_f64())
}

/// The part of `playouts` that worker `number` makes: the first ones take the
/// remainder.
fn share(playouts: u64, config: &UctConfig, number: u64) -> u64 {
    let workers = u64::from(config.workers);
    playouts / workers + u64::from(number < playouts % workers)
}
