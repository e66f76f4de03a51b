#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Summaries, ratings, plots and reports: functions of the rows of a run or of a
//! measurement, which can be computed again at any time.

mod arms;
pub mod card;
pub mod convergence;
mod costs;
mod eliminated;
pub mod learning;
mod page;
mod pilot;
pub mod plots;
mod ratings;
pub mod scaling;
pub mod speed;
mod standing;
mod summary;
#[cfg(test)]
mod testing;
pub mod text;
pub mod tournament;
mod tournament_report;
pub mod tuning;
mod tuning_plots;
mod verdicts;

pub use pilot::Pilot;
pub use ratings::RatingList;
pub use standing::standing;
pub use summary::{Line, Summary};
