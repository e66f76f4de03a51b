//! One simulation of a search, noted while the search makes it: selection, expansion, playout and
//! back-up.
//!
//! The search notes each step where it happens, by calls in `descend`, in `begin_leaf` and beside
//! `back_up`. Other simulations only check that they need not be noted.

use super::opened::OpenedNode;
use super::pending_leaf::{LeafOutcome, PendingLeaf};
use super::tree::{Node, Proof, Tree};
use super::uct::UctSearch;
use tengen_go::{Board, Color, Move, Score};
use tengen_playout::{Ending, Job, Playout, scalar};
use tengen_stats::seed::mix;

/// What one simulation of a search did.
#[derive(Clone, Debug, PartialEq)]
pub struct TracedSimulation {
    /// The number of the simulation in its search, from 0.
    pub number: u64,
    /// The nodes that selected, from the root on, each with its ranking of the moves.
    pub selections: Vec<OpenedNode>,
    /// The moves from the root to the leaf.
    pub path: Vec<Move>,
    /// Whether the simulation added the leaf to the tree.
    pub is_new: bool,
    /// The visits of the leaf before the simulation.
    pub leaf_visits: u32,
    /// How the simulation ended.
    pub outcome: Outcome,
    /// Number of simulations from the leaf, by `leaf_playouts`, which are backed up together.
    pub count: u32,
    /// The sum of the rewards of these simulations, for the player to move at the root.
    pub reward: f64,
    /// The back-up, from the leaf to the root.
    pub back_up: Vec<BackedUpNode>,
}

/// How a simulation ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// By a playout.
    Playout(RecordedPlayout),
    /// By the value of an evaluator, for the player to move at the leaf.
    Evaluation(f64),
    /// The game was over at the leaf, with this score before komi.
    Over(Score),
    /// The result of the leaf was proven, for the player who moved there.
    Proven(Proof),
}

/// The playout of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedPlayout {
    /// The seed of the playout.
    pub seed: u64,
    /// The player who moves first in the playout.
    pub to_play: Color,
    /// The score that the search received, before komi.
    pub score: Score,
    /// The number of plies of the playout that the search received.
    pub plies: u32,
    /// Why the playout ended.
    pub ending: Ending,
    /// The moves of the playout: the scalar form plays the same job again.
    pub moves: Vec<Move>,
}

/// A node to which a result was backed up. [`Counts`] hold rewards of the player who moved to the
/// node; at the root, of the opponent of the player to move.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct BackedUpNode {
    /// The move to the node; none at the root.
    #[serde(rename = "move")]
    pub mv: Option<Move>,
    /// The visits and rewards of the node without the simulation.
    pub before: Counts,
    /// The visits and rewards of the node with the simulation.
    pub after: Counts,
}

/// Visits and the sum of their rewards.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Counts {
    /// The visits.
    pub visits: u32,
    /// The sum of the rewards.
    pub reward: f64,
}

/// A simulation that is to be noted, and what has been noted of it.
#[derive(Debug)]
pub(super) struct Trace {
    pub(super) noted: TracedSimulation,
    /// Whether the simulation is backed up.
    pub(super) is_done: bool,
}

impl Trace {
    /// The empty trace of the simulation `number`.
    pub(super) const fn of(number: u64) -> Self {
        let noted = TracedSimulation {
            number,
            selections: Vec::new(),
            path: Vec::new(),
            is_new: false,
            leaf_visits: 0,
            outcome: Outcome::Evaluation(0.5),
            count: 0,
            reward: 0.0,
            back_up: Vec::new(),
        };
        Self { noted, is_done: false }
    }
}

impl<const W: usize> UctSearch<W> {
    /// Whether the next leaf is the one whose simulation is to be noted.
    #[inline]
    pub(super) fn traces_next(&self) -> bool {
        self.trace.is_some() && self.is_of_trace(self.counts.simulations, self.config.leaf_playouts)
    }

