#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Game records in the Smart Game Format, SGF: FF 3 and FF 4 in, FF 4 out
//! (<https://www.red-bean.com/sgf/>).
//!
//! From the bottom up: [`decode`] turns bytes into text, [`parse()`] reads text
//! into a [`Collection`] of [`GameTree`]s and the [`Fault`]s that it met, with
//! their [`Place`]s; [`replay()`] plays the main line of a tree, [`check()`] looks
//! for everything in it that is wrong, and a [`Record`] is one game with what is
//! written about it.
//!
//! Trees are arenas and nothing here recurses: neither depth nor size of a
//! record can exhaust the stack. The crate `sgf-parse`, whose faults have no
//! places and whose trees are dropped by recursion, is the oracle of the tests.

mod check;
mod encoding;
mod error;
mod komi;
mod place;
mod reader;
mod record;
mod replay;
mod rules;
mod tree;
mod value;
mod writer;

pub use check::check;
pub use encoding::decode;
pub use error::{SgfError, SgfWarning};
pub use place::{Fault, Place, Severity};
pub use reader::{Collection, MAX_NODES, parse};
pub use record::Record;
pub use replay::{Overrides, replay};
pub use rules::RecordRules;
pub use tree::{GameTree, Node, NodeId, Property};
pub use value::{escape, unescape};
