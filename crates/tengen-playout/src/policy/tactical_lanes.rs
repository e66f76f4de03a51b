//! The rules of `tactical` in all lanes at once. `capture_escape.rs` has found the last liberties
//! of the chains beside the last stone.

// A loop with branches does not become vectors.
#![allow(clippy::needless_bitwise_bool)]

use super::preference::{LaneGames, PreferenceLanes};
use super::tactical::{ATARI_ROUNDS, Thresholds};
use crate::sets::chains;
use crate::sets::grid_set::LaneSet;
use crate::sets::lane_word::{
    LaneWord, and, and_not, any, count, for_words, masked, neighbors, or, spread,
};
use crate::sets::rows::{Row, Sets, lane, store};

/// [`chains::beside_two`] of a lane.
#[inline(always)]
fn beside_two<T: LaneWord, const N: usize, const S: usize>(set: [T; N]) -> [T; N] {
    chains::beside_two(LaneSet::<T, N, S>(set)).0
}

/// Prefers, in every lane where the search of a turn has just ended, the first set that has a
/// candidate; where an attempt was vetoed, the points that the veto left instead.
#[inline(always)]
pub fn prefer<T: LaneWord, const N: usize, const S: usize, const L: usize, const SHARE: usize>(
    thresholds: Thresholds,
    lanes: &mut PreferenceLanes<T, N, L>,
    games: &LaneGames<'_, T, N, L>,
    candidates: &Sets<T, N, L>,
) {
    let zero = T::default();
    for l in 0..L / SHARE {
        let (own, other) = (lane(games.own, l), lane(games.other, l));
        let empty = and_not(games.board, or(own, other));
        let two = beside_two::<T, N, S>(empty);
        let safe_own = spread::<T, N, S>(and(two, own), own);
        let safe_other = spread::<T, N, S>(and(two, other), other);
        let (found_own, found_other) = (lane(&lanes.found_own, l), lane(&lanes.preferred, l));
        // The previous player saw the memory from the other side.
        let memory_own = or(and(lane(&lanes.memory[1], l), empty), found_own);
        let memory_other = or(and(lane(&lanes.memory[0], l), empty), found_other);
        let good = or(or(two, memory_other), neighbors::<T, N, S>(safe_own));
        let saves = masked(memory_other, T::ALL.when(any(found_own) != zero));
        let captures = or(or(found_other, saves), and(found_own, good));
        let anywhere = or(memory_other, and(memory_own, good));
        let atari = ataris::<T, N, S>(lane(&lanes.last, l), other, safe_other, empty);

        let candidates = lane(candidates, l);
        let coin = lanes.coin[l] >> 1;
        let mut chosen = [zero; N];
        for (set, threshold) in [
            (captures, thresholds.captures),
            (anywhere, thresholds.anywhere),
            (atari, thresholds.atari),
            (lane(&lanes.shapes, l), thresholds.shapes),
        ] {
            let applies = (any(chosen) == zero) & (coin < threshold);
            chosen = or(chosen, masked(and(set, candidates), T::ALL.when(applies)));
        }
        let decides = lanes.draws_first[l];
        let searching = lanes.searching[l];
        for_words!(|w| {
            let instead = lanes.instead[w][l].and_not(decides | searching);
            let carried = found_other[w] & searching;
            lanes.preferred[w][l] = (chosen[w] & decides) | instead | carried;
            let [before_own, before_other] = [lanes.memory[0][w][l], lanes.memory[1][w][l]];
            lanes.memory[0][w][l] = (memory_own[w] & decides) | before_own.and_not(decides);
            lanes.memory[1][w][l] = (memory_other[w] & decides) | before_other.and_not(decides);
        });
    }
}

