//! Bounds on what one question may cost.

/// Bounds on what one question may cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Most simulations of a search, analysis or move.
    pub simulations: u64,
    /// Most seconds of an analysis.
    pub analysis_seconds: f64,
    /// Most seconds of a move.
    pub move_seconds: f64,
    /// Bytes of a search's trees at which it ends.
    pub bytes: usize,
    /// Most plies of a game.
    pub plies: usize,
    /// Most nodes that the solver examines for a move.
    pub solver_nodes: u64,
    /// Most memory of the solver's tables, in mebibytes.
    pub solver_mebibytes: u32,
    /// Most root-parallel workers of a search.
    pub workers: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            simulations: 20_000_000,
            analysis_seconds: 600.0,
            move_seconds: 60.0,
            bytes: 1 << 30,
            plies: 2_000,
            solver_nodes: 1_000_000,
            solver_mebibytes: 64,
            workers: 64,
        }
    }
}
