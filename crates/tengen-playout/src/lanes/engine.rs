//! The lane engine: loads jobs into the kernel and reads the results of games.
//!
//! ```text
//! repeat:
//!     in every lane without a game: ask for a job and load it
//!     return if all lanes are without a game
//!     make steps until a game is over
//!     hand its result to the caller: the lane is without a game
//! ```

use super::early_stop::EarlyStopLanes;
use super::kernel::Kernel;
use super::layout::{pack, unpack};
use super::{Engine, RunArguments};
use crate::policy::{GameView, Memory};
use crate::sets::lane_word::{LaneWord, count};
use crate::sets::rows::store;
use crate::simd::{Target, Task};
use crate::{EarlyStop, Ending, Job, Playout, SPARES_CODE};
use tengen_go::{Bits, Color, Score, Size};

/// The lane engine: a kernel, and the board size and early-stop rule of all
/// its games.
pub struct LaneEngine<T: 'static, const N: usize, const S: usize, const L: usize> {
    pub(super) kernel: Kernel<T, N, S, L>,
    pub(super) size: Size,
    pub(super) target: Target,
    /// The early-stop rule.
    pub(super) early_stop: EarlyStopLanes<T, L>,
}

impl<T: LaneWord, const W: usize, const N: usize, const S: usize, const L: usize> Engine<W>
    for LaneEngine<T, N, S, L>
{
    fn lanes(&self) -> usize {
        L
    }

    fn steps(&self) -> u64 {
        self.kernel.steps
    }

    fn busy_steps(&self) -> u64 {
        self.kernel.busy_steps
    }

    fn run(&mut self, arguments: RunArguments<'_, W>) {
        let target = self.target;
        target.run(RunTask::<T, W, N, S, L> { lane_engine: self, arguments });
    }
}

/// [`Lanes::run`](super::Lanes::run) as a task for one instruction set. It loads games
/// and reads results too, since calls between these parts take 5 % of the time where
/// playouts are short.
struct RunTask<
    'lane_engine,
    'run,
    T: 'static,
    const W: usize,
    const N: usize,
    const S: usize,
    const L: usize,
> {
    lane_engine: &'lane_engine mut LaneEngine<T, N, S, L>,
    arguments: RunArguments<'run, W>,
}

impl<T: LaneWord, const W: usize, const N: usize, const S: usize, const L: usize> Task
    for RunTask<'_, '_, T, W, N, S, L>
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { lane_engine, arguments: RunArguments { tickets, with_area, next, done } } = self;
        let all = u64::MAX >> (64 - tickets.len());
        let mut idle = all;
        // The idle lanes that have been parked. A lane that gets its next game at once
        // is never parked.
        let mut parked = 0;
        loop {
            let mut free = idle;
            while free != 0 {
                let lane = free.trailing_zeros() as usize;
                let Some((ticket, job)) = next() else { break };
                parked &= !(1 << lane);
                if lane_engine.load::<W>(lane, &job) {
                    tickets[lane] = ticket;
                    free &= free - 1;
                    idle = (idle & !(1 << lane)) | free;
                } else {
                    done(ticket, lane_engine.result::<W>(lane, with_area));
                }
            }
            let mut left = idle & !parked;
            while left != 0 {
                lane_engine.kernel.park(left.trailing_zeros() as usize);
                left &= left - 1;
            }
            parked = idle;
            if idle == all {
                return;
            }
            lane_engine.kernel.busy = (all & !idle).count_ones();
            let mut over = lane_engine.advance(all & !idle);
            while over != 0 {
                let lane = over.trailing_zeros() as usize;
                over &= over - 1;
                idle |= 1 << lane;
                done(tickets[lane], lane_engine.result::<W>(lane, with_area));
            }
        }
    }
}

impl<T: LaneWord, const N: usize, const S: usize, const L: usize> LaneEngine<T, N, S, L> {
    /// Whether the policy prefers points.
    #[inline(always)]
    fn prefers(&self) -> bool {
        self.kernel.policy.prefers()
    }

    /// Whether an early-stop rule is set.
    #[inline(always)]
    fn has_early_stop(&self) -> bool {
        self.early_stop.rule() != EarlyStop::Never
    }

    /// Loads a game into `lane`, and returns false if the game is already over.
    #[inline(always)]
    fn load<const W: usize>(&mut self, lane: usize, job: &Job<W>) -> bool {
        let may_leave_state = self.prefers() || self.has_early_stop();
        let Self { kernel, size, early_stop, target, .. } = self;
        let start = &job.start;
        assert_eq!(start.size(), *size, "a job for another board");
        let me = start.to_play();
        let pack = |set: Bits<W>| pack::<T, W, N, S>(set, *target);
        let (own, other, ko) =
            (pack(start.stones(me)), pack(start.stones(!me)), pack(start.ko_set()));
        if may_leave_state {
            // All but uniform playouts without an early-stop rule may end while an
            // attempt is pending.
            kernel.cancel_attempt(lane);
            early_stop.clear(lane);
        }
        kernel.load(lane, own, other, ko);
        if kernel.policy.has_memory() {
            let Memory { own, other } = Memory::of(&GameView::of(start, Bits::EMPTY));
            // As the previous player saw the memory.
            store(&mut kernel.preference.memory[0], lane, pack(other));
            store(&mut kernel.preference.memory[1], lane, pack(own));
        }
        kernel.black_to_move[lane] = if me == Color::Black { T::ALL } else { T::default() };
        kernel.passes[lane] = T::from_u64(u64::from(start.passes()));
        kernel.seed(lane, job.seed);
        !kernel.is_over(lane)
    }