/// The points that put the chain of `last` in atari; empty unless the chain has two liberties and
/// was followed to its ends.
#[inline(always)]
fn ataris<T: LaneWord, const N: usize, const S: usize>(
    last: [T; N],
    stones: [T; N],
    safe: [T; N],
    empty: [T; N],
) -> [T; N] {
    let zero = T::default();
    let (mut chain, mut before) = (last, last);
    for _ in 0..ATARI_ROUNDS {
        before = chain;
        chain = spread::<T, N, S>(chain, stones);
    }
    let liberties = and(neighbors::<T, N, S>(chain), empty);
    let is_whole = any(and_not(chain, before)) == zero;
    let has_two = count(liberties) == T::from_u64(2);
    let room = beside_two::<T, N, S>(and_not(empty, liberties));
    let gaining = and(liberties, or(room, neighbors::<T, N, S>(and_not(safe, chain))));
    let gains = any(gaining) != zero;
    let mut set = liberties;
    for_words!(|w| {
        let points = if gains { gaining[w] } else { liberties[w] };
        set[w] = points.when(is_whole & has_two);
    });
    set
}

/// [`tactical::is_killing_shape`](super::tactical::is_killing_shape) of a lane.
#[inline(always)]
fn is_killing_shape<T: LaneWord, const N: usize, const S: usize>(chain: [T; N]) -> bool {
    let inner = count(and(chain, beside_two::<T, N, S>(chain)));
    let is_square = (inner == T::from_u64(4)) & !count(chain).at_least(T::from_u64(6));
    is_square | !inner.at_least(T::from_u64(2))
}

/// Number of `spread`s by which the chain of a self-atari is followed in one step of the lanes.
const VETO_ROUNDS: usize = 3;

/// Vetoes the bad self-ataris among the points just drawn: they are banned, and nothing is drawn. A
/// lane that has followed the chain neither to its ends nor to two liberties resumes in the next
/// step.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // the parts of the kernel that it reads and writes
pub fn veto<T: LaneWord, const N: usize, const S: usize, const L: usize, const SHARE: usize>(
    thresholds: Thresholds,
    lanes: &mut PreferenceLanes<T, N, L>,
    board: [T; N],
    own: &Sets<T, N, L>,
    other: &Sets<T, N, L>,
    pending: &Row<T, L>,
    points: &mut Sets<T, N, L>,
    banned: &mut Sets<T, N, L>,
) {
    let zero = T::default();
    for l in 0..L / SHARE {
        let (own, drawn) = (lane(own, l), lane(points, l));
        let resumes = lanes.checking[l];
        let (kept, followed) = (lane(&lanes.checked, l), lane(&lanes.followed, l));
        // A lane that resumes a check has drawn a point again, which is not used.
        let (mut point, mut chain) = (drawn, drawn);
        for_words!(|w| {
            point[w] = (kept[w] & resumes) | drawn[w].and_not(resumes);
            chain[w] = (followed[w] & resumes) | drawn[w].and_not(resumes);
        });
        let empty = and_not(board, or(own, lane(other, l)));
        let spared = or(beside_two::<T, N, S>(empty), lane(&lanes.memory[1], l));
        let stones = or(own, point);
        let beside_own = any(and(neighbors::<T, N, S>(point), own)) != zero;
        let mut before = chain;
        for _ in 0..VETO_ROUNDS {
            before = chain;
            chain = spread::<T, N, S>(chain, stones);
        }
        let liberties = and(neighbors::<T, N, S>(chain), and_not(empty, point));
        let room = or(chain, liberties);
        let around = and_not(neighbors::<T, N, S>(room), room);
        let is_enclosed = any(and(around, or(own, empty))) == zero;
        let coin = lanes.coin[l] >> 1;
        let is_nakade =
            is_enclosed & is_killing_shape::<T, N, S>(chain) & (coin < thresholds.nakade);
        let is_safe = count(liberties).at_least(T::from_u64(2)) | (any(and(point, spared)) != zero);
        let is_fresh = pending[l] == zero;
        let applies = coin < thresholds.veto;
        let suspect = beside_own & !is_safe & is_fresh & applies;
        let is_whole = any(and_not(chain, before)) == zero;
        let (vetoed, checking) =
            (T::ALL.when(suspect & is_whole & !is_nakade), T::ALL.when(suspect & !is_whole));
        store(&mut lanes.instead, l, masked(liberties, vetoed));
        store(&mut lanes.checked, l, masked(point, checking));
        store(&mut lanes.followed, l, masked(chain, checking));
        lanes.checking[l] = checking;
        for_words!(|w| {
            banned[w][l] |= point[w] & vetoed;
            points[w][l] = point[w].and_not(vetoed | checking);
        });
    }
}
