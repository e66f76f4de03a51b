//! Conversion of a set between row order and interleaved words, in which a shift by one point
//! carries no bit between words ([`INTERLEAVED`](crate::sets::lane_word::INTERLEAVED)).
//!
//! Of six interleaved words each holds every sixth point, of three every third:
//!
//! ```text
//! points in order    0  1  2  3  4  5  6  7  8  9 10 11 12 …
//! word               0  1  2  3  4  5  0  1  2  3  4  5  0 …
//! bit                0  0  0  0  0  0  1  1  1  1  1  1  2 …
//! ```
//!
//! Six words are interleaved 48 points at a time, as a matrix that is transposed, and three
//! by `pext` and `pdep`, or a few shifts where the machine has no fast instruction for that.

use crate::sets::lane_word::{LaneWord, for_words};
use crate::simd::Target;

/// Interleaves the words of a set, three or six.
#[inline(always)]
pub fn interleave<T: LaneWord, const N: usize>(set: [T; N], target: Target) -> [T; N] {
    if N == 3 { to_thirds(set, target) } else { to_sixths(set) }
}

/// Puts interleaved words in order: the inverse of [`interleave`].
#[inline(always)]
pub fn put_in_order<T: LaneWord, const N: usize>(set: [T; N], target: Target) -> [T; N] {
    if N == 3 { from_thirds(set, target) } else { from_sixths(set) }
}

/// Interleaves six words. Each time, `8 · N` points are taken as a matrix of
/// bits with eight rows and `N` columns: column `w` are the next eight bits of word `w`.
#[inline]
fn to_sixths<T: LaneWord, const N: usize>(set: [T; N]) -> [T; N] {
    let from = in_words(set);
    let mut to = [T::default(); N];
    for eight in 0..T::BITS / 8 {
        let start = eight * 8 * N;
        let (word, bit) = (start / 64, start % 64);
        let mut points = from[word] >> bit;
        if bit + 8 * N > 64 {
            points |= from[word + 1] << (64 - bit);
        }
        let columns = transpose(sixes_to_bytes(points));
        for_words!(|w| {
            to[w] |= T::from_u64(columns >> (8 * w) & 0xFF).up(8 * eight);
        });
    }
    to
}

/// Puts six interleaved words in order: the inverse of [`to_sixths`].
#[inline]
fn from_sixths<T: LaneWord, const N: usize>(set: [T; N]) -> [T; N] {
    let mut to = [0; 6];
    for eight in 0..T::BITS / 8 {
        let mut columns = 0;
        for_words!(|w| {
            columns |= (set[w].to_u64() >> (8 * eight) & 0xFF) << (8 * w);
        });
        let points = bytes_to_sixes(transpose(columns));
        let start = eight * 8 * N;
        let (word, bit) = (start / 64, start % 64);
        to[word] |= points << bit;
        if bit + 8 * N > 64 {
            to[word + 1] |= points >> (64 - bit);
        }
    }
    of_words(to)
}

/// Moves each of eight groups of six bits to the bottom of a byte.
#[inline]
fn sixes_to_bytes(bits: u64) -> u64 {
    let halves = (bits & 0xFF_FFFF) | (bits & 0xFFFF_FF00_0000) << 8;
    let quarters = (halves & 0x0FFF_0000_0FFF) | (halves & 0x00FF_F000_00FF_F000) << 4;
    (quarters & 0x003F_003F_003F_003F) | (quarters & 0x0FC0_0FC0_0FC0_0FC0) << 2
}

/// Joins eight groups of six bits: the inverse of [`sixes_to_bytes`].
#[inline]
fn bytes_to_sixes(bytes: u64) -> u64 {
    let quarters = (bytes & 0x003F_003F_003F_003F) | (bytes & 0x3F00_3F00_3F00_3F00) >> 2;
    let halves = (quarters & 0x0FFF_0000_0FFF) | (quarters & 0x0FFF_0000_0FFF_0000) >> 4;
    (halves & 0xFF_FFFF) | (halves & 0x00FF_FFFF_0000_0000) >> 8
}

