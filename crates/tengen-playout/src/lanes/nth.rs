//! The choice of a point by its number.

use super::lane_word::LaneWord;

/// The set of the point number `k` of `set`, word after word as in `candidate_order::nth`,
/// and no point if `set` is empty; `k` is below their number in any other.
#[inline(always)]
pub fn nth<T: LaneWord, const N: usize>(set: [T; N], counts: [T; N], k: T) -> [T; N] {
    // The word: the last of which at most `k` points lie lower.
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
