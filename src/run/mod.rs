//! What a run leaves on disk: its folder, its manifest and its rows.

mod directory;
mod manifest;
mod rows;

pub use directory::{DirectoryError, RunDirectory};
pub use manifest::{Build, Machine, Manifest};
pub use rows::{GameRow, Outcome, RowWriter, Termination};
