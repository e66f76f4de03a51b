//! A pending leaf: selected, but not all of its results are backed up.

use super::tree::Proof;
use tengen_go::{Bits, Board, Score};
use tengen_playout::Playout;

/// A leaf with its simulations, between selection and back-up.
#[derive(Debug)]
pub(super) struct PendingLeaf<const W: usize> {
    /// The path from the root: at each node the number of the child among its siblings.
    /// Nodes may move to other slots while the leaf is pending; these numbers stay.
    pub(super) path: Vec<u16>,
    /// The position of the leaf.
    pub(super) leaf: Board<W>,
    /// The number, in the search, of the leaf's first simulation.
    pub(super) first: u64,
    /// The number of simulations from the leaf.
    pub(super) count: u32,
    /// The number of playouts that have been requested.
    pub(super) asked: u32,
    pub(super) outcome: LeafOutcome,
    /// The results of playouts in the order of their simulations: `None` for missing ones.
    pub(super) results: Vec<Option<Playout<W>>>,
    /// The number of missing results.
    pub(super) missing: u32,
    /// The evaluation of the leaf; none for a leaf with playouts.
    pub(super) evaluation: Option<Box<Evaluation<W>>>,
}

/// The evaluation of a leaf.
#[derive(Debug)]
pub(super) struct Evaluation<const W: usize> {
    /// The points that the player to move may play.
    pub(super) legal: Bits<W>,
    /// The expected result of the player to move, once it is known.
    pub(super) value: Option<f64>,
    /// The weight of each point, in the order of [`Size::number`](tengen_go::Size::number), and of
    /// the pass; empty until they are known, and for a leaf that shares the evaluation of an older
    /// leaf.
    pub(super) weights: Vec<f32>,
}

impl<const W: usize> Default for Evaluation<W> {
    fn default() -> Self {
        Self { legal: Bits::EMPTY, value: None, weights: Vec::new() }
    }
}

/// The allocations of a leaf that is done, to be used again.
#[derive(Debug)]
pub(super) struct Spare<const W: usize> {
    pub(super) path: Vec<u16>,
    pub(super) results: Vec<Option<Playout<W>>>,
    pub(super) evaluation: Option<Box<Evaluation<W>>>,
}

impl<const W: usize> Default for Spare<W> {
    fn default() -> Self {
        Self { path: Vec::new(), results: Vec::new(), evaluation: None }
    }
}

/// The way in which the simulations of a leaf end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeafOutcome {
    /// By playouts.
    Playouts,
    /// By an evaluation, which the leaf requests.
    Evaluation,
    /// By the evaluation that an older leaf at the same node has requested.
    SharedEvaluation,
    /// At the end of the game, with this score on the board.
    Terminal(Score),
    /// At a node whose result is proven.
    Proven(Proof),
}

impl<const W: usize> PendingLeaf<W> {
    /// Gives up the results that are missing, and returns their number.
    pub(super) fn drop_missing(&mut self) -> u32 {
        let dropped = std::mem::take(&mut self.missing);
        self.results.retain(Option::is_some);
        self.count -= dropped;
        self.asked = self.count;
        dropped
    }
}
