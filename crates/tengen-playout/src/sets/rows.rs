//! Rows: arrays with one entry per lane, in which the state of all lanes is stored.

use super::lane_word::{LaneWord, for_words};

/// One value of type `T` per lane.
pub type Row<T, const L: usize> = [T; L];
/// One set of points per lane.
pub type Sets<T, const N: usize, const L: usize> = [[T; L]; N];

/// The set of lane `l`.
#[inline(always)]
pub fn lane<T: LaneWord, const N: usize, const L: usize>(sets: &Sets<T, N, L>, l: usize) -> [T; N] {
    let mut set = [T::default(); N];
    for_words!(|w| {
        set[w] = sets[w][l];
    });
    set
}

/// Stores a set in lane `l`.
#[inline(always)]
pub fn store<T: LaneWord, const N: usize, const L: usize>(
    sets: &mut Sets<T, N, L>,
    l: usize,
    set: [T; N],
) {
    for_words!(|w| {
        sets[w][l] = set[w];
    });
}
