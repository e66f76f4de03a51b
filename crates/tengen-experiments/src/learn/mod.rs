//! Learning: searches teach the weights of features, which make the next searches stronger.
//!
//! ```text
//! for each round:
//!     the teacher plays itself, and the visits of its searches are kept
//!     weights are fitted to the positions of the last rounds
//!     a sequential match: the student with these weights against the last accepted ones
//!     if it is won, the weights are accepted, and the teacher of the next round has them as prior
//! ```
//!
//! This is expert iteration (Anthony, Tian and Barber, "Thinking fast and slow with deep learning and tree
//! search", 2017) with weights of features (Coulom, "Computing Elo ratings of move patterns in the game
//! of Go", 2007) in place of a network.

mod experiment;
mod learning;
mod making;
mod positions;
#[cfg(feature = "report")]
pub mod report;
mod round;
mod samples;
mod settings;
mod study;

pub use experiment::{Observer, Step};
pub use learning::Learning;
pub use positions::Positions;
pub use round::{RoundRow, WEIGHTS};
pub use settings::{Counting, Settings};
pub use study::{CurveRow, Judge, PredictionRow, Study};