    /// Plays at least in the `busy` lanes until a game is over, and returns the lanes
    /// whose game is over. Both are bit sets: lane 0 is the lowest bit.
    #[inline(always)]
    fn advance(&mut self, busy: u64) -> u64 {
        let prefers = self.prefers();
        if self.has_early_stop() {
            return loop {
                let Self { kernel, early_stop, target, .. } = &mut *self;
                let stopped = target.run(StopTask { kernel, early_stop });
                let over = match (stopped, prefers) {
                    (0, false) => self.steps::<false, 1>(true),
                    (0, true) => self.steps::<true, 1>(true),
                    _ => stopped,
                };
                if over != 0 {
                    break over;
                }
            };
        }
        match prefers {
            false if !SPARES_CODE && busy >> (L / 4) == 0 => self.steps_in_share::<false, 4>(),
            false if !SPARES_CODE && busy >> (L / 2) == 0 => self.steps_in_share::<false, 2>(),
            false => self.steps::<false, 1>(false),
            true if !SPARES_CODE && busy >> (L / 4) == 0 => self.steps_in_share::<true, 4>(),
            true if !SPARES_CODE && busy >> (L / 2) == 0 => self.steps_in_share::<true, 2>(),
            true => self.steps::<true, 1>(false),
        }
    }

    /// Steps in `1 / SHARE` of the lanes. On x86-64 without AVX2 it steps in all lanes: such
    /// machines are too few to compile for.
    #[inline(always)]
    fn steps_in_share<const PREFERS: bool, const SHARE: usize>(&mut self) -> u64 {
        if cfg!(not(target_arch = "x86_64")) {
            return self.steps::<PREFERS, SHARE>(false);
        }
        let Self { kernel, target, .. } = self;
        let task = StepsTask::<T, N, S, L, PREFERS, SHARE> { kernel, only_one: false };
        match (target.avx512(), target.avx2()) {
            (Some(avx512), _) => avx512.run(task),
            (_, Some(avx2)) => avx2.run(task),
            (None, None) => self.steps::<PREFERS, 1>(false),
        }
    }

    #[inline(always)]
    fn steps<const PREFERS: bool, const SHARE: usize>(&mut self, only_one: bool) -> u64 {
        let Self { kernel, target, .. } = self;
        target.run(StepsTask::<T, N, S, L, PREFERS, SHARE> { kernel, only_one })
    }

    /// The result of the game in `lane`, which is over; with the final areas if
    /// `with_area`.
    #[inline(always)]
    fn result<const W: usize>(&self, lane: usize, with_area: bool) -> Playout<W> {
        let Self { kernel, early_stop, target, .. } = self;
        let unpack = |set: [T; N]| unpack::<T, W, N, S>(set, *target);
        let ending = if self.has_early_stop() && early_stop.has_stopped(lane) {
            Ending::Stopped
        } else if kernel.passes[lane].at_least(T::from_u64(2)) {
            Ending::Passes
        } else {
            Ending::CutShort
        };
        let [own, other] = match ending {
            Ending::Stopped => early_stop.counted(kernel, lane),
            Ending::Passes | Ending::CutShort => kernel.areas(lane),
        };
        let is_black = kernel.black_to_move[lane] != T::default();
        let (black, white) = if is_black { (own, other) } else { (other, own) };
        #[allow(clippy::cast_possible_truncation)] // at most 361 points
        let lead = count(black).to_u64() as i32 - count(white).to_u64() as i32;
        let [played, black_first] = kernel.first_plays(lane);
        let (played, black_first) = (unpack(played), unpack(black_first));
        #[allow(clippy::cast_possible_truncation)] // at most `max_plies`
        Playout {
            score: Score::from_points(lead),
            plies: kernel.plies[lane].to_u64() as u32,
            ending,
            first_plays: [black_first, played - black_first],
            area: with_area.then(|| [unpack(black), unpack(white)]),
        }
    }
}

/// Makes steps until a game is over, and returns the lanes whose game is over, as a bit set:
/// lane 0 is the lowest bit. With `only_one` it makes one step, and returns no lane if no
/// game is over. It is a function of its own: inlined, its loops do not become vector code.
///
/// Steps are made in `1 / SHARE` of the lanes: all of them, or the first half or quarter
/// while the other lanes are idle. `PREFERS` is set if the policy prefers points; the
/// code for it is compiled in only then.
struct StepsTask<
    'lane_engine,
    T: 'static,
    const N: usize,
    const S: usize,
    const L: usize,
    const PREFERS: bool,
    const SHARE: usize,
> {
    kernel: &'lane_engine mut Kernel<T, N, S, L>,
    only_one: bool,
}

impl<
    T: LaneWord,
    const N: usize,
    const S: usize,
    const L: usize,
    const PREFERS: bool,
    const SHARE: usize,
> Task for StepsTask<'_, T, N, S, L, PREFERS, SHARE>
{
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self { kernel, only_one } = self;
        loop {
            kernel.draw_numbers::<PREFERS, SHARE>();
            if PREFERS {
                kernel.search_preferred::<SHARE>();
            }
            if kernel.step::<PREFERS, SHARE>() {
                return kernel.over();
            }
            if only_one {
                return 0;
            }
        }
    }
}

/// Stops games early, and returns the lanes whose game it has stopped, as a bit set. It is separate
/// from [`StepsTask`], which else would be compiled once more for early stops.
struct StopTask<'lane_engine, T: 'static, const N: usize, const S: usize, const L: usize> {
    kernel: &'lane_engine Kernel<T, N, S, L>,
    early_stop: &'lane_engine mut EarlyStopLanes<T, L>,
}

impl<T: LaneWord, const N: usize, const S: usize, const L: usize> Task
    for StopTask<'_, T, N, S, L>
{
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self { kernel, early_stop } = self;
        if early_stop.stop_games(kernel) { early_stop.stopped() } else { 0 }
    }
}
