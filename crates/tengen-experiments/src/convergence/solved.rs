//! Positions with the exact value of every move, and their file.

use crate::run::{RunError, to_csv};
use serde::{Deserialize, Serialize};
use tengen_go::{Board, Color, Game, Komi, Move, Preset, Rules, Size, Vertex};

/// A position with the value of every legal move, in points from Black's view: area
/// score, simple ko, suicide forbidden. No value rests on an endless game.
#[derive(Clone, Debug, PartialEq)]
pub struct SolvedPosition {
    /// The bots that played the game from which the position comes.
    pub source: String,
    /// Plies of that game before the position.
    pub ply: u32,
    /// The position, without a ko point and not after a pass.
    pub board: Board<6>,
    /// Every legal move with its value, the pass last.
    pub moves: Vec<(Move, i8)>,
    /// Moves whose value is a bound: to the player to move they are worth at most their value, and
    /// perhaps less.
    pub bounded: Vec<Move>,
}

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line {
    size: Size,
    source: String,
    ply: u32,
    pub(crate) to_play: String,
    pub(crate) position: String,
    value: i8,
    /// As in `A1:25 B1:-3 pass:-25`, or `A1:25 B1:<=24` where a value is a bound.
    pub(crate) moves: String,
}

/// A file of positions that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct PositionsError {
    /// The line of the file, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub fault: String,
}

impl SolvedPosition {
    /// The size of the board.
    #[must_use]
    pub fn size(&self) -> Size {
        self.board.size()
    }

    /// The player to move.
    #[must_use]
    pub fn to_play(&self) -> Color {
        self.board.to_play()
    }

    /// What `value` is worth to the player to move.
    #[must_use]
    pub fn for_player(&self, value: i8) -> i8 {
        if self.to_play() == Color::Black { value } else { -value }
    }

    /// The value of the position: that of its best move, from Black's view.
    #[must_use]
    pub fn value(&self) -> i8 {
        let values = self.moves.iter().map(|&(_, value)| value);
        values.max_by_key(|&value| self.for_player(value)).unwrap_or_default()
    }

    /// The points that `mv` gives away, at least 0; a lower bound if the value of `mv` is a bound;
    /// `None` if `mv` is illegal.
    #[must_use]
    pub fn regret(&self, mv: Move) -> Option<i8> {
        let (_, value) = self.moves.iter().find(|&&(other, _)| other == mv)?;
        Some(self.for_player(self.value()) - self.for_player(*value))
    }

    /// The points that the worst legal move gives away.
    #[must_use]
    pub fn greatest_regret(&self) -> i8 {
        self.moves.iter().filter_map(|&(mv, _)| self.regret(mv)).max().unwrap_or_default()
    }

    /// A text that is equal for positions that differ by a symmetry of the board, or in who has
    /// which color, and for no others.
    #[must_use]
    pub fn pattern(&self) -> String {
        let (width, height) = (self.size().width(), self.size().height());
        let sign = |vertex| match self.board.at(vertex) {
            None => '.',
            Some(color) if color == self.to_play() => 'X',
            Some(_) => 'O',
        };
        let signs: Vec<char> = Vertex::all(self.size()).map(sign).collect();
        let turned = |turn: usize| {
            let is_transposed = turn & 4 != 0;
            let (across, down) = if is_transposed { (height, width) } else { (width, height) };
            let mut text = format!("{across} ");
            for (row, col) in (0..down).flat_map(|row| (0..across).map(move |col| (row, col))) {
                let (x, y) = if is_transposed { (row, col) } else { (col, row) };
                let x = if turn & 1 == 0 { x } else { width - 1 - x };
                let y = if turn & 2 == 0 { y } else { height - 1 - y };
                text.push(signs[y * width + x]);
            }
            text
        };
        (0..8).map(turned).min().unwrap_or_default()
    }

    /// The share of the legal moves that keep the value.
    #[must_use]
    pub fn share_of_best(&self) -> f64 {
        let best = self.moves.iter().filter(|&&(_, value)| value == self.value()).count();
        best as f64 / self.moves.len().max(1) as f64
    }

    /// The game that begins at the position. Under its komi the player to move wins by half a point
    /// with the moves that keep the value, and loses with all other moves: UCT looks for wins, and
    /// only these moves win.
    #[must_use]
    pub fn game(&self) -> Game {
        let half_points = 2 * i16::from(self.value()) - i16::from(self.for_player(1));
        // A value has at most 30 points.
        let komi = Komi::from_half_points(half_points).unwrap_or_default();
        Game::from_position(self.board, Rules::new(Preset::Simple, self.size(), komi))
    }

