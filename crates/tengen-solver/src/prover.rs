//! Proofs that a player reaches a score: a depth-first search of null windows.

use crate::MAX_POINTS;
use crate::geometry::{Geometry, PASS, each};
use crate::life::safe_points;
use crate::position::Position;
use crate::table::{Entry, NO_MOVE, Table};
use std::time::Instant;

/// Longest line of play that is followed, in plies.
const MAX_PLY: usize = 240;
/// A value below every score: nothing was proved.
const NOTHING: i8 = i8::MIN;
/// The path of a proof that leans on no position before it.
const NO_PLY: u8 = u8::MAX;

/// The result of a search: the score that the prover is sure of, from the prover's view.
#[derive(Clone, Copy, Debug)]
struct Proof {
    value: i8,
    /// The first ply of the path that the proof returns to, as an endless
    /// game; [`NO_PLY`] if the proof stands by itself.
    leans_on: u8,
}

const FAILED: Proof = Proof { value: NOTHING, leans_on: NO_PLY };

impl Proof {
    const fn of(value: i8) -> Self {
        Self { value, leans_on: NO_PLY }
    }
}

/// A move and the position after it.
#[derive(Clone, Copy)]
struct Child {
    position: Position,
    key: u64,
    symmetry: u8,
    point: u8,
    captured: bool,
    wasted: bool,
    order: i32,
}

/// What a search is asked to prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    /// The player who is to reach the target: 0 Black, 1 White.
    pub(crate) prover: usize,
    /// The score to reach, from the prover's view.
    pub(crate) target: i8,
    /// Whether an endless game is as good as the target.
    pub(crate) endless: bool,
}

/// When a search gives up.
pub(crate) struct Stop<'a> {
    /// Nodes at which the search ends, counted from the beginning of the solution.
    pub(crate) nodes: u64,
    pub(crate) deadline: Option<Instant>,
    pub(crate) interrupted: &'a dyn Fn() -> bool,
}

impl Stop<'_> {
    /// Whether a search that has come to `nodes` is to give up. The clock and
    /// the interrupt are asked now and then.
    #[inline(always)]
    pub(crate) fn now(&self, nodes: u64) -> bool {
        nodes >= self.nodes
            || nodes % 4096 == 0
                && (self.deadline.is_some_and(|end| Instant::now() >= end) || (self.interrupted)())
    }
}

/// A score that was proved, from the prover's view, and the move of the player
/// to move that it rests on ([`NO_MOVE`] if none is needed).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Proved {
    pub(crate) value: i8,
    pub(crate) best: u8,
}

/// What a search has learnt about the order of moves.
pub(crate) struct Order {
    killers: Box<[[u8; 2]; MAX_PLY + 8]>,
    /// By player to move and point.
    history: [[u32; 32]; 2],
}

/// The search, with what it learns about the order of moves.
pub(crate) struct Prover<'a> {
    geometry: &'a Geometry,
    pub(crate) table: &'a mut Table,
    claim: Claim,
    path: [u64; MAX_PLY + 8],
    captures: [u16; MAX_PLY + 8],
    killers: [[u8; 2]; MAX_PLY + 8],
    /// By player to move and point.
    history: [[u32; 32]; 2],
    pub(crate) knob: [i32; 8],
    /// Whether an endless search takes a failure behind other positions for one here.
    /// A loop may close here that did not there: a search that always
    /// did could fail for ever. That no proof is wrong does not hang on it.
    trusts_failures: bool,
    /// The move at the root of the last search that succeeded or failed.
    root_best: u8,
    pub(crate) nodes: u64,
    stop: &'a Stop<'a>,
    pub(crate) stopped: bool,
}

