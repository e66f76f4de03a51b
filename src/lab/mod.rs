//! What the rows of a run say: functions of the rows, which can be made again
//! at any time.

mod pictures;
pub mod plots;
mod summary;
mod table;

pub use summary::{Line, Summary};
