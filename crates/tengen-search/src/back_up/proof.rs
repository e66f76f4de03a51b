//! Back-up of proven results.

use crate::pending_leaf::{LeafOutcome, PendingLeaf};
use crate::tree::{Node, Proof};
use crate::uct::UctSearch;

impl<const W: usize> UctSearch<W> {
    /// Backs up proven results (Winands, Björnsson and Saito, "Monte-Carlo tree search
    /// solver", 2008): a node is lost for the player who moved there if a move from it is
    /// a proven win, and won if all moves from it are proven losses. Without the setting
    /// `own_eyes`, moves that fill an own eye are not in the tree: a proof then ignores them.
    pub(super) fn back_up_proof(&mut self, pending_leaf: &PendingLeaf<W>) {
        if let LeafOutcome::Terminal(score) = pending_leaf.outcome {
            let leaf = self.nodes[self.nodes.len() - 1];
            let mover = self.player_at(pending_leaf.path.len() + 1);
            match (score - self.rules.komi).winner() {
                Some(winner) if winner == mover => self.tree.prove(leaf, Proof::Win),
                Some(_) => self.tree.prove(leaf, Proof::Loss),
                // Jigo is neither, and proves nothing above it.
                None => return,
            }
        }
        for place in (0..self.nodes.len().saturating_sub(1)).rev() {
            let node = self.nodes[place];
            if self.tree.proof(self.nodes[place + 1]).is_none() {
                return;
            }
            match self.proof_from_children(node) {
                Some(proof) if self.tree.proof(node).is_none() => self.tree.prove(node, proof),
                _ => return,
            }
        }
    }

    /// The result of `node` for the player who moved there, if its children prove one.
    fn proof_from_children(&self, node: Node) -> Option<Proof> {
        let children = self.tree.children(node);
        if children.clone().any(|child| self.tree.proof(child) == Some(Proof::Win)) {
            return Some(Proof::Loss);
        }
        let all_lose = self.tree.is_complete(node)
            && children.into_iter().all(|child| self.tree.proof(child) == Some(Proof::Loss));
        all_lose.then_some(Proof::Win)
    }
}
