//! The layout of sets of points in lanes, and its conversion from and to [`Bits`].
//!
//! A [`Bits`] set has a grid that many board sizes share; lanes use the
//! narrowest grid that the board fits, so that its sets take fewer or shorter
//! words. [`pack`] converts a set from `Bits` to lanes, [`unpack`] back:
//!
//! ```text
//! pack(set):
//!     for each point of set, at column and row:
//!         i = row · S + column        where Bits has i = row · STRIDE + column
//!         set bit i % BITS of word i / BITS, or interleaved bit i / N of word i % N
//! ```
//!
//! ```text
//! 5×5 in Bits<1>: 8 columns, 64 bits        in lanes: 6 columns, 32 bits
//! 32 33 34 35 36 (37 38 39)                 24 25 26 27 28 (29)
//! 24 25 26 27 28 (29 30 31)                 18 19 20 21 22 (23)
//! 16 17 18 19 20 (21 22 23)      pack       12 13 14 15 16 (17)
//!  8  9 10 11 12 (13 14 15)     ─────►       6  7  8  9 10 (11)
//!  0  1  2  3  4  (5  6  7)                  0  1  2  3  4  (5)
//! ```
//!
//! The numbers are bit numbers; those in brackets belong to the padding. The points A1,
//! E1, B2 and C5 are bits 0, 4, 9 and 34 in `Bits`, and 0, 4, 7 and 26 in lanes.
//!
//! Interleaved words are described in `interleaving.rs`.
//!
//! # How it is made fast
//!
//! - Where both grids have the same number of columns, words are copied.
//! - To a narrower grid, `pext` drops the surplus columns, and `pdep` puts them back, if
//!   the machine has fast instructions for that.
//! - Otherwise all rows are moved by a few shifts. In the drawing row r, from 0, moves
//!   down by 2·r bits: first the odd rows move by 2, then the rows 2 and 3 (and 6 and
//!   7) by 4, then the rows from 4 on by 8: one shift per binary digit of r
//!   (`Grids::narrow`).

use super::interleaving::{in_words, interleave, of_words, put_in_order};
use crate::sets::lane_word::{INTERLEAVED, LaneWord};
use crate::simd::Target;
use tengen_go::Bits;

/// Converts a set of [`Bits`] to `N` words on a grid of `S` columns.
#[inline(always)]
pub(super) fn pack<T: LaneWord, const W: usize, const N: usize, const S: usize>(
    set: Bits<W>,
    target: Target,
) -> [T; N] {
    let mut words = [0; 6];
    words[..W].copy_from_slice(&set.words());
    if is_narrower::<T, W, N, S>() {
        words = split(Grids::<W, S>::narrow(join(words), target));
    }
    let to = of_words(words);
    if N >= INTERLEAVED { interleave(to, target) } else { to }
}

/// Converts a set of a lane back to [`Bits`].
#[inline(always)]
pub(super) fn unpack<T: LaneWord, const W: usize, const N: usize, const S: usize>(
    set: [T; N],
    target: Target,
) -> Bits<W> {
    let set = if N >= INTERLEAVED { put_in_order(set, target) } else { set };
    let mut words = in_words(set);
    if is_narrower::<T, W, N, S>() {
        words = split(Grids::<W, S>::widen(join(words), target));
    }
    let mut to = [0; W];
    to.copy_from_slice(&words[..W]);
    Bits::from_words(to)
}

/// Whether the lanes' grid has fewer columns than that of [`Bits`], and both take at most
/// 128 bits; otherwise the grids are the same.
const fn is_narrower<T: LaneWord, const W: usize, const N: usize, const S: usize>() -> bool {
    let is_narrower = S < Bits::<W>::STRIDE && W <= 2 && T::BITS * N <= 128;
    assert!(is_narrower || S == Bits::<W>::STRIDE && T::BITS * N == 64 * W);
    is_narrower
}

/// Joins the two lowest words into one number.
#[inline(always)]
fn join([low, high, ..]: [u64; 6]) -> u128 {
    u128::from(low) | u128::from(high) << 64
}

/// Splits a number into words: the inverse of [`join`].
#[inline(always)]
#[allow(clippy::cast_possible_truncation)] // one word of two
fn split(all: u128) -> [u64; 6] {
    [all as u64, (all >> 64) as u64, 0, 0, 0, 0]
}

/// Conversion between the grid of `Bits<W>` and a narrower one of `S` columns.
struct Grids<const W: usize, const S: usize>;

impl<const W: usize, const S: usize> Grids<W, S> {
    /// How many columns fewer the narrower grid has: row `r` moves by `r · GAP` bits.
    const GAP: usize = Bits::<W>::STRIDE.saturating_sub(S);

    /// The masks of the four shifts of [`Self::narrow`]. Mask `bit` holds the points of
    /// the rows `r` with that bit set, where the shifts before have moved them.
    const ROWS: [u128; 4] =
        [Self::rows_at(0), Self::rows_at(1), Self::rows_at(2), Self::rows_at(3)];

    const fn rows_at(bit: usize) -> u128 {
        let mut rows = 0;
        let mut row = 0;
        while (row + 1) * Bits::<W>::STRIDE <= 128 {
            if row >> bit & 1 == 1 {
                let start = row * Bits::<W>::STRIDE - (row % (1 << bit)) * Self::GAP;
                rows |= ((1 << (S - 1)) - 1) << start;
            }
            row += 1;
        }
        rows
    }

    /// The columns of the narrower grid, as a set of points of the wider one.
    const COLUMNS: u128 = {
        let (mut columns, mut start) = (0, 0);
        while start + S <= 128 && start + S <= 64 * W {
            columns |= ((1 << S) - 1) << start;
            start += Bits::<W>::STRIDE;
        }
        columns
    };

    /// Moves row `r` down by `r · GAP` bits: one shift per binary digit of `r`.
    #[inline(always)]
    fn narrow(set: u128, target: Target) -> u128 {
        if let Some(moved) = target.extract_bits(set, Self::COLUMNS) {
            return moved;
        }
        if set == 0 {
            // Most ko sets are empty, and so are both colours of an empty board.
            return 0;
        }
        let mut moved = set;
        for (bit, rows) in Self::ROWS.into_iter().enumerate() {
            moved = (moved & !rows) | ((moved & rows) >> (Self::GAP << bit));
        }
        moved
    }

    /// Moves row `r` up by `r · GAP` bits: the inverse of [`Self::narrow`].
    #[inline(always)]
    fn widen(set: u128, target: Target) -> u128 {
        if let Some(moved) = target.deposit_bits(set, Self::COLUMNS) {
            return moved;
        }
        let mut moved = set;
        for (bit, rows) in Self::ROWS.into_iter().enumerate().rev() {
            let rows = rows >> (Self::GAP << bit);
            moved = (moved & !rows) | ((moved & rows) << (Self::GAP << bit));
        }
        moved
    }
}
