#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Tuning of bots: what [`tengen_tune`] asks for is played, as the games of a
//! tournament are.
//!
//! [`Settings`] are what a user gives, [`Tuning`] is what follows from them, a
//! [`Session`] plays it, or each [`Round`] is cut into chunks, [`Findings`] are what comes out, [`validation`] is the match
//! on fresh openings that says whether it holds. A [`Comparison`] measures methods on
//! synthetic surfaces instead.

mod candidate;
mod comparison;
mod findings;
mod plots;
mod report;
mod round;
mod session;
mod settings;
mod tables;
mod trials;
mod tuning;

pub use candidate::{Candidate, CandidateError};
pub use comparison::{Comparison, RegretRow};
pub use findings::{Findings, Parameter};
pub use plots::pictures;
pub use report::Report;
pub use round::Round;
pub use session::Session;
pub use settings::{Opponent, Settings, SettingsError};
pub use tables::{estimates, samples, validation};
pub use trials::EstimateAt;
pub use tuning::Tuning;
