//! What selection writes.

/// Columns that selection writes: kept, so that it allocates nothing.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// One per child.
    pub(super) means: Vec<f64>,
    /// One per child.
    pub(super) urgencies: Vec<f64>,
    /// One per child: rewards shared with other lines to the same position.
    pub(super) rewards: Vec<f64>,
    /// One per cell of all-moves-as-first: blended means, then urgencies.
    pub(super) cells: Vec<f32>,
    /// One per cell of all-moves-as-first: the visits of its move.
    pub(super) own_visits: Vec<f32>,
}
