//! Epochs: the child that a node selects again without a comparison, and how often.
//!
//! ```text
//! selections left: 23 bits | number of the child among its siblings: 9 bits
//! ```

use super::Tree;
use crate::column::Node;

/// The number of bits of a child's number.
const NUMBER: u32 = 9;

/// The longest epoch.
const LONGEST: u32 = u32::MAX >> NUMBER;

impl Tree {
    /// The child of `node` whose epoch has selections left; none if no epoch is under way.
    #[inline]
    #[must_use]
    pub fn in_epoch(&self, node: Node) -> Option<Node> {
        let epoch = self.slots.epochs[node];
        let number = (epoch & ((1 << NUMBER) - 1)) as usize;
        (epoch >> NUMBER > 0).then(|| self.children(node).start + number)
    }

    /// Takes one selection off the epoch at `node`, which has at least one left.
    #[inline]
    pub fn use_epoch(&mut self, node: Node) {
        self.slots.epochs[node] -= 1 << NUMBER;
    }

    /// Begins an epoch at `node`: its child of this number will be selected `length` times more.
    ///
    /// # Panics
    /// If the number is not below 512.
    #[inline]
    pub fn begin_epoch(&mut self, node: Node, number: usize, length: u32) {
        assert!(number < 1 << NUMBER, "at most 362 children");
        #[allow(clippy::cast_possible_truncation)] // just checked
        let number = number as u32;
        self.slots.epochs[node] = length.min(LONGEST) << NUMBER | number;
    }
}
