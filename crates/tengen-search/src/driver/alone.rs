//! A driver run for the searches of one move, such as the workers of a single search.

use super::{Ended, Host, OutOfMemory, Shares, drive, drive_watched};
use crate::clock::Instant;
use crate::search::{AnySearch, SearchResult};
use tengen_go::Size;

/// Drives `searches`, all of boards of `size`, until they are done or the clock
/// passes `deadline`; each makes at least one simulation. Returns their results,
/// in order.
///
/// # Errors
/// If the trees would take more memory than they may.
pub fn run(
    size: Size,
    searches: Vec<AnySearch>,
    deadline: Option<Instant>,
) -> Result<Vec<SearchResult>, OutOfMemory> {
    run_until(size, searches, &|| deadline.is_some_and(|deadline| Instant::now() >= deadline))
}

/// The same, until `should_stop`: it is asked about every 64 simulations.
///
/// # Errors
/// If the trees would take more memory than they may.
pub fn run_until(
    size: Size,
    searches: Vec<AnySearch>,
    should_stop: &dyn Fn() -> bool,
) -> Result<Vec<SearchResult>, OutOfMemory> {
    let mut host = Alone { searches: Some(searches), should_stop, results: Vec::new() };
    drive(size, 1, &mut host)?;
    Ok(host.results)
}

/// Drives `searches` without a deadline; returns also the shares of the time spent in
/// selection, playouts and update.
///
/// # Errors
/// If the trees would take more memory than they may.
pub fn run_watched(
    size: Size,
    searches: Vec<AnySearch>,
) -> Result<(Vec<SearchResult>, Shares), OutOfMemory> {
    let mut host = Alone { searches: Some(searches), should_stop: &|| false, results: Vec::new() };
    let shares = drive_watched(size, 1, &mut host)?;
    Ok((host.results, shares))
}

struct Alone<'a> {
    searches: Option<Vec<AnySearch>>,
    should_stop: &'a dyn Fn() -> bool,
    results: Vec<SearchResult>,
}

impl Host for Alone<'_> {
    fn next(&mut self, _: usize, ended: Option<Ended>) -> Option<Vec<AnySearch>> {
        if let Some(ended) = ended {
            self.results = ended.results;
        }
        self.searches.take().filter(|searches| !searches.is_empty())
    }

    fn should_stop(&mut self) -> bool {
        (self.should_stop)()
    }
}
