//! Buffers of selection.

/// Buffers that selection fills anew at each node. A search keeps them, so that
/// selection allocates no memory.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Per child: the mean blended with RAVE or priors.
    pub(super) means: Vec<f64>,
    /// Per child: the urgency.
    pub(super) urgencies: Vec<f64>,
    /// Per child: the rewards shared with other lines to the same position.
    pub(super) rewards: Vec<f64>,
    /// Per AMAF cell: the blended mean.
    pub(super) cells: Vec<f32>,
    /// Per AMAF cell: the mean of its move.
    pub(super) own_means: Vec<f32>,
    /// Per AMAF cell: the visits of its move, 0 without a child, if RAVE weighs by visits.
    pub(super) own_visits: Vec<f32>,
}

impl Scratch {
    /// Empties the buffers that show whether a node was ranked, and how.
    #[cold]
    pub(super) fn forget(&mut self) {
        self.means.clear();
        self.urgencies.clear();
        self.rewards.clear();
        self.cells.clear();
        self.own_means.clear();
        self.own_visits.clear();
    }
}
