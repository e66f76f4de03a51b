//! Policies in the lanes: built-in ones, and those of sets of points that a program registers.

use super::points::Points;
use super::preference::{LaneGames, PreferenceLanes};
use super::set_policy::{Draw, SetPolicy, TurnSets};
use super::tactical::Thresholds;
use super::{ALWAYS, BuiltInPolicy, Policy, capture_escape, mogo, tactical_lanes};
use crate::sets::grid_set::LaneSet;
use crate::sets::lane_word::{LaneWord, and, and_not, any, count, masked, or};
use crate::sets::rows::{Row, Sets, lane, store};
use crate::simd::{Target, Task};
use std::sync::Arc;

/// The policy of the games in lanes of one grid.
#[derive(Clone, Copy)]
pub enum LanePolicy<T: 'static, const N: usize, const S: usize, const L: usize> {
    /// A built-in policy other than `tactical`.
    BuiltIn(BuiltInPolicy),
    /// `tactical`, whose bounds are computed once.
    Tactical(Thresholds),
    /// A policy of sets, and its name, which the message of a panic contains.
    Sets(&'static dyn OnGrid<T, N, S, L>, Policy),
}

/// A policy of sets in the lanes of every grid (`lanes/engines.rs`).
pub trait OnAllGrids:
    OnGrid<u32, 1, 6, 64>
    + OnGrid<u64, 1, 8, 32>
    + OnGrid<u32, 3, 10, 32>
    + OnGrid<u64, 2, 11, 16>
    + OnGrid<u32, 6, 14, 32>
    + OnGrid<u64, 6, 20, 16>
{
}

/// A policy of sets in the lanes of a grid.
pub trait OnGrid<T, const N: usize, const S: usize, const L: usize>: Send + Sync {
    /// [`SetPolicy::URGENT`].
    fn needs_urgent(&self) -> bool;

    /// Writes to [`LaneTurns::preferred`] the points to draw from in each lane where a turn draws
    /// first, else no points; in the first `1 / share` of the lanes.
    fn choose(&self, target: Target, share: usize, turns: LaneTurns<'_, T, N, L>);
}

/// The turns in the lanes.
pub struct LaneTurns<'kernel, T, const N: usize, const L: usize> {
    /// The points of the board.
    pub board: [T; N],
    /// Stones of the player to move.
    pub own: &'kernel Sets<T, N, L>,
    /// Stones of the opponent.
    pub other: &'kernel Sets<T, N, L>,
    /// The points to draw from.
    pub candidates: &'kernel Sets<T, N, L>,
    /// The opponent's stone just played, where a turn draws first.
    pub last: &'kernel Sets<T, N, L>,
    /// Mask: the first attempt of a turn draws in this step.
    pub draws_first: &'kernel Row<T, L>,
    /// Mask: the search for [`TurnSets::urgent`] is not finished.
    pub searching: &'kernel Row<T, L>,
    /// The lower halves of the random numbers.
    pub coin: &'kernel Row<u32, L>,
    /// [`TurnSets::urgent`] before [`OnGrid::choose`], the points to draw from after it.
    pub preferred: &'kernel mut Sets<T, N, L>,
}

impl<T: LaneWord, const N: usize, const L: usize> LaneTurns<'_, T, N, L> {
    /// Stores the points that lane `l` draws from, if a turn draws first there. A search that goes
    /// on keeps what it has found.
    #[inline(always)]
    fn draw_from(&mut self, l: usize, chosen: [T; N]) {
        let found = masked(lane(self.preferred, l), self.searching[l]);
        store(self.preferred, l, or(masked(chosen, self.draws_first[l]), found));
    }
}

impl<T: LaneWord, const N: usize, const S: usize, const L: usize> LanePolicy<T, N, S, L> {
    /// The built-in `policy` in lanes.
    pub fn built_in(policy: BuiltInPolicy) -> Self {
        match policy {
            BuiltInPolicy::Tactical(rules) => Self::Tactical(rules.into()),
            policy => Self::BuiltIn(policy),
        }
    }

