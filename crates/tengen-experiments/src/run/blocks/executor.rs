//! What carries blocks to other processes.

use super::Process;
use std::time::Duration;

/// The number of a submission: a block that is submitted twice has two tickets.
pub type Ticket = u64;

/// Carries blocks to worker processes, which call [`make`](crate::blocks::make), and their answers back.
///
/// Blocks and answers may be delayed, reordered, lost or doubled: the coordinator submits again a
/// block that fails or stays unanswered.
pub trait Executor: Send + Sync {
    /// Submits a block; where possible to a process other than `first`, which made the block
    /// before.
    fn submit(&self, ticket: Ticket, block: Vec<u8>, first: Option<&Process>);

    /// Cancels the block of `ticket`, unless a process has begun it.
    fn cancel(&self, ticket: Ticket);

    /// The next ticket with its answer, or with the reason why it has none; none if nothing arrives
    /// within `timeout`.
    fn next(&self, timeout: Duration) -> Option<(Ticket, Result<Vec<u8>, String>)>;

    /// Number of blocks that the worker processes make at once, at present.
    fn processes(&self) -> usize;
}
