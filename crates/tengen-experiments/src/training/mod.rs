//! Training data for networks: the positions of a run's games in which a bot made a search, with
//! what the search found and how the game ended.
//!
//! ```text
//! a game ends:      its searches go to the journal of the run or of the chunk, then its row to the
//!                   file of rows
//! the run is over:  the games are played through from their rows, and the positions written to
//!                   one file of arrays, which numpy reads
//! ```
//!
//! All data but visits and values follow from the rows: a journal holds visits and values alone. It
//! decides no game, and is no setting of a run: the file [`SEARCHES`](crate::run::SEARCHES) in the
//! run's folder says that the run keeps searches.

mod archive;
mod file;
pub(crate) mod index;
mod journal;
mod npy;
pub(crate) mod positions;
mod recorded;

pub use file::{check_file, write};
pub use recorded::{LEAVE_OUT, Recorded, check_kept};
