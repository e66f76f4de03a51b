//! Prefers captures and escapes: the last liberties of chains in atari beside the
//! opponent's last stone.
//!
//! What it computes, in each form:
//!
//! ```text
//! unsettled = the last stone and its neighbours of the player to move
//! for each chain through unsettled:
//!     preferred = preferred + its liberty, if it has just one
//! ```

use super::preference::{LaneGames, PreferenceLanes};
use super::{ALWAYS, GameView};
use crate::sets::chains::last_liberties;
use crate::sets::lane_word::{
    LaneWord, and, and_not, any, count, down, for_words, lowest, neighbors, or, up,
};
use crate::sets::rows::lane;
use crate::simd::point_set::PointSet;
use tengen_go::{Bits, Board};

/// The last liberties of the chains in atari that `last`, the opponent's stone just
/// played, belongs to or touches: there the player to move captures or may escape.
pub fn preferred<const W: usize>(board: &Board<W>, last: Bits<W>) -> Bits<W> {
    let (own, other) = (board.stones(board.to_play()), board.stones(!board.to_play()));
    let mut preferred = Bits::EMPTY;
    let mut unsettled = last | (last.neighbors() & own);
    while !unsettled.is_empty() {
        let stone = unsettled.nth(0);
        let chain = Bits::point(stone).flood(if own.contains(stone) { own } else { other });
        let liberties = chain.neighbors() & board.empty();
        if liberties.count() == 1 {
            preferred |= liberties;
        }
        unsettled = unsettled - chain;
    }
    preferred
}

/// [`preferred`] for scalar playouts.
#[inline(always)]
pub fn preferred_in<S: PointSet>(game: &GameView<S>) -> S {
    let touched = game.last.or(game.last.neighbors().and(game.own));
    last_liberties(touched, game.own, game.other, game.empty)
}

/// Index in `PreferenceLanes::kept`: stones of chains not yet known to be in atari or
/// not.
const UNSETTLED: usize = 0;
/// Index in `PreferenceLanes::kept`: the part reached so far of the chains being followed.
const FOLLOWED: usize = 1;

/// Number of `spread`s by which a chain is followed in one step of the lanes.
const FOLLOW_ROUNDS: usize = 3;

/// [`preferred`] in all lanes. For a `TACTICAL` policy every turn searches, and the last liberties
/// of own chains are stored apart.
///
/// Chains that are quickly seen to have two liberties are left out at once. In each step
/// a lane follows at most two chains, one of each colour, by [`FOLLOW_ROUNDS`] `spread`s
/// through their stones.
#[inline(always)]
#[allow(clippy::similar_names)]
pub fn search_lanes<
    T: LaneWord,
    const N: usize,
    const S: usize,
    const L: usize,
    const SHARE: usize,
    const TACTICAL: bool,
>(
    lanes: &mut PreferenceLanes<T, N, L>,
    games: &LaneGames<'_, T, N, L>,
) {
    let zero = T::default();
    let one = T::from_u64(1);
    for l in 0..L / SHARE {
        let own = lane(games.own, l);
        let other = lane(games.other, l);
        let stones = or(own, other);
        let empty = and_not(games.board, stones);
        // Points beside two empty points, and links, as in `classify_points`.
        let (a, b, c, d) = (up(empty, 1), down(empty, 1), up(empty, S), down(empty, S));
        let beside_two = or(or(and(a, b), and(c, d)), and(or(a, b), or(c, d)));
        let (right, lower) = (down(own, 1), down(own, S));
        let (right_other, lower_other) = (down(other, 1), down(other, S));
        let higher = or(and(own, right), and(other, right_other));
        let above = or(and(own, lower), and(other, lower_other));
        let links = Links { lower: up(higher, 1), higher, below: up(above, S), above };

        // The chains of the last stone and of own stones beside it mostly have a stone
        // beside two empty points at most one step away: they are not in atari.
        let safe = spread_by_links::<T, N, S>(and(beside_two, stones), &links);
        let last = lane(games.point, l);
        let beside_last = and_not(or(last, and(neighbors::<T, N, S>(last), own)), safe);
        let threshold = if TACTICAL { ALWAYS } else { lanes.thresholds[0] };
        let begins = lanes.begins(l, games, threshold);
        let resumes = lanes.searching[l];
        let (mut unsettled, mut chains, mut preferred) = ([zero; N], [zero; N], [zero; N]);
        let mut found_own = [zero; N];
        for_words!(|w| {
            let carried = lanes.kept[UNSETTLED][w][l] & resumes;
            unsettled[w] = (beside_last[w] & begins) | carried;
            chains[w] = lanes.kept[FOLLOWED][w][l] & resumes;
            preferred[w] = lanes.preferred[w][l] & resumes;
            if TACTICAL {
                found_own[w] = lanes.found_own[w][l] & resumes;
            }
        });

        // Of the opponent's chains only the last stone's matters; own chains
        // are followed one after another, the next once the one before is
        // settled.
        let next = lowest(and(unsettled, own));
        let is_settled = any(and(chains, own)) == zero;
        for_words!(|w| {
            let added = next[w].when(is_settled) | (unsettled[w] & other[w]);
            chains[w] |= added;
        });
        let mut before = chains;
        for _ in 0..FOLLOW_ROUNDS {
            before = chains;
            chains = spread_by_links::<T, N, S>(chains, &links);
        }

        // A chain is settled when it has two liberties, or is followed to
        // its ends.
        let mut searching = zero;
        for (color, stones) in [own, other].into_iter().enumerate() {
            let chain = and(chains, stones);
            let liberties = and(neighbors::<T, N, S>(chain), empty);
            let number = count(liberties);
            let whole = any(and_not(chain, before)) == zero;
            let settled = whole || number.at_least(T::from_u64(2));
            let found = whole && number == one;
            for_words!(|w| {
                if TACTICAL && color == 0 {
                    found_own[w] |= liberties[w].when(found);
                } else {
                    preferred[w] |= liberties[w].when(found);
                }
                let done = chain[w].when(settled);
                unsettled[w] = unsettled[w].and_not(done);
                chains[w] = chains[w].and_not(done);
            });
        }
        for_words!(|w| {
            searching |= unsettled[w];
            lanes.kept[UNSETTLED][w][l] = unsettled[w];
            lanes.kept[FOLLOWED][w][l] = chains[w];
            lanes.preferred[w][l] = preferred[w];
            if TACTICAL {
                lanes.found_own[w][l] = found_own[w];
            }
        });
        lanes.searching[l] = T::ALL.when(searching != zero);
    }
}

/// The links between stones: for each direction the stones that have a stone of
/// their own colour as neighbour there. Both colours are in the same sets.
#[derive(Clone, Copy)]
struct Links<T, const N: usize> {
    /// Stones linked to the next lower point of their row.
    lower: [T; N],
    /// Stones linked to the next higher point of their row.
    higher: [T; N],
    /// Stones linked to the next lower row.
    below: [T; N],
    /// Stones linked to the next higher row.
    above: [T; N],
}

/// [`spread`](crate::sets::lane_word::spread) in the stones of both colours at once.
#[inline(always)]
fn spread_by_links<T: LaneWord, const N: usize, const S: usize>(
    set: [T; N],
    links: &Links<T, N>,
) -> [T; N] {
    let row = or(set, and(up(set, 1), links.lower));
    let row = or(row, and(down(set, 1), links.higher));
    let column = or(row, and(up(row, S), links.below));
    or(column, and(down(row, S), links.above))
}
