#![deny(missing_docs)]
#![forbid(unsafe_code)]
// Points, scores and plies of a small board fit into a byte.
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
// A node costs hundreds of set operations of a few instructions each.
#![allow(clippy::inline_always)]
//! Exact values of small boards.
//!
//! [`Solver::solve`] takes a game and returns an [`Answer`]: bounds, each of which
//! is proved, wherever the search ended. Read from the bottom up: the
//! geometry of a board and its positions as bits, what is settled by
//! unconditional life, the table, the search for one claim, the schedule of claims, the solver.

mod answer;
mod claim;
mod geometry;
mod life;
mod limits;
mod position;
mod prover;
mod run;
mod schedule;
mod solver;
mod superko;
mod table;

pub use answer::{Answer, Bounds, ScoreClaim, SolveEnd, Verdict};
pub use limits::{Limits, Progress, Watch};
pub use solver::{MIN_MEBIBYTES, SolveError, Solver, check};

/// Most points of a board that can be solved.
pub const MAX_POINTS: usize = 30;
