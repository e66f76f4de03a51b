//! The mean of all results, of whatever child.

use crate::tree::{Node, Tree};

/// [`BackUp::count`](super::BackUp::count): adds `reward` to the rewards of `node`.
#[inline]
pub fn count(tree: &mut Tree, node: Node, reward: f64) {
    tree.reward_with(node, reward);
}
