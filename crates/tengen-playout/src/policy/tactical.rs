//! Sees chains in danger: prefers captures and escapes on the whole board and ataris of chains with
//! two liberties, and vetoes bad self-ataris but for nakades. This file serves scalar playouts;
//! `tactical_lanes.rs` does the same in all lanes.
//!
//! What it computes, where N(S) are the neighbours of a set S and two(S) the points beside two of
//! its points:
//!
//! ```text
//! when a turn begins, after the stone last:
//!     safe      = stones in chains seen to have two liberties: two(empty), one spread
//!     found     = last liberties of the chains in atari among those of last, and of
//!                 own stones beside last, that are not safe
//!     memory    = (memory + found) and empty, of each colour
//!     good      = two(empty) + memory of the opponent's chains + N(safe and own)
//! its first attempt draws from the first of these sets that has a candidate,
//! of those whose probability is above the turn's coin:
//!     captures    found of the opponent's chain, found of own chains that are good,
//!                 and if an own chain was found, memory of the opponent's
//!     anywhere    memory of the opponent's chains, memory of own chains that are good
//!     atari       the liberties of last's chain, if it has two: those where it would
//!                 gain liberties, or both
//!     shapes      as `mogo`
//! an attempt at a point is a bad self-atari if
//!     the point is beside own stones, beside at most one empty point, and captures
//!     nothing by memory, and its chain has one liberty or none
//! a bad self-atari is a nakade if
//!     the opponent's stones enclose its chain and the liberty, and the chain has a
//!     killing shape
//! a bad self-atari fails if veto is above the attempt's coin; a nakade only if nakade
//!     is not above it, too
//!     the next attempt then draws that liberty, if it is a candidate
//! ```
//!
//! The memory makes the search of the whole board cheap: only a stone beside a chain, or in it,
//! puts the chain in atari, and its last liberty stays the same until it is filled. After a capture
//! the memory may name a liberty of a chain that has more than one again.

use super::scalar::ScalarPolicy;
use super::{GameView, coin_threshold, has_preference, mogo};
use crate::sets::chains::{beside_two, flood, spread};
use crate::simd::point_set::PointSet;

/// The probabilities of the rules of the policy `tactical`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tactical {
    /// Probability per turn of preferring captures and escapes beside the last stone, 0 to 1.
    pub captures: f64,
    /// Probability per turn of preferring captures and escapes anywhere, 0 to 1.
    pub anywhere: f64,
    /// Probability per turn of preferring ataris of the last chain, 0 to 1.
    pub atari: f64,
    /// Probability per turn of preferring shapes, 0 to 1.
    pub shapes: f64,
    /// Probability per attempt that a bad self-atari is vetoed, 0 to 1.
    pub veto: f64,
    /// Probability by which the veto of nakades is lower, 0 to 1: a nakade is vetoed with the
    /// probability `veto - nakade`, or never if that is below 0. A nakade leaves the opponent at most
    /// one eye where it is played.
    pub nakade: f64,
}

impl Default for Tactical {
    /// All rules apply; the rules `anywhere` and `atari` in nine turns of ten.
    fn default() -> Self {
        Self { captures: 1.0, anywhere: 0.9, atari: 0.9, shapes: 1.0, veto: 1.0, nakade: 1.0 }
    }
}

/// The bounds below which a coin of 31 bits makes a rule apply.
#[derive(Clone, Copy)]
pub struct Thresholds {
    pub captures: u32,
    pub anywhere: u32,
    pub atari: u32,
    pub shapes: u32,
    pub veto: u32,
    pub nakade: u32,
}

impl From<Tactical> for Thresholds {
    fn from(rules: Tactical) -> Self {
        let Tactical { captures, anywhere, atari, shapes, veto, nakade } = rules;
        let [captures, anywhere, atari, shapes, veto, nakade] =
            [captures, anywhere, atari, shapes, veto, nakade].map(coin_threshold);
        Self { captures, anywhere, atari, shapes, veto, nakade }
    }
}

/// Number of `spread`s by which the last chain is followed: the chain is whole if the last spread
/// adds nothing.
pub const ATARI_ROUNDS: usize = 3;

/// Last liberties of chains in atari, as the player to move sees them.
#[derive(Clone, Copy)]
pub struct Memory<S> {
    /// Last liberties of own chains.
    pub own: S,
    /// Last liberties of the opponent's chains.
    pub other: S,
}

impl<S: PointSet> Memory<S> {
    /// The memory of all chains in atari.
    pub fn of(game: &GameView<S>) -> Self {
        last_liberties(game.own.or(game.other), game)
    }

    /// The memory as the opponent sees it.
    pub fn of_opponent(self) -> Self {
        Self { own: self.other, other: self.own }
    }
}

