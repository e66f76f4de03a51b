//! Many playouts in lockstep.
//!
//! A lane is one game; all lanes make one attempt at a time, by the same
//! operations on their words side by side. A lane whose game is over takes the
//! next job. The game of a job is the game of [`super::scalar`], move for
//! move: lane, number of lanes, instruction set and order of jobs never change
//! it.

// The loops over lanes become vectors only if every helper is inlined into
// them, all of them are counted loops over arrays, in one long function, and
// nothing in them branches.
#![allow(clippy::inline_always, clippy::needless_bitwise_bool, clippy::needless_range_loop)]

mod kernel;
mod layout;
mod machine;
mod nth;
mod step;
mod stop;
mod urgent;
mod word;

use super::dispatch::Target;
use super::{Isa, Job, Manner, Playout, Policy, Stop};
use crate::go::Size;

/// What a caller knows a job by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// The lanes: games under way on boards of one size.
pub struct Lanes<const W: usize> {
    games: Box<dyn Games<W>>,
    tickets: Vec<Ticket>,
    with_area: bool,
}

impl<const W: usize> Lanes<W> {
    /// Lanes for uniform playouts on boards of `size`, tuned for `isa`.
    ///
    /// # Panics
    /// If this machine does not have `isa`, or `size` does not fit in `W`
    /// words.
    #[must_use]
    pub fn new(size: Size, isa: Isa) -> Self {
        Self::with_manner(size, isa, Policy::Uniform {})
    }

    /// The same for playouts in `manner`.
    ///
    /// # Panics
    /// If this machine does not have `isa`, or `size` does not fit in `W`
    /// words.
    #[must_use]
    pub fn with_manner(size: Size, isa: Isa, manner: impl Into<Manner>) -> Self {
        let manner = manner.into();
        let mut games = layout::games(size, Target::new(isa), manner.policy);
        games.stop_by(manner.stop, manner.stop.needs(size, manner.komi));
        let tickets = vec![Ticket::default(); games.lanes()];
        Self { games, tickets, with_area: false }
    }

    /// Uses only so many lanes, at least one. For tests, and for measuring
    /// what idle lanes cost.
    #[must_use]
    pub fn with_at_most(mut self, lanes: usize) -> Self {
        self.tickets.truncate(lanes.max(1));
        self
    }

    /// Tells the final areas too ([`Playout::area`]), which takes some time
    /// where playouts are short.
    #[must_use]
    pub const fn with_area(mut self) -> Self {
        self.with_area = true;
        self
    }

    /// Number of games under way at once.
    #[must_use]
    pub fn lanes(&self) -> usize {
        self.tickets.len()
    }

    /// Steps made so far, counted by lane: more than the attempts, since an
    /// attempt that meets long chains takes several. Idle lanes make steps too,
    /// but for the upper half of them where no lane there has a game.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.games.steps()
    }

    /// Plays jobs until `next` has none and none is under way. `next` is asked
    /// again after every playout that is `done`, so that a result can lead to
    /// the next job. Results come in no particular order.
    ///
    /// # Panics
    /// If the board of a job is of another size.
    pub fn run(
        &mut self,
        mut next: impl FnMut() -> Option<(Ticket, Job<W>)>,
        mut done: impl FnMut(Ticket, Playout<W>),
    ) {
        let all = u64::MAX >> (64 - self.tickets.len());
        let mut idle = all;
        // The idle lanes that are at rest: a lane goes from game to game without.
        let mut resting = 0;
        loop {
            let mut free = idle;
            while free != 0 {
                let lane = free.trailing_zeros() as usize;
                let Some((ticket, job)) = next() else { break };
                resting &= !(1 << lane);
                if self.games.load(lane, &job) {
                    self.tickets[lane] = ticket;
                    free &= free - 1;
                    idle = (idle & !(1 << lane)) | free;
                } else {
                    done(ticket, self.games.result(lane, self.with_area));
                }
            }
            let mut left = idle & !resting;
            while left != 0 {
                self.games.rest(left.trailing_zeros() as usize);
                left &= left - 1;
            }
            resting = idle;
            if idle == all {
                return;
            }
            let mut over = self.games.advance(all & !idle);
            while over != 0 {
                let lane = over.trailing_zeros() as usize;
                over &= over - 1;
                idle |= 1 << lane;
                done(self.tickets[lane], self.games.result(lane, self.with_area));
            }
        }
    }
}

/// A kernel behind one face: what does not depend on its words and lanes.
trait Games<const W: usize>: Send {
    fn lanes(&self) -> usize;
    fn steps(&self) -> u64;
    /// Sets the rule that stops games, and its [`Stop::needs`]; none at first.
    fn stop_by(&mut self, stop: Stop, needs: [i32; 2]);
    /// Puts a game into `lane`; tells whether it is still to be played.
    fn load(&mut self, lane: usize, job: &Job<W>) -> bool;
    /// Plays in the `busy` lanes, at least, until games are over and tells in
    /// which lanes.
    fn advance(&mut self, busy: u64) -> u64;
    /// The result of the game in `lane`, which is over, with the final areas
    /// or without.
    fn result(&self, lane: usize, with_area: bool) -> Playout<W>;
    /// Leaves `lane` without a game.
    fn rest(&mut self, lane: usize);
}
