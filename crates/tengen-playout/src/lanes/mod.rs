//! Lanes: many playouts in lockstep, by vector instructions.
//!
//! A *lane* is one game. All lanes make one move attempt at a time, by the same
//! operations on their words side by side. A lane whose game is over takes the
//! next job. The game of a job is the game of [`super::scalar`], move for
//! move: lane, number of lanes, instruction set and order of jobs never change
//! it.
//!
//! Where to read on, from the bottom up, after `../sets/lane_word.rs`, the set operations of
//! one lane, and `../policy`:
//!
//! | file | what it holds |
//! |---|---|
//! | `nth.rs` | drawing a candidate: the point number `k` of a set |
//! | `kernel.rs` | the state of all lanes |
//! | `step.rs` | one move attempt in all lanes, with a drawn example |
//! | `contest.rs` | captures and suicide in an attempt |
//! | `early_stop.rs` | the rules that stop a playout early |
//! | `layout.rs` | conversion of sets between `Bits` and lanes |
//! | `interleaving.rs` | the interleaved words of a set |
//! | `engine.rs` | the loop that loads jobs and returns results |
//! | `engines.rs` | word type, grid and number of lanes per board size |

// The loops over lanes become vectors only if every helper is inlined into
// them, all of them are counted loops over arrays, in one long function, and
// nothing in them branches.
#![allow(clippy::inline_always, clippy::needless_bitwise_bool, clippy::needless_range_loop)]

mod contest;
mod early_stop;
mod engine;
mod engines;
mod interleaving;
mod kernel;
mod layout;
mod nth;
mod step;

use super::{EarlyStop, Isa, Job, Playout, PlayoutConfig, Policy, scalar};
use crate::policy::LaneForm;
use crate::simd::Target;
use std::cell::RefCell;
use std::collections::BTreeMap;
use tengen_go::Size;

/// A number that the caller gives a job, and that is returned with its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// The lanes: playouts in lockstep on boards of one size.
///
/// # Examples
/// ```
/// use tengen_go::{Board, Score, Size};
/// use tengen_playout::lanes::{Lanes, Ticket};
/// use tengen_playout::{Isa, Job, scalar};
///
/// let size = Size::square(9)?;
/// let start = Board::<2>::new(size);
/// let mut jobs = (0..100).map(|seed| (Ticket(seed), Job { start, seed }));
/// let mut scores = [Score::default(); 100];
/// Lanes::new(size, Isa::fastest())
///     .run(|| jobs.next(), |Ticket(seed), playout| scores[seed as usize] = playout.score);
/// assert_eq!(scores[7], scalar::play(&Job { start, seed: 7 }).score);
/// # Ok::<(), tengen_go::ParseError>(())
/// ```
pub struct Lanes<const W: usize> {
    engine: Box<dyn Engine<W>>,
    tickets: Vec<Ticket>,
    with_area: bool,
    /// The jobs whose results are not out; `None` for built-in policies, which do not
    /// panic.
    unfinished: Option<BTreeMap<Ticket, Job<W>>>,
}

impl<const W: usize> Lanes<W> {
    /// Lanes for uniform playouts on boards of `size`, by code compiled for `isa`.
    ///
    /// # Panics
    /// If this machine does not have `isa`, or `W` is not `words(size)`.
    #[must_use]
    pub fn new(size: Size, isa: Isa) -> Self {
        Self::with_config(size, isa, Policy::default())
    }

    /// Lanes for playouts by `playout_config` on boards of `size`, by code compiled for
    /// `isa`. A policy that the program registers as plain code has one lane, of scalar playouts.
    ///
    /// # Panics
    /// If this machine does not have `isa`, or `W` is not `words(size)`.
    #[must_use]
    pub fn with_config(size: Size, isa: Isa, playout_config: impl Into<PlayoutConfig>) -> Self {
        let playout_config = playout_config.into();
        let is_registered = playout_config.policy.as_built_in().is_none();
        let engine: Box<dyn Engine<W>> = match playout_config.in_lanes() {
            None => Box::new(OneByOne { playout_config, isa, attempts: 0 }),
            Some(playout_config) => engines::new_engine(size, Target::new(isa), playout_config),
        };
        let tickets = vec![Ticket::default(); engine.lanes()];
        Self { engine, tickets, with_area: false, unfinished: is_registered.then(BTreeMap::new) }
    }

    /// Limits the number of lanes in use, at least one: for tests, and to
    /// measure the cost of idle lanes.
    #[must_use]
    pub fn with_at_most(mut self, lanes: usize) -> Self {
        self.tickets.truncate(lanes.max(1));
        self
    }

