//! Bit sets of 128, 192 and 384 bits in vector registers: each in one, or `Halves384` in
//! two.
//!
//! One set per register suits work on a single set at a time, where every operation waits
//! for the one before: with AVX-512 a shift across all words takes two instructions,
//! whatever the number of words, and nothing is stored in memory between.
//!
//! ```text
//! Bits128      0 … 63      64 … 127                   in order
//! Bits192      0 … 63      64 … 127    128 … 191      in order
//! Bits384      0 6 12 …    1 7 13 …    2 8 14 …  …    interleaved: bit i is bit i / 6 of word i % 6
//! Pair128      as Bits128
//! Triple192    as Bits192
//! Halves384    as Bits384, three words in each of two registers
//! ```
//!
//! The last three need AVX2 and the first three AVX-512: a set is made with the proof that this
//! machine has the instructions ([`Avx2`](super::Avx2), [`Avx512`](super::Avx512)), or from other
//! sets.
#![allow(unsafe_code, clippy::inline_always, clippy::needless_range_loop)]
// Every `unsafe` block here calls intrinsics of AVX-512, AVX2 or BMI2, on values only or to
// write a register to an array of its size.
// SAFETY of all of them: the machine has the instructions, since a set can be made only by
// `Form::pack`, which takes an `Avx512` or `Avx2`, and by methods of sets. A set of AVX-512 makes
// sets of AVX2, which its machine has too; a set of AVX2 never makes one of AVX-512. Both proofs
// include BMI2.

mod avx2;
mod avx512;

pub use avx2::{Halves384, Pair128, Triple192};
pub use avx512::{Bits128, Bits192, Bits384};

use std::arch::x86_64::{_pdep_u64, _pext_u64};

/// The methods that are the same for all lengths, on a grid of `$stride` columns.
macro_rules! set_operations {
    (
        $set:ident, $words:literal, $stride:literal,
        $and:ident, $or:ident, $and_not:ident, $words_of:ident, $proof:ident
    ) => {
        const _: () = assert!(Bits::<$words>::STRIDE == $stride);

        impl GridSet for $set {
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                Self(unsafe { $and(self.0, other.0) })
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                Self(unsafe { $or(self.0, other.0) })
            }

            #[inline(always)]
            fn and_not(self, other: Self) -> Self {
                Self(unsafe { $and_not(other.0, self.0) })
            }

            #[inline(always)]
            fn east(self) -> Self {
                self.up::<1>()
            }

            #[inline(always)]
            fn west(self) -> Self {
                self.down::<1>()
            }

            #[inline(always)]
            fn north(self) -> Self {
                self.up::<$stride>()
            }

            #[inline(always)]
            fn south(self) -> Self {
                self.down::<$stride>()
            }

            #[inline(always)]
            fn only_if(self, condition: Self) -> Self {
                if condition.is_empty() { self.none() } else { self }
            }
        }

        impl PointSet for $set {
            #[inline(always)]
            fn is_empty(self) -> bool {
                !self.meets(self)
            }

            #[inline(always)]
            fn meets(self, other: Self) -> bool {
                self.shares_bit(other)
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.words().iter().map(|word| word.count_ones()).sum()
            }

            #[inline(always)]
            fn any_point(self) -> Self {
                self.any_bit()
            }

            /// Numbers the candidates word by word.
            #[inline(always)]
            fn draw(self, number: u64, Numbering { target, .. }: Numbering) -> Option<Self> {
                let words = self.words();
                // The number of bits in lower words.
                let mut lower = [0; $words];
                for w in 1..$words {
                    lower[w] = lower[w - 1] + words[w - 1].count_ones();
                }
                let count = lower[$words - 1] + words[$words - 1].count_ones();
                if count == 0 {
                    return None;
                }
                let k = below(count, number);
                let (mut left, mut word) = (k, 0);
                for w in 1..$words {
                    let is_beyond = k >= lower[w];
                    left = if is_beyond { k - lower[w] } else { left };
                    word += usize::from(is_beyond);
                }
                Some(Self::of_bit(word, target.nth_bit(words[word], left)))
            }
        }

        impl Form<$words> for $set {
            type Proof = $proof;

            #[inline(always)]
            fn pack(set: Bits<$words>, _: $proof) -> Self {
                Self::of(set.words())
            }

            #[inline(always)]
            fn unpack(self) -> Bits<$words> {
                Bits::from_words(self.$words_of())
            }
        }
    };
}

use set_operations;

/// Of word `i` of a set of 384 bits in order: the bits that belong to interleaved word `w`,
/// and how many of that word's bits are in lower words.
const INTERLEAVING: [[(u64, u32); 6]; 6] = {
    let mut parts = [[(0_u64, 0); 6]; 6];
    let mut bit = 0;
    while bit < 384 {
        parts[bit / 64][bit % 6].0 |= 1 << (bit % 64);
        bit += 1;
    }
    let mut i = 1;
    while i < 6 {
        let mut w = 0;
        while w < 6 {
            let (mask, lower) = parts[i - 1][w];
            parts[i][w].1 = lower + mask.count_ones();
            w += 1;
        }
        i += 1;
    }
    parts
};

/// The words of a set, which are in order, interleaved: bit `i` of the set is bit `i % 64` of word
/// `i / 64`, and of the interleaved words bit `i / 6` of word `i % 6`. Only a method of a set may
/// call this function: it needs BMI2.
#[inline(always)]
fn interleaved(words: [u64; 6]) -> [i64; 6] {
    let mut interleaved = [0; 6];
    for i in 0..6 {
        for w in 0..6 {
            let (mask, lower) = INTERLEAVING[i][w];
            interleaved[w] |= (unsafe { _pext_u64(words[i], mask) } << lower).cast_signed();
        }
    }
    interleaved
}

/// The inverse of [`interleaved`].
#[inline(always)]
fn in_order(interleaved: [u64; 6]) -> [u64; 6] {
    let mut words = [0; 6];
    for i in 0..6 {
        for w in 0..6 {
            let (mask, lower) = INTERLEAVING[i][w];
            words[i] |= unsafe { _pdep_u64(interleaved[w] >> lower, mask) };
        }
    }
    words
}
