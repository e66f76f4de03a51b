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

/// A proved score, from the prover's view, and the move of the player to move on which it rests
/// ([`NO_MOVE`] if none is needed).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Proved {
    pub(crate) value: i8,
    pub(crate) best: u8,
}

/// Counts the positions that a search examines, and decides when it gives up.
pub(crate) struct Meter<'a> {
    /// Positions examined.
    pub(crate) nodes: u64,
    /// Whether the search gives up.
    pub(crate) stopped: bool,
    /// Number of positions at which the search ends.
    pub(crate) limit: u64,
    pub(crate) deadline: Option<Instant>,
    pub(crate) interrupted: &'a dyn Fn() -> bool,
    pub(crate) next_look: u64,
}

/// Nodes between two looks at the clock.
const LOOK: u64 = 4096;

impl Meter<'_> {
    /// Counts a position, and returns whether the search is to give up. Every few thousand
    /// positions it asks the clock and the caller.
    #[inline(always)]
    pub(crate) fn count(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.limit {
            self.stopped = true;
        } else if self.nodes >= self.next_look {
            self.next_look = self.nodes + LOOK;
            let is_late = self.deadline.is_some_and(|end| Instant::now() >= end);
            self.stopped |= is_late || (self.interrupted)();
        }
        self.stopped
    }
}
