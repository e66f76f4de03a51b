//! Prefers the points that MoGo's playouts prefer: captures and escapes as `capture_escape` finds
//! them, else points around the opponent's last stone that have a shape of `shapes`.
//!
//! What it computes, in each form:
//!
//! ```text
//! coin      = 31 bits of the turn's first number
//! preferred = candidates that capture or escape, if coin < threshold of captures
//! if there are none:
//!     preferred = candidates of the eight points around the last stone
//!                 that are points of shapes, if coin < threshold of shapes
//! ```

use super::GameView;
use super::preference::{LaneGames, PreferenceLanes};
use super::shapes::points_of_shapes;
use super::window::Window;
use crate::sets::grid_set::{GridSet, LaneSet};
use crate::sets::lane_word::{INTERLEAVED, LaneWord, and, and_not, any, for_words, or};
use crate::sets::rows::{Sets, lane, store};
use tengen_go::{Bits, Board};

/// The points of shapes around `last`, the opponent's stone just played.
pub fn preferred<const W: usize>(board: &Board<W>, last: Bits<W>) -> Bits<W> {
    preferred_in(&GameView::of(board, last))
}

/// [`preferred`] for scalar playouts.
#[inline(always)]
pub fn preferred_in<S: GridSet>(game: &GameView<S>) -> S {
    let row = game.last.or(game.last.east()).or(game.last.west());
    let around = row.or(row.north()).or(row.south()).and(game.empty);
    points_of_shapes(game.own, game.other, game.empty).and(around)
}

/// [`preferred`] in all lanes where a turn begins that prefers shapes. The points are kept while
/// the search for captures and escapes goes on. Where words are interleaved, the shapes are looked
/// for in the [`Window`] around the last stone.
#[inline(always)]
pub fn find_shapes<
    T: LaneWord,
    const N: usize,
    const S: usize,
    const L: usize,
    const SHARE: usize,
>(
    lanes: &mut PreferenceLanes<T, N, L>,
    games: &LaneGames<'_, T, N, L>,
) {
    if N < INTERLEAVED {
        for l in 0..L / SHARE {
            let [own, other, empty, last] = seen_by_policy(l, games).map(LaneSet::<T, N, S>);
            let found = preferred_in(&GameView { own, other, empty, last }).0;
            store_begun(lanes, games, l, found);
        }
        return;
    }
    for l in 0..L / SHARE {
        let sets = seen_by_policy(l, games);
        let window = Window::around::<N, S>(lane(games.point, l));
        lanes.windows.store(l, window, sets);
    }
    for l in 0..L / SHARE {
        let [own, other, empty, last] = &mut lanes.windows.sets;
        let set = LaneSet::<u16, N, S>;
        let game = GameView {
            own: set(lane(own, l)),
            other: set(lane(other, l)),
            empty: set(lane(empty, l)),
            last: set(lane(last, l)),
        };
        store(last, l, preferred_in(&game).0);
    }
    for l in 0..L / SHARE {
        let window = lanes.windows.window(l);
        let in_window = lane(&lanes.windows.sets[3], l);
        let mut found = [T::default(); N];
        for_words!(|w| {
            found[w] = window.word(in_window[w]);
        });
        store_begun(lanes, games, l, found);
    }
}

/// The own stones of lane `l`, the opponent's, the empty points and the last stone.
#[inline(always)]
fn seen_by_policy<T: LaneWord, const N: usize, const L: usize>(
    l: usize,
    games: &LaneGames<'_, T, N, L>,
) -> [[T; N]; 4] {
    let (own, other) = (lane(games.own, l), lane(games.other, l));
    [own, other, and_not(games.board, or(own, other)), lane(games.point, l)]
}

/// Stores the points of shapes of lane `l`: `found` if a turn begins there that prefers
/// shapes.
#[inline(always)]
fn store_begun<T: LaneWord, const N: usize, const L: usize>(
    lanes: &mut PreferenceLanes<T, N, L>,
    games: &LaneGames<'_, T, N, L>,
    l: usize,
    found: [T; N],
) {
    let begins = lanes.begins(l, games, lanes.thresholds[1]);
    let resumes = lanes.searching[l];
    for_words!(|w| {
        lanes.shapes[w][l] = (found[w] & begins) | (lanes.shapes[w][l] & resumes);
    });
}

/// Prefers shapes in all lanes where no preferred point found so far is a candidate.
#[inline(always)]
pub fn prefer_shapes<T: LaneWord, const N: usize, const L: usize, const SHARE: usize>(
    lanes: &mut PreferenceLanes<T, N, L>,
    candidates: &Sets<T, N, L>,
) {
    for l in 0..L / SHARE {
        let preferred = lane(&lanes.preferred, l);
        let has_preferred = any(and(preferred, lane(candidates, l))) | lanes.searching[l];
        let keeps = has_preferred != T::default();
        let mut set = preferred;
        for_words!(|w| {
            set[w] = if keeps { preferred[w] } else { lanes.shapes[w][l] };
        });
        store(&mut lanes.preferred, l, set);
    }
}
