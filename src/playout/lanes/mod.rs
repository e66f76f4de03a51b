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

mod dispatch;
mod kernel;
mod layout;
mod nth;
mod step;
mod stop;
mod urgent;
mod word;

use super::{Ending, Isa, Job, Manner, Playout, Policy, Stop};
use crate::go::{Bits, Color, Score, Size};
use kernel::Kernel;
use layout::{pack, unpack};
use stop::Judge;
use word::{Word, count};

/// What a caller knows a job by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// The lanes: games under way on boards of one size.
pub struct Lanes<const W: usize> {
    games: Box<dyn Games<W>>,
    tickets: Vec<Ticket>,
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
        assert!(isa.is_supported(), "this machine has no {isa}");
        let manner = manner.into();
        let mut games = layout::games(size, isa, manner.policy);
        games.stop_by(manner.stop, manner.stop.needs(size, manner.komi));
        let tickets = vec![Ticket::default(); games.lanes()];
        Self { games, tickets }
    }

    /// Uses only so many lanes, at least one. For tests, and for measuring
    /// what idle lanes cost.
    #[must_use]
    pub fn with_at_most(mut self, lanes: usize) -> Self {
        self.tickets.truncate(lanes.max(1));
        self
    }

    /// Number of games under way at once.
    #[must_use]
    pub fn lanes(&self) -> usize {
        self.tickets.len()
    }

    /// Steps made so far, counted by lane, those of idle lanes included: more
    /// than the attempts, since an attempt that meets long chains takes several.
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
        loop {
            let mut free = idle;
            while free != 0 {
                let lane = free.trailing_zeros() as usize;
                let Some((ticket, job)) = next() else { break };
                if self.games.load(lane, &job) {
                    self.tickets[lane] = ticket;
                    free &= free - 1;
                    idle = (idle & !(1 << lane)) | free;
                } else {
                    done(ticket, self.games.result(lane));
                }
            }
            if idle == all {
                return;
            }
            let mut over = self.games.advance();
            while over != 0 {
                let lane = over.trailing_zeros() as usize;
                over &= over - 1;
                idle |= 1 << lane;
                done(self.tickets[lane], self.games.result(lane));
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
    /// Plays until games are over and tells in which lanes.
    fn advance(&mut self) -> u64;
    /// The result of the game in `lane`, which is over and leaves the lane.
    fn result(&mut self, lane: usize) -> Playout<W>;
}

/// The games of a kernel on one machine.
struct Machine<T, const N: usize, const S: usize, const L: usize> {
    kernel: Kernel<T, N, S, L>,
    size: Size,
    isa: Isa,
    policy: Policy,
    /// What stops games before they are over.
    judge: Judge<T, L>,
}

impl<T: Word, const N: usize, const S: usize, const L: usize> Machine<T, N, S, L> {
    fn advance_by<const LOOKS: bool, const STOPS: bool>(&mut self) -> u64 {
        dispatch::advance::<T, N, S, L, LOOKS, STOPS>(self.isa, &mut self.kernel, &mut self.judge)
    }
}

impl<T: Word, const W: usize, const N: usize, const S: usize, const L: usize> Games<W>
    for Machine<T, N, S, L>
{
    fn lanes(&self) -> usize {
        L
    }

    fn steps(&self) -> u64 {
        self.kernel.steps
    }

    fn stop_by(&mut self, stop: Stop, needs: [i32; 2]) {
        self.judge = Judge::new(stop, needs);
    }

    fn load(&mut self, lane: usize, job: &Job<W>) -> bool {
        let start = &job.start;
        assert_eq!(start.size(), self.size, "a job for another board");
        let kernel = &mut self.kernel;
        let me = start.to_play();
        let pack = |set: Bits<W>| pack::<T, W, N, S>(set, self.size);
        let (own, other, ko) =
            (pack(start.stones(me)), pack(start.stones(!me)), pack(start.ko_set()));
        kernel.load(lane, own, other, ko);
        kernel.black[lane] = if me == Color::Black { T::ALL } else { T::default() };
        kernel.passes[lane] = T::from_u64(u64::from(start.passes()));
        kernel.seed(lane, job.seed);
        self.judge.forget(lane);
        !kernel.is_over(lane)
    }

    fn advance(&mut self) -> u64 {
        let looks = matches!(self.policy, Policy::CaptureEscape { .. });
        let stops = self.judge.stop() != Stop::Never;
        match (looks, stops) {
            (false, false) => self.advance_by::<false, false>(),
            (false, true) => self.advance_by::<false, true>(),
            (true, false) => self.advance_by::<true, false>(),
            (true, true) => self.advance_by::<true, true>(),
        }
    }

    fn result(&mut self, lane: usize) -> Playout<W> {
        let kernel = &mut self.kernel;
        let unpack = |set: [T; N]| unpack::<T, W, N, S>(set, self.size);
        let ending = if self.judge.has_stopped(lane) {
            Ending::Stopped
        } else if kernel.passes[lane].at_least(T::from_u64(2)) {
            Ending::Passes
        } else {
            Ending::CutShort
        };
        let [own, other] = match ending {
            Ending::Stopped => self.judge.counted(kernel, lane),
            Ending::Passes | Ending::CutShort => kernel.areas(lane),
        };
        let is_black = kernel.black[lane] != T::default();
        let (black, white) = if is_black { (own, other) } else { (other, own) };
        #[allow(clippy::cast_possible_truncation)] // at most 361 points
        let lead = count(black).to_u64() as i32 - count(white).to_u64() as i32;
        let [used, black_first] = kernel.first_plays(lane);
        let (used, black_first) = (unpack(used), unpack(black_first));
        #[allow(clippy::cast_possible_truncation)] // at most `max_plies`
        let playout = Playout {
            score: Score::from_points(lead),
            plies: kernel.plies[lane].to_u64() as u32,
            ending,
            first_plays: [black_first, used - black_first],
            area: [unpack(black), unpack(white)],
        };
        kernel.rest(lane);
        playout
    }
}
