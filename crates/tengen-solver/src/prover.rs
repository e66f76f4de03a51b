//! Proofs that a player reaches a score: a depth-first search of null windows.

mod at_once;
mod branch;
mod moves;

pub(crate) use moves::Order;

use crate::claim::{Claim, Meter, Proved};
use crate::geometry::{Geometry, PASS};
use crate::life::safe_points;
use crate::position::Position;
use crate::table::{Entry, NO_MOVE, Table};

/// Longest line of play that is followed, in plies.
const MAX_PLY: usize = 240;
/// Least budget at which a position is first searched with a smaller budget.
const LEAST_DEEPENED: i32 = 8;
/// Difference between the two budgets.
const DEEPENED_BY: i32 = 3;
/// A value below every score: nothing was proved.
const NOTHING: i8 = i8::MIN;
/// [`Proof::leans_on`] of a proof that rests on no earlier position.
const NO_PLY: u8 = u8::MAX;

/// The result of a search: the score that the prover is sure of, from the prover's view.
#[derive(Clone, Copy, Debug)]
struct Proof {
    value: i8,
    /// The first ply of the path to which the proof returns, as an endless game; [`NO_PLY`] if it
    /// returns to none.
    leans_on: u8,
}

const FAILED: Proof = Proof { value: NOTHING, leans_on: NO_PLY };

impl Proof {
    const fn of(value: i8) -> Self {
        Self { value, leans_on: NO_PLY }
    }
}

/// What the table knows of a position.
enum Known {
    /// The result of a search, and the best move of the canonical position.
    Result(Proof, u8),
    /// The best move alone.
    Best(u8),
}

/// What is certain of a position without search.
struct Certain {
    /// Lower bound of the score, from the prover's view.
    sure: i8,
    /// Upper bound of the score, from the prover's view.
    most: i8,
    /// The points that certainly belong to a player.
    settled: u32,
}

/// A node whose moves are searched.
struct Node<'p> {
    position: &'p Position,
    /// Approximate number of plies left.
    budget: i32,
    ply: usize,
    /// The move considered best; [`NO_MOVE`] if none is known.
    best: u8,
    /// The points that certainly belong to a player.
    settled: u32,
    /// The prover's score if the player to move ends the game; above every score if
    /// the last move was no pass.
    passed_score: i8,
}

/// The search, with what it learns about the order of moves.
pub(crate) struct Prover<'a> {
    geometry: &'a Geometry,
    pub(crate) table: &'a mut Table,
    claim: Claim,
    path: [u64; MAX_PLY + 8],
    captures: [u16; MAX_PLY + 8],
    /// What was learnt about the order of moves.
    pub(crate) order: Order,
    /// Whether an endless search accepts a stored failure that was found after other positions. A
    /// loop may close here that did not close there: a search that always accepted failures could
    /// fail for ever. Proofs are correct either way.
    trusts_failures: bool,
    /// The move at the root of the last search that succeeded or failed.
    root_best: u8,
    pub(crate) meter: Meter<'a>,
}

impl<'a> Prover<'a> {
    /// A search that starts from the `order` that an earlier search has learnt.
    pub(crate) fn new(
        geometry: &'a Geometry,
        table: &'a mut Table,
        meter: Meter<'a>,
        order: &Order,
    ) -> Self {
        Self {
            geometry,
            table,
            claim: Claim { prover: 0, target: 0, endless: false },
            path: [0; MAX_PLY + 8],
            captures: [0; MAX_PLY + 8],
            order: *order,
            trusts_failures: true,
            root_best: NO_MOVE,
            meter,
        }
    }

    /// The move at the root by which the other player stopped the last search that
    /// failed; [`NO_MOVE`] if that player was not to move.
    pub(crate) const fn refutation(&self) -> u8 {
        self.root_best
    }

    /// Looks for a proof of `claim` within `budget` plies. A search that is
    /// stopped proves nothing.
    pub(crate) fn search(&mut self, root: &Position, claim: Claim, budget: i32) -> Option<Proved> {
        self.claim = claim;
        self.trusts_failures = budget % 3 != 0;
        for history in self.order.history.iter_mut().flatten() {
            *history /= 8;
        }
        let (key, symmetry) = root.canonical_key(self.geometry);
        self.root_best = NO_MOVE;
        let proof = if claim.endless {
            self.prove::<true>(root, key, symmetry, budget, 0)
        } else {
            self.prove::<false>(root, key, symmetry, budget, 0)
        };
        (proof.value >= claim.target).then_some(Proved { value: proof.value, best: self.root_best })
    }

    /// The key of entries for which endless games count for the prover.
    #[inline(always)]
    fn endless_key(&self, key: u64) -> u64 {
        key | 1 << 62 | (self.claim.prover as u64) << 63
    }

    /// What is known of the position of `key`, bounds from the prover's view.
    #[inline(always)]
    fn get(&self, key: u64) -> Option<Entry> {
        self.table.get(key).map(|entry| entry.seen_by(self.claim.prover))
    }

    /// The point that `symmetry` maps to `point`.
    #[inline(always)]
    fn unturned(&self, point: u8, symmetry: usize) -> u8 {
        if point == NO_MOVE { point } else { self.geometry.source[symmetry][point as usize] }
    }

