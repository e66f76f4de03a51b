//! Workers that share the upper tree. Root parallelism is another algorithm: its workers exchange
//! nothing until all are done.
//!
//! ```text
//! until the simulations of all workers are made, or time is up:
//!     each worker makes `every` simulations in its own tree      root_parallel::advance
//!     each worker publishes the counts of its upper tree          upper_tree
//!     each worker gives its own upper tree the mean of all
//! each worker takes off what it was given; then the roots are merged as ever
//! ```
//!
//! Each *round* between two exchanges has a random stream of its own. All workers make the same
//! number of simulations in a round and wait for each other, so that the result is a function of
//! position, settings and seed, whatever the threads. On one machine this models processes on
//! several machines.
//!
//! AMAF statistics, priors and proofs are not shared. A node that a worker does not have yet gets
//! the counts of other workers in a later round.

#[cfg(test)]
mod tests;
mod upper_tree;

pub use upper_tree::{Borrowed, Count, UpperTree, sum};

use super::clock::Instant;
use super::config::UctConfig;
use super::report::SearchReport;
use super::resource::ResourceFault;
use super::result::SearchResult;
use super::root_parallel;
use super::search::{AnySearch, reports};
use super::sharing::Sharing;
use super::tree::Tree;
use std::time::Duration;
use tengen_go::Game;
use tengen_stats::seed::mix;

/// `mix` derives the seed of a round after the first from the seed of a worker and the sum of this
/// number and the round's; smaller numbers are for simulations.
const ROUNDS: u64 = 1 << 62;

/// A worker of a search, which runs a round at a time. Without [`Sharing`] it runs one round, as a
/// worker of [`root_parallel`] does.
///
/// # Examples
/// ```
/// use tengen_go::{Game, Komi, Preset, Rules, Size};
/// use tengen_search::shared::{SharingWorker, sum};
/// use tengen_search::{UctConfig, driver};
///
/// let size = Size::square(5)?;
/// let game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
/// let sharing = "upper-tree:100:0.05:3".parse()?;
/// let config = UctConfig { workers: 2, sharing, ..UctConfig::default() };
/// let mut workers = [0, 1].map(|number| SharingWorker::new(&config, 1, number, None));
/// while !workers.iter().all(SharingWorker::is_done) {
///     let searches = workers.iter_mut().map(|worker| worker.begin_round(&game)).collect();
///     let results = driver::run(size, searches)?;
///     workers.iter_mut().zip(results).for_each(|(worker, result)| worker.end_round(result));
///     let all = sum(&workers.each_ref().map(SharingWorker::publish));
///     workers.iter_mut().for_each(|worker| worker.receive(2, &all));
/// }
/// let results = workers.map(SharingWorker::into_result);
/// assert_eq!(results.map(|result| result.counts.simulations), [500, 500]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SharingWorker {
    config: UctConfig,
    seed: u64,
    round: u64,
    /// Simulations that are still to be made.
    left: u64,
    /// Simulations that were asked for in the present round.
    asked: u64,
    result: SearchResult,
    borrowed: Borrowed,
}

impl SharingWorker {
    /// The worker `number` of a search by `config` with the search seed `seed`, before its
    /// first round. It continues `tree`, if it has one.
    #[must_use]
    pub fn new(config: &UctConfig, seed: u64, number: u64, tree: Option<Tree>) -> Self {
        let tree = tree.unwrap_or_else(|| Tree::new(config.extras()));
        Self {
            seed: mix(seed, number),
            round: 0,
            left: root_parallel::budget(config, number),
            asked: 0,
            result: SearchResult { tree, ..SearchResult::default() },
            borrowed: Borrowed::default(),
            config: config.clone(),
        }
    }

