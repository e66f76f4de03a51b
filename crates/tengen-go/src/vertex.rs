//! Vertices, which are points of the board by their coordinates as in GTP, and moves.

use super::parse_error::ParseError;
use super::size::{MAX_SIDE, Size, from_digits};
use std::fmt;
use std::str::FromStr;

/// A point of the board: column 0 is A, row 0 is the lowest (GTP row 1).
///
/// Vertices are ordered by row, then by column; every enumeration of points is in
/// this order.
///
/// # Examples
/// ```
/// use tengen_go::{Size, Vertex};
///
/// let vertex: Vertex = "J2".parse()?;
/// assert_eq!(vertex, Vertex::new(8, 1));
/// assert!(!vertex.is_on(Size::square(7)?));
/// let all = Vertex::all(Size::square(2)?).map(|vertex| vertex.to_string());
/// assert_eq!(all.collect::<Vec<_>>(), ["A1", "B1", "A2", "B2"]);
/// # Ok::<(), tengen_go::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Vertex {
    /// 0 for the lowest row, GTP row 1.
    pub row: u8,
    /// 0 for column A.
    pub col: u8,
}

/// The column letters of GTP: there is no I.
pub(crate) const COLUMNS: &[u8; MAX_SIDE as usize] = b"ABCDEFGHJKLMNOPQRST";

impl Vertex {
    /// The point at `col`, `row`, both from 0.
    #[must_use]
    pub const fn new(col: u8, row: u8) -> Self {
        Self { row, col }
    }

    /// Whether the point lies on a board of `size`.
    #[must_use]
    pub const fn is_on(self, size: Size) -> bool {
        (self.col as usize) < size.width() && (self.row as usize) < size.height()
    }

    /// Every point of a board of `size`, by row, then by column.
    pub fn all(size: Size) -> impl Iterator<Item = Self> {
        #[allow(clippy::cast_possible_truncation)] // sides are at most 19
        let (width, height) = (size.width() as u8, size.height() as u8);
        (0..height).flat_map(move |row| (0..width).map(move |col| Self { row, col }))
    }
}

impl fmt::Display for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = char::from(COLUMNS[usize::from(self.col)]);
        f.pad(&format!("{column}{}", self.row + 1))
    }
}

impl FromStr for Vertex {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let expected = "a column A to T without I and a row 1 to 19, or pass";
        let error = || ParseError::new("vertex", text, expected);
        let letter = text.bytes().next().ok_or_else(error)?.to_ascii_uppercase();
        let col = COLUMNS.iter().position(|&c| c == letter).ok_or_else(error)?;
        let row = from_digits(&text[1..]).filter(|row| *row <= MAX_SIDE).ok_or_else(error)?;
        #[allow(clippy::cast_possible_truncation)] // a position in 19 columns
        Ok(Self::new(col as u8, row - 1))
    }
}

/// A move: a play on a point, or a pass.
///
/// # Examples
/// ```
/// use tengen_go::{Move, Vertex};
///
/// assert_eq!("C3".parse(), Ok(Move::Play(Vertex::new(2, 2))));
/// assert_eq!("pass".parse(), Ok(Move::Pass));
/// assert_eq!(Move::Pass.to_string(), "pass");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A stone is put on a point.
    Play(Vertex),
    /// The player passes.
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Play(vertex) => vertex.fmt(f),
            Self::Pass => f.pad("pass"),
        }
    }
}

impl FromStr for Move {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text.eq_ignore_ascii_case("pass") {
            Ok(Self::Pass)
        } else {
            text.parse().map(Self::Play)
        }
    }
}

crate::written_as_text!(Vertex Move);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gtp_has_no_column_i() {
        assert_eq!(Vertex::new(7, 0).to_string(), "H1");
        assert_eq!(Vertex::new(8, 0).to_string(), "J1");
        assert_eq!(Vertex::new(18, 18).to_string(), "T19");
    }

    #[test]
    fn every_vertex_survives_the_round_trip() {
        for vertex in Vertex::all(Size::square(19).unwrap()) {
            assert_eq!(vertex.to_string().parse(), Ok(vertex));
            assert_eq!(vertex.to_string().to_lowercase().parse(), Ok(Move::Play(vertex)));
        }
        assert_eq!("PASS".parse(), Ok(Move::Pass));
    }

    #[test]
    fn refuses_what_is_no_vertex() {
        for text in
            ["", "I5", "A0", "A20", "U1", "5A", "A", "A1B", "é1", "A-1", "A+1", "A01", "resign"]
        {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }
}