    /// Searches one position. `key` and `symmetry` are those of its canonical form.
    fn prove<const ENDLESS: bool>(
        &mut self,
        position: &Position,
        key: u64,
        symmetry: usize,
        budget: i32,
        ply: usize,
    ) -> Proof {
        if self.meter.count() || ply >= MAX_PLY {
            return FAILED;
        }
        let geometry = self.geometry;
        let Claim { prover, target, .. } = self.claim;
        let to_prove = position.black_to_play == (prover == 0);
        self.path[ply] = key;
        let passed_score = position.passed_score(geometry, to_prove);
        if position.passed && to_prove && passed_score >= target {
            if ply == 0 {
                self.root_best = PASS;
            }
            return Proof::of(passed_score);
        }
        if !to_prove && passed_score < target {
            return FAILED;
        }
        if let Some(earlier) = self.repeats(key, ply) {
            return if ENDLESS {
                Proof { value: geometry.points as i8, leans_on: earlier as u8 }
            } else {
                FAILED
            };
        }
        let best = match self.look_up::<ENDLESS>(key, budget) {
            Known::Result(proof, best) => {
                if ply == 0 {
                    self.root_best = self.unturned(best, symmetry);
                }
                return proof;
            }
            Known::Best(best) => best,
        };
        let Certain { sure, most, settled } = self.certain(position, to_prove, passed_score);
        if sure >= target {
            return Proof::of(sure);
        }
        // A proof takes at least one more ply, or two if the other player is to move.
        if most < target || budget <= i32::from(!to_prove) {
            return FAILED;
        }
        let before = self.meter.nodes;
        let mut best = best;
        if to_prove && !ENDLESS && budget >= LEAST_DEEPENED {
            // First with less, unless the table knows that this fails.
            let (entry, less) = (self.get(key), budget - DEEPENED_BY);
            let proof = if entry.is_some_and(|entry| entry.has_failed(prover, target, less)) {
                FAILED
            } else {
                self.prove::<false>(position, key, symmetry, less, ply)
            };
            if proof.value >= target || self.meter.stopped {
                return proof;
            }
            best = self.get(key).map_or(best, |entry| entry.best);
        }
        let node = Node {
            position,
            budget,
            ply,
            best: self.unturned(best, symmetry),
            settled,
            passed_score,
        };
        let (proof, best) = if to_prove {
            self.prove_by_one::<ENDLESS>(&node)
        } else {
            self.prove_against_all::<ENDLESS>(&node)
        };
        if ply == 0 {
            self.root_best = best;
        }
        if self.meter.stopped {
            return if proof.leans_on == NO_PLY { proof } else { FAILED };
        }
        // A proof that leans on earlier positions holds only after them.
        let holds = proof.leans_on >= ply as u8;
        let key = if ENDLESS { self.endless_key(key) } else { key };
        let mut entry = self.get(key).unwrap_or_else(|| Entry::unknown(geometry.points));
        if proof.value < target {
            entry.set_failed(prover, target, budget);
        } else if holds {
            entry.lower = entry.lower.max(proof.value);
        }
        if !ENDLESS {
            entry.lower = entry.lower.max(sure);
            entry.upper = entry.upper.min(most);
        }
        entry.best = if best == NO_MOVE { best } else { geometry.image[symmetry][best as usize] };
        let effort = 63 - (self.meter.nodes - before + 1).leading_zeros() as u8;
        entry.effort = entry.effort.max(effort);
        self.table.put(key, entry.seen_by(prover));
        if holds { Proof::of(proof.value) } else { proof }
    }

    /// The bounds that unconditional life gives; `passed_score` as in [`Node`].
    #[inline(always)]
    fn certain(&self, position: &Position, to_prove: bool, passed_score: i8) -> Certain {
        let geometry = self.geometry;
        let own_safe = safe_points(geometry, position.own, position.other);
        let other_safe = safe_points(geometry, position.other, position.own);
        let (safe, against) =
            if to_prove { (own_safe, other_safe) } else { (other_safe, own_safe) };
        let points = geometry.points as i8;
        let mut sure = 2 * safe.count_ones() as i8 - points;
        let mut most = points - 2 * against.count_ones() as i8;
        // A player who ends the game now leaves dead stones on the board.
        if position.passed && to_prove {
            most = most.max(passed_score);
        } else if position.passed {
            sure = sure.min(passed_score);
        }
        Certain { sure, most, settled: own_safe | other_safe }
    }

    /// The ply of the path at which the position of `key` occurred before.
    #[inline(always)]
    fn repeats(&self, key: u64, ply: usize) -> Option<usize> {
        // No position repeats without a capture.
        if self.captures[ply] == 0 {
            return None;
        }
        let same_player = (0..ply).rev().skip(1).step_by(2);
        same_player
            .filter(|&earlier| self.captures[earlier] < self.captures[ply])
            .find(|&earlier| self.path[earlier] == key)
    }

    /// What the table knows of the claim at the position of `key`.
    #[inline(always)]
    fn look_up<const ENDLESS: bool>(&self, key: u64, budget: i32) -> Known {
        let Claim { prover, target, .. } = self.claim;
        let mut best = NO_MOVE;
        if let Some(entry) = self.get(key) {
            if entry.lower >= target {
                return Known::Result(Proof::of(entry.lower), entry.best);
            }
            // These bounds hold with and without endless games.
            if entry.upper < target || !ENDLESS && entry.has_failed(prover, target, budget) {
                return Known::Result(FAILED, entry.best);
            }
            best = entry.best;
        }
        if ENDLESS && let Some(entry) = self.get(self.endless_key(key)) {
            if entry.lower >= target {
                return Known::Result(Proof::of(entry.lower), entry.best);
            }
            if self.trusts_failures && entry.has_failed(prover, target, budget) {
                return Known::Result(FAILED, entry.best);
            }
            best = entry.best;
        }
        Known::Best(best)
    }
}
