//! Set operations of one lane: a set of points in `N` words of type `T`.
//!
//! A point is a bit on a grid of `S` columns, rows from the lowest up; the last
//! column is padding and always clear. So a shift by 1 or by `S` moves every point
//! of a set to a neighbour, and what leaves the board lands in the clear column
//! or beyond, where the next `and` with a set of real points removes it:
//!
//! ```text
//! 5×5 board, S = 6                 set           up(set, 1)    up(set, S)
//! 24 25 26 27 28 (29)              . . . . .     . . . . .     . * * . .
//! 18 19 20 21 22 (23)              . * * . .     . . * * .     . . . . .
//! 12 13 14 15 16 (17)              . . . . .     . . . . .     . . . . *
//!  6  7  8  9 10 (11)              . . . . *     . . . . .(*)  . . . . .
//!  0  1  2  3  4  (5)              . . . . .     . . . . .     . . . . .
//! ```
//!
//! A chain is found by growing a set inside the stones of its colour. [`spread`] makes one
//! step along rows and one along columns:
//!
//! ```text
//! stones          D4 alone      1 × spread    2 × spread    3 × spread
//! . O X X .       . . . . .     . . * * .     . . * * .     . . * * .
//! . O X X .       . . . * .     . . * * .     . . * * .     . . * * .
//! . . X . .       . . . . .     . . * . .     . . * . .     . . * . .
//! . . X X O       . . . . .     . . . . .     . . * . .     . . * * .
//! . . . X .       . . . . .     . . . . .     . . . . .     . . . * .
//! ```
//!
//! Everything here is inlined into the kernel's loops over the lanes, where
//! the compiler turns the operation of one lane into that of a vector of lanes.
//! So no branches, and wrapping arithmetic only.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

/// An unsigned integer that holds one word of a set of points.
pub trait LaneWord:
    Copy
    + Eq
    + Default
    + Send
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
{
    /// Number of bits in the word.
    const BITS: usize;
    /// For each level of a binary search for a bit a mask: in mask number `i` the lower
    /// half of every group of `BITS >> i` bits is set. [`Self::LEVELS`] masks are used.
    const LOWER_HALVES: [Self; 6];
    /// Number of halvings from the word to a single bit.
    const LEVELS: usize;
    /// The word with all bits set: the mask of a condition that holds.
    const ALL: Self;

    /// Shift to higher bits.
    fn up(self, distance: usize) -> Self;
    /// Shift to lower bits.
    fn down(self, distance: usize) -> Self;
    /// Shift to higher bits by a number of bits below [`Self::BITS`].
    fn up_by(self, distance: Self) -> Self;
    /// Shift to lower bits by a number of bits below [`Self::BITS`].
    fn down_by(self, distance: Self) -> Self;
    /// The word with only bit `number` set; `number` is below [`Self::BITS`].
    fn bit(number: Self) -> Self;
    /// Wrapping sum.
    fn plus(self, other: Self) -> Self;
    /// Wrapping difference.
    fn minus(self, other: Self) -> Self;
    /// Product of two numbers that is below 2³².
    fn times(self, other: Self) -> Self;
    /// Number of bits set.
    fn count(self) -> Self;
    /// Whether the number is at least `other`; both are below half the range of the word.
    fn at_least(self, other: Self) -> bool;
    /// The word of the low bits of a number.
    fn from_u64(number: u64) -> Self;
    /// The word as a number.
    fn to_u64(self) -> u64;
    /// The lowest 16 bits.
    fn to_u16(self) -> u16;
    /// A random number below `count` from 32 random bits: the upper half of the
    /// product of both.
    fn below(random: u32, count: Self) -> Self;

    /// Difference: the bits of `self` that are not in `other`.
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        self & !other
    }

    /// `self` if `condition` holds, else zero.
    #[inline(always)]
    fn when(self, condition: bool) -> Self {
        if condition { self } else { Self::default() }
    }
}

