//! Drivers: they collect leaves from searches, play the playouts and hand the
//! results back.

use super::uct::{Request, Search};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::Instant;
use tengen_playout::lanes::{Lanes, Ticket};
use tengen_playout::{Isa, Job, scalar};

/// Playouts at once from which lanes are faster than one playout after the
/// other: measured, `benches/search.rs`.
pub(super) const WORTH_LANES: usize = 3;

/// Simulations between two looks at the clock where lanes play.
const CLOCK_INTERVAL: usize = 64;

/// Runs `searches`, all of one size and manner of playouts, until they are done or the
/// clock passes `deadline`; each makes one simulation at least. Whether lanes
/// play the playouts or not never changes a result.
pub fn run<const W: usize>(searches: &mut [Search<W>], deadline: Option<Instant>) {
    let at_once: usize = searches.iter().map(Search::playouts_at_once).sum();
    if at_once < WORTH_LANES {
        // Workers that share a clock take turns, so that each gets its part.
        let mut running: Vec<&mut Search<W>> = searches.iter_mut().collect();
        while !running.is_empty() {
            running.retain_mut(|search| run_one(search));
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return;
            }
        }
    } else if let Some(first) = searches.first() {
        let (size, playout_config) = (first.size(), first.playout_config());
        let isa = Isa::from_environment().unwrap_or_else(|_| Isa::fastest());
        let mut lanes = Lanes::with_config(size, isa, playout_config);
        run_in_lanes(searches, &mut lanes, deadline);
    }
}

/// Makes one simulation of `search`, or a thousand that need no playout, and
/// says whether there is more to do.
fn run_one<const W: usize>(search: &mut Search<W>) -> bool {
    match search.select() {
        Request::Playout { simulation, job } => {
            let playout = scalar::play_by(search.playout_config(), &job);
            search.update(simulation, &playout);
            true
        }
        Request::Pause => true,
        Request::Wait | Request::Done => false,
    }
}

/// Runs `searches` through `lanes`, which must be made for their size and
/// manner of playouts, until they are done or the clock passes `deadline`.
pub fn run_in_lanes<const W: usize>(
    searches: &mut [Search<W>],
    lanes: &mut Lanes<W>,
    deadline: Option<Instant>,
) {
    let count = searches.len();
    let table = RefCell::new(Table {
        ready: (0..count).collect(),
        is_ready: vec![true; count],
        searches,
        deadline,
        asked: 0,
        is_late: false,
    });
    loop {
        lanes.run(
            || table.borrow_mut().next_job(),
            |ticket, playout| table.borrow_mut().take(ticket, &playout),
        );
        // The lanes are empty; what is ready now was stopped by a pause alone.
        if table.borrow().is_over() {
            return;
        }
    }
}

/// Searches that share lanes.
struct Table<'searches, const W: usize> {
    searches: &'searches mut [Search<W>],
    /// Those that may want a playout, each once.
    ready: VecDeque<usize>,
    is_ready: Vec<bool>,
    deadline: Option<Instant>,
    asked: usize,
    is_late: bool,
}

/// A ticket is the number of a search and 32 bits of the simulation's.
const SIMULATIONS: u64 = 1 << 32;

impl<const W: usize> Table<'_, W> {
    fn look_at_clock(&mut self) {
        self.is_late |= self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    }

    fn is_over(&self) -> bool {
        self.ready.is_empty() || self.is_late
    }

    fn next_job(&mut self) -> Option<(Ticket, Job<W>)> {
        self.asked = self.asked.wrapping_add(1);
        if self.asked.is_multiple_of(CLOCK_INTERVAL.max(2 * self.searches.len())) {
            self.look_at_clock();
        }
        if self.is_late {
            return None;
        }
        while let Some(number) = self.ready.pop_front() {
            self.is_ready[number] = false;
            match self.searches[number].select() {
                Request::Playout { simulation, job } => {
                    // It may want another at once.
                    self.make_ready(number);
                    return Some((Ticket(number as u64 * SIMULATIONS + simulation), job));
                }
                Request::Pause => {
                    self.make_ready(number);
                    self.look_at_clock();
                    if self.is_late {
                        return None;
                    }
                }
                Request::Wait | Request::Done => {}
            }
        }
        None
    }

    fn take(&mut self, ticket: Ticket, playout: &tengen_playout::Playout<W>) {
        let number = usize::try_from(ticket.0 / SIMULATIONS).unwrap_or(usize::MAX);
        self.searches[number].update(ticket.0 % SIMULATIONS, playout);
        self.make_ready(number);
    }

    fn make_ready(&mut self, number: usize) {
        if !self.is_ready[number] {
            self.is_ready[number] = true;
            self.ready.push_back(number);
        }
    }
}
