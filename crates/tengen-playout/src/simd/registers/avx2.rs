//! Sets in registers of AVX2.

use super::{in_order, interleaved, set_operations};
use crate::sets::grid_set::GridSet;
use crate::simd::Avx2;
use crate::simd::point_set::{Form, Numbering, PointSet, below};
use std::arch::x86_64::{
    __m128i, __m256i, _mm_and_si128, _mm_andnot_si128, _mm_cvtsi32_si128, _mm_cvtsi128_si64,
    _mm_extract_epi64, _mm_or_si128, _mm_set_epi64x, _mm_sll_epi64, _mm_slli_epi64, _mm_slli_si128,
    _mm_srl_epi64, _mm_srli_epi64, _mm_srli_si128, _mm_testz_si128, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_blend_epi32, _mm256_castsi256_pd, _mm256_cmpeq_epi64,
    _mm256_movemask_pd, _mm256_or_si256, _mm256_permute4x64_epi64, _mm256_set_epi64x,
    _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_sll_epi64, _mm256_slli_epi64,
    _mm256_sllv_epi64, _mm256_srl_epi64, _mm256_srli_epi64, _mm256_srlv_epi64, _mm256_storeu_si256,
    _mm256_sub_epi64, _mm256_testz_si256,
};
use tengen_go::Bits;

/// A set of 128 bits, by AVX2.
#[derive(Clone, Copy, Debug)]
pub struct Pair128(pub(super) __m128i);

/// A set of 192 bits, by AVX2. The fourth word is zero.
#[derive(Clone, Copy, Debug)]
pub struct Triple192(pub(super) __m256i);

/// A set of 384 bits, by AVX2, the words interleaved: words 0 to 2, and 3 to 5. The fourth word of
/// a register is zero.
#[derive(Clone, Copy, Debug)]
pub struct Halves384([__m256i; 2]);

set_operations!(Pair128, 2, 11, _mm_and_si128, _mm_or_si128, _mm_andnot_si128, words, Avx2);
set_operations!(
    Triple192,
    3,
    14,
    _mm256_and_si256,
    _mm256_or_si256,
    _mm256_andnot_si256,
    words,
    Avx2
);
set_operations!(Halves384, 6, 20, and_halves, or_halves, and_not_halves, words_in_order, Avx2);

impl Pair128 {
    /// The set of these words.
    #[inline(always)]
    pub(super) fn of(words: [u64; 2]) -> Self {
        let [low, high] = words.map(u64::cast_signed);
        Self(unsafe { _mm_set_epi64x(high, low) })
    }

    /// The words of the set.
    #[inline(always)]
    pub(super) fn words(self) -> [u64; 2] {
        unsafe { [_mm_cvtsi128_si64(self.0), _mm_extract_epi64::<1>(self.0)] }
            .map(i64::cast_unsigned)
    }

    /// Whether the two sets share a bit.
    #[inline(always)]
    pub(super) fn shares_bit(self, other: Self) -> bool {
        unsafe { _mm_testz_si128(self.0, other.0) == 0 }
    }

    /// The set with every bit moved `D` higher, 1 to 63.
    #[inline(always)]
    fn up<const D: i32>(self) -> Self {
        Self(unsafe {
            let carried = _mm_srl_epi64(_mm_slli_si128::<8>(self.0), _mm_cvtsi32_si128(64 - D));
            _mm_or_si128(_mm_slli_epi64::<D>(self.0), carried)
        })
    }

    /// The set with every bit moved `D` lower, 1 to 63.
    #[inline(always)]
    fn down<const D: i32>(self) -> Self {
        Self(unsafe {
            let carried = _mm_sll_epi64(_mm_srli_si128::<8>(self.0), _mm_cvtsi32_si128(64 - D));
            _mm_or_si128(_mm_srli_epi64::<D>(self.0), carried)
        })
    }

    /// One bit of the set; empty if the set is.
    #[inline(always)]
    pub(super) fn any_bit(self) -> Self {
        let [low, high] = self.words();
        Self::of([low & low.wrapping_neg(), if low == 0 { high & high.wrapping_neg() } else { 0 }])
    }

    #[inline(always)]
    pub(super) fn of_bit(word: usize, bit: u64) -> Self {
        Self::of(if word == 0 { [bit, 0] } else { [0, bit] })
    }
}

impl Triple192 {
    /// The set of these words.
    #[inline(always)]
    pub(super) fn of(words: [u64; 3]) -> Self {
        let [a, b, c] = words.map(u64::cast_signed);
        Self(unsafe { _mm256_set_epi64x(0, c, b, a) })
    }

