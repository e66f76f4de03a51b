//! The order of questions: which claim is tried next, and how deep.

use crate::answer::Bounds;
use crate::claim::{Claim, Proved};

/// Largest budget of a search, in plies.
const MAX_BUDGET: i32 = 200;

/// The score that a task asks for, from the prover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aim {
    /// The best score that is not yet excluded.
    Highest,
    /// One point more than is proved.
    OneMore,
    /// This score.
    Score(i8),
}

/// One series of searches of growing budget.
#[derive(Clone, Copy, Debug)]
struct Task {
    prover: usize,
    endless: bool,
    aim: Aim,
    /// The cost of a node in the comparison of tasks.
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
                for aim in [Aim::Highest, Aim::OneMore] {
                    let weight = match (endless, aim, moves) {
                        (false, Aim::Highest, true) => 1,
                        (false, _, _) => 4,
                        (true, _, _) => 8,
                    };
                    tasks.push(Task { prover, endless, aim, weight, spent: 0, budget: 1 });
                }
            }
        }
        Self { worst: bounds, best: bounds, tasks }
    }

    /// Begins with `bounds`, and works on one claim alone: that `prover` reaches
    /// `score`, from that player's view, without endless games.
    pub(crate) fn for_one(bounds: Bounds, prover: usize, score: i8) -> Self {
        let aim = Aim::Score(score);
        let task = Task { prover, endless: false, aim, weight: 1, spent: 0, budget: 1 };
        Self { worst: bounds, best: bounds, tasks: vec![task] }
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
        let target = match task.aim {
            Aim::Highest if upper == lower + 1 => return None,
            Aim::Highest => upper,
            Aim::OneMore => lower + 1,
            Aim::Score(score) if score <= lower || score > upper => return None,
            Aim::Score(score) => score,
        };
        Some(Claim { prover: task.prover, target, endless: task.endless })
    }

    /// Whether everything is proved.
    pub(crate) fn is_done(&self) -> bool {
        self.tasks.iter().all(|task| self.claim(task).is_none())
    }

    /// The next claim to search for; `None` if all that are left lie too deep.
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
