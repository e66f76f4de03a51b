//! The two players.

use super::parse_error::ParseError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Not;
use std::str::FromStr;

/// A player, and the colour of that player's stones.
///
/// # Examples
/// ```
/// use tengen_go::Color;
///
/// let color: Color = "w".parse()?;
/// assert_eq!(color, Color::White);
/// assert_eq!(!color, Color::Black);
/// assert_eq!(["Lee", "Cho"][color.index()], "Cho");
/// # Ok::<(), tengen_go::ParseError>(())
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Color {
    /// The player who moves first in an even game.
    #[default]
    Black,
    /// The player who receives the komi.
    White,
}

impl Color {
    /// Both players, Black first.
    pub const BOTH: [Self; 2] = [Self::Black, Self::White];

    /// 0 for Black, 1 for White: an index into a pair of values.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Self;

    /// The opponent.
    fn not(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Black => "black",
            Self::White => "white",
        })
    }
}

impl FromStr for Color {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.to_ascii_lowercase().as_str() {
            "b" | "black" => Ok(Self::Black),
            "w" | "white" => Ok(Self::White),
            _ => Err(ParseError::new("colour", text, "b, black, w or white")),
        }
    }
}