    /// The sign before a value that is a bound.
    fn bound(&self) -> &'static str {
        if self.to_play() == Color::Black { "<=" } else { ">=" }
    }

    pub(crate) fn line(&self) -> Line {
        let bound = self.bound();
        let moves = self.moves.iter().map(|(mv, value)| {
            let relation = if self.bounded.contains(mv) { bound } else { "" };
            format!("{mv}:{relation}{value}")
        });
        Line {
            size: self.size(),
            source: self.source.clone(),
            ply: self.ply,
            to_play: self.to_play().to_string(),
            position: self.board.to_rows(),
            value: self.value(),
            moves: moves.collect::<Vec<_>>().join(" "),
        }
    }

    fn from_line(line: Line) -> Result<Self, String> {
        let to_play: Color = line.to_play.parse().map_err(|e| format!("{e}"))?;
        let board = Board::from_diagram(&line.position, to_play).map_err(|e| e.to_string())?;
        if board.size() != line.size {
            return Err(format!("the size is {}, but the position is {}", line.size, board.size()));
        }
        let mut position = Self {
            source: line.source,
            ply: line.ply,
            board,
            moves: Vec::new(),
            bounded: Vec::new(),
        };
        for text in line.moves.split_whitespace() {
            let said =
                || format!("invalid move `{text}`: expected a move with its value, such as A1:25");
            let (mv, value) = text.split_once(':').ok_or_else(said)?;
            let mv: Move = mv.parse().map_err(|_| said())?;
            let bound = value.strip_prefix(position.bound());
            position.moves.push((mv, bound.unwrap_or(value).parse().map_err(|_| said())?));
            if bound.is_some() {
                position.bounded.push(mv);
            }
        }
        let game = position.game();
        let legal = Vertex::all(line.size).map(Move::Play).chain([Move::Pass]);
        for mv in legal.filter(|&mv| game.check(board.to_play(), mv).is_ok()) {
            if position.regret(mv).is_none() {
                return Err(format!("the legal move {mv} has no value"));
            }
        }
        if let Some((mv, _)) =
            position.moves.iter().find(|(mv, _)| game.check(board.to_play(), *mv).is_err())
        {
            return Err(format!("illegal move {mv}: expected legal moves alone"));
        }
        if let Some(mv) = position.bounded.iter().find(|&&mv| position.regret(mv) == Some(0)) {
            return Err(format!("the value of {mv} must be known: it may be the best move"));
        }
        if position.value() != line.value {
            let best = position.value();
            return Err(format!("the value is {}, but the best move is worth {best}", line.value));
        }
        Ok(position)
    }
}

/// Reads the text of a file of positions. Refuses a line that is not a position with the value of every legal
/// move.
pub fn read(text: &str) -> Result<Vec<SolvedPosition>, PositionsError> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mut positions = Vec::new();
    for (number, line) in (2..).zip(reader.deserialize::<Line>()) {
        let fault = |fault: String| PositionsError { line: number, fault };
        let line = line.map_err(|said| fault(said.to_string()))?;
        positions.push(SolvedPosition::from_line(line).map_err(fault)?);
    }
    Ok(positions)
}

/// The text of a file with `positions`.
pub fn write(positions: &[SolvedPosition]) -> Result<String, RunError> {
    to_csv(positions.iter().map(SolvedPosition::line))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "size,source,ply,to_play,position,value,moves\n\
                        2x2,random,2,white,X./.O,1,A1:-4 B2:1 pass:4\n";

    fn position() -> SolvedPosition {
        let board = Board::from_diagram("X./.O", Color::White).unwrap();
        let moves = [("A1", -3), ("B2", 1), ("pass", 4)];
        let moves = moves.map(|(mv, value)| (mv.parse().unwrap(), value));
        SolvedPosition {
            source: "random".into(),
            ply: 2,
            board,
            moves: moves.into(),
            bounded: Vec::new(),
        }
    }

    #[test]
    fn values_and_regret_are_those_of_the_player_to_move() {
        let position = position();
        assert_eq!(position.value(), -3);
        assert_eq!(position.regret("B2".parse().unwrap()), Some(4));
        assert_eq!(position.regret("A2".parse().unwrap()), None);
        assert_eq!(position.greatest_regret(), 7);
        assert!((position.share_of_best() - 1.0 / 3.0).abs() < 1e-12);
        // White wins a score of -3 and loses one of -2.
        assert_eq!(position.game().rules().komi.half_points(), -5);
    }

    #[test]
    fn patterns_are_equal_for_turned_positions_and_for_swapped_colors() {
        let pattern = |rows: &str, to_play| {
            let board = Board::from_diagram(rows, to_play).unwrap();
            SolvedPosition { board, ..position() }.pattern()
        };
        let first = pattern("XO./..X", Color::Black);
        for (rows, to_play) in [
            (".OX/X..", Color::Black),
            ("..X/XO.", Color::Black),
            ("X../.OX", Color::Black),
            ("X./O./.X", Color::Black),
            (".X/.O/X.", Color::Black),
            ("OX./..O", Color::White),
        ] {
            assert_eq!(pattern(rows, to_play), first, "{rows}");
        }
        for (rows, to_play) in [
            ("XO./..X", Color::White),
            ("XO./.X.", Color::Black),
            ("XO/../.X", Color::Black),
            ("XO./..X/...", Color::Black),
        ] {
            assert_ne!(pattern(rows, to_play), first, "{rows}");
        }
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let text = write(&[position()]).unwrap();
        assert_eq!(read(&text).unwrap(), [position()]);
        let bounded = SolvedPosition { bounded: vec![Move::Pass], ..position() };
        let text = write(std::slice::from_ref(&bounded)).unwrap();
        assert!(text.contains("B2:1 pass:>=4"), "{text}");
        assert_eq!(read(&text).unwrap(), [bounded]);
    }

    #[test]
    fn wrong_lines_are_named() {
        for (from, to, fault) in [
            ("A1:-4 ", "", "line 2: the legal move A1 has no value"),
            ("B2:1", "A2:1", "line 2: the legal move B2 has no value"),
            ("pass:4", "pass:4 A2:3", "line 2: illegal move A2: expected legal moves alone"),
            (
                "B2:1",
                "B2",
                "line 2: invalid move `B2`: expected a move with its value, such as A1:25",
            ),
            ("A1:-4", "A1:>=-4", "line 2: the value of A1 must be known: it may be the best move"),
            (
                "A1:-4",
                "A1:<=-4",
                "line 2: invalid move `A1:<=-4`: expected a move with its value, such as A1:25",
            ),
            (",1,", ",2,", "line 2: the value is 2, but the best move is worth -4"),
            ("2x2", "3x3", "line 2: the size is 3x3, but the position is 2x2"),
        ] {
            let said = read(&FILE.replacen(from, to, 1)).unwrap_err().to_string();
            assert_eq!(said, fault);
        }
    }
}
