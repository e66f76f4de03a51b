//! The last move of a proof, after which the target is certain without search.

use super::{FAILED, Proof, Prover};
use crate::geometry::{PASS, each};
use crate::life::safe_points;
use crate::position::Position;
use crate::table::NO_MOVE;

impl Prover<'_> {
    /// The points that the player to move may try, the killer first.
    #[inline(always)]
    fn killer_first(&self, position: &Position, ply: usize) -> impl Iterator<Item = u8> + use<> {
        let candidates = position.empty(self.geometry) & !position.ko;
        let killer = self.order.killers[ply][0];
        let first = if killer < PASS { candidates & 1 << killer } else { 0 };
        each(first).chain(each(candidates & !first))
    }

    /// One move after which the target is certain without search.
    pub(super) fn prove_at_once(&mut self, position: &Position, ply: usize) -> (Proof, u8) {
        let geometry = self.geometry;
        for point in self.killer_first(position, ply) {
            let Some((after, _)) = position.play(geometry, point) else { continue };
            if self.meter.count() {
                break;
            }
            let safe = safe_points(geometry, after.other, after.own);
            let sure = 2 * safe.count_ones() as i8 - geometry.points as i8;
            if sure >= self.claim.target {
                self.order.killers[ply][0] = point;
                return (Proof::of(sure), point);
            }
        }
        (FAILED, NO_MOVE)
    }

    /// The other player is to move, and the prover must be certain of the
    /// target one move later.
    pub(super) fn prove_against_all_at_once(
        &mut self,
        position: &Position,
        ply: usize,
        passed_score: i8,
    ) -> (Proof, u8) {
        let geometry = self.geometry;
        let mut worst = Proof::of(passed_score);
        let mut worst_point = if position.passed { PASS } else { NO_MOVE };
        if !position.passed {
            let (proof, _) = self.prove_at_once(&position.pass(), ply + 1);
            if proof.value < self.claim.target {
                return (FAILED, PASS);
            }
            worst = proof;
            worst_point = PASS;
        }
        for point in self.killer_first(position, ply) {
            let Some((after, _)) = position.play(geometry, point) else { continue };
            let (proof, _) = self.prove_at_once(&after, ply + 1);
            if proof.value < self.claim.target {
                self.order.killers[ply][0] = point;
                return (FAILED, point);
            }
            if proof.value < worst.value {
                worst = proof;
                worst_point = point;
            }
        }
        (worst, worst_point)
    }
}