    /// Whether all simulations are made.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.left == 0
    }

    /// Begins a round: returns the search to run, of the current position of `game`.
    pub fn begin_round(&mut self, game: &Game) -> AnySearch {
        let every = match self.config.sharing {
            Sharing::UpperTree { every, .. } => every.into(),
            Sharing::None => u64::MAX,
        };
        self.asked = self.left.min(every);
        // The first round has the seed of the worker, as without sharing.
        let seed = if self.round == 0 { self.seed } else { mix(self.seed, ROUNDS + self.round) };
        let tree = std::mem::take(&mut self.result.tree);
        root_parallel::begin_one(game, &self.config, self.asked, seed, tree)
    }

    /// Ends a round with the result of its search.
    pub fn end_round(&mut self, result: SearchResult) {
        self.round += 1;
        // A search that ended before its budget has nothing more to find.
        let is_over = result.counts.simulations < self.asked;
        self.left = if is_over { 0 } else { self.left - self.asked };
        let before = &mut self.result;
        before.counts += result.counts;
        before.tree = result.tree;
        before.improved = result.improved;
        before.scores.resize_with(before.scores.len().max(result.scores.len()), Default::default);
        for (sum, &more) in before.scores.iter_mut().zip(&result.scores) {
            *sum += more;
        }
    }

    /// What the worker tells the other workers after a round ([`Borrowed::publish`]).
    #[must_use]
    pub fn publish(&self) -> UpperTree {
        self.borrowed.publish(&self.result.tree, self.config.sharing)
    }

    /// Takes the [`sum`] of what all `workers`, this one included, have published.
    pub fn receive(&mut self, workers: u32, all: &UpperTree) {
        self.borrowed.add(&mut self.result.tree, workers, all);
    }

    /// Ends the search: its result, with the worker's own counts alone.
    #[must_use]
    pub fn into_result(self) -> SearchResult {
        let mut result = self.result;
        self.borrowed.withdraw(&mut result.tree);
        result
    }
}

/// The search for one move by all workers, a round at a time; without [`Sharing`] there is one
/// round.
///
/// # Examples
/// ```
/// use tengen_go::{Game, Komi, Preset, Rules, Size};
/// use tengen_search::shared::SharedSearch;
/// use tengen_search::{UctConfig, driver, root_parallel};
///
/// let size = Size::square(5)?;
/// let game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
/// let sharing = "upper-tree:100:0.05:3".parse()?;
/// let config = UctConfig { workers: 2, sharing, ..UctConfig::default() };
/// let mut shared = SharedSearch::new(&config, 1, Vec::new());
/// while let Some(searches) = shared.next_round(&game) {
///     shared.end_round(driver::run(size, searches)?);
/// }
/// let (report, _) = root_parallel::report(&game, shared.into_results(), 0.0);
/// assert_eq!(report.counts.simulations, 1_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SharedSearch {
    workers: Vec<SharingWorker>,
}

impl SharedSearch {
    /// The search by `config` with the search seed `seed`, before its first round. Workers
    /// continue the trees of `kept` as far as there are any.
    #[must_use]
    pub fn new(config: &UctConfig, seed: u64, kept: Vec<Tree>) -> Self {
        let mut kept = kept.into_iter();
        let worker = |number| SharingWorker::new(config, seed, number, kept.next());
        Self { workers: (0..config.workers.into()).map(worker).collect() }
    }

    /// Begins a round: the searches of the workers, in order; none if all simulations are
    /// made.
    #[must_use]
    pub fn next_round(&mut self, game: &Game) -> Option<Vec<AnySearch>> {
        let is_done = self.workers.iter().all(SharingWorker::is_done);
        let begun = self.workers.iter_mut().map(|worker| worker.begin_round(game));
        (!is_done).then(|| begun.collect())
    }

    /// Ends a round with the results of its searches, in order, and exchanges the upper trees.
    pub fn end_round(&mut self, results: Vec<SearchResult>) {
        for (worker, result) in self.workers.iter_mut().zip(results) {
            worker.end_round(result);
        }
        let published: Vec<UpperTree> = self.workers.iter().map(SharingWorker::publish).collect();
        let all = sum(&published);
        let workers = u32::try_from(self.workers.len()).unwrap_or(u32::MAX);
        for worker in &mut self.workers {
            worker.receive(workers, &all);
        }
    }

    /// Ends the search: the results of the workers, each with its own counts alone.
    #[must_use]
    pub fn into_results(self) -> Vec<SearchResult> {
        self.workers.into_iter().map(SharingWorker::into_result).collect()
    }
}

/// Searches the current position of `game` with all workers on the threads of `pool`, or on
/// this thread if there is none, until the budget of `config` is spent. The workers continue
/// the trees of `kept`, if there are any. Returns the report, and the workers' trees.
pub fn search(
    game: &Game,
    config: &UctConfig,
    seed: u64,
    kept: Vec<Tree>,
    pool: Option<&rayon::ThreadPool>,
) -> Result<(SearchReport, Vec<Tree>), ResourceFault> {
    let started = Instant::now();
    let deadline = config.seconds.map(|seconds| started + Duration::from_secs_f64(seconds));
    let should_stop = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let mut shared = SharedSearch::new(config, seed, kept);
    while let Some(searches) = shared.next_round(game) {
        let searches = root_parallel::advance(game.size(), searches, pool, &should_stop)?;
        shared.end_round(reports(searches)?);
        if should_stop() {
            break;
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    Ok(root_parallel::report(game, shared.into_results(), seconds))
}
