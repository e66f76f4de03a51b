#![deny(missing_docs)]
#![forbid(unsafe_code)]
// Points, scores and plies of a small board fit into a byte.
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
// A node costs hundreds of set operations of a few instructions each.
#![allow(clippy::inline_always)]
//! Exact values of small boards.

mod answer;
mod claim;
mod geometry;
mod life;
mod position;
mod prover;
mod run;
mod schedule;
mod solver;
mod superko;
mod table;

pub use answer::{Answer, Bounds, SolveEnd, Verdict};
pub use solver::{Limits, MIN_MEBIBYTES, Progress, SolveError, Solver, Watch};

/// Most points of a board that can be solved.
pub const MAX_POINTS: usize = 30;