    /// Whether the policy prefers points.
    #[inline(always)]
    pub fn prefers(self) -> bool {
        !matches!(self, Self::BuiltIn(BuiltInPolicy::Uniform {}))
    }

    /// Whether the policy remembers last liberties from turn to turn.
    #[inline(always)]
    pub fn has_memory(self) -> bool {
        matches!(self, Self::Tactical(_))
    }

    /// The bounds below which a coin begins a search for preferred points.
    pub fn coin_thresholds(self) -> [u32; 2] {
        match self {
            Self::BuiltIn(policy) => policy.coin_thresholds(),
            Self::Tactical(Thresholds { captures, shapes, .. }) => [captures, shapes],
            Self::Sets(..) => [ALWAYS; 2],
        }
    }

    /// Searches for preferred points, before the candidates are known, as far as one step finds
    /// them: in every lane where a turn begins or the search was not finished.
    #[inline(always)]
    pub fn search<const SHARE: usize>(
        self,
        lanes: &mut PreferenceLanes<T, N, L>,
        games: &LaneGames<'_, T, N, L>,
    ) {
        let is_tactical = self.has_memory();
        let (keeps_last, has_shapes, has_captures) = match self {
            Self::BuiltIn(policy) => (false, policy.has_shapes(), true),
            Self::Tactical(_) => (true, true, true),
            Self::Sets(policy, _) => (true, false, policy.needs_urgent()),
        };
        if keeps_last {
            lanes.begin_turns::<SHARE>(games);
        }
        if has_shapes {
            mogo::find_shapes::<T, N, S, L, SHARE>(lanes, games);
        }
        if is_tactical {
            capture_escape::search_lanes::<T, N, S, L, SHARE, true>(lanes, games);
        } else if has_captures {
            capture_escape::search_lanes::<T, N, S, L, SHARE, false>(lanes, games);
        }
        if keeps_last {
            lanes.leave_out_searching::<SHARE>();
        }
    }

    /// Decides which points lanes draw from, once the candidates are known.
    #[inline(always)]
    pub fn choose<const SHARE: usize>(
        self,
        target: Target,
        lanes: &mut PreferenceLanes<T, N, L>,
        games: &LaneGames<'_, T, N, L>,
        candidates: &Sets<T, N, L>,
    ) {
        match self {
            Self::BuiltIn(BuiltInPolicy::Mogo { .. }) => {
                mogo::prefer_shapes::<T, N, L, SHARE>(lanes, candidates);
            }
            Self::Tactical(thresholds) => {
                tactical_lanes::prefer::<T, N, S, L, SHARE>(thresholds, lanes, games, candidates);
            }
            Self::BuiltIn(_) => {}
            Self::Sets(policy, name) => {
                let LaneGames { board, own, other, .. } = *games;
                let PreferenceLanes { last, draws_first, searching, coin, preferred, .. } = lanes;
                let turns = LaneTurns {
                    board,
                    own,
                    other,
                    candidates,
                    last,
                    draws_first,
                    searching,
                    coin,
                    preferred,
                };
                name.0.call(|_| policy.choose(target, SHARE, turns));
            }
        }
    }
}

/// A policy of sets in the lanes.
pub(super) struct InLanes<P, const K: usize>(pub Arc<P>, pub Draw<K>);

impl<P: SetPolicy<K>, const K: usize> OnAllGrids for InLanes<P, K> {}

impl<P: SetPolicy<K>, T: LaneWord, const K: usize, const N: usize, const S: usize, const L: usize>
    OnGrid<T, N, S, L> for InLanes<P, K>
{
    fn needs_urgent(&self) -> bool {
        P::URGENT
    }

    fn choose(&self, target: Target, share: usize, turns: LaneTurns<'_, T, N, L>) {
        let Self(policy, draw) = self;
        if share == 4 {
            target.run(ChooseTask::<P, T, K, N, S, L, 4> { policy, draw: *draw, turns });
        } else {
            target.run(ChooseTask::<P, T, K, N, S, L, 1> { policy, draw: *draw, turns });
        }
    }
}

struct ChooseTask<
    'kernel,
    P,
    T,
    const K: usize,
    const N: usize,
    const S: usize,
    const L: usize,
    const SHARE: usize,