    /// The words of the set.
    #[inline(always)]
    pub(super) fn words(self) -> [u64; 3] {
        let mut words = [0; 4];
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) };
        [words[0], words[1], words[2]]
    }

    /// Whether the two sets share a bit.
    #[inline(always)]
    pub(super) fn shares_bit(self, other: Self) -> bool {
        unsafe { _mm256_testz_si256(self.0, other.0) == 0 }
    }

    /// The set with every bit moved `D` higher, 1 to 63. Bits moved beyond the third word are lost.
    #[inline(always)]
    fn up<const D: i32>(self) -> Self {
        Self(unsafe {
            let turned = _mm256_permute4x64_epi64::<LAST_FIRST>(self.0);
            let lower = _mm256_blend_epi32::<ONE>(turned, _mm256_setzero_si256());
            let carried = _mm256_srl_epi64(lower, _mm_cvtsi32_si128(64 - D));
            _mm256_or_si256(_mm256_slli_epi64::<D>(self.0), carried)
        })
    }

    /// The set with every bit moved `D` lower, 1 to 63.
    #[inline(always)]
    fn down<const D: i32>(self) -> Self {
        Self(unsafe {
            let turned = _mm256_permute4x64_epi64::<FIRST_LAST>(self.0);
            let higher = _mm256_blend_epi32::<LAST>(turned, _mm256_setzero_si256());
            let carried = _mm256_sll_epi64(higher, _mm_cvtsi32_si128(64 - D));
            _mm256_or_si256(_mm256_srli_epi64::<D>(self.0), carried)
        })
    }

    /// One bit of the set; empty if the set is.
    #[inline(always)]
    fn any_bit(self) -> Self {
        unsafe {
            let zero = _mm256_setzero_si256();
            let is_empty = _mm256_cmpeq_epi64(self.0, zero);
            let filled = !_mm256_movemask_pd(_mm256_castsi256_pd(is_empty)) & 7;
            let first = _mm256_set1_epi64x(i64::from(filled & filled.wrapping_neg()));
            // Zero stands for no word: the fourth is zero.
            let is_first = _mm256_cmpeq_epi64(first, _mm256_set_epi64x(0, 4, 2, 1));
            let lowest = _mm256_and_si256(self.0, _mm256_sub_epi64(zero, self.0));
            Self(_mm256_and_si256(lowest, is_first))
        }
    }

    #[inline(always)]
    fn of_bit(word: usize, bit: u64) -> Self {
        unsafe {
            let word = _mm256_set1_epi64x((word as u64).cast_signed());
            let is_word = _mm256_cmpeq_epi64(word, _mm256_set_epi64x(-1, 2, 1, 0));
            Self(_mm256_and_si256(_mm256_set1_epi64x(bit.cast_signed()), is_word))
        }
    }
}

#[inline(always)]
unsafe fn and_halves([a, b]: [__m256i; 2], [c, d]: [__m256i; 2]) -> [__m256i; 2] {
    unsafe { [_mm256_and_si256(a, c), _mm256_and_si256(b, d)] }
}

#[inline(always)]
unsafe fn or_halves([a, b]: [__m256i; 2], [c, d]: [__m256i; 2]) -> [__m256i; 2] {
    unsafe { [_mm256_or_si256(a, c), _mm256_or_si256(b, d)] }
}

/// As the intrinsics do: the bits that are in the second set and not in the first.
#[inline(always)]
unsafe fn and_not_halves([a, b]: [__m256i; 2], [c, d]: [__m256i; 2]) -> [__m256i; 2] {
    unsafe { [_mm256_andnot_si256(a, c), _mm256_andnot_si256(b, d)] }
}

/// The words 2, 0, 1 of a register, and then the fourth.
const LAST_FIRST: i32 = 0b11_01_00_10;
/// The words 1, 2, 0 of a register, and then the fourth.
const FIRST_LAST: i32 = 0b11_00_10_01;
/// Masks of half words: the first word of a register, and the first two.
const ONE: i32 = 0b0000_0011;
const TWO: i32 = 0b0000_1111;
/// Masks of half words: the third word, and the second and third.
const LAST: i32 = 0b0011_0000;
const LAST_TWO: i32 = 0b0011_1100;

impl Halves384 {
    /// The set of these words, which are in order.
    #[inline(always)]
    fn of(words: [u64; 6]) -> Self {
        let w = interleaved(words);
        Self(unsafe {
            [_mm256_set_epi64x(0, w[2], w[1], w[0]), _mm256_set_epi64x(0, w[5], w[4], w[3])]
        })
    }

