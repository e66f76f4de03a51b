//! Scalar playouts: one game at a time, in plain code. They define what a playout
//! is; the [lanes](super::lanes) play the same games faster.

use super::candidate_order::nth;
use super::{Ending, Job, Playout, PlayoutConfig, Policy, SUICIDE_ROUNDS, max_plies};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng, TryRng};
use std::convert::Infallible;
use tengen_go::{Bits, Board, Color, Score};

/// Plays a uniform playout.
#[must_use]
pub fn play<const W: usize>(job: &Job<W>) -> Playout<W> {
    play_by(Policy::Uniform {}, job)
}

/// Plays a playout by `playout_config`.
#[must_use]
pub fn play_by<const W: usize>(
    playout_config: impl Into<PlayoutConfig>,
    job: &Job<W>,
) -> Playout<W> {
    play_with(playout_config.into(), &job.start, &mut Xoshiro256PlusPlus::seed_from_u64(job.seed))
}

/// Plays a playout by `playout_config`, and returns the number of move attempts
/// too.
#[must_use]
pub fn play_counting<const W: usize>(
    playout_config: impl Into<PlayoutConfig>,
    job: &Job<W>,
) -> (Playout<W>, u64) {
    let mut random = Counted { random: Xoshiro256PlusPlus::seed_from_u64(job.seed), drawn: 0 };
    let playout = play_with(playout_config.into(), &job.start, &mut random);
    // An attempt draws one number.
    (playout, random.drawn)
}

/// A random number generator that counts the numbers drawn.
struct Counted {
    random: Xoshiro256PlusPlus,
    drawn: u64,
}

impl TryRng for Counted {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.drawn += 1;
        self.random.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.drawn += 1;
        self.random.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.drawn += bytes.len().div_ceil(8) as u64;
        self.random.try_fill_bytes(bytes)
    }
}

/// Plays a playout from `start` with the random numbers of `random`.
fn play_with<const W: usize>(
    playout_config: PlayoutConfig,
    start: &Board<W>,
    random: &mut impl Rng,
) -> Playout<W> {
    let mut board = *start;
    let limit = max_plies(board.size());
    let thresholds = playout_config.stop.thresholds(board.size(), playout_config.komi);
    let mut plies = 0;
    let mut last = Bits::EMPTY;
    let mut first_plays = [Bits::EMPTY; 2];
    let ending = loop {
        if board.is_over() {
            break Ending::Passes;
        }
        if plies >= limit {
            break Ending::CutShort;
        }
        if playout_config.stop.is_reached(&board, thresholds) {
            break Ending::Stopped;
        }
        let color = board.to_play();
        last = play_one_by(playout_config.policy, &mut board, last, random);
        first_plays[color.index()] |= last - first_plays[(!color).index()];
        plies += 1;
    };
    let area = match ending {
        Ending::Stopped => Color::BOTH.map(|color| playout_config.stop.counted(&board, color)),
        Ending::Passes | Ending::CutShort => board.areas(),
    };
    let [black, white] = area.map(|points| points.count().cast_signed());
    Playout {
        score: Score::from_points(black - white),
        plies,
        ending,
        first_plays,
        area: Some(area),
    }
}

/// Plays one ply of a uniform playout and returns the set of the point of the
/// new stone, empty after a pass.
#[inline]
pub fn play_one<const W: usize>(board: &mut Board<W>, random: &mut Xoshiro256PlusPlus) -> Bits<W> {
    play_one_by(Policy::Uniform {}, board, Bits::EMPTY, random)
}

/// Plays one ply of a playout by `policy` and returns the set of the point of
/// the new stone, empty after a pass. `last` is the set that the opponent's ply before
/// returned; empty if there was none.
#[inline]
pub fn play_one_by<const W: usize>(
    policy: Policy,
    board: &mut Board<W>,
    last: Bits<W>,
    random: &mut impl Rng,
) -> Bits<W> {
    let mut candidates =
        board.empty() - (board.eyes() | board.ko_set() | board.evident_suicides(SUICIDE_ROUNDS));
    let mut is_first = true;
    loop {
        let number = random.next_u64();
        if candidates.is_empty() {
            board.pass();
            return Bits::EMPTY;
        }
        let mut drawn_from = candidates;
        if is_first && policy.prefers_urgent(number) {
            let urgent = urgent(board, last) & candidates;
            drawn_from = if urgent.is_empty() { candidates } else { urgent };
        }
        let index = nth(board.size(), drawn_from, below(drawn_from.count(), number));
        if board.play_unless_suicide(index) {
            return Bits::point(index);
        }
        candidates = candidates - Bits::point(index);
        is_first = false;
    }
}

/// The urgent points after `last`, the opponent's stone just played: the last
/// liberties of the chains in atari that it belongs to or touches, where the
/// player to move captures or may escape.
#[must_use]
pub fn urgent<const W: usize>(board: &Board<W>, last: Bits<W>) -> Bits<W> {
    let (own, other) = (board.stones(board.to_play()), board.stones(!board.to_play()));
    let mut urgent = Bits::EMPTY;
    let mut unsettled = last | (last.neighbors() & own);
    while !unsettled.is_empty() {
        let stone = unsettled.nth(0);
        let chain = Bits::point(stone).flood(if own.contains(stone) { own } else { other });
        let liberties = chain.neighbors() & board.empty();
        if liberties.count() == 1 {
            urgent |= liberties;
        }
        unsettled = unsettled - chain;
    }
    urgent
}

/// A random number below `count`, which is at most 361, from one output `x` of the
/// stream: the upper half of the product of `count` and the upper 32 bits of `x`. The
/// probabilities of two numbers differ by at most 2⁻³².
#[inline]
fn below(count: u32, x: u64) -> u32 {
    #[allow(clippy::cast_possible_truncation)] // the upper half of a product
    let number = (((x >> 32) * u64::from(count)) >> 32) as u32;
    number
}
