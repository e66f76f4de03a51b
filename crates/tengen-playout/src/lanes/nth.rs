//! The `k`-th point of a set, by which a random number picks a candidate; without
//! branches.
//!
//! ```text
//! set 1 0 1 1 0 0 1 0 (lowest bit right), k = 2: the third point from the right
//! lower half 0 0 1 0 has 1 point:   k ≥ 1, so upper half, k = 1
//!            upper half 1 0 1 1, its lower half 1 1 has 2 points: k < 2, stay
//!            1 1, its lower half 1 has 1 point: k ≥ 1, so upper half, k = 0
//! the point:   0 0 1 0 0 0 0 0
//! ```

use crate::sets::lane_word::LaneWord;

/// The set of the `k`-th point of `set`, `k` from 0, in the order of
/// `candidate_order::nth`, word after word; empty if `set` is. `counts` are the numbers
/// of points in each word, and `k` is below their sum.
#[inline(always)]
pub fn nth<T: LaneWord, const N: usize>(set: [T; N], counts: [T; N], k: T) -> [T; N] {
    // The word: the last for which at most `k` points are in lower words.
    let mut word = set[0];
    let mut left = k;
    let mut lower = T::default();
    let mut beyond = [true; N];
    for w in 1..N {
        lower = lower.plus(counts[w - 1]);
        beyond[w] = k.at_least(lower);
        word = if beyond[w] { set[w] } else { word };
        left = if beyond[w] { k.minus(lower) } else { left };
    }
    // The bit, by halving.
    for level in 0..T::LEVELS {
        let half = T::LOWER_HALVES[level];
        let low = word.and(half);
        let count = low.count();
        let upper = left.at_least(count);
        left = if upper { left.minus(count) } else { left };
        word = low.xor(word.when(upper));
    }
    let mut point = [T::default(); N];
    for w in 0..N {
        let here = beyond[w] && (w + 1 == N || !beyond[(w + 1) % N]);
        point[w] = word.when(here);
    }
    point
}
