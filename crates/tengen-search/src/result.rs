//! What one search has found, while it runs and after its end.

use super::root_move::RootMove;
use super::score_sum::ScoreSum;
use super::select::Improved;
use super::tree::Tree;
use std::ops::AddAssign;

/// Counts of a search's simulations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SearchCounts {
    /// The number of simulations with a result.
    pub simulations: u64,
    /// The sum of the depths of all simulations' leaves; the root has depth 0.
    pub depth_sum: u64,
    /// The depth of the deepest leaf.
    pub max_depth: usize,
    /// Whether the search could not add a node because the tree was full.
    pub was_full: bool,
}

impl AddAssign for SearchCounts {
    fn add_assign(&mut self, other: Self) {
        self.simulations += other.simulations;
        self.depth_sum += other.depth_sum;
        self.max_depth = self.max_depth.max(other.max_depth);
        self.was_full |= other.was_full;
    }
}

/// What a search has found so far about the moves at the root. Each visit has a result: simulations
/// without a result are left out.
#[derive(Clone, Debug)]
pub struct SearchView<'a> {
    /// The moves at the root that are visited or have a share of an improved policy
    /// ([`RootMove::improved`]), in the order of the tree.
    pub moves: Vec<RootMove>,
    /// The tree, for lines of play. A simulation whose result is not backed up yet counts there as
    /// a visit without reward.
    pub tree: &'a Tree,
    /// Counts of the simulations that have a result.
    pub counts: SearchCounts,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// The tree: at least the root with the statistics of its visited moves.
    pub tree: Tree,
    /// For each child of the root, in order, the scores of this search's playouts through it;
    /// children at the end may be missing.
    pub scores: Vec<ScoreSum>,
    /// Counts of the simulations.
    pub counts: SearchCounts,
    /// The improved policy over the children of the root, in their order; empty if the formula computes none.
    pub improved: Vec<Improved>,
}

impl SearchResult {
    /// The result as a view of an ended search.
    #[must_use]
    pub fn view(&self) -> SearchView<'_> {
        let moves = RootMove::known(RootMove::all(&self.tree, &self.scores), &self.improved);
        SearchView { moves, tree: &self.tree, counts: self.counts }
    }
}