/// The last liberties of the chains in atari that a stone of `touched` belongs to.
#[inline(always)]
fn last_liberties<S: PointSet>(touched: S, game: &GameView<S>) -> Memory<S> {
    let none = touched.none();
    let (mut left, mut found) = (touched, Memory { own: none, other: none });
    while !left.is_empty() {
        let stone = left.any_point();
        let is_own = stone.meets(game.own);
        let chain = flood(stone, if is_own { game.own } else { game.other });
        let liberties = chain.neighbors().and(game.empty);
        if liberties.count() == 1 {
            let of_color = if is_own { &mut found.own } else { &mut found.other };
            *of_color = of_color.or(liberties);
        }
        left = left.and_not(chain);
    }
    found
}

/// Stones in chains seen to have two liberties.
#[inline(always)]
fn safe<S: PointSet>(game: &GameView<S>) -> S {
    let two = beside_two(game.empty);
    spread(two.and(game.own), game.own).or(spread(two.and(game.other), game.other))
}

/// The points that put the last chain in atari; empty unless the chain has two liberties and was
/// followed to its ends.
#[inline(always)]
fn ataris<S: PointSet>(game: &GameView<S>, safe: S) -> S {
    let mut chain = game.last;
    let mut before = chain;
    for _ in 0..ATARI_ROUNDS {
        before = chain;
        chain = spread(chain, game.other);
    }
    let liberties = chain.neighbors().and(game.empty);
    if !chain.and_not(before).is_empty() || liberties.count() != 2 {
        return chain.none();
    }
    let beside_friends = safe.and(game.other).and_not(chain).neighbors();
    let room = beside_two(game.empty.and_not(liberties)).or(beside_friends);
    let gaining = liberties.and(room);
    if gaining.is_empty() { liberties } else { gaining }
}

/// Whether `chain` has a killing shape: the opponent who captures it cannot make two eyes there if
/// the owner of the chain plays there next. These are all shapes of up to three stones, the square
/// and the T of four, and the cross and the square with a tail of five.
#[inline(always)]
fn is_killing_shape<S: PointSet>(chain: S) -> bool {
    let inner = chain.and(beside_two(chain)).count();
    inner <= 1 || (inner == 4 && chain.count() <= 5)
}

/// The policy in scalar playouts.
#[derive(Clone, Copy)]
pub struct ScalarTactical(pub Thresholds);

impl ScalarPolicy for ScalarTactical {
    type Memory<S: PointSet> = Memory<S>;

    fn remember<S: PointSet>(self, game: &GameView<S>) -> Memory<S> {
        // A turn begins by taking the memory from the opponent's view.
        Memory::of(game).of_opponent()
    }

    #[inline(always)]
    fn drawn_from<S: PointSet>(
        self,
        memory: &mut Memory<S>,
        game: &GameView<S>,
        candidates: S,
        number: u64,
    ) -> S {
        let safe = safe(game);
        let near = game.last.or(game.last.neighbors().and(game.own));
        let found = last_liberties(near.and_not(safe), game);
        let before = memory.of_opponent();
        let own = before.own.and(game.empty).or(found.own);
        let other = before.other.and(game.empty).or(found.other);
        *memory = Memory { own, other };
        let good = beside_two(game.empty).or(other).or(safe.and(game.own).neighbors());
        let first = |set: S| set.and(candidates);
        if has_preference(number, self.0.captures) {
            let saves = if found.own.is_empty() { found.own } else { other };
            let set = first(found.other.or(found.own.and(good)).or(saves));
            if !set.is_empty() {
                return set;
            }
        }
        if has_preference(number, self.0.anywhere) {
            let set = first(other.or(own.and(good)));
            if !set.is_empty() {
                return set;
            }
        }
        if has_preference(number, self.0.atari) {
            let set = first(ataris(game, safe));
            if !set.is_empty() {
                return set;
            }
        }
        if has_preference(number, self.0.shapes) {
            let set = first(mogo::preferred_in(game));
            if !set.is_empty() {
                return set;
            }
        }
        candidates
    }

    #[inline(always)]
    fn vetoed<S: PointSet>(
        self,
        memory: &Memory<S>,
        game: &GameView<S>,
        point: S,
        number: u64,
    ) -> Option<S> {
        let has_room = point.meets(beside_two(game.empty));
        if has_room || !has_preference(number, self.0.veto) || point.meets(memory.other) {
            return None;
        }
        if !point.neighbors().meets(game.own) {
            return None;
        }
        let chain = flood(point, game.own.or(point));
        let liberties = chain.neighbors().and(game.empty).and_not(point);
        if liberties.count() >= 2 {
            return None;
        }
        let room = chain.or(liberties);
        let around = room.neighbors().and_not(room);
        let is_enclosed = !around.meets(game.own.or(game.empty));
        if is_enclosed && is_killing_shape(chain) && has_preference(number, self.0.nakade) {
            return None;
        }
        Some(liberties)
    }
}
