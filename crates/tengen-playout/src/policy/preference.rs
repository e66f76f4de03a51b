//! What a policy sees of games, and the state of its search in the lanes.

use super::window::Windows;
use crate::sets::lane_word::{LaneWord, and, any, for_words, masked, or};
use crate::sets::rows::{Row, Sets, lane, store};
use tengen_go::{Bits, Board};

/// What a policy sees of a scalar playout.
pub struct GameView<S> {
    /// Stones of the player to move.
    pub own: S,
    /// Stones of the opponent.
    pub other: S,
    /// Points without a stone.
    pub empty: S,
    /// The opponent's stone just played; empty if there was none.
    pub last: S,
}

impl<const W: usize> GameView<Bits<W>> {
    /// The view of a board after `last`, the opponent's stone just played.
    pub fn of(board: &Board<W>, last: Bits<W>) -> Self {
        let (own, other) = (board.stones(board.to_play()), board.stones(!board.to_play()));
        Self { own, other, empty: board.empty(), last }
    }
}

/// The search for preferred points, one entry per lane.
///
/// A lane continues in the next step a search that one step cannot finish: until then the
/// lane is *searching* and makes no move attempt, so that no lane waits for another.
#[repr(align(64))]
pub struct PreferenceLanes<T, const N: usize, const L: usize> {
    /// The coin values below which a turn prefers each of two sets of points:
    /// [`BuiltInPolicy::coin_thresholds`](super::BuiltInPolicy::coin_thresholds).
    pub(super) thresholds: [u32; 2],
    /// The lower halves of the numbers drawn last; the coin is their upper 31 bits.
    pub coin: Row<u32, L>,
    /// Mask: the search is not finished.
    pub searching: Row<T, L>,
    /// The preferred points found this turn.
    pub preferred: Sets<T, N, L>,
    /// The points of shapes found when the turn began, for a policy that prefers them.
    pub(super) shapes: Sets<T, N, L>,
    /// The windows in which shapes are looked for.
    pub(super) windows: Windows<T, N, L>,
    /// Two sets that the policy keeps of an unfinished search.
    pub(super) kept: [Sets<T, N, L>; 2],
    /// Last liberties of own chains found this turn, for a tactical policy.
    pub(super) found_own: Sets<T, N, L>,
    /// The opponent's stone just played when the turn began, for a tactical policy and for policies
    /// of sets.
    pub(super) last: Sets<T, N, L>,
    /// Mask: the search of a turn has ended in this step, or was not needed, so that the first
    /// attempt of the turn follows.
    pub(super) draws_first: Row<T, L>,
    /// Last liberties of chains in atari that the previous player remembered: of that player's own
    /// chains, and of the opponent's.
    pub memory: [Sets<T, N, L>; 2],
    /// Mask: it is not yet known whether the point of an attempt is vetoed.
    pub checking: Row<T, L>,
    /// Where `checking` is set: the point, and the part reached so far of the chain that
    /// it would make.
    pub(super) checked: Sets<T, N, L>,
    pub(super) followed: Sets<T, N, L>,
    /// The points that the next attempt draws from after a veto, if one of them is a
    /// candidate.
    pub(super) instead: Sets<T, N, L>,
}

/// What a policy sees of the games in the lanes.
pub struct LaneGames<'kernel, T, const N: usize, const L: usize> {
    /// The points of the board.
    pub board: [T; N],
    /// Stones of the player to move.
    pub own: &'kernel Sets<T, N, L>,
    /// Stones of the opponent.
    pub other: &'kernel Sets<T, N, L>,
    /// The point of the last attempt, which is the opponent's stone just played where a
    /// turn begins; empty after a pass.
    pub point: &'kernel Sets<T, N, L>,
    /// Mask: the last step made no ply, so that no turn begins.
    pub no_ply: &'kernel Row<T, L>,
}

impl<T: LaneWord, const N: usize, const L: usize> PreferenceLanes<T, N, L> {
    /// The state in which no lane is searching.
    pub fn new(thresholds: [u32; 2]) -> Self {
        let none = [[T::default(); L]; N];
        Self {
            thresholds,
            coin: [0; L],
            searching: [T::default(); L],
            preferred: none,
            shapes: none,
            windows: Windows::new(),
            kept: [none; 2],
            found_own: none,
            last: none,
            draws_first: [T::default(); L],
            memory: [none; 2],
            checking: [T::default(); L],
            checked: none,
            followed: none,
            instead: none,
        }
    }

    /// Mask: a turn begins in lane `l`, and its coin is below `threshold`.
    #[inline(always)]
    pub(super) fn begins(&self, l: usize, games: &LaneGames<'_, T, N, L>, threshold: u32) -> T {
        let is_first = games.no_ply[l] == T::default();
        let has_preference = (self.coin[l] >> 1) < threshold;
        T::ALL.when(is_first && has_preference).and_not(self.searching[l])
    }

    /// Stores the last stone where a turn begins, and sets `draws_first` where a turn begins or its
    /// search goes on.
    #[inline(always)]
    pub(super) fn begin_turns<const SHARE: usize>(&mut self, games: &LaneGames<'_, T, N, L>) {
        for l in 0..L / SHARE {
            let begins = self.begins(l, games, super::ALWAYS);
            let last =
                or(masked(lane(games.point, l), begins), masked(lane(&self.last, l), !begins));
            store(&mut self.last, l, last);
            self.draws_first[l] = begins | self.searching[l];
        }
    }

    /// Clears `draws_first` where the search is not finished.
    #[inline(always)]
    pub(super) fn leave_out_searching<const SHARE: usize>(&mut self) {
        for l in 0..L / SHARE {
            self.draws_first[l] = self.draws_first[l].and_not(self.searching[l]);
        }
    }

    /// The points that lane `l` draws from: the preferred ones of `candidates`, or all if
    /// none is preferred; none while the lane is searching.
    #[inline(always)]
    pub fn drawn_from(&self, l: usize, candidates: [T; N]) -> [T; N] {
        let preferred = and(candidates, lane(&self.preferred, l));
        let has_preferred = any(preferred) != T::default();
        let mut set = candidates;
        for_words!(|w| {
            let drawn_from = if has_preferred { preferred[w] } else { candidates[w] };
            set[w] = drawn_from.and_not(self.searching[l]);
        });
        set
    }
}
