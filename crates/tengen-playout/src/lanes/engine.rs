//! The games of a kernel on one machine.

use super::early_stop::EarlyStopLanes;
use super::kernel::Kernel;
use super::lane_word::{LaneWord, count};
use super::layout::{pack, unpack};
use super::{Games, Run};
use crate::{EarlyStop, Ending, Job, Playout, Policy};
use tengen_go::{Bits, Color, Score, Size};
use tengen_simd::{Target, Task};

/// A kernel, with what its games have in common.
pub struct LaneEngine<T, const N: usize, const S: usize, const L: usize> {
    pub(super) kernel: Kernel<T, N, S, L>,
    pub(super) size: Size,
    pub(super) target: Target,
    pub(super) policy: Policy,
    /// What stops games before they are over.
    pub(super) early_stop: EarlyStopLanes<T, L>,
}

impl<T: LaneWord, const W: usize, const N: usize, const S: usize, const L: usize> Games<W>
    for LaneEngine<T, N, S, L>
{
    fn lanes(&self) -> usize {
        L
    }

    fn steps(&self) -> u64 {
        self.kernel.steps
    }

    fn stop_by(&mut self, stop: EarlyStop, needs: [i32; 2]) {
        self.early_stop = EarlyStopLanes::new(stop, needs);
    }

    fn play(&mut self, run: Run<'_, W>) {
        let target = self.target;
        target.run(Play::<T, W, N, S, L> { lane_engine: self, run });
    }
}

/// [`Lanes::run`](super::Lanes::run), with what surrounds the kernel's steps: where
/// playouts are short, calls between those parts took 5 % of the time.
struct Play<'lane_engine, 'run, T, const W: usize, const N: usize, const S: usize, const L: usize> {
    lane_engine: &'lane_engine mut LaneEngine<T, N, S, L>,
    run: Run<'run, W>,
}

impl<T: LaneWord, const W: usize, const N: usize, const S: usize, const L: usize> Task
    for Play<'_, '_, T, W, N, S, L>
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { lane_engine, run: Run { tickets, with_area, next, done } } = self;
        let all = u64::MAX >> (64 - tickets.len());
        let mut idle = all;
        // The idle lanes that are at rest: a lane goes from game to game without.
        let mut resting = 0;
        loop {
            let mut free = idle;
            while free != 0 {
                let lane = free.trailing_zeros() as usize;
                let Some((ticket, job)) = next() else { break };
                resting &= !(1 << lane);
                if lane_engine.load::<W>(lane, &job) {
                    tickets[lane] = ticket;
                    free &= free - 1;
                    idle = (idle & !(1 << lane)) | free;
                } else {
                    done(ticket, lane_engine.result::<W>(lane, with_area));
                }
            }
            let mut left = idle & !resting;
            while left != 0 {
                lane_engine.kernel.rest(left.trailing_zeros() as usize);
                left &= left - 1;
            }
            resting = idle;
            if idle == all {
                return;
            }
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
    /// Whether the policy looks for urgent points.
    #[inline(always)]
    fn has_capture_escape(&self) -> bool {
        matches!(self.policy, Policy::CaptureEscape { .. })
    }

    /// Whether a rule stops games.
    #[inline(always)]
    fn has_early_stop(&self) -> bool {
        self.early_stop.stop() != EarlyStop::Never
    }

    /// Puts a game into `lane`; tells whether it is still to be played.
    #[inline(always)]
    fn load<const W: usize>(&mut self, lane: usize, job: &Job<W>) -> bool {
        let leaves_traces = self.has_capture_escape() || self.has_early_stop();
        let Self { kernel, size, early_stop, target, .. } = self;
        let start = &job.start;
        assert_eq!(start.size(), *size, "a job for another board");
        let me = start.to_play();
        let pack = |set: Bits<W>| pack::<T, W, N, S>(set, *size, *target);
        let (own, other, ko) =
            (pack(start.stones(me)), pack(start.stones(!me)), pack(start.ko_set()));
        if leaves_traces {
            // Uniform playouts that are not stopped leave nothing behind.
            kernel.give_up(lane);
            early_stop.forget(lane);
        }
        kernel.load(lane, own, other, ko);
        kernel.black[lane] = if me == Color::Black { T::ALL } else { T::default() };
        kernel.passes[lane] = T::from_u64(u64::from(start.passes()));
        kernel.seed(lane, job.seed);
        !kernel.is_over(lane)
    }

    /// Plays in the `busy` lanes, at least, until games are over and tells in
    /// which lanes.
    #[inline(always)]
    fn advance(&mut self, busy: u64) -> u64 {
        match (self.has_capture_escape(), self.has_early_stop()) {
            (false, false) if busy >> (L / 2) == 0 => self.advance_by::<false, false, 2>(),
            (false, false) => self.advance_by::<false, false, 1>(),
            (false, true) => self.advance_by::<false, true, 1>(),
            (true, false) => self.advance_by::<true, false, 1>(),
            (true, true) => self.advance_by::<true, true, 1>(),
        }
    }

    #[inline(always)]
    fn advance_by<const CAPTURE_ESCAPE: bool, const EARLY_STOP: bool, const SHARE: usize>(
        &mut self,
    ) -> u64 {
        let Self { kernel, early_stop, target, .. } = self;
        target.run(Advance::<T, N, S, L, CAPTURE_ESCAPE, EARLY_STOP, SHARE> { kernel, early_stop })
    }

    /// The result of the game in `lane`, which is over, with the final areas
    /// or without.
    #[inline(always)]
    fn result<const W: usize>(&self, lane: usize, with_area: bool) -> Playout<W> {
        let Self { kernel, size, early_stop, target, .. } = self;
        let unpack = |set: [T; N]| unpack::<T, W, N, S>(set, *size, *target);
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
        let is_black = kernel.black[lane] != T::default();
        let (black, white) = if is_black { (own, other) } else { (other, own) };
        #[allow(clippy::cast_possible_truncation)] // at most 361 points
        let lead = count(black).to_u64() as i32 - count(white).to_u64() as i32;
        let [used, black_first] = kernel.first_plays(lane);
        let (used, black_first) = (unpack(used), unpack(black_first));
        #[allow(clippy::cast_possible_truncation)] // at most `max_plies`
        Playout {
            score: Score::from_points(lead),
            plies: kernel.plies[lane].to_u64() as u32,
            ending,
            first_plays: [black_first, used - black_first],
            area: with_area.then(|| [unpack(black), unpack(white)]),
        }
    }
}

/// [`Kernel::advance`], in a function of its own: inside another its loops do
/// not become vectors.
struct Advance<
    'lane_engine,
    T,
    const N: usize,
    const S: usize,
    const L: usize,
    const CAPTURE_ESCAPE: bool,
    const EARLY_STOP: bool,
    const SHARE: usize,
> {
    kernel: &'lane_engine mut Kernel<T, N, S, L>,
    early_stop: &'lane_engine mut EarlyStopLanes<T, L>,
}

impl<
    T: LaneWord,
    const N: usize,
    const S: usize,
    const L: usize,
    const CAPTURE_ESCAPE: bool,
    const EARLY_STOP: bool,
    const SHARE: usize,
> Task for Advance<'_, T, N, S, L, CAPTURE_ESCAPE, EARLY_STOP, SHARE>
{
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        self.kernel.advance::<CAPTURE_ESCAPE, EARLY_STOP, SHARE>(self.early_stop)
    }
}
