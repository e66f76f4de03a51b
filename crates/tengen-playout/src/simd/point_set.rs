//! Sets of points as one game needs them, in the form that is fastest on this machine.
//!
//! | boards in | with AVX-512 | with AVX2 | otherwise |
//! |---|---|---|---|
//! | 1 word | [`Bits`] | [`Bits`] | [`Bits`] |
//! | 2 words | one register, in order | one register; uniform: [`Bits`] | [`Bits`] |
//! | 3 words | one register, in order | one register, in order | [`Bits`] |
//! | 6 words | one register, interleaved | two registers, interleaved | [`Bits`] |
//!
//! [`GridSet`] has the operations that sets of one game and of one lane share.

// A playout is one function, whose sets stay in registers only if every helper is inlined.
#![allow(clippy::inline_always, clippy::needless_range_loop)]

use super::Target;
use crate::candidate_order;
use crate::sets::grid_set::GridSet;
use tengen_go::{Bits, Size, words};

/// A set of points on the grid of [`Bits`].
pub trait PointSet: GridSet {
    /// Whether the set is empty.
    fn is_empty(self) -> bool;
    /// Whether the two sets share a point.
    fn meets(self, other: Self) -> bool;
    /// Number of points.
    fn count(self) -> u32;
    /// One point of the set, whichever is found fastest; empty if the set is.
    fn any_point(self) -> Self;
    /// The candidate that `number` draws, alone; `None` if there are no candidates.
    fn draw(self, number: u64, numbering: Numbering) -> Option<Self>;
}

/// What decides how candidates are numbered, and how a number finds its candidate.
#[derive(Clone, Copy)]
pub struct Numbering {
    /// The size of the board.
    pub size: Size,
    /// The instruction set.
    pub target: Target,
}

/// A random number below `count`, which is at most 361, from one output `x` of the
/// stream: the upper half of the product of `count` and the upper 32 bits of `x`. The
/// probabilities of two numbers differ by at most 2⁻³².
#[inline]
pub fn below(count: u32, x: u64) -> u32 {
    #[allow(clippy::cast_possible_truncation)] // the upper half of a product
    let number = (((x >> 32) * u64::from(count)) >> 32) as u32;
    number
}

impl<const W: usize> GridSet for Bits<W> {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        self - other
    }

    #[inline(always)]
    fn east(self) -> Self {
        self.shifted_up(1)
    }

    #[inline(always)]
    fn west(self) -> Self {
        self.shifted_down(1)
    }

    #[inline(always)]
    fn north(self) -> Self {
        self.shifted_up(Self::STRIDE)
    }

    #[inline(always)]
    fn south(self) -> Self {
        self.shifted_down(Self::STRIDE)
    }

    #[inline(always)]
    fn only_if(self, condition: Self) -> Self {
        if condition.is_empty() { self.none() } else { self }
    }
}

impl<const W: usize> PointSet for Bits<W> {
    #[inline(always)]
    fn is_empty(self) -> bool {
        Self::is_empty(self)
    }

    #[inline(always)]
    fn meets(self, other: Self) -> bool {
        self.intersects(other)
    }

    #[inline(always)]
    fn count(self) -> u32 {
        Self::count(self)
    }

    #[inline(always)]
    fn any_point(self) -> Self {
        let words = self.words();
        let mut points = [0; W];
        let mut lower = 0;
        for w in 0..W {
            points[w] = if lower == 0 { words[w] & words[w].wrapping_neg() } else { 0 };
            lower |= words[w];
        }
        Self::from_words(points)
    }

    #[inline(always)]
    fn draw(self, number: u64, Numbering { size, target }: Numbering) -> Option<Self> {
        let count = Self::count(self);
        if count == 0 {
            return None;
        }
        let k = below(count, number);
        if words(size) >= candidate_order::CLASSES {
            return Some(Self::point(candidate_order::nth(size, self, k)));
        }
        let words = self.words();
        let (mut left, mut word, mut lower) = (k, 0, 0);
        for w in 1..W {
            lower += words[w - 1].count_ones();
            let is_beyond = k >= lower;
            left = if is_beyond { k - lower } else { left };
            word += usize::from(is_beyond);
        }
        let mut point = [0; W];
        point[word] = target.nth_bit(words[word], left);
        Some(Self::from_words(point))
    }
}

/// A form of the sets of boards of `W` words, which are passed in as [`Bits`].
pub trait Form<const W: usize>: PointSet {
    /// The proof that this machine has the instructions; [`Self::pack`] takes it.
    type Proof: Copy;

    /// The set in this form.
    fn pack(set: Bits<W>, proof: Self::Proof) -> Self;

    /// The set as [`Bits`].
    fn unpack(self) -> Bits<W>;
}

impl<const W: usize> Form<W> for Bits<W> {
    type Proof = ();

    #[inline(always)]
    fn pack(set: Self, (): ()) -> Self {
        set
    }

    #[inline(always)]
    fn unpack(self) -> Self {
        self
    }
}
