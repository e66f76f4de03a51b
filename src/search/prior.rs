//! Knowledge of Go as prior values of moves.

use super::setting::{SettingError, number_after, written_as_text};
use crate::go::{Bits, Board, Move, Vertex};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Whether moves get a prior value. As text `none` or `heuristic:10`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Prior {
    /// No priors; PUCT then takes all moves as equal.
    #[default]
    None,
    /// [`heuristic`] values, which count as so many visits (Gelly and Silver,
    /// "Combining online and offline knowledge in UCT", 2007, section 6).
    Heuristic(f64),
}

impl Prior {
    /// The visits that a prior counts for.
    #[must_use]
    pub const fn visits(self) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Heuristic(visits) => visits,
        }
    }
}

impl FromStr for Prior {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        if text == "none" {
            return Ok(Self::None);
        }
        number_after(text, "heuristic", 0.0..=1e6).map(Self::Heuristic).ok_or(SettingError {
            text: text.to_owned(),
            setting: "prior",
            expected: "none or heuristic:VISITS",
        })
    }
}

impl fmt::Display for Prior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.pad("none"),
            Self::Heuristic(visits) => f.pad(&format!("heuristic:{visits}")),
        }
    }
}

written_as_text!(Prior);

/// What a move is worth before anything is known of it but the shape of the
/// board: ½, changed by what applies, and kept within 0.05 to 0.95. Chosen by
/// hand after what michi and Pachi give such moves.
mod worth {
    pub const PASS: f64 = 0.1;
    /// Capture of one stone, and of each stone more up to four.
    pub const CAPTURE: f64 = 0.2;
    pub const CAPTURE_MORE: f64 = 0.05;
    /// A chain in atari gets two liberties or more.
    pub const ESCAPE: f64 = 0.2;
    pub const GIVES_ATARI: f64 = 0.08;
    /// The new chain has one liberty, by the stones that it puts at stake.
    pub const SELF_ATARI: f64 = -0.25;
    /// Within one, two and three lines of the move before.
    pub const NEAR: [f64; 3] = [0.08, 0.05, 0.02];
    /// On the first and the second line with no stone within two lines.
    pub const LONELY_EDGE: [f64; 2] = [-0.2, -0.05];
    /// Both colours among the eight points around it, as in hane and cut.
    pub const CONTACT: f64 = 0.06;
    /// All four neighbours own: a false eye.
    pub const FALSE_EYE: f64 = -0.25;
}

/// The value of `made`, legal on `board`, for the player to move; `last` is
/// the move before. Half a microsecond: for nodes that are expanded after some
/// visits.
#[must_use]
pub fn heuristic<const W: usize>(board: &Board<W>, made: Move, last: Option<Move>) -> f64 {
    let Move::Play(vertex) = made else { return worth::PASS };
    let (own, other) = (board.stones(board.to_play()), board.stones(!board.to_play()));
    let index = Bits::<W>::index(vertex);
    let point = Bits::<W>::point(index);
    let mut after = *board;
    after.play_at(index);
    let liberties = |chain: Bits<W>, on: &Board<W>| (chain.neighbors() & on.empty()).count();
    let mut value = 0.5;
    let captured = other.count() - after.stones(!board.to_play()).count();
    if captured > 0 {
        value += worth::CAPTURE + worth::CAPTURE_MORE * f64::from(captured.min(4) - 1);
    }
    let chain = point.flood(after.stones(board.to_play()));
    let beside = point.neighbors();
    if liberties(chain, &after) == 1 {
        let stake = if chain.count() == 1 { 0.6 } else { 1.0 };
        value += worth::SELF_ATARI * stake;
    } else if !(beside & own).is_empty()
        && (beside & own).iter().any(|stone| {
            let saved = Bits::point(stone).flood(own);
            liberties(saved, board) == 1
        })
    {
        value += worth::ESCAPE;
    }
    let touched = (beside & after.stones(!board.to_play())).iter();
    let in_atari = |stone| {
        let chain = Bits::point(stone).flood(after.stones(!board.to_play()));
        liberties(chain, &after) == 1
    };
    if touched.into_iter().any(in_atari) {
        value += worth::GIVES_ATARI;
    }
    if let Some(Move::Play(last)) = last
        && let Some(near) = worth::NEAR.get(lines_between(vertex, last).saturating_sub(1))
    {
        value += near;
    }
    let around = box_around(board, vertex, 1);
    if around.intersects(own) && around.intersects(other) {
        value += worth::CONTACT;
    }
    if let Some(lonely) = worth::LONELY_EDGE.get(line_of(board, vertex))
        && !box_around(board, vertex, 2).intersects(own | other)
    {
        value += lonely;
    }
    if (beside & (Bits::board(board.size()) - own)).is_empty() {
        value += worth::FALSE_EYE;
    }
    value.clamp(0.05, 0.95)
}

