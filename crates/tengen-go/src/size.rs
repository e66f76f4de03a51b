//! The size of a board.

use super::parse_error::ParseError;
use super::vertex::{Move, Vertex};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tengen_settings::{Domain, TextValue};

/// Largest width and height of a board, in points.
pub const MAX_SIDE: u8 = 19;

/// Width and height of a board in points, each 1 to 19.
///
/// # Examples
/// ```
/// use tengen_go::Size;
///
/// let size: Size = "9x7".parse()?;
/// assert_eq!((size.width(), size.height(), size.points()), (9, 7, 63));
/// assert_eq!(Size::square(19)?.to_string(), "19x19");
/// # Ok::<(), tengen_go::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "TextOrSide", into = "String")]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// The board of `width` columns and `height` rows. Sides are 1 to 19.
    pub fn new(width: u8, height: u8) -> Result<Self, ParseError> {
        let allowed = 1..=MAX_SIDE;
        if allowed.contains(&width) && allowed.contains(&height) {
            Ok(Self { width, height })
        } else {
            Err(Self::invalid(format!("{width}x{height}")))
        }
    }

    fn invalid(text: impl Into<String>) -> ParseError {
        ParseError::new("board size", text, Self::forms())
    }

    fn forms() -> String {
        format!("WIDTHxHEIGHT or one number, each side 1 to {MAX_SIDE}")
    }

    /// The square board of `side` columns and rows. A side is 1 to 19.
    pub fn square(side: u8) -> Result<Self, ParseError> {
        Self::new(side, side)
    }

    /// All 361 sizes from 1×1 to 19×19, by width, then by height.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=MAX_SIDE).flat_map(|width| (1..=MAX_SIDE).map(move |height| Self { width, height }))
    }

    /// Number of columns.
    #[must_use]
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Number of rows.
    #[must_use]
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Number of points.
    #[must_use]
    pub const fn points(self) -> usize {
        self.width() * self.height()
    }

    /// The number of a point in the order of [`Vertex::all`], from 0 for A1, row by row from the
    /// lowest.
    #[must_use]
    pub const fn number(self, vertex: Vertex) -> usize {
        vertex.row as usize * self.width() + vertex.col as usize
    }

    /// The point with this [`Self::number`].
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // a side is at most 19
    pub const fn vertex(self, number: usize) -> Vertex {
        Vertex::new((number % self.width()) as u8, (number / self.width()) as u8)
    }

    /// The number of a move: of a play, the number of its point ([`Self::number`]); of a pass, the
    /// number of points of the board.
    #[must_use]
    pub const fn move_number(self, mv: Move) -> usize {
        match mv {
            Move::Play(vertex) => self.number(vertex),
            Move::Pass => self.points(),
        }
    }

    /// The move with this [`Self::move_number`].
    #[must_use]
    pub const fn move_of(self, number: usize) -> Move {
        if number < self.points() { Move::Play(self.vertex(number)) } else { Move::Pass }
    }

    /// The longer side.
    #[must_use]
    pub fn longer_side(self) -> usize {
        self.width().max(self.height())
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}x{}", self.width, self.height))
    }
}

impl FromStr for Size {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || Self::invalid(text);
        let side = |part: &str| from_digits(part.trim()).ok_or_else(error);
        let (width, height) = match text.split_once(['x', 'X', '×']) {
            Some((width, height)) => (side(width)?, side(height)?),
            None => (side(text)?, side(text)?),
        };
        Self::new(width, height).map_err(|_| error())
    }
}

impl TextValue for Size {
    fn domain() -> Domain {
        Domain::Text(Self::forms())
    }
}

/// Parses a positive number; unlike Rust's own parser, refuses `+5` and `05`.
pub(crate) fn from_digits(digits: &str) -> Option<u8> {
    digits.parse().ok().filter(|_| !digits.starts_with(['+', '0']))
}

/// A size in a file: `"9x7"`, or the one number of a square.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a board size is a text such as \"9x7\" or a number")]
enum TextOrSide {
    Text(String),
    Side(i64),
}

impl TryFrom<TextOrSide> for Size {
    type Error = ParseError;

    fn try_from(size: TextOrSide) -> Result<Self, ParseError> {
        match size {
            TextOrSide::Text(text) => text.parse(),
            TextOrSide::Side(number) => number.to_string().parse(),
        }
    }
}

impl From<Size> for String {
    fn from(size: Size) -> Self {
        size.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_squares_and_rectangles() {
        assert_eq!("9".parse(), Size::square(9));
        assert_eq!("7x5".parse(), Size::new(7, 5));
        assert_eq!(Size::new(7, 5).unwrap().to_string(), "7x5");
        assert_eq!(Size::all().count(), 361);
        let size = Size::new(7, 5).unwrap();
        for (number, vertex) in Vertex::all(size).enumerate() {
            assert_eq!((size.number(vertex), size.vertex(number)), (number, vertex));
        }
    }

    #[test]
    fn refuses_what_is_no_size() {
        for text in ["", "0", "20", "5x", "x5", "5x20", "nine", "5x5x5", "-5", "+5", "05", "300"] {
            let error = text.parse::<Size>().unwrap_err().to_string();
            assert!(error.contains(&format!("`{text}`")), "{error}");
        }
    }
}
