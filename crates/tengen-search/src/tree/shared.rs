//! Counts that were added to a node from another tree, and are taken off again.

use super::Tree;
use crate::node::Node;

impl Tree {
    /// Takes `visits` visits and the sum of their rewards off `node`.
    pub fn take_back(&mut self, node: Node, visits: u32, reward: f64) {
        self.slots.visits[node] -= visits;
        self.slots.rewards[node] -= reward;
    }
}
