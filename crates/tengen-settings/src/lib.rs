#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! What a user hands to Tengen: files, settings, and options of a command line.

pub mod choices;
pub mod faults;
pub mod files;
mod line;
mod suggestion;

pub use line::one_line;
pub use suggestion::suggestion;
