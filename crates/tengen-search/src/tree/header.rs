//! What a node is beside its statistics, packed into eight bytes.
//!
//! ```text
//! first child: 32 bits | children: 12 bits | marks: 4 bits | column, row: 8 bits each
//! ```

use crate::node::Node;
use std::ops::Range;
use tengen_go::{Move, Vertex};

/// The children of a node, its marks, and the move that leads to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeHeader {
    first_child: u32,
    /// The number of children, from bit [`COUNT`] on, and the marks below.
    children: u16,
    /// Column and row of the move, or [`PASS`].
    mv: [u8; 2],
}

/// Where the number of children begins.
const COUNT: u32 = 4;

/// In place of column and row.
const PASS: [u8; 2] = [u8::MAX; 2];

/// All moves of the node are its children.
pub(super) const COMPLETE: u16 = 1;
/// The player who moved to the node wins.
pub(super) const WON: u16 = 2;
/// That player loses.
pub(super) const LOST: u16 = 4;

impl NodeHeader {
    /// A node that `mv` leads to, without children and marks.
    pub(super) const fn new(mv: Move) -> Self {
        let mv = match mv {
            Move::Play(vertex) => [vertex.col, vertex.row],
            Move::Pass => PASS,
        };
        Self { first_child: 0, children: 0, mv }
    }

    /// The same node without its children.
    pub(super) const fn childless(self) -> Self {
        Self { first_child: 0, children: self.children & ((1 << COUNT) - 1), mv: self.mv }
    }

    #[inline]
    pub(super) const fn mv(self) -> Move {
        match self.mv {
            PASS => Move::Pass,
            [col, row] => Move::Play(Vertex::new(col, row)),
        }
    }

    #[inline]
    pub(super) const fn count(self) -> usize {
        (self.children >> COUNT) as usize
    }

    #[inline]
    pub(super) const fn children(self) -> Range<Node> {
        let first = self.first_child as usize;
        first..first + self.count()
    }

    /// Sets the slot of the first child, and how many children follow from there.
    ///
    /// # Panics
    /// If a slot has no 32-bit number, or there are more than 4095 children.
    pub(super) fn set_children(&mut self, first: Node, count: usize) {
        self.first_child = u32::try_from(first).expect("the limit of nodes is below");
        let count = u16::try_from(count).expect("at most 362 moves");
        assert!(count < 1 << (u16::BITS - COUNT), "at most 362 moves");
        self.children = self.children & ((1 << COUNT) - 1) | count << COUNT;
    }

    #[inline]
    pub(super) const fn has(self, mark: u16) -> bool {
        self.children & mark != 0
    }

    pub(super) const fn mark(&mut self, mark: u16) {
        self.children |= mark;
    }

    pub(super) const fn unmark(&mut self, mark: u16) {
        self.children &= !mark;
    }
}
