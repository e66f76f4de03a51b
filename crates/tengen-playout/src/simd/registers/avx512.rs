//! Sets in registers of AVX-512.

use super::{Pair128, Triple192, in_order, interleaved, set_operations};
use crate::sets::grid_set::GridSet;
use crate::simd::Avx512;
use crate::simd::point_set::{Form, Numbering, PointSet, below};
use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm_and_si128, _mm_andnot_si128, _mm_or_si128, _mm_shldi_epi64,
    _mm_shrdi_epi64, _mm_slli_si128, _mm_srli_si128, _mm256_alignr_epi64, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_maskz_mov_epi64, _mm256_maskz_set1_epi64, _mm256_or_si256,
    _mm256_setzero_si256, _mm256_shldi_epi64, _mm256_shrdi_epi64, _mm256_sub_epi64,
    _mm256_test_epi64_mask, _mm512_and_si512, _mm512_andnot_si512, _mm512_maskz_mov_epi64,
    _mm512_maskz_set1_epi64, _mm512_or_si512, _mm512_permutexvar_epi64, _mm512_set_epi64,
    _mm512_setzero_si512, _mm512_sllv_epi64, _mm512_srlv_epi64, _mm512_storeu_si512,
    _mm512_sub_epi64, _mm512_test_epi64_mask,
};
use tengen_go::Bits;

/// A set of 128 bits.
#[derive(Clone, Copy, Debug)]
pub struct Bits128(__m128i);

/// A set of 192 bits.
#[derive(Clone, Copy, Debug)]
pub struct Bits192(__m256i);

/// A set of 384 bits, the words interleaved.
#[derive(Clone, Copy, Debug)]
pub struct Bits384(__m512i);

set_operations!(Bits128, 2, 11, _mm_and_si128, _mm_or_si128, _mm_andnot_si128, words, Avx512);
set_operations!(
    Bits192,
    3,
    14,
    _mm256_and_si256,
    _mm256_or_si256,
    _mm256_andnot_si256,
    words,
    Avx512
);
set_operations!(
    Bits384,
    6,
    20,
    _mm512_and_si512,
    _mm512_or_si512,
    _mm512_andnot_si512,
    words_in_order,
    Avx512
);

impl Bits128 {
    /// The set of these words.
    #[inline(always)]
    fn of(words: [u64; 2]) -> Self {
        Self(Pair128::of(words).0)
    }

    /// The words of the set.
    #[inline(always)]
    fn words(self) -> [u64; 2] {
        Pair128(self.0).words()
    }

    /// Whether the two sets share a bit.
    #[inline(always)]
    fn shares_bit(self, other: Self) -> bool {
        Pair128(self.0).shares_bit(Pair128(other.0))
    }

    /// The set with every bit moved `D` higher, 1 to 63.
    #[inline(always)]
    fn up<const D: i32>(self) -> Self {
        Self(unsafe { _mm_shldi_epi64::<D>(self.0, _mm_slli_si128::<8>(self.0)) })
    }

    /// The set with every bit moved `D` lower, 1 to 63.
    #[inline(always)]
    fn down<const D: i32>(self) -> Self {
        Self(unsafe { _mm_shrdi_epi64::<D>(self.0, _mm_srli_si128::<8>(self.0)) })
    }

    /// One bit of the set; empty if the set is.
    #[inline(always)]
    fn any_bit(self) -> Self {
        Self(Pair128(self.0).any_bit().0)
    }

    #[inline(always)]
    fn of_bit(word: usize, bit: u64) -> Self {
        Self(Pair128::of_bit(word, bit).0)
    }
}

impl Bits192 {
    /// The set of these words.
    #[inline(always)]
    fn of(words: [u64; 3]) -> Self {
        Self(Triple192::of(words).0)
    }

    /// The words of the set.
    #[inline(always)]
    fn words(self) -> [u64; 3] {
        Triple192(self.0).words()
    }

    /// Whether the two sets share a bit.
    #[inline(always)]
    fn shares_bit(self, other: Self) -> bool {
        Triple192(self.0).shares_bit(Triple192(other.0))
    }

    /// The set with every bit moved `D` higher, 1 to 63. Bits moved beyond the third word
    /// stay in the fourth until the set is intersected with another.
    #[inline(always)]
    fn up<const D: i32>(self) -> Self {
        let lower_words = unsafe { _mm256_alignr_epi64::<3>(self.0, _mm256_setzero_si256()) };
        Self(unsafe { _mm256_shldi_epi64::<D>(self.0, lower_words) })
    }

