#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Experiments: what is played or measured, the folder that keeps its rows, and the report on them.
//!
//! [`run`] is a run of any experiment in its folder, [`blocks`] has other processes make the units of
//! a run, and [`report`] has tables, plots and pages. Each [`Experiment`](run::Experiment) is one
//! folder, with its settings, its rows and its report:
//!
//! - [`tournament`] plays matches; [`training`] keeps their positions for networks.
//! - [`convergence`] compares searches with solved positions.
//! - [`learn`] fits weights of features to searches.
//! - [`tuning`] plays the trials of a method of tuning.
//!
//! Two measurements have their rows or reports here, and their settings in their commands:
//!
//! - [`speed`] measures playouts and simulations per second.
//! - [`scaling`] compares searches that differ in their simulations or in parallel search.
//!
//! [`kind`] tells which of them made a run, from the files in its folder.

pub mod blocks;
pub mod convergence;
#[cfg(feature = "report")]
pub mod kind;
pub mod learn;
#[cfg(feature = "report")]
pub mod report;
pub mod run;
#[cfg(feature = "report")]
pub mod scaling;
pub mod speed;
pub mod tournament;
pub mod training;
#[cfg(feature = "report")]
pub mod tuning;
