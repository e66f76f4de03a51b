//! One solution: its limits, and what has come of its searches.

use crate::answer::SolveEnd;
use crate::claim::{Proved, Stop};
use crate::limits::{Limits, Progress, Watch};
use crate::position::Position;
use crate::schedule::{Question, Schedule};
use crate::table::NO_MOVE;
use std::time::Instant;

/// One solution in progress.
pub(crate) struct Run {
    pub(crate) schedule: Schedule,
    pub(crate) start: Instant,
    pub(crate) limits: Limits,
    pub(crate) root: Position,
    pub(crate) best_move: u8,
    /// The player to move's best proved values: without endless games, and with them.
    pub(crate) held: [i8; 2],
}

impl Run {
    pub(crate) fn next(&self) -> Result<Question, SolveEnd> {
        if self.schedule.is_done() {
            return Err(SolveEnd::Solved);
        }
        self.schedule.next().ok_or(SolveEnd::Depth)
    }

    pub(crate) fn stop<'a>(&self, spent: u64, interrupted: &'a dyn Fn() -> bool) -> Stop<'a> {
        Stop {
            nodes: self.limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(spent)),
            deadline: self.limits.time.and_then(|time| self.start.checked_add(time)),
            interrupted,
        }
    }

    pub(crate) fn stopped_by(&self, nodes: u64) -> SolveEnd {
        if self.schedule.is_done() {
            SolveEnd::Solved
        } else if self.limits.nodes.is_some_and(|limit| nodes >= limit) {
            SolveEnd::Nodes
        } else if self.limits.time.is_some_and(|limit| self.start.elapsed() >= limit) {
            SolveEnd::Time
        } else {
            SolveEnd::Interrupted
        }
    }

    /// Takes in the result of a search.
    pub(crate) fn note(
        &mut self,
        question: Question,
        proved: Option<Proved>,
        spent: u64,
        nodes: u64,
        watch: &mut dyn Watch,
    ) {
        let claim = question.claim;
        let moves = (claim.prover == 0) == self.root.black_to_play;
        if let (Some(proved), true) = (proved, moves) {
            let held = &mut self.held;
            let better = if claim.endless {
                proved.value > held[0].max(held[1])
            } else {
                proved.value > held[0]
            };
            if better && proved.best != NO_MOVE {
                self.best_move = proved.best;
            }
            let held = &mut held[usize::from(claim.endless)];
            *held = (*held).max(proved.value);
        }
        self.schedule.update(question, proved, spent);
        watch.progress(&Progress {
            depth: question.budget.unsigned_abs(),
            nodes,
            time: self.start.elapsed(),
            worst: self.schedule.worst,
            best: self.schedule.best,
        });
    }
}
