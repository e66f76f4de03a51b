#![deny(missing_docs, unsafe_code)]
//! One search over many processes, the *ranks*, which may be on as many hosts.
//!
//! Rank 0 has the game and the bot, and is the worker 0 of its searches; every other rank is
//! one more worker. A search is that of as many workers in one process, move for move and
//! visit for visit, where its budget is in simulations:
//!
//! ```text
//! rank 0                                     rank 1, 2, ...
//! search: position, settings, seed  ──────▶
//! a round                                    a round
//!                                   ◀──────  counts of the upper tree    with `sharing`
//! sums of the counts                ──────▶
//! a round                                    a round
//!                                   ◀──────  its root
//! roots merged
//! ```
//!
//! A round is what a worker does between two exchanges: EVERY simulations of the setting
//! `sharing`, and all of them without it. The workers are
//! [`SharingWorker`](tengen_search::shared::SharingWorker)s. From the bottom up: `mailbox` carries
//! messages between ranks and notices which of them have fallen silent, `position` is a game as
//! text, `counts` an upper tree, `root` the part of a tree that is merged, `orders` is what
//! messages hold, [`Helper`] is a rank, [`Coordinator`] is rank 0, [`RanksBot`] plays what they find. `mpi` (feature `mpi`)
//! carries messages by MPI; the tests carry them between threads.
//!
//! Rank 0 has the game itself, or it searches for a [`FrontEnd`], a process outside of MPI that
//! has started the ranks and goes on alone if all of them end: `service` is how the two talk.
//! The program `tengen-mpi` is in the folder `program`.

mod bot;
mod coordinator;
mod counts;
mod front_end;
mod helper;
mod mailbox;
#[cfg(feature = "mpi")]
mod mpi;
mod orders;
mod position;
mod root;
mod service;
#[cfg(test)]
mod tests;

pub use bot::{RanksBot, RanksSearch};
pub use coordinator::{Coordinator, Unsuitable};
pub use front_end::{FrontEnd, StartFault};
pub use helper::{End, Helper};
pub use mailbox::{HEARTBEAT, Mailbox, Message};
#[cfg(feature = "mpi")]
pub use mpi::{Membership, join};
pub use service::{Notes, serve};
