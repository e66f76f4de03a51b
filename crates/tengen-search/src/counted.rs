//! What a search has found in the middle of its work: each visit stands for a result.

use super::result::SearchView;
use super::root_move::RootMove;
use super::uct::UctSearch;

impl<const W: usize> UctSearch<W> {
    /// Ends the search where it stands: takes back the simulations without a result, and backs
    /// up the results of all others.
    pub(super) fn settle(&mut self) {
        for place in 0..self.pending.len() {
            let unfinished = u64::from(self.pending[place].missing);
            if unfinished == 0 {
                continue;
            }
            let pending_leaf = &mut self.pending[place];
            let visits = pending_leaf.drop_missing();
            let path = std::mem::take(&mut pending_leaf.path);
            self.find_nodes(&path);
            for &node in &self.nodes {
                self.tree.take_back(node, visits, 0.0);
            }
            self.counts.simulations -= unfinished;
            self.counts.depth_sum -= unfinished * path.len() as u64;
            self.pending[place].path = path;
        }
        self.pending.retain(|pending_leaf| pending_leaf.count > 0);
        self.has_ended = true;
        self.count_due_results();
    }

    /// What the search has found so far: see [`SearchControl::view`](super::SearchControl::view).
    pub(super) fn counted_view(&self) -> SearchView<'_> {
        let mut moves = RootMove::all(&self.tree, &self.scores);
        let mut counts = self.counts;
        for pending_leaf in &self.pending {
            let missing = u64::from(pending_leaf.missing);
            let own = self.own_reward(pending_leaf);
            counts.simulations -= missing;
            counts.depth_sum -= missing * pending_leaf.path.len() as u64;
            if let Some(&first) = pending_leaf.path.first() {
                let root_move = &mut moves[usize::from(first)];
                root_move.visits -= missing;
                root_move.reward += own;
                self.add_scores(pending_leaf, &mut root_move.scores);
            }
        }
        moves.retain(|root_move| root_move.visits > 0);
        SearchView { moves, tree: &self.tree, counts }
    }
}
