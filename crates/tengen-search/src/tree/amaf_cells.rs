//! The cells of moves: the indices by which the tree finds a move in the AMAF statistics
//! ([`Amaf`](crate::amaf::Amaf)).

use super::Tree;
use crate::column::Node;
use std::ops::Range;
use tengen_go::{Bits, Board, Move};

impl Tree {
    /// Starts the AMAF statistics of `node`, whose position is `board`. `untried` are the cells of
    /// the moves for which the node may get children: points, and the cell of the pass.
    pub fn open_amaf<const W: usize>(&mut self, node: Node, board: &Board<W>, untried: Bits<W>) {
        self.slots.amaf.open(node, last_cell(board), Bits::<W>::STRIDE, &untried.words());
    }

    /// Adds a child to `node`, whose AMAF statistics have been started.
    pub fn add_child_by_amaf<const W: usize>(&mut self, node: Node, mv: Move) -> Node {
        self.slots.amaf.remove_untried(node, cell::<W>(mv));
        self.add_child(node, mv)
    }

    /// The cells of the moves of `children`, and the means of their rewards, [`NO_MEAN`]
    /// without visits.
    ///
    /// [`NO_MEAN`]: crate::amaf::NO_MEAN
    #[inline]
    pub(crate) fn cells_and_means(&self, children: Range<Node>) -> (&[u16], &[f32]) {
        (&self.slots.cells[children.clone()], &self.slots.means[children])
    }

    /// Computes the mean reward of `node`, which the blend of RAVE reads.
    #[inline]
    pub fn refresh_mean(&mut self, node: Node) {
        #[allow(clippy::cast_possible_truncation)] // in single precision
        let mean = (self.reward(node) / f64::from(self.visits(node))) as f32;
        self.slots.means[node] = mean;
    }
}

/// The cell of a move in the AMAF statistics: the index of its point in [`Bits`]. The pass has the
/// cell of the padding of the lowest row.
#[inline]
#[must_use]
pub const fn cell<const W: usize>(mv: Move) -> usize {
    match mv {
        Move::Play(vertex) => Bits::<W>::index(vertex),
        Move::Pass => Bits::<W>::STRIDE - 1,
    }
}

/// The highest cell of a move on `board`.
fn last_cell<const W: usize>(board: &Board<W>) -> usize {
    let (width, height) = (board.size().width(), board.size().height());
    ((height - 1) * Bits::<W>::STRIDE + width - 1).max(cell::<W>(Move::Pass))
}
