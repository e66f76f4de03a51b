//! Tuning of bots: what [`crate::methods`] asks for is played, as the games of a
//! tournament are.
//!
//! [`Settings`] are what a user gives, [`Tuning`] is what follows from them, which is an
//! [`Experiment`](tengen_harness::run::Experiment), [`Findings`] are what comes out, [`Tuning::validation`] is the
//! match on fresh openings that says whether it holds. A [`Comparison`] measures methods on
//! synthetic surfaces instead.

mod candidate;
mod comparison;
mod experiment;
mod findings;
mod settings;
mod trials;
mod tuning_run;

pub use candidate::{Candidate, CandidateError};
pub use comparison::{Comparison, RegretRow};
pub use findings::{Findings, Parameter, optima_in_words, parameters, short};
pub use settings::{Opponent, Settings};
pub use trials::EstimateAt;
pub use tuning_run::Tuning;
