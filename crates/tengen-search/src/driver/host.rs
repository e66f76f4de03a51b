//! The owner of the searches that the driver plays.

use crate::resource::ResourceFault;
use crate::result::SearchResult;
use crate::search::{AnySearch, reports};

/// The owner of searches: it hands them to the driver and takes their results.
pub trait Host {
    /// Takes the `ended` searches of `slot`, if it had any, and returns the slot's next searches,
    /// one or more; `None` if it has no more.
    fn next(&mut self, slot: usize, ended: Option<Ended>) -> Option<Vec<AnySearch>>;

    /// Returns a slot that had no more searches and now has some. Called whenever the searches of a
    /// slot have ended. With `is_idle` no search is left: the host may block until a slot has
    /// searches, and `None` ends the drive.
    fn wake(&mut self, is_idle: bool) -> Option<usize> {
        let _ = is_idle;
        None
    }

    /// Whether time is up, so that all searches must stop with the simulations they have
    /// made. Called about once per 64 requests, more often with few playouts in flight.
    fn should_stop(&mut self) -> bool {
        false
    }
}

impl<H: Host + ?Sized> Host for &mut H {
    fn next(&mut self, slot: usize, ended: Option<Ended>) -> Option<Vec<AnySearch>> {
        (**self).next(slot, ended)
    }

    fn wake(&mut self, is_idle: bool) -> Option<usize> {
        (**self).wake(is_idle)
    }

    fn should_stop(&mut self) -> bool {
        (**self).should_stop()
    }
}

/// The searches of a slot that have ended: each is done or suspended, or all were stopped.
#[derive(Debug)]
pub struct Ended {
    /// The searches, in the order in which the host returned them.
    pub searches: Vec<AnySearch>,
    /// The time of these searches in seconds: wall-clock time while they ran, without the time
    /// taken by the host, times their share of the thread's playouts.
    pub seconds: f64,
    /// The CPU time of these searches in seconds, without the time taken by the host. Where other
    /// searches share the thread it is an estimate: the measured time of every 61st step in the tree,
    /// and of the time of all playouts the share of the own plies. None where the system does not count
    /// the CPU time of a thread, and for searches whose leaves the caller evaluates.
    pub cpu_seconds: Option<f64>,
}

impl Ended {
    /// Ends the searches: their results, in order.
    pub fn results(self) -> Result<Vec<SearchResult>, ResourceFault> {
        reports(self.searches)
    }
}
