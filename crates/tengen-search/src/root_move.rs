//! The statistics of a search at its root, move by move.

use super::score_sum::ScoreSum;
use super::tree::{Proof, Tree};
use tengen_go::Move;

/// The statistics of one move at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Number of visits: simulations that began with it, those of a kept tree
    /// included.
    pub visits: u64,
    /// Sum of the rewards of the player to move: 1 for a win, ½ for jigo.
    pub reward: f64,
    /// The scores of the playouts of this search through it.
    pub scores: ScoreSum,
    /// The proven result of the move for the player to move, if a worker has proven one.
    pub proof: Option<Proof>,
}

impl RootMove {
    /// The statistics of all children of the root of `tree`, whose scores are `scores`.
    pub(super) fn all(tree: &Tree, scores: &[ScoreSum]) -> Vec<Self> {
        let scores = scores.iter().copied().chain(std::iter::repeat(ScoreSum::default()));
        let children = tree.children(Tree::ROOT).zip(scores);
        let root_move = |(child, scores)| Self {
            mv: tree.mv(child),
            visits: tree.visits(child).into(),
            reward: tree.reward(child),
            scores,
            proof: tree.proof(child),
        };
        children.map(root_move).collect()
    }

    /// The mean reward of the player to move, 0 to 1; none without visits.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        (self.visits > 0).then(|| self.reward / self.visits as f64)
    }
}
