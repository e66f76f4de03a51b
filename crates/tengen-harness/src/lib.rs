#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Runs of experiments: what is played or measured, and the folder that keeps its rows.
//!
//! [`results`] are the files of a run, [`tournament`] plays matches, [`bench`] measures playouts
//! and simulations per second, [`convergence`] holds UCT against solved positions.

pub mod bench;
pub mod convergence;
pub mod results;
pub mod tournament;
