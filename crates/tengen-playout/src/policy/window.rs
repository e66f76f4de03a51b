//! Windows: the part of a board around the opponent's last stone, in words of 16 bits.
//!
//! The points around a point and around its neighbours lie in two rows above and below and two
//! columns to each side. In interleaved words these points have at most 16 consecutive bit numbers:
//! the first and the last point are 44 to 84 points apart on the grid, or 10 to 15 bits in words of
//! which each holds every third or every sixth point. So one shift cuts the window out of each word
//! of a set, and a policy computes there in words of 16 bits, by vectors that hold two or four
//! times as many games:
//!
//! ```text
//! bit of the word         31 … 28 27 26 … 13 12 11 … 0
//! last stone, on bit 20                *
//! bit of the window           15 …  8  7 …  0            shifted lower by 12
//! ```
//!
//! A point keeps its word, so that a shift by one point or one row is the same in the window.

use crate::sets::lane_word::{INTERLEAVED, LaneWord, any, for_words};
use crate::sets::rows::{Row, Sets};

/// The place of the window of one lane in its words: the numbers of bits by which words are shifted
/// lower and then higher. At least one of them is zero.
#[derive(Clone, Copy)]
pub struct Window<T> {
    lower: T,
    higher: T,
}

/// The windows of all lanes, and what is in them.
#[repr(align(64))]
pub struct Windows<T, const N: usize, const L: usize> {
    lower: Row<T, L>,
    higher: Row<T, L>,
    /// Sets of points in the windows.
    pub sets: [Sets<u16, N, L>; 4],
}

impl<T: LaneWord, const N: usize, const L: usize> Windows<T, N, L> {
    /// No windows.
    pub fn new() -> Self {
        let zero = [T::default(); L];
        Self { lower: zero, higher: zero, sets: [[[0; L]; N]; 4] }
    }

    /// Stores the window of lane `l`, and the parts of `sets` in it.
    #[inline(always)]
    pub fn store(&mut self, l: usize, window: Window<T>, sets: [[T; N]; 4]) {
        self.lower[l] = window.lower;
        self.higher[l] = window.higher;
        for (stored, set) in self.sets.iter_mut().zip(sets) {
            for_words!(|w| {
                stored[w][l] = window.of(set[w]);
            });
        }
    }

    /// The window of lane `l`.
    #[inline(always)]
    pub fn window(&self, l: usize) -> Window<T> {
        Window { lower: self.lower[l], higher: self.higher[l] }
    }
}

impl<T: LaneWord> Window<T> {
    /// The window around the one point of `last`; anywhere if there is none.
    #[inline(always)]
    pub fn around<const N: usize, const S: usize>(last: [T; N]) -> Self {
        const {
            // Two rows and two columns away is with three words at most 8 bits higher or 7 lower
            // from the last word, 7 higher or 8 lower from the other words; with six words at most
            // 7 either way.
            assert!(match N {
                INTERLEAVED => 2 * S + 2 <= 22,
                6 => 2 * S + 2 <= 42,
                _ => N < INTERLEAVED, // where this is compiled, and never called
            });
        }
        let (zero, one) = (T::default(), T::from_u64(1));
        // The number of the point's bit: how many bits are below it.
        let bit = any(last).minus(one).count();
        // From the last of three words points are up to eight bits higher, but none eight
        // bits lower.
        let is_last_word = N == INTERLEAVED && last[N - 1] != zero;
        let place = T::from_u64(8).minus(one.when(is_last_word));
        let is_above = bit.at_least(place);
        Self { lower: bit.minus(place).when(is_above), higher: place.minus(bit).when(!is_above) }
    }

    /// The part of a word in the window.
    #[inline(always)]
    pub fn of(self, word: T) -> u16 {
        word.down_by(self.lower).up_by(self.higher).to_u16()
    }

    /// The word with `part` in the window.
    #[inline(always)]
    pub fn word(self, part: u16) -> T {
        T::from_u64(part.into()).down_by(self.higher).up_by(self.lower)
    }
}
