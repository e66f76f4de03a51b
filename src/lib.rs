#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Tengen, a research harness for Monte Carlo tree search on the game of Go.
//!
//! The crates; each crate uses only crates that stand above it in this list:
//!
//! 1. [`settings`](mod@settings): files and settings that a user gives, each declared once.
//! 2. [`stats`]: intervals, Elo, sequential tests and ratings; knows no Go.
//! 3. [`system`]: limits of the operating system on a process.
//! 4. [`go`]: the rules; knows no search.
//! 5. [`playout`]: random games, and the instruction sets that play many in lockstep.
//! 6. [`features`]: features of moves, and their weights, which are fitted to searches.
//! 7. [`search`]: UCT, two-ply minimax, and the driver of searches.
//! 8. [`solver`]: exact values of small boards.
//! 9. [`sgf`]: reading and writing of game records.
//! 10. [`gtp`]: the Go Text Protocol, and a client that runs other programs by it.
//! 11. [`bots`]: configurations of bots, the players built from them, and a GTP engine for a bot.
//! 12. [`optimize`]: methods of tuning.
//! 13. experiments, such as [`tournament`], [`tuning`] and [`convergence`]: their [runs](run), rows and
//!     [reports](report).
//! 14. [`web`]: the page and its server.
//!
//! [`suite`] has solved positions to measure bots on, and [`commands`] are the command lines. One search over many hosts is a workspace of its own, in the
//! folder `mpi`, that uses all of these.
//!
//! To read the program, begin with [`go::Board`], then [`playout::scalar`],
//! then [`search::Search`]: a search asks for playouts, and the driver returns
//! their results to it. The README has an example.
//!
//! The glossary is `docs/reference/words.md`.

pub mod commands;
pub mod register;
pub mod suite;

pub use commands::{main, main_with};
// Types of these crates appear in the traits that a user's own program implements.
pub use tengen_bots as bots;
pub use tengen_bots::gtp_engine as engine;
pub use tengen_experiments::{
    blocks, convergence, kind, learn, report, run, scaling, speed, tournament, training, tuning,
};
pub use tengen_go as go;
pub use tengen_gtp as gtp;
pub use tengen_learn as features;
#[cfg(feature = "onnx")]
pub use tengen_onnx as onnx;
pub use tengen_optimize as optimize;
pub use tengen_playout as playout;
pub use tengen_search as search;
pub use tengen_settings as settings;
pub use tengen_settings::settings;
pub use tengen_sgf as sgf;
pub use tengen_solver as solver;
pub use tengen_stats as stats;
pub use tengen_stats::seed;
pub use tengen_system as system;
pub use tengen_system::Allocator;
#[cfg(feature = "serve")]
pub use tengen_web as web;
#[cfg(feature = "serve")]
pub use tengen_web::page;
pub use {rand_xoshiro, rayon};

/// Runs the examples of the README and of the pages on registered code as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/tutorials/own-idea-rust.md")]
#[doc = include_str!("../docs/reference/own-ideas.md")]
struct Pages;