impl<'a> Prover<'a> {
    pub(crate) fn new(geometry: &'a Geometry, table: &'a mut Table, stop: &'a Stop<'a>) -> Self {
        Self {
            geometry,
            table,
            claim: Claim { prover: 0, target: 0, endless: false },
            path: [0; MAX_PLY + 8],
            captures: [0; MAX_PLY + 8],
            killers: [[NO_MOVE; 2]; MAX_PLY + 8],
            history: [[0; 32]; 2],
            knob: {
                let mut k = [0, 4096, 4, 2, 3, 6, 32768, 32768];
                if let Ok(t) = std::env::var("KNOB") {
                    for (k, t) in k.iter_mut().zip(t.split(',')) {
                        *k = t.parse().unwrap();
                    }
                }
                k
            },
            nodes: 0,
            trusts_failures: true,
            root_best: NO_MOVE,
            stop,
            stopped: false,
        }
    }

    /// What the search has learnt about the order of moves.
    pub(crate) fn order(&self) -> Order {
        Order { killers: Box::new(self.killers), history: self.history }
    }

    /// Goes on with what an earlier search has learnt.
    pub(crate) fn resume(&mut self, order: Order) {
        self.killers = *order.killers;
        self.history = order.history;
    }

    /// Looks for a proof of `claim` within `budget` plies. A search that is
    /// stopped proves nothing.
    pub(crate) fn search(&mut self, root: &Position, claim: Claim, budget: i32) -> Option<Proved> {
        self.claim = claim;
        self.trusts_failures = budget % 3 != 0;
        for history in self.history.iter_mut().flatten() {
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

    /// The key of what is known where endless games count for the prover.
    #[inline(always)]
    fn endless_key(&self, key: u64) -> u64 {
        key | 1 << 62 | (self.claim.prover as u64) << 63
    }

    #[inline(always)]
    fn lower(&self, entry: &Entry) -> i8 {
        if self.claim.prover == 0 { entry.lower } else { -entry.upper }
    }

    #[inline(always)]
    fn upper(&self, entry: &Entry) -> i8 {
        if self.claim.prover == 0 { entry.upper } else { -entry.lower }
    }

    #[inline(always)]
    fn raise(&self, entry: &mut Entry, value: i8) {
        if self.claim.prover == 0 {
            entry.lower = entry.lower.max(value);
        } else {
            entry.upper = entry.upper.min(-value);
        }
    }

    #[inline(always)]
    fn cap(&self, entry: &mut Entry, value: i8) {
        if self.claim.prover == 0 {
            entry.upper = entry.upper.min(value);
        } else {
            entry.lower = entry.lower.max(-value);
        }
    }

    /// The point of the position that is `point` under `symmetry`.
    #[inline(always)]
    fn unturned(&self, point: u8, symmetry: usize) -> u8 {
        if point == NO_MOVE { point } else { self.geometry.source[symmetry][point as usize] }
    }

    fn prove<const ENDLESS: bool>(
        &mut self,
        position: &Position,
        key: u64,
        symmetry: usize,
        budget: i32,
        ply: usize,
    ) -> Proof {
        self.nodes += 1;
        if self.stop.now(self.nodes) {
            self.stopped = true;
        }
        if self.stopped || ply >= MAX_PLY {
            return FAILED;
        }
        let geometry = self.geometry;
        let Claim { prover, target, .. } = self.claim;
        let to_prove = position.black_to_play == (prover == 0);
        self.path[ply] = key;
        // The score if the player to move passes too.
        let mut passed_score = i8::MAX;
        if position.passed {
            let score = position.area_score(geometry);
            passed_score = if to_prove { score } else { -score };
            if to_prove && passed_score >= target {
                if ply == 0 {
                    self.root_best = PASS;
                }
                return Proof::of(passed_score);
            }
            if !to_prove && passed_score < target {
                return FAILED;
            }
        }
        if self.captures[ply] > 0 {
            let mut earlier = ply;
            while earlier >= 2 {
                earlier -= 2;
                if self.captures[earlier] == self.captures[ply] {
                    continue;
                }
                if self.path[earlier] == key {
                    return if ENDLESS {
                        Proof { value: geometry.points as i8, leans_on: earlier as u8 }
                    } else {
                        FAILED
                    };
                }
            }
        }
        let known = self.table.get(key);
        let mut best = NO_MOVE;
        if ply == 0 {
            let known =
                if ENDLESS { self.table.get(self.endless_key(key)).or(known) } else { known };
            self.root_best = known.map_or(NO_MOVE, |entry| self.unturned(entry.best, symmetry));
        }
        if let Some(entry) = &known {
            if self.lower(entry) >= target {
                return Proof::of(self.lower(entry));
            }
            // Where neither player gains by an endless game, these bounds hold
            // with and without one.
            if self.upper(entry) < target {
                return FAILED;
            }
            best = entry.best;
        }
        let mut known_endless = None;
        if ENDLESS {
            known_endless = self.table.get(self.endless_key(key));
            if let Some(entry) = &known_endless {
                if self.lower(entry) >= target {
                    return Proof::of(self.lower(entry));
                }
                if self.trusts_failures && entry.has_failed(prover, target, budget) {
                    return FAILED;
                }
                best = entry.best;
            }
        } else if let Some(entry) = &known {
            if entry.has_failed(prover, target, budget) {
                return FAILED;
            }
        }
        // Points that belong to a player for certain.
        let own_safe = safe_points(geometry, position.own, position.other);
        let other_safe = safe_points(geometry, position.other, position.own);
        let (safe, against) =
            if to_prove { (own_safe, other_safe) } else { (other_safe, own_safe) };
        let points = geometry.points as i8;
        let mut sure = 2 * safe.count_ones() as i8 - points;
        let mut most = points - 2 * against.count_ones() as i8;
        // Dead stones are not yet off the board for who ends the game now.
        if position.passed && to_prove {
            most = most.max(passed_score);
        } else if position.passed {
            sure = sure.min(passed_score);
        }
        if sure >= target {
            return Proof::of(sure);
        }
        if most < target || budget <= 0 || !to_prove && budget <= 1 {
            return FAILED;
        }
        let before = self.nodes;
        let settled = own_safe | other_safe;
        let proof = if to_prove {
            self.prove_by_one::<ENDLESS>(position, symmetry, budget, ply, best, settled)
        } else {
            self.prove_against_all::<ENDLESS>(
                position,
                symmetry,
                budget,
                ply,
                best,
                settled,
                passed_score,
            )
        };
        if self.stopped {
            return if proof.0.value >= target && proof.0.leans_on == NO_PLY {
                proof.0
            } else {
                FAILED
            };
        }
        let (proof, best) = proof;
        if ply == 0 {
            self.root_best = best;
        }
        let effort = 63 - (self.nodes - before + 1).leading_zeros() as u8;
        let image = if best == NO_MOVE { best } else { geometry.image[symmetry][best as usize] };
        let key = if ENDLESS { self.endless_key(key) } else { key };
        let known = if ENDLESS { known_endless } else { self.table.get(key).or(known) };
        let mut entry = known.unwrap_or_else(|| Entry::unknown(geometry.points));
        self.store::<ENDLESS>(&mut entry, proof, ply, budget, sure, most);
        entry.best = image;
        entry.effort = entry.effort.max(effort);
        self.table.put(key, entry);
        if proof.leans_on >= ply as u8 { Proof::of(proof.value) } else { proof }
    }

    #[inline(always)]
    fn store<const ENDLESS: bool>(
        &self,
        entry: &mut Entry,
        proof: Proof,
        ply: usize,
        budget: i32,
        sure: i8,
        most: i8,
    ) {
        let Claim { prover, target, .. } = self.claim;
        if proof.value >= target {
            // A proof that leans on earlier positions holds behind them alone.
            if proof.leans_on >= ply as u8 {
                self.raise(entry, proof.value);
            }
        } else {
            entry.set_failed(prover, target, budget);
        }
        if !ENDLESS {
            self.raise(entry, sure);
            self.cap(entry, most);
        }
    }

    /// The prover is to move: one move that reaches the target is enough.
    fn prove_by_one<const ENDLESS: bool>(
        &mut self,
        position: &Position,
        symmetry: usize,
        budget: i32,
        ply: usize,
        best: u8,
        settled: u32,
    ) -> (Proof, u8) {
        if budget == 1 {
            return self.prove_at_once(position);
        }
        let mut list = MoveList::new();
        self.list(position, symmetry, ply, best, settled, true, budget, &mut list);
        if !ENDLESS {
            for index in 0..list.len {
                let child = &mut list.children[index];
                if let Some(entry) = self.table.get(child.key) {
                    if self.lower(&entry) >= self.claim.target {
                        return (Proof::of(self.lower(&entry)), child.point);
                    }
                    child.order =
                        child.order.saturating_add(i32::from(entry.effort) * self.knob[6]);
                }
            }
        }
        for index in 0..list.len {
            let child = list.next(index);
            let mut cost = if child.wasted { 3 } else { 1 };
            cost +=
                i32::from(index as i32 >= self.knob[4]) + i32::from(index as i32 >= self.knob[5]);
            if budget < cost {
                continue;
            }
            let proof = self.descend::<ENDLESS>(&child, budget - cost, ply);
            if proof.value >= self.claim.target {
                self.reward(position, ply, child.point, budget);
                return (proof, child.point);
            }
            if self.stopped {
                break;
            }
        }
        (FAILED, NO_MOVE)
    }

    /// One move after which the target is certain without search.
    fn prove_at_once(&mut self, position: &Position) -> (Proof, u8) {
        let geometry = self.geometry;
        for point in each(position.empty(geometry) & !position.ko) {
            let Some((after, _)) = position.play(geometry, point) else { continue };
            self.nodes += 1;
            let safe = safe_points(geometry, after.other, after.own);
            let sure = 2 * safe.count_ones() as i8 - geometry.points as i8;
            if sure >= self.claim.target {
                return (Proof::of(sure), point);
            }
        }
        (FAILED, NO_MOVE)
    }

    /// The other player is to move: every move must leave the target.
    fn prove_against_all<const ENDLESS: bool>(
        &mut self,
        position: &Position,
        symmetry: usize,
        budget: i32,
        ply: usize,
        best: u8,
        settled: u32,
        passed_score: i8,
    ) -> (Proof, u8) {
        let mut list = MoveList::new();
        self.list(position, symmetry, ply, best, settled, false, budget, &mut list);
        let mut worst = Proof::of(passed_score);
        let mut worst_point = if position.passed { PASS } else { NO_MOVE };
        if budget >= 2 && !ENDLESS {
            for index in 0..list.len {
                let child = &mut list.children[index];
                if let Some(entry) = self.table.get(child.key) {
                    let target = self.claim.target;
                    let rest = budget - i32::from(!child.wasted);
                    if self.upper(&entry) < target
                        || self.lower(&entry) < target
                            && entry.has_failed(self.claim.prover, target, rest)
                    {
                        return (FAILED, child.point);
                    }
                    child.order =
                        child.order.saturating_add(i32::from(entry.effort) * self.knob[7]);
                }
            }
        }
        for index in 0..list.len {
            let child = list.next(index);
            let rest = budget - i32::from(!child.wasted);
            let proof = self.descend::<ENDLESS>(&child, rest, ply);
            if proof.value < self.claim.target {
                if !self.stopped {
                    self.reward(position, ply, child.point, budget);
                }
                return (FAILED, child.point);
            }
            if proof.value < worst.value {
                worst.value = proof.value;
                worst_point = child.point;
            }
            worst.leans_on = worst.leans_on.min(proof.leans_on);
        }
        (worst, worst_point)
    }

    #[inline(always)]
    fn descend<const ENDLESS: bool>(&mut self, child: &Child, budget: i32, ply: usize) -> Proof {
        self.captures[ply + 1] = self.captures[ply] + u16::from(child.captured);
        self.prove::<ENDLESS>(&child.position, child.key, child.symmetry as usize, budget, ply + 1)
    }

    #[inline(always)]
    fn reward(&mut self, position: &Position, ply: usize, point: u8, budget: i32) {
        let killers = &mut self.killers[ply];
        if killers[0] != point {
            killers[1] = killers[0];
            killers[0] = point;
        }
        let history = &mut self.history[usize::from(position.black_to_play)][point as usize];
        *history += (budget * budget) as u32;
        if *history > 1 << 24 {
            for history in self.history.iter_mut().flatten() {
                *history /= 2;
            }
        }
    }

    #[inline(always)]
    fn merit(&self, after: &Position) -> i32 {
        let g = self.geometry;
        let empty = after.empty(g);
        let mine = after.other;
        let theirs = after.own;
        let l1 = g.neighbors(mine) & empty;
        let t1 = g.neighbors(theirs) & empty;
        let l2 = g.neighbors(l1) & empty & !l1;
        let t2 = g.neighbors(t1) & empty & !t1;
        let libs = l1.count_ones() as i32 - t1.count_ones() as i32;
        let libs2 = l2.count_ones() as i32 - t2.count_ones() as i32;
        self.knob[2] * libs + self.knob[3] * libs2
    }

    #[allow(clippy::too_many_arguments)]
    fn list(
        &mut self,
        position: &Position,
        symmetry: usize,
        ply: usize,
        best: u8,
        settled: u32,
        to_prove: bool,
        _budget: i32,
        list: &mut MoveList,
    ) {
        let geometry = self.geometry;
        let best = self.unturned(best, symmetry);
        let killers = self.killers[ply];
        let history = &self.history[usize::from(position.black_to_play)];
        let candidates = position.empty(geometry) & !position.ko;
        for point in each(candidates) {
            let Some((after, captured)) = position.play(geometry, point) else { continue };
            let stone = 1_u32 << point;
            let around = geometry.neighbors(stone);
            let mut wasted = settled & stone != 0;
            if to_prove && captured == 0 && around & !position.own == 0 {
                wasted = true;
            }
            let mut order = (history[point as usize] >> self.knob[0]) as i32;
            if captured != 0 {
                order += 1 << 22;
            }
            order += self.knob[1] * self.merit(&after);
            if point == killers[0] {
                order += 1 << 25;
            } else if point == killers[1] {
                order += 1 << 24;
            }
            if wasted {
                order -= 1 << 28;
            }
            if point == best {
                order = i32::MAX;
            }
            let (key, turned) = after.canonical_key(geometry);
            list.push(Child {
                position: after,
                key,
                symmetry: turned as u8,
                point,
                captured: captured != 0,
                wasted,
                order,
            });
        }
        if !position.passed {
            let after = position.pass();
            let (key, turned) = after.canonical_key(geometry);
            list.push(Child {
                position: after,
                key,
                symmetry: turned as u8,
                point: PASS,
                captured: false,
                wasted: false,
                order: if best == PASS { i32::MAX } else { -(1 << 27) },
            });
        }
    }
}

/// The moves of one position, sorted as far as they are asked for.
struct MoveList {
    children: [Child; MAX_POINTS + 1],
    len: usize,
}

impl MoveList {
    #[inline(always)]
    fn new() -> Self {
        let position = Position { own: 0, other: 0, ko: 0, black_to_play: false, passed: false };
        let child = Child {
            position,
            key: 0,
            symmetry: 0,
            point: 0,
            captured: false,
            wasted: false,
            order: 0,
        };
        Self { children: [child; MAX_POINTS + 1], len: 0 }
    }

    #[inline(always)]
    fn push(&mut self, child: Child) {
        self.children[self.len] = child;
        self.len += 1;
    }

    /// The move that comes next in order.
    #[inline(always)]
    fn next(&mut self, index: usize) -> Child {
        let mut best = index;
        for at in index + 1..self.len {
            if self.children[at].order > self.children[best].order {
                best = at;
            }
        }
        self.children.swap(index, best);
        self.children[index]
    }
}