macro_rules! word {
    ($word:ty, $bits:literal, $levels:literal, $halves:expr) => {
        #[allow(clippy::cast_lossless, clippy::cast_possible_truncation)] // distances and counts are small
        impl LaneWord for $word {
            const BITS: usize = $bits;
            const LOWER_HALVES: [Self; 6] = $halves;
            const LEVELS: usize = $levels;
            const ALL: Self = !0;

            #[inline(always)]
            fn up(self, distance: usize) -> Self {
                self.wrapping_shl(distance as u32)
            }
            #[inline(always)]
            fn down(self, distance: usize) -> Self {
                self.wrapping_shr(distance as u32)
            }
            #[inline(always)]
            fn up_by(self, distance: Self) -> Self {
                self.wrapping_shl(distance as u32)
            }
            #[inline(always)]
            fn down_by(self, distance: Self) -> Self {
                self.wrapping_shr(distance as u32)
            }
            #[inline(always)]
            fn bit(number: Self) -> Self {
                (1 as Self).wrapping_shl(number as u32)
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                // The casts show the compiler that a 32-bit multiplication is enough.
                (self as u32).wrapping_mul(other as u32) as $word
            }
            #[inline(always)]
            fn count(self) -> Self {
                self.count_ones() as $word
            }
            #[inline(always)]
            fn at_least(self, other: Self) -> bool {
                // Signed, which is one instruction where unsigned takes several.
                self.cast_signed() >= other.cast_signed()
            }
            #[inline(always)]
            fn from_u64(number: u64) -> Self {
                number as $word
            }
            #[inline(always)]
            fn to_u64(self) -> u64 {
                u64::from(self)
            }
            #[inline(always)]
            fn to_u16(self) -> u16 {
                self as u16
            }
            #[inline(always)]
            fn below(random: u32, count: Self) -> Self {
                // The cast shows the compiler that a 32-bit multiplication is enough.
                let count = u64::from(count as u32);
                (u64::from(random).wrapping_mul(count) >> 32) as $word
            }
        }
    };
}

word!(u16, 16, 4, [0x00FF, 0x0F0F, 0x3333, 0x5555, 0, 0]);
word!(u32, 32, 5, [0x0000_FFFF, 0x00FF_00FF, 0x0F0F_0F0F, 0x3333_3333, 0x5555_5555, 0]);
word!(
    u64,
    64,
    6,
    [
        0x0000_0000_FFFF_FFFF,
        0x0000_FFFF_0000_FFFF,
        0x00FF_00FF_00FF_00FF,
        0x0F0F_0F0F_0F0F_0F0F,
        0x3333_3333_3333_3333,
        0x5555_5555_5555_5555
    ]
);

/// Least number of words per set at which sets are interleaved.
///
/// Interleaved, point `i` of the grid is bit `i / N` of word `i % N`: the next
/// point of a row mostly has the same bit of the next word, so that a shift by one point
/// is the shift of one word, and no shift ever joins bits of two words. Otherwise, in order,
/// point `i` is bit `i % BITS` of word `i / BITS`; there a point is drawn faster.
pub const INTERLEAVED: usize = 3;

/// `for_words!(|w| { BODY })` runs BODY for each word `w` of sets of `N` words, at most six.
///
/// The compiler would unroll loops only after it has inlined thousands of them into one function,
/// and takes 1.6 times as long (`docs/archive/playouts.md`). The loops of `step.rs`, `contest.rs` and
/// `nth.rs` stay loops: written out, they make slower playouts.
macro_rules! for_words {
    (|$w:ident| $body:block) => {
        const { assert!(N <= 6, "words that are written out") };
        for_words!(|$w| $body; 0 1 2 3 4 5)
    };
    (|$w:ident| $body:block; $($number:literal)*) => {
        $(#[allow(unused_assignments)] // what the last word leaves to the next
        if const { $number < N } {
            let $w = $number;
            $body
        })*
    };
}

pub(crate) use for_words;

/// Shifts every point `distance` higher on the grid.
#[inline(always)]
pub fn up<T: LaneWord, const N: usize>(set: [T; N], distance: usize) -> [T; N] {
    let mut moved = set;
    if N >= INTERLEAVED {
        let (shift, words) = (distance / N, distance % N);
        for_words!(|w| {
            let wraps = usize::from(w < words);
            moved[w] = set[(w + N - words) % N].up(shift + wraps);
        });
        return moved;
    }
    for_words!(|w| {
        moved[w] = set[w].up(distance);
        if w > 0 {
            moved[w] |= set[w - 1].down(T::BITS - distance);
        }
    });
    moved
}

/// Shifts every point `distance` lower on the grid.
#[inline(always)]
pub fn down<T: LaneWord, const N: usize>(set: [T; N], distance: usize) -> [T; N] {
    let mut moved = set;
    if N >= INTERLEAVED {
        let (shift, words) = (distance / N, distance % N);
        for_words!(|w| {
            let wraps = usize::from(w + words >= N);
            moved[w] = set[(w + words) % N].down(shift + wraps);
        });
        return moved;
    }
    for_words!(|w| {
        moved[w] = set[w].down(distance);
        if w + 1 < N {
            moved[w] |= set[w + 1].up(T::BITS - distance);
        }
    });
    moved
}

