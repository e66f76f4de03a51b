//! The features of a move: what the weights are for.
//!
//! | feature | of a play | of a pass |
//! |---|---|---|
//! | `shape` | the eight points around it | |
//! | `crossing` | its four neighbours, with the liberties of their chains | |
//! | `line` | the distance to the nearest edge, 1 to 5 | |
//! | `last`, `before` | the distance to the last move and to the move before it | |
//! | `tactic` | each of [`TACTICS`] that applies | |
//! | `pass` | | how many plays there are: none, or up to 1, 2, 4, 8, 16, 32 or 64 % of the points, or more; and whether it answers a pass |
//!
//! The distance of two points, `dx` columns and `dy` rows apart, is `dx + dy + max(dx, dy)`, at
//! most 17 (Coulom, "Computing Elo ratings of move patterns in the game of Go", 2007).

use crate::shape::{self, CODES, Codes, Kind};
use crate::tactics::Tactics;
use tengen_go::{Bits, Board, Move, Size, Vertex};

/// The last moves before a position, if known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recent {
    /// The opponent's last move.
    pub last: Option<Move>,
    /// The move before it, of the player to move.
    pub before: Option<Move>,
}

impl Recent {
    /// The last moves among `moves`, which begin with the newest.
    #[must_use]
    pub fn of(mut moves: impl Iterator<Item = Move>) -> Self {
        Self { last: moves.next(), before: moves.next() }
    }
}

/// The tactics that are features, by their names; a move may have several.
pub const TACTICS: [&str; 13] = [
    "capture-1",
    "capture-2",
    "capture-3",
    "capture-4",
    "capture-rescues",
    "capture-last",
    "escape",
    "escape-from-last",
    "self-atari-lone",
    "self-atari-joined",
    "atari",
    "atari-last",
    "atari-in-ko",
];

/// The largest line: points farther from the edge count as on this line.
pub const LINES: usize = 5;

/// The least distance of two points.
pub const NEAREST: usize = 2;

/// The greatest distance that is distinguished: larger ones count as it.
pub const FARTHEST: usize = 17;
const DISTANCES: usize = FARTHEST - NEAREST + 1;

/// The number of a feature, below [`FEATURES`].
pub type Feature = u32;

const CROSSING: usize = CODES;
const LINE: usize = 2 * CODES;
const LAST: usize = LINE + LINES;
const BEFORE: usize = LAST + DISTANCES;
const TACTIC: usize = BEFORE + DISTANCES;
const PASS: usize = TACTIC + TACTICS.len();

/// Number of classes of passes by the number of plays.
const PASSES: usize = 9;

/// Number of features, each symmetric image counted.
pub const FEATURES: usize = PASS + PASSES + 1;

#[allow(clippy::cast_possible_truncation)] // below `FEATURES`
const fn feature(number: usize) -> Feature {
    number as Feature
}

/// The feature of the shape of this code.
#[must_use]
pub fn of_shape(code: u16) -> Feature {
    feature(usize::from(shape::standing_for(Kind::Shape)[usize::from(code)]))
}

/// The feature of the crossing of this code.
#[must_use]
pub fn of_crossing(code: u16) -> Feature {
    feature(CROSSING + usize::from(shape::standing_for(Kind::Crossing)[usize::from(code)]))
}

/// The feature of a play on this line, from 1.
#[must_use]
pub const fn of_line(line: usize) -> Feature {
    feature(LINE + line - 1)
}

/// The feature of a play at this distance from the last move.
#[must_use]
pub const fn of_last(distance: usize) -> Feature {
    feature(LAST + distance - NEAREST)
}

/// The feature of a play at this distance from the move before the last.
#[must_use]
pub const fn of_before(distance: usize) -> Feature {
    feature(BEFORE + distance - NEAREST)
}

/// The feature of the tactic of this number in [`TACTICS`].
#[must_use]
pub const fn of_tactic(number: usize) -> Feature {
    feature(TACTIC + number)
}

/// The feature of a pass where `plays` plays are possible on a board of `size`.
#[must_use]
pub fn of_pass(plays: u32, size: Size) -> Feature {
    let percent = (100 * plays as usize).div_ceil(size.points());
    let class = (0..PASSES - 1).find(|&class| percent <= percent_of(class));
    feature(PASS + class.unwrap_or(PASSES - 1))
}

/// The greatest share of plays of a class of passes, in percent.
const fn percent_of(class: usize) -> usize {
    if class == 0 { 0 } else { 1 << (class - 1) }
}

/// The feature of a pass that answers a pass.
pub const ANSWERING_PASS: Feature = feature(PASS + PASSES);

/// The distance of two points that are `columns` and `rows` apart.
#[must_use]
pub fn distance(columns: usize, rows: usize) -> usize {
    (columns + rows + columns.max(rows)).clamp(NEAREST, FARTHEST)
}

/// The line of a point, from 1 at the edge, at most [`LINES`].
#[must_use]
pub fn line(size: Size, vertex: Vertex) -> usize {
    let (col, row) = (usize::from(vertex.col), usize::from(vertex.row));
    let nearest = col.min(row).min(size.width() - 1 - col).min(size.height() - 1 - row);
    (nearest + 1).min(LINES)
}

