//! Positions as text diagrams.

use super::board::{Board, SetupError};
use super::color::Color;
use super::size::{MAX_SIDE, Size};
use super::vertex::{COLUMNS, Vertex};
use std::fmt;

/// An invalid diagram of a position.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum DiagramError {
    /// A character that is neither a stone nor an empty point.
    #[error(
        "invalid point `{found}` in row `{row}`: expected X for Black, O for White or . for empty"
    )]
    Character {
        /// The character.
        found: char,
        /// The row that contains the character.
        row: String,
    },
    /// Rows of different lengths, or not 1 to 19 rows of 1 to 19 points.
    #[error("a position has 1 to {MAX_SIDE} rows of 1 to {MAX_SIDE} points, all of one length")]
    Shape,
    /// An invalid set-up of stones.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl<const W: usize> Board<W> {
    /// Parses a diagram of a position: rows from the top, each on a line of its own or
    /// joined by `/`, with `X` for Black, `O` for White and `.` for an empty point.
    /// Spaces, row numbers and lines of column letters, as [`Board`] prints them, are
    /// ignored. Refuses a chain without liberties.
    ///
    /// # Panics
    /// If the board does not fit into `W` words.
    pub fn from_diagram(text: &str, to_play: Color) -> Result<Self, DiagramError> {
        let rows: Vec<Vec<Option<Color>>> = text
            .split(['/', '\n'])
            .map(|line| line.trim().trim_matches(|c: char| c.is_ascii_digit()))
            .filter(|line| !line.is_empty() && !line.starts_with('A'))
            .map(parse_row)
            .collect::<Result<_, _>>()?;
        let width = rows.first().ok_or(DiagramError::Shape)?.len();
        if rows.iter().any(|row| row.len() != width) {
            return Err(DiagramError::Shape);
        }
        let as_side = |length: usize| u8::try_from(length).map_err(|_| DiagramError::Shape);
        let size =
            Size::new(as_side(width)?, as_side(rows.len())?).map_err(|_| DiagramError::Shape)?;
        let mut stones = [Vec::new(), Vec::new()];
        for (vertex, point) in Vertex::all(size).zip(rows.iter().rev().flatten()) {
            if let Some(color) = point {
                stones[color.index()].push(vertex);
            }
        }
        Ok(Self::set_up(size, &stones[0], &stones[1], to_play)?)
    }

    /// The diagram of the position on one line: rows from the top, joined by `/`.
    #[must_use]
    pub fn to_rows(&self) -> String {
        let row = |row: usize| -> String {
            (0..self.size().width()).map(|col| self.character(col, row)).collect()
        };
        (0..self.size().height()).rev().map(row).collect::<Vec<_>>().join("/")
    }

    #[allow(clippy::cast_possible_truncation)] // sides are at most 19
    fn character(&self, col: usize, row: usize) -> char {
        match self.at(Vertex::new(col as u8, row as u8)) {
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
            None => '.',
        }
    }
}

fn parse_row(row: &str) -> Result<Vec<Option<Color>>, DiagramError> {
    row.chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| match c {
            'X' | 'x' => Ok(Some(Color::Black)),
            'O' | 'o' => Ok(Some(Color::White)),
            '.' | '+' => Ok(None),
            found => Err(DiagramError::Character { found, row: row.to_owned() }),
        })
        .collect()
}

impl<const W: usize> fmt::Display for Board<W> {
    /// A diagram with coordinates, the top row first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.size().width();
        let letters: String = COLUMNS[..width].iter().flat_map(|&c| [' ', char::from(c)]).collect();
        for row in (0..self.size().height()).rev() {
            write!(f, "{:2}", row + 1)?;
            for col in 0..width {
                write!(f, " {}", self.character(col, row))?;
            }
            writeln!(f)?;
        }
        write!(f, "  {letters}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_coordinates() {
        let board = Board::<1>::from_diagram("X.O/..X", Color::Black).unwrap();
        assert_eq!(board.to_string(), " 2 X . O\n 1 . . X\n   A B C");
    }

    #[test]
    fn refuses_what_no_game_can_reach() {
        let read = |rows: &str| Board::<1>::from_diagram(rows, Color::Black).unwrap_err();
        assert!(matches!(read("X?"), DiagramError::Character { found: '?', .. }));
        assert_eq!(read("X./..."), DiagramError::Shape);
        assert_eq!(read(""), DiagramError::Shape);
        assert_eq!(read("O/X"), DiagramError::Setup(SetupError::NoLiberty("A1".parse().unwrap())));
    }
}
