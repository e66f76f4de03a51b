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
    /// Values of an [`Outlook`], which count as so many visits (Gelly and Silver,
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
    /// The new chain has one liberty; less where it is a lone stone.
    pub const SELF_ATARI: f64 = -0.25;
    pub const LONE_STAKE: f64 = 0.6;
    /// Within one, two and three lines of the move before.
    pub const NEAR: [f64; 3] = [0.08, 0.05, 0.02];
    /// On the first and the second line with no stone within two lines.
    pub const LONELY_EDGE: [f64; 2] = [-0.2, -0.05];
    /// Both colours among the eight points around it, as in hane and cut.
    pub const CONTACT: f64 = 0.06;
    /// All four neighbours own: a false eye.
    pub const FALSE_EYE: f64 = -0.25;
}

/// What the shape of a position says of all its moves.
///
/// Made once for a node, in about a microsecond on 9×9: every chain is looked
/// at once, and what follows of it for the points around is a set.
#[derive(Clone, Debug)]
pub struct Outlook<const W: usize> {
    board: Board<W>,
    last: Option<Vertex>,
    /// The last liberties of the other player's chains, and how many stones
    /// fall there.
    captures: Vec<(Bits<W>, u32)>,
    /// The last liberties of own chains.
    rescues: Bits<W>,
    /// Where a chain of the other player is left with one liberty of two.
    ataris: Bits<W>,
    /// Next to an own chain that has two liberties more.
    supported: Bits<W>,
    /// Within a line of both players' stones.
    contacts: Bits<W>,
    /// No stone within two lines.
    lonely: Bits<W>,
}

impl<const W: usize> Outlook<W> {
    /// The outlook of the player to move on `board`, where `last` was the move
    /// before.
    #[must_use]
    pub fn new(board: &Board<W>, last: Option<Move>) -> Self {
        let (own, other) = (board.stones(board.to_play()), board.stones(!board.to_play()));
        let on_board = Bits::board(board.size());
        let mut outlook = Self {
            board: *board,
            last: match last {
                Some(Move::Play(vertex)) => Some(vertex),
                _ => None,
            },
            captures: Vec::new(),
            rescues: Bits::EMPTY,
            ataris: Bits::EMPTY,
            supported: Bits::EMPTY,
            contacts: around(own) & around(other),
            lonely: on_board - around(around(own | other)),
        };
        each_chain(other, |chain| {
            let liberties = chain.neighbors() & board.empty();
            match liberties.count() {
                1 => outlook.captures.push((liberties, chain.count())),
                2 => outlook.ataris |= liberties,
                _ => {}
            }
        });
        each_chain(own, |chain| {
            let liberties = chain.neighbors() & board.empty();
            match liberties.count() {
                1 => outlook.rescues |= liberties,
                2 => {}
                _ => outlook.supported |= liberties,
            }
        });
        outlook
    }

    /// The value of `made`, a legal move, for the player to move.
    #[must_use]
    pub fn value(&self, made: Move) -> f64 {
        let Move::Play(vertex) = made else { return worth::PASS };
        let index = Bits::<W>::index(vertex);
        let is_in = |points: Bits<W>| points.contains(index);
        let mut value = 0.5;
        let captured: u32 =
            self.captures.iter().filter(|(at, _)| is_in(*at)).map(|(_, stones)| stones).sum();
        if captured > 0 {
            value += worth::CAPTURE + worth::CAPTURE_MORE * f64::from(captured.min(4) - 1);
        }
        if captured == 0 && !is_in(self.supported) && self.is_self_atari(index) {
            let own = self.board.stones(self.board.to_play());
            let is_lone = !Bits::point(index).neighbors().intersects(own);
            value += worth::SELF_ATARI * if is_lone { worth::LONE_STAKE } else { 1.0 };
        } else if is_in(self.rescues) {
            value += worth::ESCAPE;
        }
        if is_in(self.ataris) {
            value += worth::GIVES_ATARI;
        }
        if let Some(near) =
            self.last.and_then(|last| worth::NEAR.get(lines_between(vertex, last).max(1) - 1))
        {
            value += near;
        }
        if is_in(self.contacts) {
            value += worth::CONTACT;
        }
        if is_in(self.lonely) {
            value += worth::LONELY_EDGE.get(self.line_of(vertex)).copied().unwrap_or(0.0);
        }
        let own = self.board.stones(self.board.to_play());
        let beside = Bits::<W>::point(index).neighbors() & Bits::board(self.board.size());
        if (beside - own).is_empty() {
            value += worth::FALSE_EYE;
        }
        value.clamp(0.05, 0.95)
    }

    /// Whether the chain of a stone at `index`, which captures nothing, has a
    /// single liberty.
    fn is_self_atari(&self, index: usize) -> bool {
        let point = Bits::<W>::point(index);
        let own = self.board.stones(self.board.to_play());
        let empty = self.board.empty() - point;
        if (point.neighbors() & empty).count() >= 2 {
            return false;
        }
        let chain = point.flood(own | point);
        (chain.neighbors() & empty).count() <= 1
    }

    /// How far a point lies from the edge: 0 on the first line.
    fn line_of(&self, vertex: Vertex) -> usize {
        let (col, row) = (usize::from(vertex.col), usize::from(vertex.row));
        let size = self.board.size();
        col.min(row).min(size.width() - 1 - col).min(size.height() - 1 - row)
    }
}

/// The points within a line of `points`, diagonals included, and themselves.
fn around<const W: usize>(points: Bits<W>) -> Bits<W> {
    let along = points | points.shifted_up(1) | points.shifted_down(1);
    along | along.shifted_up(Bits::<W>::STRIDE) | along.shifted_down(Bits::<W>::STRIDE)
}

/// Calls `look` with each chain of `stones`.
fn each_chain<const W: usize>(stones: Bits<W>, mut look: impl FnMut(Bits<W>)) {
    let mut left = stones;
    while !left.is_empty() {
        let chain = Bits::point(left.nth(0)).flood(stones);
        left = left - chain;
        look(chain);
    }
}

/// The lines between two points, the diagonal counting as one.
fn lines_between(one: Vertex, other: Vertex) -> usize {
    one.col.abs_diff(other.col).max(one.row.abs_diff(other.row)).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::Color;

    fn value(rows: &str, made: &str, last: Option<&str>) -> f64 {
        let board: Board<2> = Board::from_diagram(rows, Color::Black).unwrap();
        Outlook::new(&board, last.map(|last| last.parse().unwrap())).value(made.parse().unwrap())
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