/// The lines between two points, the diagonal counting as one.
fn lines_between(one: Vertex, other: Vertex) -> usize {
    one.col.abs_diff(other.col).max(one.row.abs_diff(other.row)).into()
}

/// How far a point lies from the edge: 0 on the first line.
fn line_of<const W: usize>(board: &Board<W>, vertex: Vertex) -> usize {
    let (col, row) = (usize::from(vertex.col), usize::from(vertex.row));
    let size = board.size();
    col.min(row).min(size.width() - 1 - col).min(size.height() - 1 - row)
}

/// The points within so many lines of `vertex`, without itself.
fn box_around<const W: usize>(board: &Board<W>, vertex: Vertex, lines: u8) -> Bits<W> {
    let mut points = Bits::EMPTY;
    for row in vertex.row.saturating_sub(lines)..=vertex.row + lines {
        for col in vertex.col.saturating_sub(lines)..=vertex.col + lines {
            let other = Vertex::new(col, row);
            if other != vertex && other.is_on(board.size()) {
                points |= Bits::point(Bits::<W>::index(other));
            }
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::Color;

    fn value(rows: &str, made: &str, last: Option<&str>) -> f64 {
        let board: Board<2> = Board::from_diagram(rows, Color::Black).unwrap();
        heuristic(&board, made.parse().unwrap(), last.map(|last| last.parse().unwrap()))
    }

    const EMPTY: &str = "......./......./......./......./......./......./.......";

    fn assert_near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn lines_and_distance() {
        assert_near(value(EMPTY, "D4", None), 0.5);
        assert_near(value(EMPTY, "A4", None), 0.3);
        assert_near(value(EMPTY, "B4", None), 0.45);
        assert_near(value(EMPTY, "pass", None), 0.1);
        for (last, bonus) in [("D5", 0.08), ("E5", 0.08), ("D6", 0.05), ("G4", 0.02), ("pass", 0.0)]
        {
            assert_near(value(EMPTY, "D4", Some(last)), 0.5 + bonus);
        }
    }

    #[test]
    fn captures_escapes_and_atari() {
        // Two stones fall, and White's other stones stay away.
        let two = "OO..../XXX.../....../....../....../......";
        let found = value(two, "C6", None);
        assert_near(found, 0.5 + 0.2 + 0.05 + 0.06);
        // A stone in atari gets three liberties and touches the other colour.
        let escape = "....../..O.../.OXO../....../....../......";
        assert_near(value(escape, "C3", None), 0.5 + 0.2 + 0.06);
        let gives = "....../..X.../.XO.../....../....../......";
        assert_near(value(gives, "C3", None), 0.5 + 0.08 + 0.06);
    }

    #[test]
    fn own_atari_and_false_eyes() {
        let single = ".O..../....../....../....../....../......";
        // A6 beside B6: one liberty, A5.
        assert!(value(single, "A6", None) < 0.5 - 0.14);
        let false_eye = "....../..XO../.X.X../..XO../....../......";
        assert_near(value(false_eye, "C4", None), 0.5 - 0.25 + 0.06);
    }
}
