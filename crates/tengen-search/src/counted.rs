//! What a search has found in the middle of its work: each visit stands for a result.

use super::root_move::RootMove;
use super::search::SearchView;
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
            self.simulations -= unfinished;
            self.depth_sum -= unfinished * path.len() as u64;
            self.pending[place].path = path;
        }
        self.pending.retain(|pending_leaf| pending_leaf.count > 0);
        self.has_ended = true;
        self.count_due_results();
    }

    /// What the search has found so far: see [`Search::view`](super::Search::view).
    pub(super) fn counted_view(&self) -> SearchView<'_> {
        let mut moves = RootMove::all(&self.tree, &self.scores);
        let (mut simulations, mut depth_sum) = (self.simulations, self.depth_sum);
        for pending_leaf in &self.pending {
            let missing = u64::from(pending_leaf.missing);
            let own = self.own_reward(pending_leaf);
            simulations -= missing;
            depth_sum -= missing * pending_leaf.path.len() as u64;
            if let Some(&first) = pending_leaf.path.first() {
                let root_move = &mut moves[usize::from(first)];
                root_move.visits -= missing;
                root_move.reward += own;
                self.add_scores(pending_leaf, &mut root_move.scores);
            }
        }
        moves.retain(|root_move| root_move.visits > 0);
        SearchView {
            moves,
            tree: &self.tree,
            simulations,
            depth_sum,
            max_depth: self.max_depth,
            was_full: self.was_full,
        }
    }
}
