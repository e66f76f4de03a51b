//! The index of a node of the tree.

/// A node, as the index of its slot in a [`Tree`](super::tree::Tree). The index may change when the
/// node's parent gets another child. The path from the root does not change: at each node the
/// number of the child among its siblings.
pub type Node = usize;
