//! Errors of reading a record, and warnings of parts that are not read as written.

use super::reader::shown;
use super::tree::Property;
use tengen_go::{Color, IllegalMove, Komi, MAX_SIDE, Move, SetupError, Size, Vertex};

/// The place at which a text is not SGF, and the reason.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("line {line}, column {column}: {what}")]
pub struct SyntaxError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The error, on one line.
    pub what: String,
}

impl SyntaxError {
    /// The error at the byte `offset` of `text`.
    pub(crate) fn at(text: &str, offset: usize, what: impl Into<String>) -> Self {
        let before = &text[..offset];
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.rsplit('\n').next().map_or(0, |begin| begin.chars().count());
        Self { line, column, what: what.into() }
    }
}

/// An invalid record of a game.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SgfError {
    /// The text is not SGF.
    #[error("invalid SGF: {0}")]
    Syntax(#[from] SyntaxError),
    /// A record of another game than Go.
    #[error("the record is of another game: expected Go, GM[1]")]
    NotGo,
    /// No board has this size.
    #[error("invalid board size SZ[{0}]: expected 1 to {MAX_SIDE}, or as SZ[9:13]")]
    Size(String),
    /// The board has another size than the wanted one.
    #[error("its board is {0} and not {1}")]
    OtherSize(Size, Size),
    /// SZ is missing, and 19x19, its default, is not the wanted size.
    #[error("it has no SZ, which means 19x19, and not {0}")]
    NoSize(Size),
    /// An invalid komi.
    #[error("invalid komi KM[{0}]: expected a number of points from -1000 to 1000")]
    Komi(String),
    /// Stones that no game can begin with.
    #[error("the set-up stones: {0}")]
    Setup(#[from] SetupError),
    /// Set-up stones that cannot be read.
    #[error("invalid set-up stones {0}: expected points of the board")]
    SetupPoints(String),
    /// Stones put down between moves.
    #[error("stones are set up after move {0}")]
    LateSetup(usize),
    /// An invalid move: no point of the board.
    #[error("move {ply}: invalid {color} move [{text}]: expected a point of the board")]
    Point {
        /// The number of the move, from 1.
        ply: usize,
        /// The player of the move.
        color: Color,
        /// The value as written.
        text: String,
    },
    /// A move that cannot be made.
    #[error("move {ply}: {color} {mv}: {reason}")]
    Illegal {
        /// The number of the move, from 1.
        ply: usize,
        /// The player of the move.
        color: Color,
        /// The move.
        mv: Move,
        /// Why it is illegal.
        reason: IllegalMove,
    },
}

/// A part of a record that is not read as written, or breaks the rules.
///
/// # Examples
/// ```
/// use tengen_sgf::{Overrides, Record, SgfWarning};
///
/// let record = Record::read("(;SZ[9]KM[7.25];B[ee])", Overrides::default())?;
/// assert_eq!(record.game.komi().to_string(), "7.5");
/// assert!(matches!(record.warnings[..], [SgfWarning::Rounded { .. }]));
/// # Ok::<(), tengen_sgf::SgfError>(())
/// ```
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum SgfWarning {
    /// A komi in another unit than points.
    #[error("KM[{text}] is read as {komi}")]
    Unit {
        /// The value as written.
        text: String,
        /// The komi.
        komi: Komi,
    },
    /// A komi between two half points.
    #[error(
        "KM[{text}] is read as {komi}, by which the same player wins: expected a multiple of 0.5"
    )]
    Rounded {
        /// The value as written.
        text: String,
        /// The komi under which the same player wins.
        komi: Komi,
    },
    /// A move that breaks the rules of ko or suicide. It is played all the same, since it was
    /// played in the game; later moves may break rules too.
    #[error("move {ply}: {color} {mv}: {reason}; a record's moves are played all the same")]
    Illegal {
        /// The number of the move, from 1.
        ply: usize,
        /// The player of the move.
        color: Color,
        /// The move.
        mv: Move,
        /// The rule that it breaks.
        reason: IllegalMove,
    },
    /// A text in a charset that the record does not name.
    #[error(
        "{} read as {charset}, judging by its bytes",
        if label.is_empty() {
            "the record has no CA in its first node: it is".to_owned()
        } else {
            format!("CA[{label}] names an unknown charset: the record is")
        }
    )]
    Guessed {
        /// The text of CA; empty without CA.
        label: String,
        /// The charset in which it is read.
        charset: &'static str,
    },
    /// A text in another charset than the record names.
    #[error("CA[{label}] does not fit the text, which is read as {charset}")]
    Misnamed {
        /// The text of CA.
        label: String,
        /// The charset in which it is read.
        charset: &'static str,
    },
    /// Bytes that the charset of the record does not have.
    #[error("CA[{label}]: bytes that {charset} does not have are read as \u{fffd}")]
    Damaged {
        /// The text of CA.
        label: String,
        /// The charset.
        charset: &'static str,
    },
    /// A value whose end looks like the next property.
    #[error(
        "the value of {key} ends with `{text}]`, which looks like the next property: a wrong \
         charset, or a `\\` before `]`, may hide that property"
    )]
    Swallowed {
        /// The key of the property.
        key: String,
        /// The text that may be the next property.
        text: String,
    },
    /// A text that ends before its game does.
    #[error("the text ends before the game is closed: it is read up to its node {nodes}")]
    CutOff {
        /// The number of nodes read.
        nodes: usize,
    },
    /// A value that is not read.
    #[error("{key}[{text}] is ignored: expected {expected}")]
    Ignored {
        /// The key of the property.
        key: String,
        /// The value as written.
        text: String,
        /// The values that are expected.
        expected: String,
    },
    /// Rules that are not known.
    #[error(
        "RU[{text}] is not known and read as simple ko without suicide: expected Chinese, AGA, NZ, \
         Tromp-Taylor, GOE, Japanese or Korean, or rules as KataGo writes them"
    )]
    UnknownRules {
        /// The value as written.
        text: String,
    },
    /// Rules that count points differently from Tengen.
    #[error("RU[{text}]: the score is by area, without group tax and button")]
    OtherScoring {
        /// The value as written.
        text: String,
    },
    /// A node that sets up stones and has a move.
    #[error("move {ply} stands in a node that sets up stones: they are set up before it")]
    SetUpWithMove {
        /// The number of the move, from 1.
        ply: usize,
    },
    /// A node with several moves.
    #[error(
        "move {ply} is in the same node as move {}: both are played, in the order of the text",
        ply.saturating_sub(1)
    )]
    SameNode {
        /// The number of the second move, from 1.
        ply: usize,
    },
    /// Stones put down between moves: the main line is read up to them.
    #[error("stones are set up after move {moves}: the game is read up to it")]
    LateSetup {
        /// The number of the last move before them.
        moves: usize,
    },
    /// A node that sets up a point in two ways.
    #[error("a node sets up {vertex} in two ways: the last one counts")]
    SetUpTwice {
        /// The point.
        vertex: Vertex,
    },
    /// Marks that are not read.
    #[error(
        "{count} {} on no point of the board",
        if *count == 1 { "mark is" } else { "marks are" }
    )]
    StrayMarks {
        /// The number of marks.
        count: usize,
    },
    /// Variations that are not read.
    #[error(
        "{count} {} left out, the first at move {ply}: {why}",
        if *count == 1 { "variation is" } else { "variations are" }
    )]
    LeftOut {
        /// The number of variations.
        count: usize,
        /// The number of the move with which the first variation begins, from 1.
        ply: usize,
        /// The reason.
        why: String,
    },
}

impl SgfWarning {
    /// The warning that `property`, whose values are not `expected`, is not read.
    pub(crate) fn ignored(property: &Property, expected: &str) -> Self {
        let text = shown(&property.line());
        Self::Ignored { key: property.key.clone(), text, expected: expected.to_owned() }
    }

    /// Whether the moves or stones may differ from those of the record.
    #[must_use]
    pub fn is_about_moves(&self) -> bool {
        let is_of_position = |key: &str| matches!(key, "SZ" | "HA" | "PL");
        match self {
            Self::Swallowed { .. }
            | Self::SameNode { .. }
            | Self::SetUpTwice { .. }
            | Self::SetUpWithMove { .. } => true,
            Self::Ignored { key, .. } => is_of_position(key),
            _ => false,
        }
    }
}