/// Transposes a matrix of 8×8 bits, one byte per row.
#[inline]
fn transpose(matrix: u64) -> u64 {
    let mut bits = matrix;
    for (distance, upper) in
        [(7, 0x00AA_00AA_00AA_00AA), (14, 0x0000_CCCC_0000_CCCC), (28, 0x0000_0000_F0F0_F0F0)]
    {
        let change = (bits ^ bits >> distance) & upper;
        bits ^= change ^ change << distance;
    }
    bits
}

/// Interleaves three words.
#[inline(always)]
fn to_thirds<T: LaneWord, const N: usize>(set: [T; N], target: Target) -> [T; N] {
    let mut to = [T::default(); N];
    for (i, bits) in in_words(set).into_iter().enumerate().take(N) {
        for_words!(|w| {
            let (from, start) = first_third(i, w);
            to[w] |= T::from_u64(join_thirds(bits >> from, target) << start);
        });
    }
    to
}

/// Puts three interleaved words in order: the inverse of [`to_thirds`].
#[inline(always)]
fn from_thirds<T: LaneWord, const N: usize>(set: [T; N], target: Target) -> [T; N] {
    let mut all = [0; 6];
    for (i, bits) in all.iter_mut().enumerate().take(N) {
        for_words!(|w| {
            let (from, start) = first_third(i, w);
            *bits |= spread_thirds(set[w].to_u64() >> start, target) << from;
        });
    }
    of_words(all)
}

/// The first bit of word `i` of 64 bits that belongs to interleaved word `w` of three, and
/// its bit there.
const fn first_third(i: usize, w: usize) -> (usize, usize) {
    let from = (w + 3 - i) % 3;
    (from, (64 * i + from) / 3)
}

/// Masks of every third bit of a word, of every third pair of bits, every third four and
/// so on.
const THIRDS: [u64; 6] = [
    0x9249_2492_4924_9249,
    0x30C3_0C30_C30C_30C3,
    0xF00F_00F0_0F00_F00F,
    0x00FF_0000_FF00_00FF,
    0xFFFF_0000_0000_FFFF,
    0x0000_0000_003F_FFFF,
];

/// Joins every third bit of `bits`, from bit 0 on.
#[inline(always)]
#[allow(clippy::cast_possible_truncation)] // at most 22 bits
fn join_thirds(bits: u64, target: Target) -> u64 {
    if let Some(joined) = target.extract_bits(bits.into(), THIRDS[0].into()) {
        return joined as u64;
    }
    let mut joined = bits & THIRDS[0];
    for k in 1..THIRDS.len() {
        joined = (joined | joined >> (1 << k)) & THIRDS[k];
    }
    joined
}

/// Spreads the lowest bits of `bits` to every third bit: the inverse of [`join_thirds`].
#[inline(always)]
#[allow(clippy::cast_possible_truncation)] // the mask has 64 bits
fn spread_thirds(bits: u64, target: Target) -> u64 {
    if let Some(spread) = target.deposit_bits(bits.into(), THIRDS[0].into()) {
        return spread as u64;
    }
    let mut spread = bits & THIRDS[THIRDS.len() - 1];
    for k in (1..THIRDS.len()).rev() {
        spread = (spread | spread << (1 << k)) & THIRDS[k - 1];
    }
    spread
}

/// The words of a set as words of 64 bits.
#[inline(always)]
pub fn in_words<T: LaneWord, const N: usize>(set: [T; N]) -> [u64; 6] {
    let mut all = [0; 6];
    for_words!(|w| {
        all[w * T::BITS / 64] |= set[w].to_u64() << (w * T::BITS % 64);
    });
    all
}

/// The set of these words of 64 bits: the inverse of [`in_words`].
#[inline(always)]
pub fn of_words<T: LaneWord, const N: usize>(all: [u64; 6]) -> [T; N] {
    let mut set = [T::default(); N];
    for_words!(|w| {
        set[w] = T::from_u64(all[w * T::BITS / 64] >> (w * T::BITS % 64));
    });
    set
}
