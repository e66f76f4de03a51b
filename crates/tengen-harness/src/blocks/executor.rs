//! What carries blocks to other processes.

use super::Process;
use std::time::Duration;

/// The number of a submission: a block that is submitted twice has two.
pub type Ticket = u64;

/// Carries blocks to worker processes, which call [`make`](super::make), and their answers back.
///
/// Blocks and answers may be delayed, reordered, lost or doubled: the coordinator submits a block
/// again that fails, or that nobody answers.
pub trait Executor: Send + Sync {
    /// Submits a block; if it can be, to another process than `first`, which has made it before.
    fn submit(&self, ticket: Ticket, block: Vec<u8>, first: Option<&Process>);

    /// Cancels the block of `ticket`, as far as it has not begun.
    fn cancel(&self, ticket: Ticket);

    /// The next answer, or why there is none for its ticket; none if nothing arrives within `timeout`.
    fn next(&self, timeout: Duration) -> Option<(Ticket, Result<Vec<u8>, String>)>;

    /// Number of blocks that the worker processes make at once, at present.
    fn processes(&self) -> usize;
}
