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

mod capture_escape;
mod early_stop;
mod engine;
mod kernel;
mod lane_word;
mod layout;
mod nth;
mod step;

use super::{EarlyStop, Isa, Job, Playout, PlayoutConfig, Policy};
use tengen_go::Size;
use tengen_simd::Target;

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
    /// If this machine does not have `isa`, or `W` is not `words(size)`.
    #[must_use]
    pub fn new(size: Size, isa: Isa) -> Self {
        Self::with_config(size, isa, Policy::Uniform {})
    }

    /// The same for playouts in `playout_config`.
    ///
    /// # Panics
    /// If this machine does not have `isa`, or `W` is not `words(size)`.
    #[must_use]
    pub fn with_config(size: Size, isa: Isa, playout_config: impl Into<PlayoutConfig>) -> Self {
        let playout_config = playout_config.into();
        let mut games = layout::games(size, Target::new(isa), playout_config.policy);
        games.stop_by(playout_config.stop, playout_config.stop.needs(size, playout_config.komi));
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
        self.games.play(Run {
            tickets: &mut self.tickets,
            with_area: self.with_area,
            next: &mut next,
            done: &mut done,
        });
    }
}

/// A kernel behind one face: what does not depend on its words and lanes.
trait Games<const W: usize>: Send {
    fn lanes(&self) -> usize;
    fn steps(&self) -> u64;
    /// Sets the rule that stops games, and its [`EarlyStop::needs`]; none at first.
    fn stop_by(&mut self, stop: EarlyStop, needs: [i32; 2]);
    /// [`Lanes::run`].
    fn play(&mut self, run: Run<'_, W>);
}

/// What [`Lanes::run`] is about.
struct Run<'run, const W: usize> {
    /// The tickets of the lanes to be used.
    tickets: &'run mut [Ticket],
    /// Whether the final areas are wanted.
    with_area: bool,
    next: &'run mut dyn FnMut() -> Option<(Ticket, Job<W>)>,
    done: &'run mut dyn FnMut(Ticket, Playout<W>),
}
