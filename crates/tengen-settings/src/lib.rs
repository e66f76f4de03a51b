#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! What a user hands to Tengen: files and settings.
//!
//! The settings of a run or a bot are declared once, by [`settings!`](crate::settings): key, type,
//! default, [`Domain`] and meaning. Reading TOML, text and options, refusals, help and defaults
//! follow from the declaration. The settings of a file and of options are merged as tables, and
//! read once by [`Settings::from_table`].

mod choices;
mod domain;
mod error;
pub mod files;
mod key_change;
mod line;
mod suggestion;
mod table;
mod value;

pub use domain::Domain;
pub use error::{ParseError, SettingError, check};
pub use key_change::KeyChange;
pub use line::{message, one_line, printable, shortened};
#[doc(hidden)]
pub use serde;
pub use suggestion::{one_of, suggestion};
#[doc(hidden)]
pub use table::next;
pub use table::{
    CliOptions, Effect, Form, Part, Reading, Setting, Settings, parse, refuse_unknown,
};
pub use toml::{Table, Value};
pub use value::{Refusal, SettingValue, TextValue, deserialized};
