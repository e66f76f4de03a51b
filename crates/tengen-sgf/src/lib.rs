#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Game records in the Smart Game Format, SGF: FF 3 and FF 4 in, FF 4 out
//! (<https://www.red-bean.com/sgf/>).
//!
//! From the bottom up: [`decode`] turns bytes into text, game by game. [`parse()`] reads text, and
//! [`parse_bytes`] bytes, into [`GameTree`]s; errors name the place that is not SGF. [`replay()`]
//! plays the main line of a tree. A [`Record`] is one game with its players, result and comments.
//! [`variations()`] returns the positions of the main line and of all other variations.
//!
//! Trees are arenas and nothing here recurses: neither depth nor size of a
//! record can exhaust the stack. The crate `sgf-parse`, whose errors have no
//! places and whose trees are dropped by recursion, is the oracle of the tests.

mod encoding;
mod error;
mod komi;
mod reader;
mod record;
mod replay;
mod rules;
mod setup;
mod shape;
mod tree;
mod value;
mod variations;
mod writer;

pub use encoding::{Charset, charset, charset_without_statistics, decode};
pub use error::{SgfError, SgfWarning, SyntaxError};
pub use reader::{parse, parse_bytes, parse_first};
pub use record::Record;
pub use replay::{Overrides, replay};
pub use rules::RecordRules;
pub use tree::{GameTree, Node, NodeId, Property};
pub use value::{escape, unescape};
pub use variations::{LeftOut, Mark, Variation, variations};

/// The example of the README is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
