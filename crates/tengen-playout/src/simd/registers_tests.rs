//! The sets in registers against sets of numbers.

use super::{Bits128, Bits192, Bits384};
use crate::simd::{Avx512, Isa, Target};
use std::collections::BTreeSet;

/// Pseudo-random words: sparse, dense, and all bits at the borders of words.
fn samples<const W: usize>() -> Vec<[u64; W]> {
    let mut state = 1_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state ^ state >> 29
    };
    let mut samples = vec![[0; W], [u64::MAX; W], [1; W], [1 << 63; W]];
    for w in 0..W {
        let mut one_word = [0; W];
        one_word[w] = next();
        samples.push(one_word);
    }
    for round in 0..40 {
        samples.push([0; W].map(|_: u64| if round % 2 == 0 { next() & next() } else { next() }));
    }
    samples
}

/// The numbers of the bits of `words`.
fn numbers(words: &[u64]) -> BTreeSet<usize> {
    (0..64 * words.len()).filter(|&i| words[i / 64] >> (i % 64) & 1 == 1).collect()
}

/// Compares a set type; `$order` is the place of a bit in the order in which bits are
/// numbered.
macro_rules! compare {
    ($set:ident, $words:literal, $words_of:ident, $order:expr, $proof:ident, $stride:literal) => {
        let bits = 64 * $words;
        let of = |set: $set| numbers(&set.$words_of());
        for one in samples::<$words>() {
            let (set, set_numbers) = ($set::new(one, $proof), numbers(&one));
            assert_eq!(set.$words_of(), one);
            assert_eq!(set.is_empty(), set_numbers.is_empty());
            assert_eq!(set.count() as usize, set_numbers.len());
            let moved = |by: isize| -> BTreeSet<usize> {
                let all = set_numbers.iter().filter_map(|&i| i.checked_add_signed(by));
                all.filter(|&i| i < bits).collect()
            };
            assert_eq!(of(set.up::<1>()), moved(1));
            assert_eq!(of(set.down::<1>()), moved(-1));
            assert_eq!(of(set.up::<$stride>()), moved($stride));
            assert_eq!(of(set.down::<$stride>()), moved(-$stride));
            let bit = of(set.any_bit());
            assert_eq!(bit.len(), usize::from(!set_numbers.is_empty()));
            assert!(bit.is_subset(&set_numbers));
            let mut ordered: Vec<usize> = set_numbers.iter().copied().collect();
            ordered.sort_by_key(|&i| $order(i));
            for (number, &i) in ordered.iter().enumerate() {
                let found = set.nth(|count| {
                    assert_eq!(count as usize, ordered.len());
                    u32::try_from(number).unwrap()
                });
                assert_eq!(found.map(of), Some(BTreeSet::from([i])));
            }
            assert_eq!(set.nth(|_| 0).is_none(), set_numbers.is_empty());
            for other in samples::<$words>() {
                let (other, other_numbers) = ($set::new(other, $proof), numbers(&other));
                assert_eq!(of(set.and(other)), &set_numbers & &other_numbers);
                assert_eq!(of(set.or(other)), &set_numbers | &other_numbers);
                assert_eq!(of(set.and_not(other)), &set_numbers - &other_numbers);
                assert_eq!(set.meets(other), !set_numbers.is_disjoint(&other_numbers));
            }
        }
    };
}

/// Nothing to compare where the machine has no AVX-512.
fn proof() -> Option<Avx512> {
    Target::new(Isa::fastest()).avx512()
}

#[test]
fn sets_of_128_bits() {
    let Some(proof) = proof() else { return };
    compare!(Bits128, 2, words, |i| i, proof, 11);
}

#[test]
fn sets_of_192_bits() {
    let Some(proof) = proof() else { return };
    compare!(Bits192, 3, words, |i| i, proof, 14);
}

#[test]
fn sets_of_384_bits() {
    let Some(proof) = proof() else { return };
    compare!(Bits384, 6, words_in_order, |i| (i % 6, i), proof, 20);
}
