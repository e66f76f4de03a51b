#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Runs of experiments: what is played or measured, and the folder that keeps its rows.
//!
//! [`run`] is a run of any experiment in its folder, [`tournament`] plays matches,
//! [`training`] keeps their positions for networks, [`mod@bench`] measures playouts
//! and simulations per second, [`convergence`] compares UCT with solved positions, [`learn`] fits
//! weights of features to searches. [`blocks`] has other processes make the units of a run.

pub mod bench;
pub mod blocks;
pub mod convergence;
pub mod learn;
pub mod run;
pub mod tournament;
pub mod training;
