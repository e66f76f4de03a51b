#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! What a user hands to Tengen: files, settings, and options of a command line.
//!
//! The settings of a run are declared once, by [`settings!`](crate::settings): key, type, default
//! and help. [`Options`] makes options of a command line from them. What a file and what options
//! say is merged as tables, and read once by [`Settings::from_table`].

pub mod choices;
mod error;
pub mod files;
mod line;
mod options;
mod retired;
mod suggestion;
mod table;
mod value;

pub use error::{SettingError, check};
pub use line::{message, one_line, printable, shortened};
pub use options::{Optional, Options};
pub use retired::{Retired, drop_retired};
pub use suggestion::suggestion;
pub use table::{Form, Setting, Settings, parse, refuse_unknown};
pub use value::{read_table, take};
