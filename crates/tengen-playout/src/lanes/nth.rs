//! Draws a candidate without branches: the `k`-th point of a set, where a random number
//! picks `k`.
//!
//! In one word, by halving ([`by_halves`]):
//!
//! ```text
//! set 1 0 1 1 0 0 1 0 (lowest bit right), k = 2: the third point from the right
//! lower half 0 0 1 0 has 1 point:   k ≥ 1, so upper half, k = 1
//!            upper half 1 0 1 1, its lower half 1 1 has 2 points: k < 2, stay
//!            1 1, its lower half 1 has 1 point: k ≥ 1, so upper half, k = 0
//! the point:   0 0 1 0 0 0 0 0
//! ```
//!
//! In several words in order, first the word that has the point is found. Three interleaved
//! words, or six of at most 32 bits, also number points in row order: these words are first
//! added up bit by bit, in binary ([`planes`]); then the bit is found as above, and after it
//! the word.
//!
//! ```text
//! words   1 0 0 1      planes   ones 0 0 1 1      bit by bit   2 0 1 3
//!         1 0 1 1               twos 1 0 0 1
//!         0 0 0 1
//! ```
//!
//! Sets in words of 64 bits number points word by word, in order or interleaved: there, one lane
//! after the other, an instruction for single words finds the bit in the chosen word
//! (`sample_by_deposit` in `step.rs`), if the machine has a fast one.
//!
//! Where no instruction counts the bits of all words of a vector, counting takes ten
//! instructions or so, and each halving would count again: there [`Sums`] computes the
//! numbers of points in groups of 4, 8, 16 and 32 bits once.

use crate::sets::lane_word::{LaneWord, full_adder};

/// A candidate drawn from a set.
pub struct Drawn<T, const N: usize> {
    /// The candidate alone; empty if there is none.
    pub point: [T; N],
    /// Number of candidates.
    pub count: T,
}

/// Whether candidates are numbered in row order though words are interleaved.
const fn in_row_order<T: LaneWord, const N: usize>() -> bool {
    N == 3 || (N == 6 && T::BITS < 64)
}

/// The candidate of `set` that `random` draws, in the order of `candidate_order::nth`.
/// `POPCOUNT` is set if the instruction set counts the bits of all words of a vector; it
/// helps where the set is one word or its words are numbered in row order.
#[inline(always)]
pub fn draw<T: LaneWord, const N: usize, const POPCOUNT: bool>(
    set: [T; N],
    random: u32,
) -> Drawn<T, N> {
    let zero = T::default();
    let mut point = [zero; N];
    if N == 1 || in_row_order::<T, N>() {
        let planes = planes(set);
        let (count, bit, left);
        if POPCOUNT {
            count = weighed(planes, T::count);
            (bit, left) = by_halves(planes, T::below(random, count));
        } else {
            let sums = Sums::new(planes);
            count = sums.total();
            (bit, left) = sums.find(T::below(random, count));
        }
        if N == 1 {
            return Drawn { point: [bit & set[0]; N], count };
        }
        // Of the words that have the bit, the one of number `left`.
        let mut lower = zero;
        for w in 0..N {
            let here = set[w] & bit;
            point[w] = here.when(lower == left);
            // A mask that is set is minus one.
            lower = lower.minus(T::ALL.when(here != zero));
        }
        return Drawn { point, count };
    }
    let Chosen { word, k, count, is_beyond, .. } = choose_word(set, random);
    let (bit, _) = Sums::new([word, zero, zero]).find(k);
    let bit = bit & word;
    for w in 0..N {
        let here = is_beyond[w] && (w + 1 == N || !is_beyond[(w + 1) % N]);
        point[w] = bit.when(here);
    }
    Drawn { point, count }
}

/// The word of a set that has the candidate drawn.
pub struct Chosen<T, const N: usize> {
    /// The word; zero if there are no candidates.
    pub word: T,
    /// The number of the word.
    pub number: T,
    /// For each word whether it is this one or a lower one.
    pub is_beyond: [bool; N],
    /// The candidate is the `k`-th bit of the word.
    pub k: T,
    /// Number of candidates.
    pub count: T,
}

/// The word of `set` that has the candidate drawn by `random`, for sets whose points are
/// numbered word by word: all sets but those whose interleaved words are numbered in row
/// order.
#[inline(always)]
pub fn choose_word<T: LaneWord, const N: usize>(set: [T; N], random: u32) -> Chosen<T, N> {
    let zero = T::default();
    let mut counts = [zero; N];
    let mut count = zero;
    for w in 0..N {
        counts[w] = set[w].count();
        count = count.plus(counts[w]);
    }
    let drawn = T::below(random, count);
    // The word: the last for which at most `drawn` points are in lower words.
    let (mut word, mut number, mut k, mut lower) = (set[0], zero, drawn, zero);
    let mut is_beyond = [true; N];
    for w in 1..N {
        lower = lower.plus(counts[w - 1]);
        let beyond = drawn.at_least(lower);
        is_beyond[w] = beyond;
        word = if beyond { set[w] } else { word };
        // A mask that is set is minus one.
        number = number.minus(T::ALL.when(beyond));
        k = if beyond { drawn.minus(lower) } else { k };
    }
    Chosen { word, number, is_beyond, k, count }
}

