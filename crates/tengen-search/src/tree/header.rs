//! The header of a node, in eight bytes: its children, its marks and the move that
//! leads to it.
//!
//! ```text
//! slot of the first child: 32 bits | number of children: 12 bits | marks: 4 bits
//! | column of the move: 8 bits | row of the move: 8 bits
//! ```

use crate::column::Node;
use std::ops::Range;
use tengen_go::{Move, Vertex};

/// The children of a node, its marks, and the move that leads to it.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct NodeHeader {
    first_child: u32,
    /// The number of children in the bits from [`COUNT`] on, the marks in the bits below.
    children: u16,
    /// Column and row of the move, or [`PASS`].
    mv: [u8; 2],
}

/// The lowest bit of the number of children.
const COUNT: u32 = 4;

/// The value of column and row for a pass.
const PASS: [u8; 2] = [u8::MAX; 2];

/// Mark: all moves of the node are its children.
pub(super) const COMPLETE: u16 = 1;
/// Mark: it is proven that the player who moved to the node wins.
pub(super) const WON: u16 = 2;
/// Mark: it is proven that the player who moved to the node loses.
pub(super) const LOST: u16 = 4;

impl NodeHeader {
    /// The header of a node to which `mv` leads, without children and marks.
    pub(super) const fn new(mv: Move) -> Self {
        let mv = match mv {
            Move::Play(vertex) => [vertex.col, vertex.row],
            Move::Pass => PASS,
        };
        Self { first_child: 0, children: 0, mv }
    }

    /// The header without the children.
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

    /// Sets the slot of the first child and the number of children.
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
}