/// The union of two sets.
///
/// A loop, as the intersection is, unlike the other operations: by `for_words` the compiler joins many
/// unions and intersections to expressions with more values than registers. Then uniform playouts on
/// 13×13 and 19×19 take 5 % longer, and those with shapes on 9×9 15 to 20 %.
#[inline(always)]
pub fn or<T: LaneWord, const N: usize>(mut a: [T; N], b: [T; N]) -> [T; N] {
    for w in 0..N {
        a[w] |= b[w];
    }
    a
}

/// The intersection of two sets.
#[inline(always)]
pub fn and<T: LaneWord, const N: usize>(mut a: [T; N], b: [T; N]) -> [T; N] {
    for w in 0..N {
        a[w] &= b[w];
    }
    a
}

/// The difference of two sets: the points of `a` that are not in `b`.
#[inline(always)]
pub fn and_not<T: LaneWord, const N: usize>(mut a: [T; N], b: [T; N]) -> [T; N] {
    for_words!(|w| {
        a[w] = a[w].and_not(b[w]);
    });
    a
}

/// The set where the mask is set, else the empty set.
#[inline(always)]
pub fn masked<T: LaneWord, const N: usize>(mut set: [T; N], mask: T) -> [T; N] {
    for_words!(|w| {
        set[w] &= mask;
    });
    set
}

/// The union of the words of a set: zero if and only if the set is empty.
#[inline(always)]
pub fn any<T: LaneWord, const N: usize>(set: [T; N]) -> T {
    let mut all = T::default();
    for_words!(|w| {
        all |= set[w];
    });
    all
}

/// The lowest point of the first word that is not zero, as a set; empty if `set` is.
#[inline(always)]
pub fn lowest<T: LaneWord, const N: usize>(set: [T; N]) -> [T; N] {
    let mut first = set;
    let mut lower = T::default();
    for_words!(|w| {
        let bit = set[w] & T::default().minus(set[w]);
        first[w] = bit.when(lower == T::default());
        lower |= set[w];
    });
    first
}

/// The two digits of the sum of three bits, in every bit of a word.
#[inline(always)]
pub fn full_adder<T: LaneWord>(a: T, b: T, c: T) -> [T; 2] {
    let either = a ^ b;
    [either ^ c, (a & b) | (either & c)]
}

/// Zero if a set has at most one point, and not zero if two of its points are neighbours of
/// each other, or of the same point. Of any other set of several points it may be either.
///
/// It looks at the union of the words, since no two such points have the same bit number in
/// different words. In interleaved words two such points may, in words one or two apart:
/// then it looks at the digits of the sum of three unions.
#[inline(always)]
pub fn several_local<T: LaneWord, const N: usize>(set: [T; N]) -> T {
    let one = T::from_u64(1);
    if N < INTERLEAVED {
        let union = any(set);
        return union & union.minus(one);
    }
    let mut thirds = [T::default(); 3];
    for_words!(|w| {
        thirds[w % 3] |= set[w];
    });
    if N > 3 {
        return count(thirds).minus(one);
    }
    let [ones, twos] = full_adder(thirds[0], thirds[1], thirds[2]);
    twos | (ones & ones.minus(one))
}

/// Number of points.
#[inline(always)]
pub fn count<T: LaneWord, const N: usize>(set: [T; N]) -> T {
    let mut sum = T::default();
    for_words!(|w| {
        sum = sum.plus(set[w].count());
    });
    sum
}

/// The neighbours of the points on a grid of `S` columns.
#[inline(always)]
pub fn neighbors<T: LaneWord, const N: usize, const S: usize>(set: [T; N]) -> [T; N] {
    or(or(up(set, 1), down(set, 1)), or(up(set, S), down(set, S)))
}

/// Grows a set within `stones`: by one step along the rows to both sides, and then by one
/// step along the columns.
#[inline(always)]
pub fn spread<T: LaneWord, const N: usize, const S: usize>(set: [T; N], stones: [T; N]) -> [T; N] {
    let row = or(set, and(or(up(set, 1), down(set, 1)), stones));
    or(row, and(or(up(row, S), down(row, S)), stones))
}
