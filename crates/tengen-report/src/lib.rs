#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Summaries, ratings, plots and reports: functions of the rows of a run or of a
//! measurement, which can be computed again at any time.

mod convergence_plots;
mod convergence_report;
mod duplicates;
pub mod plots;
mod ranking;
mod rating_list;
mod report;
pub mod scaling;
pub mod speed;
mod summary;
mod summary_plots;
mod table;
pub mod text;
pub mod tournament;
mod tuning_plots;
mod tuning_report;
mod tuning_tables;

pub use duplicates::DistinctGames;
pub use rating_list::{DifferenceRow, RatingList, RatingRow};
pub use report::{Report, page, picture, unplayed};
pub use summary::{Line, Summary, SummaryRow};

/// The plots and the report of a run of convergence.
pub mod convergence {
    pub use crate::convergence_plots::plots;
    pub use crate::convergence_report::Report;
}

/// The plots, the tables and the report of a tuning.
pub mod tuning {
    pub use crate::tuning_plots::pictures;
    pub use crate::tuning_report::Report;
    pub use crate::tuning_tables::{estimates, samples, validation};
}
