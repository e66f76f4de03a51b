#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! The rules of Go, from a set of points to a whole game; no search.
//!
//! Read from the bottom up: [`Size`], [`Vertex`] and [`Color`] name things,
//! [`Bits`] are sets of points, a [`Board`] is a position and its moves, a
//! [`History`] holds the earlier positions that superko compares, a [`Game`] is
//! all of it under [`Rules`].

mod bits;
mod board;
mod color;
mod diagram;
mod game;
mod history;
mod perft;
mod rules;
mod safety;
mod score;
pub mod seed;
mod size;
mod vertex;
mod zobrist;

pub use bits::Bits;
pub use board::{Board, IllegalMove, SetupError};
pub use color::{Color, ParseColorError};
pub use diagram::DiagramError;
pub use game::{End, Game};
pub use history::History;
pub use perft::perft;
pub use rules::{Ko, ParseRuleError, Preset, Rules, Suicide, default_komi, default_max_plies};
pub use safety::safe_area;
pub use score::{Komi, KomiError, Score};
pub use size::{MAX_SIDE, Size, SizeError};
pub use vertex::{Move, ParseVertexError, Vertex};

/// The smallest number of words that holds a board of `size`: 1, 2, 3 or 6.
#[must_use]
pub const fn words(size: Size) -> usize {
    if Bits::<1>::fits(size) {
        1
    } else if Bits::<2>::fits(size) {
        2
    } else if Bits::<3>::fits(size) {
        3
    } else {
        6
    }
}

/// Evaluates an expression with the constant `W` set to [`words`]`(size)`: the
/// one switch from a size to the word count of a board. `W` never changes a
/// result.
#[doc(hidden)]
#[macro_export]
macro_rules! with_words {
    ($size:expr, $W:ident => $body:expr) => {
        match $crate::words($size) {
            1 => {
                const $W: usize = 1;
                $body
            }
            2 => {
                const $W: usize = 2;
                $body
            }
            3 => {
                const $W: usize = 3;
                $body
            }
            _ => {
                const $W: usize = 6;
                $body
            }
        }
    };
}
