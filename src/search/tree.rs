//! The search tree as data: an arena of columns.

use crate::go::Move;
use std::ops::Range;

/// A node's place in the arena.
pub type Node = usize;

/// A tree of moves with the statistics that selection reads, in parallel
/// columns; the children of a node are neighbours in every column.
///
/// A node stands for the move that leads to it; its value is seen by the
/// player who made that move. 17 bytes a node.
#[derive(Clone, Debug)]
pub struct Tree {
    moves: Vec<Move>,
    visits: Vec<u32>,
    half_wins: Vec<u32>,
    first_child: Vec<u32>,
    child_count: Vec<u16>,
}

impl Default for Tree {
    fn default() -> Self {
        Self::new()
    }
}

impl Tree {
    /// The node of the position at hand; its move and value mean nothing.
    pub const ROOT: Node = 0;

    /// A root without children.
    #[must_use]
    pub fn new() -> Self {
        Self {
            moves: vec![Move::Pass],
            visits: vec![0],
            half_wins: vec![0],
            first_child: vec![0],
            child_count: vec![0],
        }
    }

    /// Number of nodes, the root included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Never: there is a root.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// Bytes that the columns hold, grown but unused ones included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.moves.capacity() * size_of::<Move>()
            + (self.visits.capacity() + self.half_wins.capacity() + self.first_child.capacity())
                * size_of::<u32>()
            + self.child_count.capacity() * size_of::<u16>()
    }

    /// The move that leads to `node`.
    #[inline]
    #[must_use]
    pub fn made(&self, node: Node) -> Move {
        self.moves[node]
    }

    /// How often simulations passed through `node`.
    #[inline]
    #[must_use]
    pub fn visits(&self, node: Node) -> u32 {
        self.visits[node]
    }

    /// Twice the wins of the player who moved to `node`, plus the jigos.
    #[inline]
    #[must_use]
    pub fn half_wins(&self, node: Node) -> u32 {
        self.half_wins[node]
    }

    /// The children of `node`: none before its expansion.
    #[inline]
    #[must_use]
    pub fn children(&self, node: Node) -> Range<Node> {
        let first = self.first_child[node] as usize;
        first..first + usize::from(self.child_count[node])
    }

    /// The columns that selection reads, over the given nodes: visits and half
    /// wins.
    #[inline]
    #[must_use]
    pub fn statistics(&self, nodes: Range<Node>) -> (&[u32], &[u32]) {
        (&self.visits[nodes.clone()], &self.half_wins[nodes])
    }

    /// Gives `node`, which has none, a child for each of `moves`, in order.
    ///
    /// # Panics
    /// If there are more than 2³² nodes.
    pub fn expand(&mut self, node: Node, moves: &[Move]) {
        debug_assert_eq!(self.child_count[node], 0, "a node is expanded once");
        self.first_child[node] = u32::try_from(self.len()).expect("the limit of nodes is below");
        self.child_count[node] = u16::try_from(moves.len()).expect("at most 362 moves");
        self.moves.extend_from_slice(moves);
        let grown = self.moves.len();
        self.visits.resize(grown, 0);
        self.half_wins.resize(grown, 0);
        self.first_child.resize(grown, 0);
        self.child_count.resize(grown, 0);
    }

    /// Counts a visit of `node` that brought `half_wins`, 0 to 2, to the
    /// player who moved there.
    #[inline]
    pub fn record(&mut self, node: Node, half_wins: u32) {
        self.visits[node] += 1;
        self.half_wins[node] += half_wins;
    }

    /// The child of `node` that makes `wanted`, if it has been expanded.
    #[must_use]
    pub fn child(&self, node: Node, wanted: Move) -> Option<Node> {
        self.children(node).find(|&child| self.moves[child] == wanted)
    }

    /// A copy of the tree below `top`, which becomes the root.
    #[must_use]
    pub fn below(&self, top: Node) -> Self {
        let mut copy = Self::new();
        copy.moves[Self::ROOT] = self.moves[top];
        copy.visits[Self::ROOT] = self.visits[top];
        copy.half_wins[Self::ROOT] = self.half_wins[top];
        // Breadth first: `sources[n]` is what the copy's node n came from.
        let mut sources = vec![top];
        let mut node = Self::ROOT;
        while node < sources.len() {
            let children = self.children(sources[node]);
            if !children.is_empty() {
                copy.expand(node, &self.moves[children.clone()]);
                let copied = copy.children(node);
                copy.visits[copied.clone()].copy_from_slice(&self.visits[children.clone()]);
                copy.half_wins[copied].copy_from_slice(&self.half_wins[children.clone()]);
                sources.extend(children);
            }
            node += 1;
        }
        copy
    }

    /// The most visited line from `node`, down to a node without visited
    /// children; ties go to the lowest index.
    #[must_use]
    pub fn principal_variation(&self, node: Node) -> Vec<Move> {
        let mut line = Vec::new();
        let mut at = node;
        while let Some(best) = self
            .children(at)
            .rev()
            .max_by_key(|&child| self.visits[child])
            .filter(|&child| self.visits[child] > 0)
        {
            line.push(self.moves[best]);
            at = best;
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(text: &str) -> Move {
        text.parse().unwrap()
    }

    fn sample() -> Tree {
        let mut tree = Tree::new();
        tree.expand(Tree::ROOT, &[play("A1"), play("B1"), Move::Pass]);
        tree.expand(2, &[play("C1"), play("D1")]);
        tree.expand(5, &[play("E1")]);
        for node in [0, 2, 5, 6, 5, 2, 0, 1, 5, 2, 0] {
            tree.record(node, 1);
        }
        tree
    }

    #[test]
    fn children_are_neighbours() {
        let tree = sample();
        assert_eq!(tree.children(Tree::ROOT), 1..4);
        assert_eq!(tree.children(2), 4..6);
        assert!(tree.children(1).is_empty());
        assert_eq!(tree.child(2, play("D1")), Some(5));
        assert_eq!(tree.child(2, play("A1")), None);
    }

    #[test]
    fn principal_variation_follows_visits() {
        assert_eq!(sample().principal_variation(Tree::ROOT), [play("B1"), play("D1"), play("E1")]);
        assert!(Tree::new().principal_variation(Tree::ROOT).is_empty());
    }

    #[test]
    fn a_copy_below_keeps_what_was_counted() {
        let tree = sample();
        let below = tree.below(2);
        assert_eq!(below.len(), 4);
        assert_eq!((below.visits(0), below.half_wins(0)), (tree.visits(2), tree.half_wins(2)));
        let child = below.child(Tree::ROOT, play("D1")).unwrap();
        assert_eq!((below.visits(child), below.half_wins(child)), (3, 3));
        assert_eq!(below.principal_variation(Tree::ROOT), [play("D1"), play("E1")]);
    }
}
