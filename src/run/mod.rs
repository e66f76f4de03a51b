//! What a run leaves on disk: its folder, its manifest and its rows.

mod directory;
pub mod journal;
mod lock;
mod manifest;
mod prefix;
mod rows;

pub use directory::{DirectoryError, RunDirectory};
pub use journal::{Journal, JournalError, PlayedGame};
pub use lock::{LockError, RunLock};
pub use manifest::{Build, Machine, Manifest, Session};
pub use prefix::Prefix;
pub use rows::{GameRow, Outcome, RowWriter, Termination, one_line};