    /// Makes the results contain the final areas ([`Playout::area`]), which costs
    /// some time where playouts are short.
    #[must_use]
    pub const fn with_area(mut self) -> Self {
        self.with_area = true;
        self
    }

    /// Number of games played at once.
    #[must_use]
    pub fn lanes(&self) -> usize {
        self.tickets.len()
    }

    /// Number of steps made so far, summed over the lanes: more than the move
    /// attempts, since an attempt beside long chains takes several. Idle lanes
    /// make steps too, except in the upper half or the upper three quarters of the
    /// lanes while all of these are idle.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.engine.steps()
    }

    /// Number of [`Self::steps`] that lanes with a game made.
    #[must_use]
    pub fn busy_steps(&self) -> u64 {
        self.engine.busy_steps()
    }

    /// Plays the jobs that `next` returns, and calls `done` with the result of each,
    /// until `next` returns none and all results are out. `next` is called again after
    /// calls of `done`, so that a result can lead to the next job. Results come in no
    /// particular order.
    ///
    /// # Panics
    /// If the board of a job is of another size, or the policy is a registered one that panics: then
    /// [`Self::unfinished`] has the jobs whose results are not out.
    pub fn run(
        &mut self,
        mut next: impl FnMut() -> Option<(Ticket, Job<W>)>,
        mut done: impl FnMut(Ticket, Playout<W>),
    ) {
        let Self { engine, tickets, with_area, unfinished } = self;
        let with_area = *with_area;
        let Some(unfinished) = unfinished else {
            return engine.run(RunArguments {
                tickets,
                with_area,
                next: &mut next,
                done: &mut done,
            });
        };
        let unfinished = RefCell::new(unfinished);
        let next = &mut || {
            let (ticket, job) = next()?;
            unfinished.borrow_mut().insert(ticket, job);
            Some((ticket, job))
        };
        let done = &mut |ticket, playout| {
            unfinished.borrow_mut().remove(&ticket);
            done(ticket, playout);
        };
        engine.run(RunArguments { tickets, with_area, next, done });
    }

    /// Ends the lanes after a panic of a registered policy. Returns the jobs whose results are not
    /// out, in the order of their tickets.
    pub fn unfinished(self) -> impl Iterator<Item = (Ticket, Job<W>)> {
        self.unfinished.into_iter().flatten()
    }
}

/// The number of playouts at once from which lanes are faster than
/// [scalar] playouts, one after the other.
///
/// Measured with AVX-512; with AVX2 the numbers are 3 to 6. Without a stop rule idle lanes
/// cost less, since only a quarter or half of all lanes steps.
#[must_use]
pub fn worth_lanes(playout_config: PlayoutConfig) -> usize {
    match (playout_config.policy.lane_form(), playout_config.stop) {
        (None, _) => usize::MAX,
        // Scalar playouts of policies of sets are plain code.
        (Some(LaneForm::Sets(_)), _) => 1,
        (Some(LaneForm::BuiltIn(_)), EarlyStop::Never) => 4,
        (Some(LaneForm::BuiltIn(_)), _) => 8,
    }
}

/// Scalar playouts one after the other, by a policy without code for lanes.
struct OneByOne {
    playout_config: PlayoutConfig,
    isa: Isa,
    attempts: u64,
}

impl<const W: usize> Engine<W> for OneByOne {
    fn lanes(&self) -> usize {
        1
    }

    fn steps(&self) -> u64 {
        self.attempts
    }

    fn busy_steps(&self) -> u64 {
        self.attempts
    }

    fn run(&mut self, arguments: RunArguments<'_, W>) {
        while let Some((ticket, job)) = (arguments.next)() {
            let (playout, attempts) = scalar::play_on(self.isa, self.playout_config, &job);
            self.attempts += attempts;
            (arguments.done)(ticket, playout);
        }
    }
}

/// A lane engine, whatever its word type and number of lanes.
trait Engine<const W: usize>: Send {
    /// [`Lanes::lanes`], without a limit.
    fn lanes(&self) -> usize;
    /// [`Lanes::steps`].
    fn steps(&self) -> u64;
    /// [`Lanes::busy_steps`].
    fn busy_steps(&self) -> u64;
    /// [`Lanes::run`].
    fn run(&mut self, arguments: RunArguments<'_, W>);
}

/// The arguments of [`Lanes::run`].
struct RunArguments<'run, const W: usize> {
    /// The tickets of the lanes to be used.
    tickets: &'run mut [Ticket],
    /// Whether results hold the final areas.
    with_area: bool,
    next: &'run mut dyn FnMut() -> Option<(Ticket, Job<W>)>,
    done: &'run mut dyn FnMut(Ticket, Playout<W>),
}
