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
//! The workers are [`SharingWorker`](tengen_search::shared::SharingWorker)s, which have one
//! round where nothing is shared. From the bottom up: `post` carries parcels between ranks and
//! notices which of them have fallen silent, `position` is a game as text, `counts` an upper
//! tree, `root` the part of a tree that is merged, `message` is what parcels hold, [`Helper`] is
//! a rank, [`Front`] is rank 0. `mpi` (feature `mpi`) carries parcels by MPI; the tests carry them between threads.

mod counts;
mod front;
mod helper;
mod message;
#[cfg(feature = "mpi")]
mod mpi;
mod position;
mod post;
mod root;
#[cfg(test)]
mod tests;

pub use front::{Front, Unsuitable};
pub use helper::Helper;
#[cfg(feature = "mpi")]
pub use mpi::{Membership, join};
pub use post::{BEAT, Parcel, Post};
