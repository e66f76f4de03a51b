//! A leaf whose results are not all there.

use super::tree::Proof;
use tengen_go::{Board, Score};
use tengen_playout::Playout;

/// A simulation, or several from one leaf, between selection and the counting
/// of its results.
#[derive(Debug)]
pub(super) struct PendingLeaf<const W: usize> {
    /// The numbers of the children from the root to the leaf. Nodes may move while it
    /// is pending; these numbers stay.
    pub(super) path: Vec<u16>,
    pub(super) leaf: Board<W>,
    /// The number of its first simulation.
    pub(super) first: u64,
    /// Simulations from the leaf.
    pub(super) count: u32,
    /// How many of them have been requested.
    pub(super) asked: u32,
    pub(super) outcome: LeafOutcome,
    /// The results in the order of their numbers: none for those that are missing.
    pub(super) results: Vec<Option<Playout<W>>>,
    /// The number of missing results.
    pub(super) missing: u32,
}

/// How the simulations of a leaf end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeafOutcome {
    /// By playouts.
    Playouts,
    /// At the end of the game, with this score on the board.
    Terminal(Score),
    /// At a node whose result is proven.
    Proven(Proof),
}

impl<const W: usize> PendingLeaf<W> {
    /// Whether all results are there.
    pub(super) const fn has_all_results(&self) -> bool {
        self.missing == 0
    }
}