    /// The words of the set, interleaved.
    #[inline(always)]
    fn words(self) -> [u64; 6] {
        let mut words = [[0; 4]; 2];
        for half in 0..2 {
            unsafe { _mm256_storeu_si256(words[half].as_mut_ptr().cast(), self.0[half]) };
        }
        let [low, high] = words;
        [low[0], low[1], low[2], high[0], high[1], high[2]]
    }

    /// The words of the set, in order.
    #[inline(always)]
    fn words_in_order(self) -> [u64; 6] {
        in_order(self.words())
    }

    /// Whether the two sets share a bit.
    #[inline(always)]
    fn shares_bit(self, other: Self) -> bool {
        unsafe {
            let [low, high] = and_halves(self.0, other.0);
            let both = _mm256_or_si256(low, high);
            _mm256_testz_si256(both, both) == 0
        }
    }

    /// The words of each register turned by `TURN`; then the words of `OF_UPPER`, a mask of half
    /// words, are exchanged between the registers.
    #[inline(always)]
    unsafe fn turned<const TURN: i32, const OF_UPPER: i32>(self) -> [__m256i; 2] {
        unsafe {
            let [low, high] = self.0.map(|half| _mm256_permute4x64_epi64::<TURN>(half));
            [_mm256_blend_epi32::<OF_UPPER>(low, high), _mm256_blend_epi32::<OF_UPPER>(high, low)]
        }
    }

    /// The set with every bit moved `D` higher, with the words moved as in [`Bits384::up`]; `D` is
    /// 1, or 20 = 6·3 + 2.
    #[inline(always)]
    fn up<const D: i32>(self) -> Self {
        const { assert!(D == 1 || D == 20) };
        unsafe {
            if D == 1 {
                let [low, high] = self.turned::<LAST_FIRST, ONE>();
                Self([_mm256_sllv_epi64(low, _mm256_set_epi64x(0, 0, 0, 1)), high])
            } else {
                let [low, high] = self.turned::<FIRST_LAST, TWO>();
                let by = _mm256_set_epi64x(0, 3, 4, 4);
                Self([_mm256_sllv_epi64(low, by), _mm256_slli_epi64::<3>(high)])
            }
        }
    }

    /// The set with every bit moved `D` lower, 1 or 20.
    #[inline(always)]
    fn down<const D: i32>(self) -> Self {
        const { assert!(D == 1 || D == 20) };
        unsafe {
            if D == 1 {
                let [low, high] = self.turned::<FIRST_LAST, LAST>();
                Self([low, _mm256_srlv_epi64(high, _mm256_set_epi64x(0, 1, 0, 0))])
            } else {
                let [low, high] = self.turned::<LAST_FIRST, LAST_TWO>();
                let by = _mm256_set_epi64x(0, 4, 4, 3);
                Self([_mm256_srli_epi64::<3>(low), _mm256_srlv_epi64(high, by)])
            }
        }
    }

    /// One bit of the set; empty if the set is.
    #[inline(always)]
    fn any_bit(self) -> Self {
        unsafe {
            let zero = _mm256_setzero_si256();
            let is_empty = self.0.map(|half| {
                _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(half, zero)))
            });
            let filled = !(is_empty[0] & 7 | is_empty[1] << 3) & 63;
            let first = _mm256_set1_epi64x(i64::from(filled & filled.wrapping_neg()));
            // Zero stands for no word: the fourth is zero.
            let numbers = [_mm256_set_epi64x(0, 4, 2, 1), _mm256_set_epi64x(0, 32, 16, 8)];
            let mut halves = self.0;
            for half in 0..2 {
                let lowest = _mm256_and_si256(halves[half], _mm256_sub_epi64(zero, halves[half]));
                halves[half] = _mm256_and_si256(lowest, _mm256_cmpeq_epi64(first, numbers[half]));
            }
            Self(halves)
        }
    }

    #[inline(always)]
    fn of_bit(word: usize, bit: u64) -> Self {
        unsafe {
            let bit = _mm256_set1_epi64x(bit.cast_signed());
            let word = _mm256_set1_epi64x((word as u64).cast_signed());
            let of = |numbers| _mm256_and_si256(bit, _mm256_cmpeq_epi64(word, numbers));
            Self([of(_mm256_set_epi64x(-1, 2, 1, 0)), of(_mm256_set_epi64x(-1, 5, 4, 3))])
        }
    }
}
