//! One playout after another: the plain form that defines what a playout is.

use super::{Job, Playout, ROUNDS, max_plies};
use crate::go::{Bits, Board};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Plays `job` to its end.
#[must_use]
pub fn play<const W: usize>(job: &Job<W>) -> Playout<W> {
    let mut board = job.start;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(job.seed);
    let limit = max_plies(board.size());
    let mut plies = 0;
    let mut first_plays = [Bits::EMPTY; 2];
    while !board.is_over() && plies < limit {
        let color = board.to_play();
        let put = play_one(&mut board, &mut random);
        first_plays[color.index()] |= put - first_plays[(!color).index()];
        plies += 1;
    }
    Playout {
        score: board.area_score(),
        plies,
        cut_short: !board.is_over(),
        first_plays,
        area: board.areas(),
    }
}

/// Makes one ply of a playout and returns the point of the new stone, or none
/// after a pass.
#[inline]
pub fn play_one<const W: usize>(board: &mut Board<W>, random: &mut Xoshiro256PlusPlus) -> Bits<W> {
    let mut candidates =
        board.empty() - (board.eyes() | board.ko_set() | board.evident_suicides(ROUNDS));
    loop {
        let count = candidates.count();
        let number = random.next_u64();
        if count == 0 {
            board.pass();
            return Bits::EMPTY;
        }
        let index = candidates.nth(below(count, number));
        if board.play_unless_suicide(index) {
            return Bits::point(index);
        }
        candidates = candidates - Bits::point(index);
    }
}

/// A number below `count`, up to 361, from one output `x` of the stream: the
/// product of `count` with 32 random bits, of which the upper half counts. No
/// number is more likely than another by more than `count` / 2³².
#[inline]
fn below(count: u32, x: u64) -> u32 {
    #[allow(clippy::cast_possible_truncation)] // the upper half of a product
    let number = (((x >> 32) * u64::from(count)) >> 32) as u32;
    number
}
