//! One move of the prover, all moves of the other player.

use super::moves::{Child, EFFORT, MoveList};
use super::{FAILED, Node, Proof, Prover};
use crate::geometry::PASS;
use crate::position::Position;
use crate::table::NO_MOVE;

/// Plies that the prover must have to spare if the other player passes: twice the
/// move gained, and what experiments on 4×4 and 4×5 showed.
const SPARE: i32 = 4;

/// Places in the order of moves from which on a move costs the prover one ply more.
const DEARER_FROM: [usize; 7] = [1, 2, 3, 4, 6, 8, 12];

/// The plies that the prover's move costs, the `index`-th in order: the search goes deeper
/// along the moves that look best.
fn cost(index: usize, wasted: bool) -> i32 {
    let late = DEARER_FROM.iter().filter(|&&from| index >= from).count() as i32;
    if wasted { 3 + late } else { 1 + late }
}

impl Prover<'_> {
    /// The prover is to move: one move that reaches the target is enough.
    pub(super) fn prove_by_one<const ENDLESS: bool>(&mut self, node: &Node) -> (Proof, u8) {
        let &Node { position, budget, ply, .. } = node;
        if budget == 1 || budget == 2 && !ENDLESS {
            return self.prove_at_once(position, ply);
        }
        let mut list = MoveList::new();
        self.list(node, true, &mut list);
        if !ENDLESS {
            for index in 0..list.len {
                let child = &mut list.children[index];
                if let Some(entry) = self.get(child.key) {
                    if entry.lower >= self.claim.target {
                        return (Proof::of(entry.lower), child.point);
                    }
                    child.order = child.order.saturating_add(i32::from(entry.effort) * EFFORT);
                }
            }
        }
        for index in 0..list.len {
            let child = list.next(index);
            let cost = cost(index, child.wasted);
            if budget < cost {
                continue;
            }
            let proof = self.descend::<ENDLESS>(&child, budget - cost, ply);
            if proof.value >= self.claim.target {
                self.reward(position, ply, child.point, budget);
                return (proof, child.point);
            }
            if self.meter.stopped {
                break;
            }
        }
        (FAILED, NO_MOVE)
    }

    /// The other player is to move: the prover must reach the target after every move.
    pub(super) fn prove_against_all<const ENDLESS: bool>(&mut self, node: &Node) -> (Proof, u8) {
        let &Node { position, budget, ply, passed_score, .. } = node;
        if budget <= 3 && !ENDLESS {
            return self.prove_against_all_at_once(position, ply, passed_score);
        }
        let mut list = MoveList::new();
        self.list(node, false, &mut list);
        let mut worst = Proof::of(passed_score);
        let mut worst_point = if position.passed { PASS } else { NO_MOVE };
        if budget >= 2 && !ENDLESS {
            for index in 0..list.len {
                let child = &mut list.children[index];
                if let Some(entry) = self.get(child.key) {
                    let target = self.claim.target;
                    let rest = budget - i32::from(!child.wasted);
                    if entry.upper < target
                        || entry.lower < target && entry.has_failed(self.claim.prover, target, rest)
                    {
                        return (FAILED, child.point);
                    }
                    child.order = child.order.saturating_add(i32::from(entry.effort) * EFFORT);
                }
            }
        }
        // A proof that needs nearly the whole budget after a pass would fail after better moves.
        if !position.passed && budget > SPARE + i32::from(ENDLESS) {
            let pass = list.children[list.len - 1];
            let proof = self.descend::<ENDLESS>(&pass, budget - 1 - SPARE, ply);
            if proof.value < self.claim.target {
                return (FAILED, PASS);
            }
        }
        for index in 0..list.len {
            let child = list.next(index);
            let rest = budget - i32::from(!child.wasted);
            let proof = self.descend::<ENDLESS>(&child, rest, ply);
            if proof.value < self.claim.target {
                if !self.meter.stopped {
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
        let killers = &mut self.order.killers[ply];
        if killers[0] != point {
            killers[1] = killers[0];
            killers[0] = point;
        }
        let history = &mut self.order.history[usize::from(position.black_to_play)][point as usize];
        *history += budget.unsigned_abs().pow(2);
        if *history > 1 << 24 {
            for history in self.order.history.iter_mut().flatten() {
                *history /= 2;
            }
        }
    }
}
