//! What a search is asked, what it answers, and when it gives up.

use std::time::Instant;

/// What a search is asked to prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    /// The player who is to reach the target: 0 Black, 1 White.
    pub(crate) prover: usize,
    /// The score to reach, from the prover's view.
    pub(crate) target: i8,
    /// Whether an endless game is as good as the target.
    pub(crate) endless: bool,
}

/// A score that was proved, from the prover's view, and the move of the player
/// to move that it rests on ([`NO_MOVE`] if none is needed).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Proved {
    pub(crate) value: i8,
    pub(crate) best: u8,
}

/// When a search gives up.
pub(crate) struct Stop<'a> {
    /// Nodes at which the search ends, counted from the beginning of the solution.
    pub(crate) nodes: u64,
    pub(crate) deadline: Option<Instant>,
    pub(crate) interrupted: &'a dyn Fn() -> bool,
}

/// Nodes between two looks at the clock.
const LOOK: u64 = 4096;

impl Stop<'_> {
    /// Whether a search that has come to `nodes` is to give up. The clock and
    /// the interrupt are asked when `nodes` reaches `next_look`, which then moves on.
    #[inline(always)]
    pub(crate) fn now(&self, nodes: u64, next_look: &mut u64) -> bool {
        if nodes >= self.nodes {
            return true;
        }
        if nodes < *next_look {
            return false;
        }
        *next_look = nodes + LOOK;
        self.deadline.is_some_and(|end| Instant::now() >= end) || (self.interrupted)()
    }
}
