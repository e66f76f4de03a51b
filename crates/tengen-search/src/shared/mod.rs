//! Workers that share the upper tree: another algorithm than root parallelism, in which
//! workers meet only when all are done.
//!
//! ```text
//! until the simulations of all workers are made, or time is up:
//!     each worker makes `every` simulations in its own tree      root_parallel::run
//!     each worker publishes the counts of its upper tree          upper_tree
//!     each worker adds those of the others to its own tree
//! each worker takes off what it was given; then the roots are merged as ever
//! ```
//!
//! Each *round* between two exchanges has a random stream of its own. All workers make the
//! same number of simulations in a round and wait for each other, so that the result is a
//! function of position, settings and seed, whatever the threads: on one machine it models
//! processes on several.
//!
//! Statistics of all-moves-as-first, priors and proofs are not shared. A node that a worker
//! does not have yet gets the counts of others in a later round.

#[cfg(test)]
mod tests;
mod upper_tree;

pub use upper_tree::{Borrowed, Count, UpperTree, sum};

use super::clock::Instant;
use super::config::{FinalMove, UctConfig, WhenFull};
use super::driver::OutOfMemory;
use super::dynamic_komi::DynamicKomi;
use super::report::SearchReport;
use super::root_parallel::{self, SearchJob};
use super::search::SearchResult;
use super::sharing::Sharing;
use super::tree::Tree;
use std::time::Duration;
use tengen_go::seed::mix;
use tengen_go::{Game, with_words};

/// The number under which the seeds of the rounds after the first are derived from the seed
/// of a worker; those of simulations have the numbers below.
const ROUNDS: u64 = 1 << 62;

/// A search by workers that share the upper tree, a round at a time.
#[derive(Debug)]
pub struct SharedSearch {
    config: UctConfig,
    every: u64,
    round: u64,
    workers: Vec<Worker>,
}

/// A worker between two rounds.
#[derive(Debug)]
struct Worker {
    seed: u64,
    /// Simulations that are still to be made.
    left: u64,
    /// Simulations that were asked for in the present round.
    asked: u64,
    result: SearchResult,
    borrowed: Borrowed,
    published: UpperTree,
}

impl SharedSearch {
    /// The search by `config` with the search seed `seed`, before its first round.
    #[must_use]
    pub fn new(config: &UctConfig, seed: u64) -> Self {
        let every = match config.sharing {
            Sharing::UpperTree { every, .. } => every.into(),
            Sharing::None => u64::MAX,
        };
        let worker = |number: u64| Worker {
            seed: mix(seed, number),
            left: root_parallel::budget(config, number),
            asked: 0,
            result: SearchResult {
                tree: Tree::new(config.extras()),
                simulations: 0,
                depth_sum: 0,
                max_depth: 0,
                was_full: false,
            },
            borrowed: Borrowed::default(),
            published: UpperTree::new(),
        };
        let workers = (0..config.workers.into()).map(worker).collect();
        Self { config: config.clone(), every, round: 0, workers }
    }

    /// Begins a round: the searches of the workers, in order; none if all simulations are
    /// made.
    #[must_use]
    pub fn next_round(&mut self) -> Option<Vec<SearchJob>> {
        if self.workers.iter().all(|worker| worker.left == 0) {
            return None;
        }
        let round = self.round;
        let job = |worker: &mut Worker| {
            worker.asked = worker.left.min(self.every);
            // A search without sharing has one round, with the seeds of its workers.
            let seed = if round == 0 { worker.seed } else { mix(worker.seed, ROUNDS + round) };
            let tree = std::mem::take(&mut worker.result.tree);
            SearchJob::continuing(tree, worker.asked, seed)
        };
        Some(self.workers.iter_mut().map(job).collect())
    }

    /// Ends a round of `game`'s position with the results of its searches, in order, and
    /// exchanges the upper trees.
    pub fn end_round(&mut self, game: &Game, results: Vec<SearchResult>) {
        self.round += 1;
        for (worker, result) in self.workers.iter_mut().zip(results) {
            // A search that ended before its budget has nothing more to find.
            let is_over = result.simulations < worker.asked;
            worker.left = if is_over { 0 } else { worker.left - worker.asked };
            let before = &mut worker.result;
            before.simulations += result.simulations;
            before.depth_sum += result.depth_sum;
            before.max_depth = before.max_depth.max(result.max_depth);
            before.was_full |= result.was_full;
            before.tree = result.tree;
            worker.borrowed.publish(&before.tree, self.config.sharing, &mut worker.published);
        }
        let all = sum(self.workers.iter().map(|worker| &worker.published));
        for Worker { result, borrowed, published, .. } in &mut self.workers {
            with_words!(game.size(), W => {
                borrowed.add::<W>(&mut result.tree, &all, published);
            });
        }
    }

    /// Ends the search: the results of the workers, each with its own counts alone.
    #[must_use]
    pub fn into_results(self) -> Vec<SearchResult> {
        let own = |worker: Worker| {
            let mut result = worker.result;
            worker.borrowed.withdraw(&mut result.tree);
            result
        };
        self.workers.into_iter().map(own).collect()
    }
}

impl UctConfig {
    /// Whether visits and rewards are all that carries over from one round to the next.
    pub(super) fn can_share(&self) -> bool {
        self.in_flight == 1
            && !self.reuse
            && !self.transpositions
            && self.dynamic_komi == DynamicKomi::default()
            && self.when_full == WhenFull::Stop
            && self.final_move != FinalMove::Robust
    }
}

/// Searches the current position of `game` by workers that share the upper tree, as
/// [`root_parallel::search`] does by independent ones.
///
/// # Errors
/// If the trees would take more memory than they may.
pub fn search(
    game: &Game,
    config: &UctConfig,
    seed: u64,
    pool: Option<&rayon::ThreadPool>,
) -> Result<(SearchReport, Vec<Tree>), OutOfMemory> {
    let started = Instant::now();
    let deadline = config.seconds.map(|seconds| started + Duration::from_secs_f64(seconds));
    let should_stop = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let mut shared = SharedSearch::new(config, seed);
    while let Some(jobs) = shared.next_round() {
        let results = root_parallel::run_until(game, config, jobs, pool, &should_stop)?;
        shared.end_round(game, results);
        if should_stop() {
            break;
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    Ok(root_parallel::report(game, shared.into_results(), config.merge, seconds))
}
