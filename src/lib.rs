#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Tengen, a research harness for Monte Carlo tree search on the game of Go.
//!
//! The layers, each of which uses only those above it:
//!
//! 1. [`seed`]: numbers from which every random stream follows.
//! 2. [`stats`]: intervals, Elo, sequential tests and ratings; knows no Go.
//! 3. [`go`]: the rules; knows no search.
//! 4. [`playout`]: random games.
//! 5. [`search`]: UCT, two-ply minimax, and the driver of searches.
//! 6. [`solver`]: exact values of small boards.
//! 7. [`tune`]: parameter spaces, methods of tuning, synthetic surfaces; plays no game.
//! 8. [`text`]: percentages and tables as text.
//! 9. [`input`]: files, settings and options that a user hands over.
//! 10. [`sgf`]: game records in and out.
//! 11. [`gtp`]: the Go Text Protocol, and a client that runs other programs by it.
//! 12. [`results`]: the folder of a run, its manifest, its journal and its rows.
//! 13. [`bots`]: configurations of bots, and the players built from them.
//! 14. [`engine`]: a GTP engine around a bot, for `tengen gtp`.
//! 15. [`tournament`]: plans and plays matches.
//! 16. [`bench`](mod@bench): measures playouts and simulations per second.
//! 17. [`plots`]: pictures of plain data; knows no Go, no runs and no bots.
//! 18. [`analysis`]: summaries, ratings, speed-ups, plots and report of the rows.
//! 19. [`tuning`]: plays what [`tune`] asks for; findings, validation and report.
//! 20. [`convergence`]: UCT held against solved positions.
//! 21. [`page`]: what the page asks for, as JSON.
//! 22. [`web`]: the page and its server.
//! 23. [`commands`]: the command lines.
//!
//! All but the command lines are separate crates, so that a change in
//! one compiles only that crate and those that use it. One search over many hosts, in
//! the folder `mpi`, is a workspace of its own above them.
//!
//! To read the program, begin with [`go::Board`], then [`playout::scalar`],
//! then [`search::Search`]: a search asks for playouts, and the driver returns
//! their results to it. The README has an example.
//!
//! # Glossary
//!
//! - **Vertex**, **point**: a crossing of the board; the index of a point is
//!   its bit in a [`go::Bits`].
//! - **Chain**: stones of one colour connected along the lines; its
//!   **liberties** are the empty points beside it.
//! - **Ply**: a move or a pass of one player.
//! - **Attempt**: a candidate drawn in a playout, legal or not.
//! - **Playout**: a random game from a leaf of the tree; **simulation**: a walk
//!   down the tree with the playout at its end.
//! - **Pairing**: two bots that meet; **pair**: two games on one opening with
//!   the colours swapped.
//! - **Jigo**: a game that nobody wins.

pub mod commands;

pub use tengen_analysis as analysis;
pub use tengen_bench as bench;
pub use tengen_bots as bots;
pub use tengen_convergence as convergence;
pub use tengen_engine as engine;
pub use tengen_go as go;
pub use tengen_go::seed;
pub use tengen_gtp as gtp;
pub use tengen_input as input;
#[cfg(feature = "serve")]
pub use tengen_page as page;
pub use tengen_playout as playout;
pub use tengen_plots as plots;
pub use tengen_results as results;
pub use tengen_search as search;
pub use tengen_sgf as sgf;
pub use tengen_solver as solver;
pub use tengen_stats as stats;
pub use tengen_text as text;
pub use tengen_tournament as tournament;
pub use tengen_tune as tune;
pub use tengen_tuning as tuning;
#[cfg(feature = "serve")]
pub use tengen_web as web;

/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
