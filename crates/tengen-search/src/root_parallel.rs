//! Root-parallel search: independent workers, merged at the root.
//!
//! The number of workers is a setting of the algorithm and changes its result;
//! the number of threads that run them never does.

use super::config::UctConfig;
use super::driver;
use super::guarded::Guarded;
use super::report::{self, SearchReport};
use super::resource::ResourceFault;
use super::result::{SearchResult, SearchView};
use super::saved::SavedSearch;
use super::search::AnySearch;
use super::tree::Tree;
use super::uct::UctSearch;
use rayon::prelude::*;
use tengen_go::{Game, Size, with_words};
use tengen_stats::seed::mix;

/// Begins a search of the current position of `game` that continues `tree`, with at most `budget`
/// simulations.
#[must_use]
pub fn begin_one(game: &Game, config: &UctConfig, budget: u64, seed: u64, tree: Tree) -> AnySearch {
    with_words!(game.size(), W => {
        any(UctSearch::<W>::new(game, config, budget, seed, tree), config)
    })
}

/// Resumes a saved search of the current position of `game`; `budget` includes the simulations
/// already made. None if `config` needs other columns than the saved tree has; other settings are
/// not compared.
#[must_use]
pub fn resume_one(
    game: &Game,
    config: &UctConfig,
    budget: u64,
    saved: SavedSearch,
) -> Option<AnySearch> {
    if saved.extras() != config.extras() {
        return None;
    }
    Some(with_words!(game.size(), W => {
        any(UctSearch::<W>::resumed(game, config, budget, saved), config)
    }))
}

fn any<const W: usize>(search: UctSearch<W>, config: &UctConfig) -> AnySearch {
    let search = Box::new(search);
    if config.calls_registered_code() {
        AnySearch::of::<W>(Box::new(Guarded::new(search, None)))
    } else {
        AnySearch::of::<W>(search)
    }
}

/// Begins the searches of all workers in the current position of `game`: worker w has the seed
/// `mix(seed, w)` and its share of the simulations, and continues the tree number w of `kept`, or
/// begins a new tree.
#[must_use]
pub fn begin(game: &Game, config: &UctConfig, seed: u64, kept: Vec<Tree>) -> Vec<AnySearch> {
    let mut trees = kept;
    trees.resize_with(config.workers as usize, || Tree::new(config.extras()));
    let begin =
        |(number, tree)| begin_one(game, config, budget(config, number), mix(seed, number), tree);
    (0..).zip(trees).map(begin).collect()
}

/// Runs `searches`, all on boards of `size`, until each is done or suspended, or until
/// `should_stop` returns true; each thread calls it about every 64 simulations. The searches run on
/// the threads of `pool`, or on this thread without a pool; with a budget in simulations the
/// threads do not change the results. The searches on a thread share its lanes. Returns the
/// searches, in order: the caller can run or report them. If registered code panics, the error is
/// the panic of the first search, whatever the threads.
pub fn advance(
    size: Size,
    searches: Vec<AnySearch>,
    pool: Option<&rayon::ThreadPool>,
    should_stop: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<AnySearch>, ResourceFault> {
    let Some(pool) = pool else { return driver::advance(size, searches, should_stop) };
    let share = searches.len().div_ceil(pool.current_num_threads()).max(1);
    let mut left = searches.into_iter().peekable();
    let parts = std::iter::from_fn(|| {
        left.peek()?;
        Some(left.by_ref().take(share).collect::<Vec<_>>())
    });
    let parts: Vec<Vec<AnySearch>> = parts.collect();
    let work = |part| driver::advance(size, part, should_stop);
    let advanced: Vec<Result<_, _>> = pool.install(|| parts.into_par_iter().map(work).collect());
    let advanced: Result<Vec<_>, _> = advanced.into_iter().collect();
    Ok(advanced?.into_iter().flatten().collect())
}

/// Merges the workers' results at the root, in worker order, for the position of `game`
/// after `seconds` of search. Returns the trees too.
#[must_use]
pub fn report(game: &Game, results: Vec<SearchResult>, seconds: f64) -> (SearchReport, Vec<Tree>) {
    let views: Vec<SearchView<'_>> = results.iter().map(SearchResult::view).collect();
    let mut report = report::report(game, &views, seconds);
    if report.moves.is_empty() {
        // Without visits, the move of the highest prior is played.
        report.add_details(game.size(), views.iter().map(|view| view.tree));
    }
    (report, results.into_iter().map(|worker| worker.tree).collect())
}

/// The number of simulations that worker `number` is to make.
pub(super) fn budget(config: &UctConfig, number: u64) -> u64 {
    let workers = config.workers.into();
    config.simulations.map_or(u64::MAX, |playouts| share(playouts, workers, number))
}

/// The share of worker `number` of `workers` in `simulations`: if the division leaves a remainder,
/// the first workers make one more simulation each.
#[must_use]
pub const fn share(simulations: u64, workers: u64, number: u64) -> u64 {
    simulations / workers + (number < simulations % workers) as u64
}
