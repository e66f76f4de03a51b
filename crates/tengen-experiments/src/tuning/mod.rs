//! Tuning of bots: the methods of [`tengen_optimize`] request trials, which are played as games of a
//! tournament.
//!
//! A user gives [`Settings`]. From them follows a [`Tuning`], an
//! [`Experiment`](crate::run::Experiment), and from its games [`Findings`].
//! [`Tuning::validation`] is the match on fresh openings that shows whether they hold. A
//! [`Comparison`] measures methods on synthetic surfaces instead.

mod candidate;
mod comparison;
mod experiment;
mod findings;
pub mod report;
mod settings;
mod trials;
mod tuning_run;

pub use candidate::{Candidate, CandidateError};
pub use comparison::{Comparison, RegretRow};
pub use findings::{Findings, Parameter, optima_in_words, parameters};
pub use settings::{Opponent, Settings};
pub use trials::EstimateAt;
pub use tuning_run::{Tuning, VALIDATION_FOLDER};
