//! Where a search spends its time.

use crate::playout::lanes::{Lanes, Ticket};
use crate::search::uct::{Request, Search};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The parts of the time of a search; together they are all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    /// Walking down the tree, growing it where a leaf gets children, and
    /// drawing up the playout.
    pub selection: f64,
    /// Playing in the lanes, loading them and scoring included.
    pub playout: f64,
    /// Backing results up.
    pub update: f64,
}

/// Seconds, and how often the clock was read around them.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    selection: Duration,
    update: Duration,
    looks: u32,
}

/// Searches that share lanes, with the clock around every step. Its order is
/// that of [`driver::run_in_lanes`](crate::search::driver::run_in_lanes)
/// without a deadline.
struct Watched<'searches, const W: usize> {
    searches: &'searches mut [Search<W>],
    /// Those that may want a playout, each once.
    ready: VecDeque<usize>,
    is_ready: Vec<bool>,
    spent: Spent,
}

/// A ticket is the number of a search and 32 bits of the simulation's.
const SIMULATIONS: u64 = 1 << 32;

impl<const W: usize> Watched<'_, W> {
    fn next_job(&mut self) -> Option<(Ticket, crate::playout::Job<W>)> {
        while let Some(number) = self.ready.pop_front() {
            self.is_ready[number] = false;
            match self.searches[number].select() {
                Request::Playout { simulation, job } => {
                    self.make_ready(number);
                    return Some((Ticket(number as u64 * SIMULATIONS + simulation), job));
                }
                Request::Pause => self.make_ready(number),
                Request::Wait | Request::Done => {}
            }
        }
        None
    }

    fn take(&mut self, ticket: Ticket, playout: &crate::playout::Playout<W>) {
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

/// Runs `searches` to their end through `lanes` and tells what the time went
/// into. It is slower than the search by itself, since the clock is read four
/// times a simulation; what that costs is measured first and taken off.
pub fn run<const W: usize>(searches: &mut [Search<W>], lanes: &mut Lanes<W>) -> Shares {
    let look = cost_of_a_look();
    let count = searches.len();
    let table = RefCell::new(Watched {
        searches,
        ready: (0..count).collect(),
        is_ready: vec![true; count],
        spent: Spent::default(),
    });
    let started = Instant::now();
    lanes.run(
        || {
            let before = Instant::now();
            let mut table = table.borrow_mut();
            let job = table.next_job();
            table.spent.selection += before.elapsed();
            table.spent.looks += 1;
            job
        },
        |ticket, playout| {
            let before = Instant::now();
            let mut table = table.borrow_mut();
            table.take(ticket, &playout);
            table.spent.update += before.elapsed();
            table.spent.looks += 1;
        },
    );
    let all = started.elapsed().as_secs_f64();
    let Spent { selection, update, looks } = table.into_inner().spent;
    // Of the two readings around a step one falls inside and one outside; half
    // of all steps are selections.
    let inside = look * f64::from(looks) / 2.0;
    shares(
        (selection.as_secs_f64() - inside).max(0.0),
        (update.as_secs_f64() - inside).max(0.0),
        (all - 4.0 * inside).max(0.0),
    )
}

/// The parts of `all` seconds, those of selection and update being known.
fn shares(selection: f64, update: f64, all: f64) -> Shares {
    let all = all.max(selection + update).max(f64::MIN_POSITIVE);
    Shares {
        selection: selection / all,
        update: update / all,
        playout: (all - selection - update) / all,
    }
}

/// Seconds that one reading of the clock takes.
fn cost_of_a_look() -> f64 {
    const LOOKS: u32 = 10_000;
    let started = Instant::now();
    for _ in 0..LOOKS {
        std::hint::black_box(Instant::now());
    }
    started.elapsed().as_secs_f64() / f64::from(LOOKS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{Game, Preset, Rules, Size, default_komi};
    use crate::playout::Isa;
    use crate::search::tree::Tree;
    use crate::search::{UctConfig, driver};

    #[test]
    fn shares_make_a_whole() {
        let parts = shares(1.0, 2.0, 8.0);
        assert_eq!((parts.selection, parts.playout, parts.update), (0.125, 0.625, 0.25));
        let odd = shares(3.0, 1.0, 2.0);
        assert_eq!((odd.selection, odd.playout, odd.update), (0.75, 0.0, 0.25));
    }

    #[test]
    fn the_watched_search_is_the_search() {
        let size = Size::square(5).expect("a size");
        let game = Game::new(size, Rules::new(Preset::Tengen, size, default_komi(size)));
        let config = UctConfig { in_flight: 3, ..UctConfig::default() };
        let begin = || -> Vec<Search<1>> {
            let tree = || Tree::new(config.extras());
            (0..5).map(|seed| Search::new(&game, &config, 400, seed, tree())).collect()
        };
        let mut lanes = Lanes::<1>::new(size, Isa::fastest());
        let (mut alone, mut watched) = (begin(), begin());
        driver::run_in_lanes(&mut alone, &mut lanes, None);
        let shares = run(&mut watched, &mut lanes);
        for (alone, watched) in alone.iter().zip(&watched) {
            assert_eq!(watched.simulations(), 400);
            assert_eq!(watched.depth_sum(), alone.depth_sum());
            assert_eq!(watched.tree().len(), alone.tree().len());
        }
        assert!((shares.selection + shares.playout + shares.update - 1.0).abs() < 1e-9);
        assert!(shares.playout > 0.0, "{shares:?}");
    }
}
