//! Root-parallel search: independent workers, merged at the root.
//!
//! The number of workers is a setting of the algorithm and changes its result;
//! the number of threads that run them never does.

use super::config::{Merge, UctConfig};
use super::driver::{self, OutOfMemory};
use super::report::{self, SearchReport};
use super::search::{AnySearch, SearchResult};
use super::tree::Tree;
use super::uct::UctSearch;
use crate::clock::Instant;
use rayon::prelude::*;
use std::time::Duration;
use tengen_go::seed::mix;
use tengen_go::{Game, with_words};

/// The search that one worker is to make: its tree, its budget and its seed.
#[derive(Clone, Debug)]
pub struct SearchJob {
    budget: u64,
    seed: u64,
    tree: Tree,
}

impl SearchJob {
    /// A search of at most `budget` simulations in a new tree.
    #[must_use]
    pub fn new(config: &UctConfig, budget: u64, seed: u64) -> Self {
        Self { budget, seed, tree: Tree::new(config.extras()) }
    }

    /// A search of at most `budget` simulations that continues `tree`.
    #[must_use]
    pub const fn continuing(tree: Tree, budget: u64, seed: u64) -> Self {
        Self { budget, seed, tree }
    }

    /// Begins the search, in the current position of `game`.
    #[must_use]
    pub fn begin(self, game: &Game, config: &UctConfig) -> AnySearch {
        let Self { budget, seed, tree } = self;
        with_words!(game.size(), W => {
            AnySearch::new::<W>(Box::new(UctSearch::new(game, config, budget, seed, tree)))
        })
    }
}

/// One job per worker: worker w has the seed `mix(seed, w)` and its share of the
/// simulations, and continues the tree number w of `kept`, or a new one.
#[must_use]
pub fn jobs(config: &UctConfig, seed: u64, kept: Vec<Tree>) -> Vec<SearchJob> {
    let mut trees = kept;
    trees.resize_with(config.workers as usize, || Tree::new(config.extras()));
    let job = |(number, tree): (u64, Tree)| SearchJob {
        budget: budget(config, number),
        seed: mix(seed, number),
        tree,
    };
    (0..).zip(trees).map(job).collect()
}

/// Merges the workers' results at the root, in worker order, for the position of `game`
/// after `seconds` of search. Returns the trees too.
#[must_use]
pub fn report(
    game: &Game,
    results: Vec<SearchResult>,
    merge: Merge,
    seconds: f64,
) -> (SearchReport, Vec<Tree>) {
    let simulations = results.iter().map(|worker| worker.simulations).sum();
    let depth_sum: u64 = results.iter().map(|worker| worker.depth_sum).sum();
    let max_depth = results.iter().map(|worker| worker.max_depth).max().unwrap_or(0);
    let was_full = results.iter().any(|worker| worker.was_full);
    let trees: Vec<Tree> = results.into_iter().map(|worker| worker.tree).collect();
    let moves = report::merge(&trees, merge);
    let report = SearchReport {
        to_play: game.to_play(),
        variation: moves.first().map_or(Vec::new(), |best| report::variation(&trees, best.mv)),
        moves,
        simulations,
        mean_depth: depth_sum as f64 / simulations.max(1) as f64,
        max_depth,
        nodes: trees.iter().map(Tree::len).sum(),
        bytes: trees.iter().map(Tree::bytes).sum(),
        was_full,
        seconds,
    };
    (report, trees)
}

/// Runs all `jobs` on the threads of `pool`, or on this thread if there is no pool; with
/// a budget in simulations the results are the same. The workers on a thread share its
/// lanes. A budget in seconds is wall-clock time for the whole search.
///
/// # Errors
/// If the trees would take more memory than they may
/// ([`driver::limit_memory`]).
pub fn run(
    game: &Game,
    config: &UctConfig,
    jobs: Vec<SearchJob>,
    pool: Option<&rayon::ThreadPool>,
) -> Result<Vec<SearchResult>, OutOfMemory> {
    let deadline = config.seconds.map(|s| Instant::now() + Duration::from_secs_f64(s));
    let should_stop = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    run_until(game, config, jobs, pool, &should_stop)
}

/// Does all `jobs` as [`run`] does, but until `should_stop`, whatever the budget of
/// seconds: it is asked about every 64 simulations of a thread.
///
/// # Errors
/// As [`run`].
pub fn run_until(
    game: &Game,
    config: &UctConfig,
    jobs: Vec<SearchJob>,
    pool: Option<&rayon::ThreadPool>,
    should_stop: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<SearchResult>, OutOfMemory> {
    let work = |jobs: Vec<SearchJob>| {
        let searches = jobs.into_iter().map(|job| job.begin(game, config)).collect();
        driver::run_until(game.size(), searches, should_stop)
    };
    let Some(pool) = pool else { return work(jobs) };
    let share = jobs.len().div_ceil(pool.current_num_threads()).max(1);
    let mut left = jobs.into_iter().peekable();
    let parts = std::iter::from_fn(|| {
        left.peek()?;
        Some(left.by_ref().take(share).collect::<Vec<_>>())
    });
    let parts: Vec<Vec<SearchJob>> = parts.collect();
    let found: Result<Vec<_>, _> = pool.install(|| parts.into_par_iter().map(work).collect());
    Ok(found?.into_iter().flatten().collect())
}

/// Searches the current position of `game` with independent workers and merges their results:
/// [`jobs`], [`run`], then [`report()`].
///
/// # Errors
/// If the trees would take more memory than they may
/// ([`driver::limit_memory`]).
pub fn search(
    game: &Game,
    config: &UctConfig,
    seed: u64,
    kept: Vec<Tree>,
    pool: Option<&rayon::ThreadPool>,
) -> Result<(SearchReport, Vec<Tree>), OutOfMemory> {
    let started = Instant::now();
    let results = run(game, config, jobs(config, seed, kept), pool)?;
    Ok(report(game, results, config.merge, started.elapsed().as_secs_f64()))
}

/// The number of simulations that worker `number` is to make.
pub(super) fn budget(config: &UctConfig, number: u64) -> u64 {
    config.playouts.map_or(u64::MAX, |playouts| share(playouts, config, number))
}

/// The share of worker `number` in `playouts` simulations: the first workers make one
/// more each where the division leaves a remainder.
fn share(playouts: u64, config: &UctConfig, number: u64) -> u64 {
    let workers = u64::from(config.workers);
    playouts / workers + u64::from(number < playouts % workers)
}
