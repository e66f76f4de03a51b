//! The games of a kernel on one machine.

use super::Games;
use super::kernel::Kernel;
use super::layout::{pack, unpack};
use super::stop::Judge;
use super::word::{Word, count};
use crate::go::{Bits, Color, Score, Size};
use crate::playout::dispatch::{Target, Task};
use crate::playout::{Ending, Job, Playout, Policy, Stop};

/// A kernel, with what its games have in common.
pub struct Machine<T, const N: usize, const S: usize, const L: usize> {
    pub(super) kernel: Kernel<T, N, S, L>,
    pub(super) size: Size,
    pub(super) target: Target,
    pub(super) policy: Policy,
    /// What stops games before they are over.
    pub(super) judge: Judge<T, L>,
}

impl<T: Word, const N: usize, const S: usize, const L: usize> Machine<T, N, S, L> {
    fn advance_by<const LOOKS: bool, const STOPS: bool, const SHARE: usize>(&mut self) -> u64 {
        let (kernel, judge) = (&mut self.kernel, &mut self.judge);
        self.target.run(Advance::<T, N, S, L, LOOKS, STOPS, SHARE> { kernel, judge })
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
        assert_eq!(job.start.size(), self.size, "a job for another board");
        self.target.run(Load { machine: self, lane, job })
    }

    fn advance(&mut self, busy: u64) -> u64 {
        let fits_in_half = busy >> (L / 2) == 0;
        let looks = matches!(self.policy, Policy::CaptureEscape { .. });
        let stops = self.judge.stop() != Stop::Never;
        match (looks, stops) {
            (false, false) if fits_in_half => self.advance_by::<false, false, 2>(),
            (false, false) => self.advance_by::<false, false, 1>(),
            (false, true) => self.advance_by::<false, true, 1>(),
            (true, false) => self.advance_by::<true, false, 1>(),
            (true, true) => self.advance_by::<true, true, 1>(),
        }
    }

    fn result(&self, lane: usize, with_area: bool) -> Playout<W> {
        self.target.run(Count::<T, W, N, S, L> { machine: self, lane, with_area })
    }

    fn rest(&mut self, lane: usize) {
        self.kernel.rest(lane);
    }
}

/// [`Kernel::advance`].
struct Advance<
    'machine,
    T,
    const N: usize,
    const S: usize,
    const L: usize,
    const LOOKS: bool,
    const STOPS: bool,
    const SHARE: usize,
> {
    kernel: &'machine mut Kernel<T, N, S, L>,
    judge: &'machine mut Judge<T, L>,
}

impl<
    T: Word,
    const N: usize,
    const S: usize,
    const L: usize,
    const LOOKS: bool,
    const STOPS: bool,
    const SHARE: usize,
> Task for Advance<'_, T, N, S, L, LOOKS, STOPS, SHARE>
{
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        self.kernel.advance::<LOOKS, STOPS, SHARE>(self.judge)
    }
}

/// Puts a game into a lane; tells whether it is still to be played.
struct Load<'machine, T, const W: usize, const N: usize, const S: usize, const L: usize> {
    machine: &'machine mut Machine<T, N, S, L>,
    lane: usize,
    job: &'machine Job<W>,
}

impl<T: Word, const W: usize, const N: usize, const S: usize, const L: usize> Task
    for Load<'_, T, W, N, S, L>
{
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { machine: Machine { kernel, size, judge, .. }, lane, job } = self;
        let start = &job.start;
        let me = start.to_play();
        let pack = |set: Bits<W>| pack::<T, W, N, S>(set, *size);
        let (own, other, ko) =
            (pack(start.stones(me)), pack(start.stones(!me)), pack(start.ko_set()));
        kernel.load(lane, own, other, ko);
        kernel.black[lane] = if me == Color::Black { T::ALL } else { T::default() };
        kernel.passes[lane] = T::from_u64(u64::from(start.passes()));
        kernel.seed(lane, job.seed);
        judge.forget(lane);
        !kernel.is_over(lane)
    }
}

/// The result of the game in a lane, which is over.
struct Count<'machine, T, const W: usize, const N: usize, const S: usize, const L: usize> {
    machine: &'machine Machine<T, N, S, L>,
    lane: usize,
    /// Whether the final areas are wanted.
    with_area: bool,
}

impl<T: Word, const W: usize, const N: usize, const S: usize, const L: usize> Task
    for Count<'_, T, W, N, S, L>
{
    type Output = Playout<W>;

    #[inline(always)]
    fn run(self) -> Playout<W> {
        let Self { machine: Machine { kernel, size, judge, .. }, lane, with_area } = self;
        let unpack = |set: [T; N]| unpack::<T, W, N, S>(set, *size);
        let ending = if judge.has_stopped(lane) {
            Ending::Stopped
        } else if kernel.passes[lane].at_least(T::from_u64(2)) {
            Ending::Passes
        } else {
            Ending::CutShort
        };
        let [own, other] = match ending {
            Ending::Stopped => judge.counted(kernel, lane),
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
