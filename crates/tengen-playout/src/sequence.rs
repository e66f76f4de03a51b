//! A sequence of playouts, and what is counted in it: speeds and stop rules are measured by these.

use crate::lanes::{Lanes, Ticket};
use crate::{Ending, Isa, Job, PlayoutConfig, scalar};
use tengen_go::{Board, Color, with_words};

/// Playouts with numbers from 0 on: playout n begins at `starts[n % starts.len()]` and has the seed
/// `seed + n`.
#[derive(Clone, Copy, Debug)]
pub struct Sequence<'a> {
    /// The starting positions, all of one size.
    pub starts: &'a [Board<6>],
    /// Instruction set of the lanes.
    pub isa: Isa,
    /// Policy and stop rule, with the komi for the winners.
    pub playout_config: PlayoutConfig,
    /// Seed of the first playout. The generator mixes its state from the seed: consecutive seeds are
    /// good enough.
    pub seed: u64,
}

/// Sums over playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of playouts.
    pub playouts: u64,
    /// Moves, passes included.
    pub plies: u64,
    /// Steps of the lanes.
    pub steps: u64,
    /// Playouts that Black won at the komi.
    pub wins: u64,
    /// Area scores before komi, seen from Black, in half points.
    pub half_points: i64,
    /// Playouts that the limit of moves ended.
    pub cut_short: u64,
    /// Playouts that the stop rule ended.
    pub stopped: u64,
}

impl Counts {
    /// The sums over both.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            playouts: self.playouts + other.playouts,
            plies: self.plies + other.plies,
            steps: self.steps + other.steps,
            wins: self.wins + other.wins,
            half_points: self.half_points + other.half_points,
            cut_short: self.cut_short + other.cut_short,
            stopped: self.stopped + other.stopped,
        }
    }
}

/// How many playouts begin between two questions whether more shall begin.
const UNASKED: u64 = 64;

impl Sequence<'_> {
    /// Plays the first `playouts` playouts in lanes, or fewer: before every 64th but the first,
    /// `goes_on` says whether more begin. Those that have begun are played to their end.
    ///
    /// # Panics
    /// If `starts` is empty or of several sizes, or this machine does not have the instruction set.
    pub fn count(&self, playouts: u64, goes_on: &mut dyn FnMut() -> bool) -> Counts {
        with_words!(self.starts[0].size(), W => self.count_in::<W>(playouts, goes_on))
    }

    fn count_in<const W: usize>(&self, playouts: u64, goes_on: &mut dyn FnMut() -> bool) -> Counts {
        let (mut lanes, starts) = self.lanes_and_starts::<W>();
        let mut counts = Counts::default();
        let (mut begun, mut over) = (0, false);
        lanes.run(
            || {
                over |= begun > 0 && begun % UNASKED == 0 && !goes_on();
                (!over && begun < playouts).then(|| {
                    begun += 1;
                    (Ticket(begun), self.job(&starts, begun - 1))
                })
            },
            |_, playout| {
                counts.playouts += 1;
                counts.plies += u64::from(playout.plies);
                counts.half_points += i64::from(playout.score.half_points());
                let margin = playout.score - self.playout_config.komi;
                counts.wins += u64::from(margin.half_points() > 0);
                match playout.ending {
                    Ending::Passes => {}
                    Ending::Stopped => counts.stopped += 1,
                    Ending::CutShort => counts.cut_short += 1,
                }
            },
        );
        counts.steps = lanes.steps();
        counts
    }

    /// The winners at the komi of the first `playouts` playouts, none for a jigo.
    ///
    /// # Panics
    /// As [`Sequence::count`].
    #[must_use]
    pub fn winners(&self, playouts: u32) -> Vec<Option<Color>> {
        with_words!(self.starts[0].size(), W => self.winners_in::<W>(playouts))
    }

    fn winners_in<const W: usize>(&self, playouts: u32) -> Vec<Option<Color>> {
        let (mut lanes, starts) = self.lanes_and_starts::<W>();
        let mut numbers = 0..u64::from(playouts);
        let mut winners = vec![None; playouts as usize];
        lanes.run(
            || numbers.next().map(|number| (Ticket(number), self.job(&starts, number))),
            |Ticket(number), playout| {
                let place = usize::try_from(number).unwrap_or(usize::MAX);
                winners[place] = (playout.score - self.playout_config.komi).winner();
            },
        );
        winners
    }

    /// Candidates tried per move (attempts), legal or not, passes included, in the first playouts
    /// that have `plies` moves together, at most `playouts` of them. They are played one after the
    /// other: the lanes count only steps.
    ///
    /// # Panics
    /// If `starts` is empty or of several sizes.
    #[must_use]
    pub fn attempts_per_move(&self, plies: u64, playouts: u64) -> f64 {
        with_words!(self.starts[0].size(), W => self.attempts_per_move_in::<W>(plies, playouts))
    }

    fn attempts_per_move_in<const W: usize>(&self, plies: u64, playouts: u64) -> f64 {
        let starts = self.repacked::<W>();
        let (mut attempts, mut played, mut number) = (0, 0, 0);
        while played < plies && number < playouts {
            let job = self.job(&starts, number);
            let (playout, drawn) = scalar::play_on(Isa::of_program(), self.playout_config, &job);
            attempts += drawn;
            played += u64::from(playout.plies);
            number += 1;
        }
        attempts as f64 / played as f64
    }

    fn lanes_and_starts<const W: usize>(&self) -> (Lanes<W>, Vec<Board<W>>) {
        let starts = self.repacked::<W>();
        (Lanes::with_config(starts[0].size(), self.isa, self.playout_config), starts)
    }

    fn repacked<const W: usize>(&self) -> Vec<Board<W>> {
        self.starts.iter().map(Board::repacked).collect()
    }

    fn job<const W: usize>(&self, starts: &[Board<W>], number: u64) -> Job<W> {
        let place = usize::try_from(number % starts.len() as u64).unwrap_or(0);
        Job { start: starts[place], seed: self.seed.wrapping_add(number) }
    }
}
