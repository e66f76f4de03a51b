//! The owner of the searches that the driver plays.

use crate::search::{AnySearch, SearchResult};

/// The owner of searches: it hands them to the driver and takes their results.
pub trait Host {
    /// Takes the results `ended` of the searches of `slot`, if it had any, and returns its
    /// next searches, one or more; `None` if there are no more.
    fn next(&mut self, slot: usize, ended: Option<Ended>) -> Option<Vec<AnySearch>>;

    /// Returns a slot that had no more searches and now has. Called whenever the searches
    /// of a slot have ended. With `is_idle` no search is left: the host may block until a
    /// slot has one; the drive ends if it returns `None`.
    fn wake(&mut self, is_idle: bool) -> Option<usize> {
        let _ = is_idle;
        None
    }

    /// Whether time is up, so that all searches must end with the simulations they have
    /// made. Called about once per 64 requests, more often with few playouts in flight.
    fn should_stop(&mut self) -> bool {
        false
    }
}

/// The results of the searches of a slot, all of which have ended.
#[derive(Debug)]
pub struct Ended {
    /// The result of each search, in the order in which the host returned the searches.
    pub results: Vec<SearchResult>,
    /// The time of these searches in seconds: wall-clock time while they ran, without that
    /// taken by the host, times their share of the thread's playouts.
    pub seconds: f64,
}
