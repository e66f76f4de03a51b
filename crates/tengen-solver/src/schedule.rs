//! The order of questions: which claim is tried next, and how deep.

use crate::answer::Bounds;
use crate::claim::{Claim, Proved};

/// Largest budget of a search, in plies.
const MAX_BUDGET: i32 = 200;

/// One series of searches of growing budget.
#[derive(Clone, Copy, Debug)]
struct Task {
    prover: usize,
    endless: bool,
    /// Asks for the best that is not yet excluded; else for one point more
    /// than is proved.
    ambitious: bool,
    /// What a node costs in the comparison of tasks.
    weight: u64,
    spent: u64,
    budget: i32,
}

/// The bounds of the two values of a position, and the claims that narrow them.
pub(crate) struct Schedule {
    pub(crate) worst: Bounds,
    pub(crate) best: Bounds,
    tasks: Vec<Task>,
}

/// A claim to search for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    pub(crate) claim: Claim,
    pub(crate) budget: i32,
    task: usize,
}

impl Schedule {
    /// Begins with `bounds`. `endless` says whether games can be endless.
    pub(crate) fn new(bounds: Bounds, black_to_play: bool, endless: bool) -> Self {
        let mut tasks = Vec::new();
        for prover in [0, 1] {
            let moves = (prover == 0) == black_to_play;
            for endless in [false, true].into_iter().take(1 + usize::from(endless)) {
                for ambitious in [true, false] {
                    let weight = match (endless, ambitious, moves) {
                        (false, true, true) => 1,
                        (false, _, _) => 4,
                        (true, _, _) => 8,
                    };
                    tasks.push(Task { prover, endless, ambitious, weight, spent: 0, budget: 1 });
                }
            }
        }
        Self { worst: bounds, best: bounds, tasks }
    }

    /// The claim of a task, from the prover's view; `None` if the task has
    /// nothing left to prove.
    fn claim(&self, task: &Task) -> Option<Claim> {
        // Black without endless games, and White with them, work on the worst value.
        let bounds = if (task.prover == 0) == task.endless { self.best } else { self.worst };
        if bounds.is_exact() {
            return None;
        }
        let (lower, upper) = if task.prover == 0 {
            (bounds.lower, bounds.upper)
        } else {
            (-bounds.upper, -bounds.lower)
        };
        if task.ambitious && upper == lower + 1 {
            return None;
        }
        let target = if task.ambitious { upper } else { lower + 1 };
        Some(Claim { prover: task.prover, target, endless: task.endless })
    }

    /// Whether everything is proved.
    pub(crate) fn is_done(&self) -> bool {
        self.tasks.iter().all(|task| self.claim(task).is_none())
    }

    /// The next claim to search for; `None` if what is left lies too deep.
    pub(crate) fn next(&self) -> Option<Question> {
        let open = (0..self.tasks.len()).filter_map(|task| {
            self.claim(&self.tasks[task]).map(|claim| Question {
                claim,
                budget: self.tasks[task].budget,
                task,
            })
        });
        open.filter(|question| question.budget <= MAX_BUDGET)
            .min_by_key(|question| self.tasks[question.task].spent)
    }

    /// Takes in the result of a search for `question` that took `nodes`.
    pub(crate) fn update(&mut self, question: Question, proved: Option<Proved>, nodes: u64) {
        let task = &mut self.tasks[question.task];
        task.spent += nodes * task.weight;
        let Some(proved) = proved else {
            task.budget += 1;
            return;
        };
        let Claim { prover, endless, .. } = question.claim;
        if prover == 0 {
            self.best.lower = self.best.lower.max(proved.value);
            if !endless {
                self.worst.lower = self.worst.lower.max(proved.value);
            }
        } else {
            self.worst.upper = self.worst.upper.min(-proved.value);
            if !endless {
                self.best.upper = self.best.upper.min(-proved.value);
            }
        }
    }
}
