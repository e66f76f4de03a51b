#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! The rules of Go, from a set of points to a whole game; no search.
//!
//! From the bottom up: [`Size`], [`Vertex`] and [`Color`] are the basic types,
//! [`Bits`] is a set of points, a [`Board`] is a position with its legal moves, a
//! [`History`] holds the earlier positions that a superko rule compares, and a
//! [`Game`] is a board with its history under [`Rules`].

mod bits;
mod board;
mod color;
mod diagram;
mod game;
mod history;
mod parse_error;
mod perft;
mod registered_code;
mod registry;
mod rules;
mod safety;
mod score;
mod size;
mod vertex;
mod zobrist;

pub use bits::Bits;
pub use board::{Board, IllegalMove, SetupError};
pub use color::Color;
pub use diagram::DiagramError;
pub use game::{End, Game};
pub use history::History;
pub use parse_error::ParseError;
#[doc(hidden)]
pub use parse_error::written_as_text;
pub use perft::perft;
pub use registered_code::{RegisteredPanic, call_registered, catch_registered_panic};
pub use registry::{BuiltIn, Made, Named, Registry, RegistryError, numbers};
pub use rules::{Handicap, Ko, Preset, Rules, Suicide, default_komi, default_max_plies};
pub use safety::{alive_stones, safe_area};
pub use score::{Komi, Score};
pub use size::{MAX_SIDE, Size};
#[doc(hidden)]
pub use tengen_settings as settings;
pub use vertex::{Move, Vertex};

/// The number `W` of 64-bit words in which [`Bits`] holds a board of `size`: the
/// smallest of 1, 2, 3 and 6 that is enough.
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

/// Evaluates an expression with the constant `W` set to [`words`]`(size)`. It is the
/// only place where a board size, known at run time, selects the number of words, a
/// type parameter. `W` never changes a result.
///
/// # Examples
/// ```
/// use tengen_go::{Board, Size, with_words};
///
/// let size = Size::square(13)?;
/// let empty = with_words!(size, W => Board::<W>::new(size).empty().count());
/// assert_eq!(empty, 169);
/// # Ok::<(), tengen_go::ParseError>(())
/// ```
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

/// The example of the README is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
