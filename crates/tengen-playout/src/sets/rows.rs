//! Rows: arrays with one entry per lane, in which the state of all lanes is stored.

use super::lane_word::LaneWord;

/// One value of type `T` per lane.
pub type Row<T, const L: usize> = [T; L];
/// One set of points per lane.
pub type Sets<T, const N: usize, const L: usize> = [[T; L]; N];

/// The set of lane `l`.
#[inline(always)]
pub fn lane<T: LaneWord, const N: usize, const L: usize>(sets: &Sets<T, N, L>, l: usize) -> [T; N] {
    let mut set = [T::default(); N];
    for w in 0..N {
        set[w] = sets[w][l];
    }
    set
}

/// Stores a set in lane `l`.
#[inline(always)]
pub fn store<T: LaneWord, const N: usize, const L: usize>(
    sets: &mut Sets<T, N, L>,
    l: usize,
    set: [T; N],
) {
    for w in 0..N {
        sets[w][l] = set[w];
    }
}
