#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Search for a move: UCT with root parallelism, and two-ply minimax.
//!
//! Start with [`uct::UctSearch`]: a search that requests playouts and takes their results.
//! [`driver`] plays the playouts of many searches side by side, [`root_parallel`] runs several
//! searches of one position and merges them, [`shared`] lets such searches share the upper tree,
//! [`final_move`] selects the move to play, [`inspect`] prints a tree, [`opened`] shows the terms
//! by which a node selects, and [`trace`] shows what one simulation does.

pub mod amaf;
pub mod back_up;
mod by_amaf;
pub mod clock;
mod column;
pub mod config;
mod descent;
pub mod driver;
mod early_end;
mod evaluation;
pub mod evaluator;
mod figure;
pub mod final_move;
mod guarded;
pub mod inspect;
mod leaf_playouts;
pub mod opened;
mod pending_leaf;
pub mod prior;
pub mod report;
mod resource;
mod result;
mod root_leaf;
mod root_move;
pub mod root_noise;
pub mod root_parallel;
mod root_plan;
mod saved;
mod score_sum;
mod scratch;
mod search;
pub mod select;
mod setting;
pub mod shared;
pub mod sharing;
pub mod signature;
mod spent;
pub mod temperature;
mod threads;
pub mod trace;
mod transpositions;
pub mod tree;
pub mod two_ply;
pub mod uct;

pub use config::UctConfig;
pub use figure::{Figure, FigureValue};
pub use final_move::FinalMove;
pub use report::{SearchCounts, SearchReport};
pub use resource::{Resource, ResourceFault, catch_fault};
pub use result::{SearchResult, SearchView};
pub use root_move::RootMove;
pub use saved::SavedSearch;
pub use score_sum::ScoreSum;
pub use search::{AnySearch, Request, Search, SearchControl, Work, reports};
pub use threads::{check_room_for_threads, not_started, on_threads};

/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
