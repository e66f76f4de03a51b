//! One game, with its players, result and comments.

use super::error::{SgfError, SgfWarning};
use super::reader::{parse, parse_bytes};
use super::replay::{Overrides, Replay};
use super::rules::conditions;
use super::tree::{GameTree, Node, Property};
use super::value::{escape, write_move};
use super::writer::node_text;
use std::collections::BTreeMap;
use std::fmt::Write;
use tengen_go::{Board, Color, Game, Move, Vertex};

/// A game with its players, result, event, date and comments.
///
/// # Examples
/// ```
/// use tengen_sgf::{Overrides, Record};
///
/// let text = "(;FF[4]GM[1]SZ[9]KM[7.5]PB[Lee]PW[Cho]RE[W+R];B[ee];W[gc]C[Calm.])";
/// let mut record = Record::read(text, Overrides::default())?;
/// assert_eq!((record.game.ply(), record.result.as_str()), (2, "W+R"));
/// assert_eq!(record.comments[&2], "Calm.");
/// record.event = "Final".to_owned();
/// assert!(record.to_sgf().contains("EV[Final]"));
/// # Ok::<(), tengen_sgf::SgfError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Record {
    /// The game.
    pub game: Game,
    /// The name of Black; empty if unknown.
    pub black: String,
    /// The name of White; empty if unknown.
    pub white: String,
    /// The result as SGF writes it: `B+3.5`, `W+R`, `B+T`, `B+F`, `0`, `Void`.
    pub result: String,
    /// The event of the game.
    pub event: String,
    /// The date of the game.
    pub date: String,
    /// Comments by the number of plies made before them: 0 before the first move.
    pub comments: BTreeMap<usize, String>,
    /// Warnings of values that were not read as written.
    pub warnings: Vec<SgfWarning>,
}

impl Record {
    /// The record of `game`, without any other information.
    #[must_use]
    pub fn new(game: Game) -> Self {
        Self {
            game,
            black: String::new(),
            white: String::new(),
            result: String::new(),
            event: String::new(),
            date: String::new(),
            comments: BTreeMap::new(),
            warnings: Vec::new(),
        }
    }

    /// The record as SGF, with a line break after each tenth move and each comment.
    #[must_use]
    pub fn to_sgf(&self) -> String {
        let size = self.game.size();
        let mut text = format!("({}", node_text(&self.head()));
        let comment = |ply: usize| match self.comments.get(&ply) {
            Some(comment) => format!("C[{}]\n", escape(comment)),
            None => String::new(),
        };
        text.push_str(&comment(0));
        text.push('\n');
        for (ply, (color, mv)) in self.game.moves().enumerate() {
            let comment = comment(ply + 1);
            let _ = write!(text, ";{}[{}]{comment}", letter(color), write_move(mv, size));
            if comment.is_empty() && ply % 10 == 9 {
                text.push('\n');
            }
        }
        text.truncate(text.trim_end().len());
        // The player to move, if the last one moves again.
        if let Some((last, _)) =
            self.game.moves().last().filter(|&(last, _)| last == self.game.to_play())
        {
            let _ = write!(text, "\n;PL[{}]", letter(last));
        }
        text + ")\n"
    }

    /// The properties of the first node without its comment.
    pub(crate) fn head(&self) -> Vec<Property> {
        let size = self.game.size();
        let sides = match (size.width(), size.height()) {
            (width, height) if width == height => width.to_string(),
            (width, height) => format!("{width}:{height}"),
        };
        let fixed = [("FF", "4"), ("GM", "1"), ("CA", "UTF-8"), ("AP", "Tengen"), ("SZ", &sides)];
        let mut all = fixed.map(|(key, text)| Property::new(key, text)).to_vec();
        all.extend(conditions(&self.game));
        for (key, text) in [
            ("PB", &self.black),
            ("PW", &self.white),
            ("RE", &self.result),
            ("EV", &self.event),
            ("DT", &self.date),
        ] {
            if !text.is_empty() {
                all.push(Property::new(key, &text.replace(['\n', '\r'], " ")));
            }
        }
        all.extend(self.game.position_at(0).into_iter().flat_map(setup));
        all
    }