/// The set with `bits` in word `number` and no other point.
#[inline(always)]
pub fn in_word<T: LaneWord, const N: usize>(bits: T, number: T) -> [T; N] {
    let mut set = [bits; N];
    for w in 0..N {
        set[w] = bits.when(number == T::from_u64(w as u64));
    }
    set
}

/// For each bit the number of words that have it, in binary: the ones, the twos and the
/// fours. At most six words are added up.
#[inline(always)]
fn planes<T: LaneWord, const N: usize>(set: [T; N]) -> [T; 3] {
    let zero = T::default();
    if N <= 3 {
        let (a, b) = (set[0], if N > 1 { set[1 % N] } else { zero });
        let [ones, twos] = full_adder(a, b, if N > 2 { set[2 % N] } else { zero });
        return [ones, twos, zero];
    }
    let [low, low_carry] = full_adder(set[0], set[1 % N], set[2 % N]);
    let [high, high_carry] = full_adder(set[3 % N], set[4 % N], set[5 % N]);
    let [twos, fours] = full_adder(low_carry, high_carry, low & high);
    [low ^ high, twos, fours]
}

/// The sum of `number` over the planes by their weights: ones + 2·twos + 4·fours.
#[inline(always)]
fn weighed<T: LaneWord>(planes: [T; 3], number: impl Fn(T) -> T) -> T {
    let [ones, twos, fours] = planes.map(number);
    let fours = fours.plus(fours);
    let twos = twos.plus(fours);
    ones.plus(twos).plus(twos)
}

/// The bit with the `k`-th point of those that `planes` count, and `k` less the number of
/// points in lower bits.
#[inline(always)]
fn by_halves<T: LaneWord>(planes: [T; 3], k: T) -> (T, T) {
    let (mut planes, mut left) = (planes, k);
    for level in 0..T::LEVELS {
        let half = T::LOWER_HALVES[level];
        let low = planes.map(|plane| plane & half);
        let count = weighed(low, T::count);
        let upper = left.at_least(count);
        left = if upper { left.minus(count) } else { left };
        for p in 0..3 {
            planes[p] = low[p] ^ planes[p].when(upper);
        }
    }
    (planes[0] | planes[1] | planes[2], left)
}

/// The numbers of points in groups of bits, each number in the bits of its group.
struct Sums<T> {
    planes: [T; 3],
    /// Numbers in groups of 4 bits, plane by plane: their sum might not fit in 4 bits.
    fours: [T; 3],
    /// Numbers in groups of 8, 16 and 32 bits.
    groups: [T; 3],
}

impl<T: LaneWord> Sums<T> {
    /// The numbers of points that `planes` count.
    #[inline(always)]
    fn new(planes: [T; 3]) -> Self {
        // For each size of group the mask of every second group.
        let [m1, m2, m4, m8, m16] = [
            0x5555_5555_5555_5555,
            0x3333_3333_3333_3333,
            0x0F0F_0F0F_0F0F_0F0F,
            0x00FF_00FF_00FF_00FF,
            0x0000_FFFF_0000_FFFF,
        ]
        .map(T::from_u64);
        let join = |sums: T, mask: T, by: usize| (sums & mask).plus(sums.down(by) & mask);
        let fours = planes.map(|bits| join(bits.minus(bits.down(1) & m1), m2, 2));
        let eights = weighed(fours, |sums| join(sums, m4, 4));
        let sixteens = join(eights, m8, 8);
        let all = if T::BITS > 32 { join(sixteens, m16, 16) } else { sixteens };
        Self { planes, fours, groups: [eights, sixteens, all] }
    }

    /// The number of all points.
    #[inline(always)]
    fn total(&self) -> T {
        let all = self.groups[2];
        let half = T::from_u64((1 << (T::BITS / 2)) - 1);
        (all & half).plus(all.down(T::BITS / 2))
    }

    /// The result of [`by_halves`].
    #[inline(always)]
    fn find(&self, k: T) -> (T, T) {
        let (mut left, mut start) = (k, T::default());
        for level in (0..T::LEVELS).rev() {
            let group = 1 << level;
            let mask = T::from_u64((1 << group) - 1);
            let low = match level {
                0 => weighed(self.planes, |bits| bits.down_by(start) & mask),
                1 => weighed(self.planes, |bits| {
                    let two = bits.down_by(start) & mask;
                    two.minus(two.down(1))
                }),
                2 => weighed(self.fours, |sums| sums.down_by(start) & mask),
                _ => self.groups[level - 3].down_by(start) & mask,
            };
            let upper = T::ALL.when(left.at_least(low));
            left = left.minus(low & upper);
            start |= upper & T::from_u64(group);
        }
        (T::bit(start), left)
    }
}
