//! Tuning of bots: what [`crate::methods`] asks for is played, as the games of a
//! tournament are.
//!
//! [`Settings`] are what a user gives, [`Tuning`] is what follows from them, a
//! [`Session`] plays it, or each [`Round`] is cut into chunks, [`Findings`] are what comes out, [`Tuning::validation`] is the
//! match on fresh openings that says whether it holds. A [`Comparison`] measures methods on
//! synthetic surfaces instead.

mod candidate;
mod comparison;
mod findings;
mod round;
mod session;
mod settings;
mod trials;
mod tuning_run;

pub use candidate::{Candidate, CandidateError};
pub use comparison::{Comparison, RegretRow};
pub use findings::{Findings, Parameter, parameters, short};
pub use round::Round;
pub use session::Session;
pub use settings::{Opponent, Settings, SettingsError};
pub use trials::EstimateAt;
pub use tuning_run::Tuning;