/// The kinds of features.
pub const KINDS: [&str; 7] = ["shape", "crossing", "line", "last", "before", "tactic", "pass"];

/// The kind of a feature, one of [`KINDS`].
#[must_use]
pub fn kind(of: Feature) -> &'static str {
    let starts = [CROSSING, LINE, LAST, BEFORE, TACTIC, PASS];
    KINDS[starts.into_iter().filter(|&start| start <= of as usize).count()]
}

/// The kind and the name of a feature in files, such as `last 4`.
#[must_use]
pub fn name(of: Feature) -> (&'static str, String) {
    const LAST_PASS: usize = PASS + PASSES - 1;
    let number = of as usize;
    #[allow(clippy::cast_possible_truncation)] // a code
    let code = (number % CODES) as u16;
    let name = match number {
        0..CROSSING => shape::name(Kind::Shape, code),
        CROSSING..LINE => shape::name(Kind::Crossing, code),
        LINE..LAST => (number - LINE + 1).to_string(),
        LAST..BEFORE => (number - LAST + NEAREST).to_string(),
        BEFORE..TACTIC => (number - BEFORE + NEAREST).to_string(),
        TACTIC..PASS => TACTICS[number - TACTIC].to_owned(),
        PASS..LAST_PASS => format!("{}%", percent_of(number - PASS)),
        LAST_PASS => "more".to_owned(),
        _ => "answer".to_owned(),
    };
    (kind(of), name)
}

/// The feature of a kind and a name that [`name`] writes; none if there is no such feature.
#[must_use]
pub fn named(kind: &str, text: &str) -> Option<Feature> {
    match kind {
        "shape" => shape::code_of(Kind::Shape, text).map(of_shape),
        "crossing" => shape::code_of(Kind::Crossing, text).map(of_crossing),
        _ => (LINE..FEATURES).map(feature).find(|&of| {
            let (own, name) = name(of);
            own == kind && name == text
        }),
    }
}

/// The data from which the features of all moves of a position follow.
#[derive(Clone, Debug)]
pub struct Position<const W: usize> {
    /// The size of the board.
    pub size: Size,
    /// The last moves.
    pub recent: Recent,
    /// The tactics of its chains.
    pub tactics: Tactics<W>,
    /// The codes of the shapes, by point.
    pub shapes: Codes<W>,
    /// The codes of the crossings, by point.
    pub crossings: Codes<W>,
    is_ko: bool,
}

impl<const W: usize> Position<W> {
    /// The position on `board` after the moves `recent`.
    #[inline(always)]
    #[must_use]
    pub fn new(board: &Board<W>, recent: Recent) -> Self {
        let tactics = Tactics::new(board, recent.last);
        let Tactics { own, other, one_liberty, two_liberties, .. } = tactics;
        let on_board = Bits::board(board.size());
        let (shapes, crossings) = shape::codes(on_board, own, other, one_liberty, two_liberties);
        let is_ko = board.ko().is_some();
        Self { size: board.size(), recent, tactics, shapes, crossings, is_ko }
    }

    /// The points with each of the [`TACTICS`].
    #[inline(always)]
    #[must_use]
    pub fn tactics(&self) -> [Bits<W>; TACTICS.len()] {
        let found = &self.tactics;
        let [one, two, three, four] = found.captures;
        let lone = found.lone_self_ataris();
        [
            one - two,
            two - three,
            three - four,
            four,
            found.rescuing_captures,
            found.captures_of_last,
            found.escapes(),
            found.escapes_from_last - found.self_ataris,
            lone,
            found.self_ataris - lone,
            found.ataris,
            found.ataris_of_last,
            if self.is_ko { found.ataris } else { Bits::EMPTY },
        ]
    }

    /// Appends the features of the play at `index` to `features`.
    pub fn of_play(&self, index: usize, features: &mut Vec<Feature>) {
        let at = Bits::<W>::vertex(index);
        let (word, bit) = (index / 64, index % 64);
        features.push(of_shape(self.shapes[word][bit]));
        features.push(of_crossing(self.crossings[word][bit]));
        features.push(of_line(line(self.size, at)));
        let away = |from: Vertex| {
            let apart = |one: u8, other: u8| usize::from(one.abs_diff(other));
            distance(apart(at.col, from.col), apart(at.row, from.row))
        };
        if let Some(Move::Play(last)) = self.recent.last {
            features.push(of_last(away(last)));
        }
        if let Some(Move::Play(before)) = self.recent.before {
            features.push(of_before(away(before)));
        }
        let tactics = self.tactics();
        let applying = (0..).zip(tactics).filter(|(_, points)| points.contains(index));
        features.extend(applying.map(|(number, _)| of_tactic(number)));
    }

    /// Appends the features of a pass, where `plays` plays are possible, to `features`.
    pub fn of_pass(&self, plays: u32, features: &mut Vec<Feature>) {
        features.push(of_pass(plays, self.size));
        if self.recent.last == Some(Move::Pass) {
            features.push(ANSWERING_PASS);
        }
    }
}
