//! What the rows of a run say: functions of the rows, which can be made again
//! at any time.

mod pictures;
pub mod plots;
pub mod speed;
mod summary;
mod table;

pub use summary::{Line, Summary};
