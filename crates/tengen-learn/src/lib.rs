#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
// The code that computes probabilities must be inlined into each copy that a caller compiles for an
// instruction set.
#![allow(clippy::inline_always)]
//! Features of moves in Go, and weights fitted to searches: knowledge that a search can teach.
//!
//! - [`feature`]: the properties of a move: the stones around it, captures, distances.
//! - [`Samples`]: positions with the features of their moves and the visits of a search.
//! - [`Fit`]: the weights that predict the visits best.
//! - [`Weights`]: the probabilities of the moves of a position that follow from weights.
//! - [`WeightsFile`]: weights as text.
//! - [`Prediction`]: how well moves are predicted.

pub mod feature;
mod file;
mod fit;
mod places;
mod prediction;
mod samples;
mod shape;
mod tactics;
mod weights;

pub use feature::Recent;
pub use file::{WeightsError, WeightsFile};
pub use fit::Fit;
pub use prediction::Prediction;
pub use samples::{Sample, Samples};
pub use tactics::{MOST_STONES, Tactics};
pub use weights::{Probabilities, Row, Weights};

/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
