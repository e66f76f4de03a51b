//! Walks through a tree: a child by its move, all nodes, the principal variation.

use super::Tree;
use crate::node::Node;
use std::collections::VecDeque;
use tengen_go::Move;

impl Tree {
    /// The child of `node` for the move `wanted`, if it is in the tree.
    #[must_use]
    pub fn child(&self, node: Node, wanted: Move) -> Option<Node> {
        self.children(node).find(|&child| self.mv(child) == wanted)
    }

    /// All nodes in breadth-first order.
    pub fn nodes(&self) -> impl Iterator<Item = Node> {
        let mut waiting = VecDeque::from([Self::ROOT]);
        std::iter::from_fn(move || {
            let node = waiting.pop_front()?;
            waiting.extend(self.children(node));
            Some(node)
        })
    }

    /// The most visited line from `node`, down to a node without visited
    /// children; ties go to the child that came first.
    #[must_use]
    pub fn principal_variation(&self, node: Node) -> Vec<Move> {
        let mut line = Vec::new();
        let mut at = node;
        while let Some(best) = self
            .children(at)
            .rev()
            .max_by_key(|&child| self.visits(child))
            .filter(|&child| self.visits(child) > 0)
        {
            line.push(self.mv(best));
            at = best;
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{play, sample};
    use super::*;

    #[test]
    fn principal_variation_follows_visits() {
        assert_eq!(sample().principal_variation(Tree::ROOT), [play("B1"), play("D1"), play("E1")]);
        assert!(Tree::default().principal_variation(Tree::ROOT).is_empty());
    }
}
