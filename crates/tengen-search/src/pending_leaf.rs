//! A leaf whose playouts are out.

use super::tree::Proof;
use tengen_go::{Board, Score};
use tengen_playout::Playout;

/// A simulation, or several from one leaf, between selection and the counting
/// of its results.
#[derive(Debug)]
pub(super) struct PendingLeaf<const W: usize> {
    /// The numbers of the children from the root to the leaf. Nodes may move
    /// while it is out; these numbers stay.
    pub(super) path: Vec<u16>,
    pub(super) leaf: Board<W>,
    /// The number of its first simulation.
    pub(super) first: u64,
    /// The simulations that it stands for.
    pub(super) count: u32,
    /// How many of them have been asked for.
    pub(super) asked: u32,
    pub(super) outcome: LeafOutcome,
    /// The results so far, in the order of their numbers: none for those that
    /// are out.
    pub(super) results: Vec<Option<Playout<W>>>,
    /// How many results are still to come.
    pub(super) missing: u32,
}

/// How the simulations of a leaf end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeafOutcome {
    /// By playouts.
    Playouts,
    /// At the end of the game, with this score on the board.
    Terminal(Score),
    /// At a node of which the search has a proof.
    Proven(Proof),
}

impl<const W: usize> PendingLeaf<W> {
    /// Whether all results are there.
    pub(super) const fn has_all_results(&self) -> bool {
        self.missing == 0
    }
}