> {
    policy: &'kernel P,
    draw: Draw<K>,
    turns: LaneTurns<'kernel, T, N, L>,
}

/// Sets of points in whole cache lines.
#[repr(align(64))]
struct Found<T, const K: usize, const N: usize, const L: usize>([Sets<T, N, L>; K]);

impl<
    P: SetPolicy<K>,
    T: LaneWord,
    const K: usize,
    const N: usize,
    const S: usize,
    const L: usize,
    const SHARE: usize,
> Task for ChooseTask<'_, P, T, K, N, S, L, SHARE>
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { policy, draw, turns } = self;
        let mut found = Found([[[T::default(); L]; N]; K]);
        for l in 0..L / SHARE {
            let candidates = lane(turns.candidates, l);
            let urgent = if P::URGENT { lane(turns.preferred, l) } else { [T::default(); N] };
            let [own, other, last] = [turns.own, turns.other, turns.last].map(|it| lane(it, l));
            let sets = [own, other, last, candidates, urgent].map(LaneSet::<T, N, S>);
            let turn = TurnSets::new(LaneSet(turns.board), sets);
            let sets = policy.sets(&turn);
            for k in 0..K {
                let Points { set, .. } = sets[k];
                store(&mut found.0[k], l, and(set.0, candidates));
            }
        }
        match draw {
            Draw::FirstOf(thresholds) => first_of::<T, K, N, L, SHARE>(thresholds, &found.0, turns),
            Draw::Weights(of_sets, others) => {
                weighted::<T, K, N, L, SHARE>(of_sets, others, &found.0, turns);
            }
        }
    }
}

/// [`DrawBy::FirstOf`](super::DrawBy::FirstOf) in all lanes.
#[inline(always)]
fn first_of<T: LaneWord, const K: usize, const N: usize, const L: usize, const SHARE: usize>(
    thresholds: [u32; K],
    found: &[Sets<T, N, L>; K],
    mut turns: LaneTurns<'_, T, N, L>,
) {
    let zero = T::default();
    for l in 0..L / SHARE {
        let (mut chosen, mut is_open) = ([zero; N], T::ALL);
        for k in 0..K {
            let set = lane(&found[k], l);
            let is_looked_at = (turns.coin[l] >> 1) < thresholds[k];
            let takes = is_open & T::ALL.when((any(set) != zero) & is_looked_at);
            chosen = or(chosen, masked(set, takes));
            is_open = is_open.and_not(takes);
        }
        turns.draw_from(l, chosen);
    }
}

/// [`DrawBy::Weights`](super::DrawBy::Weights) in all lanes.
#[inline(always)]
fn weighted<T: LaneWord, const K: usize, const N: usize, const L: usize, const SHARE: usize>(
    of_sets: [u16; K],
    others: u16,
    found: &[Sets<T, N, L>; K],
    mut turns: LaneTurns<'_, T, N, L>,
) {
    let zero = T::default();
    let weight = |weight: u16| T::from_u64(u64::from(weight));
    for l in 0..L / SHARE {
        let candidates = lane(turns.candidates, l);
        let (mut left, mut total) = (candidates, zero);
        for k in 0..K {
            let set = lane(&found[k], l);
            total = total.plus(count(and(set, left)).times(weight(of_sets[k])));
            left = and_not(left, set);
        }
        let of_others = left;
        total = total.plus(count(of_others).times(weight(others)));
        let number = T::below(turns.coin[l], total);

        let (mut left, mut before, mut chosen) = (candidates, zero, [zero; N]);
        for k in 0..K {
            let set = and(lane(&found[k], l), left);
            left = and_not(left, set);
            let after = before.plus(count(set).times(weight(of_sets[k])));
            let is_drawn =
                T::ALL.when(number.at_least(before)).and_not(T::ALL.when(number.at_least(after)));
            chosen = or(chosen, masked(set, is_drawn));
            before = after;
        }
        let is_drawn = T::ALL.when(number.at_least(before)).and_not(T::ALL.when(total == zero));
        chosen = or(chosen, masked(of_others, is_drawn));
        turns.draw_from(l, chosen);
    }
}
