//! What ends a solution early, and who watches it.

use crate::answer::Bounds;
use std::time::Duration;

/// When a solution stops before everything is proved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of positions examined.
    pub nodes: Option<u64>,
    /// Maximum time.
    pub time: Option<Duration>,
}

/// How far a solution has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The budget of the search that has just ended, about its depth in plies.
    pub depth: u32,
    /// Positions examined so far.
    pub nodes: u64,
    /// The time taken so far.
    pub time: Duration,
    /// Proved bounds of [`Answer::worst`](crate::Answer::worst).
    pub worst: Bounds,
    /// Proved bounds of [`Answer::best`](crate::Answer::best).
    pub best: Bounds,
}

/// Watches a solution, and may stop it.
pub trait Watch {
    /// Called after each search of one claim.
    fn progress(&mut self, progress: &Progress);

    /// Whether to stop. Asked every few thousand positions.
    fn is_interrupted(&self) -> bool;
}

/// A watch that lets a solution run.
impl Watch for () {
    fn progress(&mut self, _: &Progress) {}

    fn is_interrupted(&self) -> bool {
        false
    }
}
