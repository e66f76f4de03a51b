//! The choice of a point by its number.

use super::word::{INTERLEAVED, Word};

/// The set of the point number `k` of `set`, in row order, and no point if
/// `set` is empty; `k` is below their number in any other.
#[inline(always)]
pub fn nth<T: Word, const N: usize>(set: [T; N], counts: [T; N], k: T) -> [T; N] {
    if N >= INTERLEAVED {
        return nth_interleaved(set, k);
    }
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

/// The same in six interleaved words: first the bit, by halving, then the word.
/// After each of the first halvings the words are packed into half as many, so
/// that the later ones have one word to count in.
#[inline(always)]
fn nth_interleaved<T: Word, const N: usize>(set: [T; N], k: T) -> [T; N] {
    let mut left = k;
    let mut bit = T::default();
    let mut six = set;
    halve(&mut six, 32, 0x0000_0000_FFFF_FFFF, &mut left, &mut bit);
    let low = T::from_u64(0x0000_0000_FFFF_FFFF);
    let mut three = [T::default(); 3];
    for w in 0..3 {
        three[w] = six[w].and(low).or(six[(w + 3) % N].up(32));
    }
    halve(&mut three, 16, 0x0000_FFFF_0000_FFFF, &mut left, &mut bit);
    let low = T::from_u64(0x0000_FFFF_0000_FFFF);
    let mut two = [three[0].and(low).or(three[2].and(low).up(16)), three[1].and(low)];
    halve(&mut two, 8, 0x00FF_00FF_00FF_00FF, &mut left, &mut bit);
    let low = T::from_u64(0x00FF_00FF_00FF_00FF);
    let mut one = [two[0].and(low).or(two[1].and(low).up(8))];
    halve(&mut one, 4, 0x0F0F_0F0F_0F0F_0F0F, &mut left, &mut bit);
    halve(&mut one, 2, 0x3333_3333_3333_3333 & 0x0F0F_0F0F_0F0F_0F0F, &mut left, &mut bit);
    halve(&mut one, 1, 0x0101_0101_0101_0101, &mut left, &mut bit);
    // A bit a word is left: those of words 0, 1, 2 and, from bit 32 on, 3, 4, 5.
    let mut word = one[0].and(T::from_u64(0x0101_0101_0101_0101));
    for level in 0..3 {
        let low = word.and(T::LOWER_HALVES[level]);
        let count = low.count();
        let upper = left.at_least(count);
        left = if upper { left.minus(count) } else { left };
        word = low.xor(word.when(upper));
    }
    let mut point = [T::default(); N];
    for w in 0..N {
        let byte = w % 3 + w / 3 * 4;
        point[w] = word.down(8 * byte).and(T::from_u64(1)).up_by(bit);
    }
    point
}

/// Shifts down the half of every group of bits in which the point lies that
/// number `left` means, and adds the distance to `bit`. What lies above the half
/// is of no meaning then.
#[inline(always)]
fn halve<T: Word, const M: usize>(
    words: &mut [T; M],
    distance: u64,
    half: u64,
    left: &mut T,
    bit: &mut T,
) {
    let mut count = T::default();
    for w in 0..M {
        count = count.plus(words[w].and(T::from_u64(half)).count());
    }
    let upper = left.at_least(count);
    *left = if upper { left.minus(count) } else { *left };
    let shift = T::from_u64(distance).when(upper);
    *bit = bit.or(shift);
    for w in 0..M {
        words[w] = words[w].down_by(shift);
    }
}
