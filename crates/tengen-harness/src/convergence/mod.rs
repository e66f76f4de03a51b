//! How fast UCT finds the truth: searches of solved positions, held against the
//! exact value of every move.
//!
//! A [`SolvedPosition`] has its values, [`draw`] makes more of them, [`Settings`] say which
//! searches are measured, [`measure`] searches, [`Rows`] joins what several processes measured,
//! [`provenance`] tells what may be joined,
//! [`summarize`] turns what it saw into shares
//! and means with intervals.

mod measurement;
mod merging;
mod provenance;
mod sampling;
mod settings;
mod solved;
mod summary;

pub use measurement::{MeasureError, PositionRow, measure};
pub use merging::{MergeError, Rows};
pub use provenance::provenance;
pub use sampling::{Drawing, Fate, Limits, Tally, draw};
pub use settings::{Settings, SettingsError};
pub use solved::{PositionsError, SolvedPosition, read, write};
pub use summary::{SummaryRow, answers, random_moves, summarize};
