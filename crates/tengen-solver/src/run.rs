//! One solution: its limits, and the results of its searches.

use crate::answer::SolveEnd;
use crate::claim::{Meter, Proved};
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
    /// Best proved values of the player to move: without endless games, and with them.
    pub(crate) held: [i8; 2],
}

/// The result of one search.
pub(crate) struct Searched {
    pub(crate) proved: Option<Proved>,
    /// Positions examined.
    pub(crate) nodes: u64,
    /// Whether the search gave up.
    pub(crate) stopped: bool,
}

impl Run {
    /// Asks `search` one question after the other until everything is proved or a limit is reached.
    /// Returns why the solution ended, and the number of positions examined.
    pub(crate) fn ask(
        &mut self,
        watch: &mut dyn Watch,
        mut search: impl FnMut(&mut Self, Question, Meter<'_>) -> Searched,
    ) -> (SolveEnd, u64) {
        let mut nodes = 0;
        while !self.schedule.is_done() {
            let Some(question) = self.schedule.next() else { return (SolveEnd::Depth, nodes) };
            let Limits { nodes: limit, time } = self.limits;
            let meter = Meter {
                nodes: 0,
                stopped: false,
                limit: limit.map_or(u64::MAX, |limit| limit.saturating_sub(nodes)),
                deadline: time.and_then(|time| self.start.checked_add(time)),
                interrupted: &|| watch.is_interrupted(),
                next_look: 0,
            };
            let Searched { proved, nodes: spent, stopped } = search(self, question, meter);
            nodes += spent;
            self.note(question, proved, spent, nodes, watch);
            if stopped && !self.schedule.is_done() {
                let end = if limit.is_some_and(|limit| nodes >= limit) {
                    SolveEnd::Nodes
                } else if time.is_some_and(|limit| self.start.elapsed() >= limit) {
                    SolveEnd::Time
                } else {
                    SolveEnd::Interrupted
                };
                return (end, nodes);
            }
        }
        (SolveEnd::Solved, nodes)
    }

    /// Takes in the result of a search.
    fn note(
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
