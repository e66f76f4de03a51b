//! Counts duplicate games.

use std::collections::HashSet;
use tengen_go::{Color, Move, Size, Vertex};

/// Counts distinct games: two games are duplicates if the same bot was Black and
/// the moves are equal up to a symmetry of the board (rotation or reflection).
///
/// Deterministic players repeat games, and a duplicate is no new evidence: intervals
/// of figures that count it are too narrow.
#[derive(Clone, Debug)]
pub struct DistinctGames {
    size: Size,
    seen: HashSet<(String, Vec<(Color, Move)>)>,
    games: usize,
}

impl DistinctGames {
    /// A counter without games, for boards of `size`.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self { size, seen: HashSet::new(), games: 0 }
    }

    /// Adds a game in which the bot `black` was Black.
    pub fn insert(&mut self, black: &str, moves: &[(Color, Move)]) {
        let symmetries = if self.size.width() == self.size.height() { 8 } else { 4 };
        let image = |symmetry| -> Vec<(Color, Move)> {
            moves.iter().map(|&(color, mv)| (color, self.turned(mv, symmetry))).collect()
        };
        // All games that are equal up to symmetry have the same least image.
        if let Some(least) = (0..symmetries).map(image).min() {
            self.seen.insert((black.to_owned(), least));
        }
        self.games += 1;
    }

    /// Number of games, duplicates included.
    #[must_use]
    pub const fn games(&self) -> usize {
        self.games
    }

    /// Number of distinct games.
    #[must_use]
    pub fn distinct(&self) -> usize {
        self.seen.len()
    }

    /// The image of `mv` under a symmetry of the board: bit 0 of `symmetry` mirrors
    /// the columns, bit 1 the rows, and bit 2 exchanges columns and rows (on square
    /// boards only).
    #[allow(clippy::cast_possible_truncation)] // sides are at most 19
    fn turned(&self, mv: Move, symmetry: u8) -> Move {
        let Move::Play(Vertex { mut col, mut row }) = mv else {
            return Move::Pass;
        };
        if symmetry & 1 != 0 {
            col = self.size.width() as u8 - 1 - col;
        }
        if symmetry & 2 != 0 {
            row = self.size.height() as u8 - 1 - row;
        }
        Move::Play(if symmetry & 4 != 0 { Vertex::new(row, col) } else { Vertex::new(col, row) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<(Color, Move)> {
        let colors = Color::BOTH.into_iter().cycle();
        colors.zip(text.split(' ').map(|word| word.parse().unwrap())).collect()
    }

    fn distinct(size: &str, games: &[(&str, &str)]) -> usize {
        let mut counted = DistinctGames::new(size.parse().unwrap());
        for (black, text) in games {
            counted.insert(black, &moves(text));
        }
        assert_eq!(counted.games(), games.len());
        counted.distinct()
    }

    #[test]
    fn all_eight_images_of_a_game_are_one() {
        let images = [
            "B1 C4 pass",
            "D1 C4 pass",
            "B5 C2 pass",
            "D5 C2 pass",
            "A2 D3 pass",
            "A4 D3 pass",
            "E2 B3 pass",
            "E4 B3 pass",
        ];
        let games: Vec<_> = images.iter().map(|&image| ("a", image)).collect();
        assert_eq!(distinct("5", &games), 1);
        assert_eq!(distinct("5", &[("a", "B1 C4"), ("a", "B1 C2")]), 2);
    }

    #[test]
    fn a_rectangle_is_not_turned() {
        assert_eq!(distinct("3x2", &[("a", "A1"), ("a", "C1"), ("a", "A2"), ("a", "C2")]), 1);
        assert_eq!(distinct("3x2", &[("a", "B1"), ("a", "A2")]), 2);
    }

    #[test]
    fn who_is_black_matters() {
        assert_eq!(distinct("5", &[("a", "C3 pass"), ("b", "C3 pass"), ("a", "C3 pass")]), 2);
    }
}
