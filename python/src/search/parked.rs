//! The searches of a `Searches` object, which a driver borrows while they run.

use super::answers::Pausing;
use crate::interrupt::EVERY;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tengen::search::AnySearch;
use tengen::search::driver::{Ended, Host};

/// Searches, each in a slot of its own; they run while they are with a driver.
#[derive(Default)]
pub struct Parked {
    searches: Vec<Option<AnySearch>>,
    /// Slots whose searches are to run once the driver asks.
    waiting: Vec<usize>,
    /// When the next pause is due.
    pause: Option<Instant>,
    is_lost: bool,
}

impl Parked {
    /// The searches, none where there is nothing to search.
    pub fn new(searches: Vec<Option<AnySearch>>) -> Self {
        Self { searches, ..Self::default() }
    }

    /// The searches that are not with a driver, by slot.
    pub fn searches(&self) -> &[Option<AnySearch>] {
        &self.searches
    }

    /// Whether an exception has unwound the searches.
    pub const fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// All searches, which must not be with a driver.
    pub fn into_searches(self) -> Vec<Option<AnySearch>> {
        self.searches
    }

    /// Suspends each search that is here after so many more `simulations` than it has begun, and lets the
    /// driver have it when it asks.
    pub fn suspend_after(&mut self, simulations: u64) {
        for search in self.searches.iter_mut().flatten() {
            let begun = search.simulations();
            search.suspend_after(begun.saturating_add(simulations));
        }
        self.wake_all();
    }

    /// Lets the driver have each search that is here when it asks.
    pub fn wake_all(&mut self) {
        let searches = self.searches.iter().enumerate();
        // The first slot is the first to be asked for.
        self.waiting =
            searches.rev().filter(|(_, search)| search.is_some()).map(|(slot, _)| slot).collect();
    }
}

impl Host for Parked {
    fn next(&mut self, slot: usize, ended: Option<Ended>) -> Option<Vec<AnySearch>> {
        if let Some(mut ended) = ended {
            self.searches[slot] = ended.searches.pop();
            return None;
        }
        self.searches[slot].take().map(|search| vec![search])
    }

    fn wake(&mut self, _: bool) -> Option<usize> {
        self.waiting.pop()
    }

    fn should_stop(&mut self) -> bool {
        self.pause.is_some_and(|pause| Instant::now() >= pause)
    }
}

impl Pausing for Parked {
    fn go_on(&mut self) {
        self.pause = Some(Instant::now() + EVERY);
    }

    fn give_up(&mut self) {
        self.is_lost = true;
    }
}

/// Parked searches that a flag stops.
pub struct Stoppable<'a> {
    pub parked: &'a mut Parked,
    pub stop: &'a AtomicBool,
}

impl Host for Stoppable<'_> {
    fn next(&mut self, slot: usize, ended: Option<Ended>) -> Option<Vec<AnySearch>> {
        self.parked.next(slot, ended)
    }

    fn should_stop(&mut self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
