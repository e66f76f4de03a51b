//! Search for a move: UCT in parallel root workers, and two-ply minimax.
//!
//! Start with [`uct::Search`]: a tree that asks for playouts and takes their
//! results. [`driver`] plays them, [`root_parallel`] runs many searches of one
//! position and merges them, [`choice`] picks the move.

pub mod choice;
pub mod config;
pub mod driver;
pub mod report;
pub mod root_parallel;
pub mod select;
pub mod tree;
pub mod two_ply;
pub mod uct;

pub use config::{FinalMove, UctConfig};
pub use report::Report;
