//! What one search has found, while it runs and after its end.

use super::report::SearchCounts;
use super::root_move::RootMove;
use super::score_sum::ScoreSum;
use super::select::Improved;
use super::tree::Tree;

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