    /// The set with every bit moved `D` lower, 1 to 63.
    #[inline(always)]
    fn down<const D: i32>(self) -> Self {
        let higher_words = unsafe { _mm256_alignr_epi64::<1>(_mm256_setzero_si256(), self.0) };
        Self(unsafe { _mm256_shrdi_epi64::<D>(self.0, higher_words) })
    }

    /// One bit of the set; empty if the set is.
    #[inline(always)]
    fn any_bit(self) -> Self {
        unsafe {
            let negative = _mm256_sub_epi64(_mm256_setzero_si256(), self.0);
            let lowest_of_words = _mm256_and_si256(self.0, negative);
            let words = _mm256_test_epi64_mask(self.0, self.0);
            Self(_mm256_maskz_mov_epi64(words & words.wrapping_neg(), lowest_of_words))
        }
    }

    #[inline(always)]
    fn of_bit(word: usize, bit: u64) -> Self {
        Self(unsafe { _mm256_maskz_set1_epi64(1 << (word & 3), bit.cast_signed()) })
    }
}

impl Bits384 {
    /// The set of these words, which are in order.
    #[inline(always)]
    fn of(words: [u64; 6]) -> Self {
        let w = interleaved(words);
        Self(unsafe { _mm512_set_epi64(0, 0, w[5], w[4], w[3], w[2], w[1], w[0]) })
    }

    /// The words of the set, interleaved.
    #[inline(always)]
    fn words(self) -> [u64; 6] {
        let mut words = [0; 8];
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) };
        std::array::from_fn(|w| words[w])
    }

    /// The words of the set, in order.
    #[inline(always)]
    fn words_in_order(self) -> [u64; 6] {
        in_order(self.words())
    }

    /// Whether the two sets share a bit.
    #[inline(always)]
    fn shares_bit(self, other: Self) -> bool {
        unsafe { _mm512_test_epi64_mask(self.0, other.0) != 0 }
    }

    /// The set with every bit moved `D` higher, 1 to 63: every word moves to the word `D`
    /// further on, counted in a circle, and its bits move higher by the number of times
    /// that the word goes round.
    #[inline(always)]
    fn up<const D: i32>(self) -> Self {
        let from = |w: i64| (w + 6 - i64::from(D) % 6) % 6;
        let by = |w: i64| i64::from(D) / 6 + i64::from(w < i64::from(D) % 6);
        unsafe {
            let from = _mm512_set_epi64(7, 6, from(5), from(4), from(3), from(2), from(1), from(0));
            let by = _mm512_set_epi64(0, 0, by(5), by(4), by(3), by(2), by(1), by(0));
            Self(_mm512_sllv_epi64(_mm512_permutexvar_epi64(from, self.0), by))
        }
    }

    /// The set with every bit moved `D` lower, 1 to 63.
    #[inline(always)]
    fn down<const D: i32>(self) -> Self {
        let from = |w: i64| (w + i64::from(D) % 6) % 6;
        let by = |w: i64| i64::from(D) / 6 + i64::from(w + i64::from(D) % 6 >= 6);
        unsafe {
            let from = _mm512_set_epi64(7, 6, from(5), from(4), from(3), from(2), from(1), from(0));
            let by = _mm512_set_epi64(0, 0, by(5), by(4), by(3), by(2), by(1), by(0));
            Self(_mm512_srlv_epi64(_mm512_permutexvar_epi64(from, self.0), by))
        }
    }

    /// One bit of the set; empty if the set is.
    #[inline(always)]
    fn any_bit(self) -> Self {
        unsafe {
            let negative = _mm512_sub_epi64(_mm512_setzero_si512(), self.0);
            let lowest_of_words = _mm512_and_si512(self.0, negative);
            let words = _mm512_test_epi64_mask(self.0, self.0);
            Self(_mm512_maskz_mov_epi64(words & words.wrapping_neg(), lowest_of_words))
        }
    }

    #[inline(always)]
    fn of_bit(word: usize, bit: u64) -> Self {
        Self(unsafe { _mm512_maskz_set1_epi64(1 << (word & 7), bit.cast_signed()) })
    }
}
