//! How a node of the tree is named.

/// A node's slot in the arena of a [`Tree`](super::tree::Tree). It holds until the
/// node's parent gets another child; a node is known for longer by the numbers of
/// children that lead to it from the root.
pub type Node = usize;
