//! Copies of a tree: the subtree of a node.

use super::Tree;
use super::blocks::slots_for;
use crate::node::Node;
use std::collections::VecDeque;

impl Tree {
    /// A copy of the subtree of `top`, which becomes the root.
    #[must_use]
    pub fn below(&self, top: Node) -> Self {
        let mut copy = Self::new(self.extras());
        copy.slots.copy_from(&self.slots, top, Self::ROOT);
        let mut waiting = VecDeque::from([(top, Self::ROOT)]);
        while let Some((source, node)) = waiting.pop_front() {
            let children = self.children(source);
            if children.is_empty() {
                continue;
            }
            let count = children.len();
            // A node that may get more children needs a block of one of the sizes.
            let slots = if self.is_complete(source) { count } else { slots_for(count) };
            let first = copy.slots.append(slots);
            copy.slots.headers[node].set_children(first, count);
            if self.extras().amaf {
                copy.slots.amaf.copy_from(&self.slots.amaf, source, node);
            }
            copy.nodes += count;
            for (child, copied) in children.zip(first..) {
                copy.slots.copy_from(&self.slots, child, copied);
                waiting.push_back((child, copied));
            }
        }
        copy
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{play, sample};
    use super::*;

    #[test]
    fn a_copy_below_keeps_what_was_counted() {
        let tree = sample();
        let below = tree.below(2);
        assert_eq!(below.len(), 4);
        assert_eq!((below.visits(0), below.reward(0)), (tree.visits(2), tree.reward(2)));
        let child = below.child(Tree::ROOT, play("D1")).unwrap();
        assert_eq!((below.visits(child), below.reward(child)), (3, 1.5));
        assert_eq!(below.principal_variation(Tree::ROOT), [play("D1"), play("E1")]);
    }
}