    /// Whether the simulation to be noted is one of this leaf.
    #[inline]
    pub(super) fn is_traced(&self, leaf: &PendingLeaf<W>) -> bool {
        self.trace.is_some() && self.is_of_trace(leaf.first, leaf.count)
    }

    /// Whether the simulation to be noted is one of the `count` from `first` on.
    #[cold]
    fn is_of_trace(&self, first: u64, count: u32) -> bool {
        let range = first..first + u64::from(count);
        self.trace.as_ref().is_some_and(|trace| range.contains(&trace.noted.number))
    }

    /// Notes the selection at the last of `nodes`, whose position is `board`.
    #[cold]
    pub(super) fn trace_selection(&mut self, board: &Board<W>) {
        let draws = self.config.selection.beta(0, 0.0).is_some();
        let opened = self.read_node(board, draws);
        if let Some(trace) = &mut self.trace {
            trace.noted.selections.push(opened);
        }
    }

    /// Notes the leaf, the last of `nodes`, before its visit is counted.
    #[cold]
    pub(super) fn trace_leaf(&mut self) {
        let path: Vec<Move> = self.nodes.iter().skip(1).map(|&node| self.tree.mv(node)).collect();
        let leaf_visits = self.tree.visits(self.nodes[self.nodes.len() - 1]);
        if let Some(Trace { noted, .. }) = self.trace.as_deref_mut() {
            noted.is_new = leaf_visits == 0 && !path.is_empty();
            (noted.path, noted.leaf_visits) = (path, leaf_visits);
        }
    }

    /// Notes the nodes of the leaf's path before its results are backed up.
    #[cold]
    pub(super) fn trace_before(&mut self, leaf: &PendingLeaf<W>) {
        self.find_nodes(&leaf.path);
        let before = self.nodes.iter().map(|&node| {
            let Counts { visits, reward } = self.counts(node);
            let mv = (node != Tree::ROOT).then(|| self.tree.mv(node));
            let before = Counts { visits: visits - leaf.count, reward };
            BackedUpNode { mv, before, after: Counts::default() }
        });
        let before = before.rev().collect();
        if let Some(trace) = &mut self.trace {
            trace.noted.back_up = before;
        }
    }

    fn counts(&self, node: Node) -> Counts {
        Counts { visits: self.tree.visits(node), reward: self.tree.reward(node) }
    }

    /// Notes the nodes of the leaf's path after its results are backed up.
    #[cold]
    pub(super) fn trace_after(&mut self, leaf: &PendingLeaf<W>) {
        let Some(mut trace) = self.trace.take() else { return };
        self.find_nodes(&leaf.path);
        for (backed_up, &node) in trace.noted.back_up.iter_mut().zip(self.nodes.iter().rev()) {
            backed_up.after = self.counts(node);
        }
        trace.noted.outcome = self.outcome_of(leaf, trace.noted.number);
        (trace.noted.count, trace.noted.reward) = (leaf.count, self.own_reward(leaf));
        trace.is_done = true;
        self.trace = Some(trace);
    }

    /// How the simulation `number`, one of this leaf, ended.
    fn outcome_of(&self, leaf: &PendingLeaf<W>, number: u64) -> Outcome {
        let place = usize::try_from(number - leaf.first).unwrap_or(usize::MAX);
        match (leaf.outcome, leaf.results.get(place).copied().flatten()) {
            (LeafOutcome::Terminal(score), _) => Outcome::Over(score),
            (LeafOutcome::Proven(proof), _) => Outcome::Proven(proof),
            (LeafOutcome::Playouts, Some(Playout { score, plies, ending, .. })) => {
                let (to_play, seed) = (leaf.leaf.to_play(), mix(self.seed, number));
                let job = Job { start: leaf.leaf, seed };
                let (_, moves) = scalar::record(self.config.playout_config(self.rules.komi), &job);
                Outcome::Playout(RecordedPlayout { seed, to_play, score, plies, ending, moves })
            }
            _ => {
                let value = leaf.evaluation.as_ref().and_then(|evaluation| evaluation.value);
                Outcome::Evaluation(value.unwrap_or(0.5))
            }
        }
    }
}
