#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Summaries, ratings, plots and reports: functions of the rows of a run or of a
//! measurement, which can be computed again at any time.

mod duplicates;
mod plots;
mod ranking;
mod rating_list;
mod report;
pub mod scaling;
pub mod speed;
mod summary;
mod table;

pub use duplicates::DistinctGames;
pub use rating_list::{DifferenceRow, RatingList, RatingRow};
pub use report::{Report, page, picture, unplayed};
pub use summary::{Line, Summary, SummaryRow};