    /// Reads the main line of the first game in `text`.
    ///
    /// It accepts other text around the game, properties of older versions, `[tt]` as a pass at
    /// every size, moves after two passes, `6,5` as a komi, and set-up stones in several nodes
    /// before the first move. It also plays moves that break the rules of ko or suicide; the first
    /// is among the warnings. Refuses other games than Go, and a move on a stone or off the board.
    pub fn read(text: &str, overrides: Overrides) -> Result<Self, SgfError> {
        Self::of_tree(&parse(text)?[0], overrides)
    }

    /// The main line of `tree`. Refuses stones that are set up between moves.
    pub fn of_tree(tree: &GameTree, overrides: Overrides) -> Result<Self, SgfError> {
        let record = Self::up_to_late_setup(tree, overrides)?;
        let late = record.warnings.iter().find_map(|warning| match warning {
            SgfWarning::LateSetup { moves } => Some(SgfError::LateSetup(*moves)),
            _ => None,
        });
        late.map_or(Ok(record), Err)
    }

    /// The main line of `tree` up to the first node that sets up stones after a move; such a node
    /// is [a warning](SgfWarning::LateSetup).
    pub fn up_to_late_setup(tree: &GameTree, overrides: Overrides) -> Result<Self, SgfError> {
        let mut replay = Replay::begin(tree, overrides)?;
        let mut comments = BTreeMap::new();
        for node in tree.main_line() {
            if replay.is_late_setup(node) {
                replay.warnings.push(SgfWarning::LateSetup { moves: replay.moves });
                break;
            }
            replay.begin_node(node)?;
            for property in &node.properties {
                replay.take(property)?;
            }
            add_comments(comments.entry(replay.moves).or_default(), node);
        }
        comments.retain(|_, comment| !comment.is_empty());
        let first = |key: &str| first_text(tree, key);
        Ok(Self {
            black: first("PB"),
            white: first("PW"),
            result: first("RE"),
            event: first("EV"),
            date: first("DT"),
            comments,
            warnings: replay.warnings,
            game: replay.game,
        })
    }

    /// Reads the first record in `bytes`, in the charset that [`parse_bytes`] finds.
    pub fn read_bytes(bytes: &[u8], overrides: Overrides) -> Result<Self, SgfError> {
        Self::of_tree(&parse_bytes(bytes)?[0], overrides)
    }
}

/// Adds the comments of `node` to `comment`, each on a new line.
pub fn add_comments(comment: &mut String, node: &Node) {
    let all = node.properties.iter().filter(|property| property.key == "C").map(Property::text);
    for text in all.filter(|text| !text.is_empty()) {
        if !comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(&text);
    }
}

/// The first property `key` of the main line that is not empty, as one line of text: some servers
/// repeat a property, and some write it after the root.
pub fn first_text(tree: &GameTree, key: &str) -> String {
    let text = tree.main_line().find_map(|node| node.text(key)).unwrap_or_default();
    text.replace('\n', " ").trim().to_owned()
}

/// AB, AW and PL of the first position.
fn setup(start: &Board<6>) -> Vec<Property> {
    let mut all = Vec::new();
    for (key, color) in [("AB", Color::Black), ("AW", Color::White)] {
        let on = |vertex: &Vertex| start.at(*vertex) == Some(color);
        let stones = Vertex::all(start.size()).filter(on).map(Move::Play);
        let values: Vec<String> = stones.map(|mv| write_move(mv, start.size())).collect();
        if !values.is_empty() {
            all.push(Property { key: key.to_owned(), values });
        }
    }
    if !all.is_empty() || start.to_play() == Color::White {
        all.push(Property::new("PL", letter(start.to_play())));
    }
    all
}

/// The key of a player's moves, and the player's name in PL.
pub const fn letter(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}
