//! How fast UCT finds the truth: searches of solved positions, compared with the exact value of
//! every move.
//!
//! A [`SolvedPosition`] holds the value of each move, [`draw`] finds more positions, [`Settings`]
//! say which searches are measured, [`measure`] searches, [`Convergence`] is the experiment,
//! [`summarize`] turns the rows into shares and means with intervals.

mod blocks;
mod experiment;
mod measurement;
mod provenance;
#[cfg(feature = "report")]
pub mod report;
mod sampling;
mod settings;
mod solved;
mod summary;

pub(crate) use blocks::POSITION_UNITS;
pub use experiment::{Convergence, POSITIONS};
pub use measurement::{PositionRow, measure};
pub use provenance::provenance;
pub use sampling::{Drawing, Fate, Limits, draw};
pub use settings::Settings;
pub use solved::{PositionsError, SolvedPosition, read, write};
pub use summary::{SummaryRow, answers, random_moves, summarize};
