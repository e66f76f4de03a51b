//! The main line of a tree as a game.

use super::rules::read_rules;
use super::tree::{GameTree, Node, Property};
use super::value::{read_move, read_points, read_size, simple_text};
use std::collections::BTreeMap;
use tengen_go::{
    Board, Color, Game, IllegalMove, Ko, Komi, Move, Preset, Rules, SetupError, Size, Suicide,
    Vertex,
};

/// Plies that a game read from a record may go on to.
const MAX_PLIES: u32 = 100_000;

/// What a reader knows better than the record.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    /// Instead of RU. Without either it is simple ko without suicide, by which
    /// most records are legal.
    pub rules: Option<(Ko, Suicide)>,
    /// Instead of KM. Without either it is 0.
    pub komi: Option<Komi>,
    /// The only size of board that is wanted; without it any is.
    pub size: Option<Size>,
}

/// A text that is no record of a game.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SgfError {
    /// The text is no SGF.
    #[error("no SGF: {0}")]
    Syntax(String),
    /// A record of another game than Go.
    #[error("the record is not of a game of Go")]
    NotGo,
    /// No board has this size.
    #[error("SZ[{0}] is no size of a board")]
    Size(String),
    /// The board has another size than the one that is wanted.
    #[error("its board is {0} and not {1}")]
    OtherSize(Size, Size),
    /// There is no SZ, and the size that the board then has is not wanted.
    #[error("it has no SZ, which means 19x19, and not {0}")]
    NoSize(Size),
    /// No komi.
    #[error("KM[{0}] is no komi")]
    Komi(String),
    /// Stones that no game can begin with.
    #[error("the set-up stones: {0}")]
    Setup(#[from] SetupError),
    /// Set-up stones that cannot be read.
    #[error("the set-up stones {0}: no such points")]
    SetupPoints(String),
    /// Stones put down between moves.
    #[error("stones are set up after move {0}")]
    LateSetup(usize),
    /// A move to no point of the board.
    #[error("move {ply}: {color} [{text}] is no point of the board")]
    Point {
        /// The number of the move, from 1.
        ply: usize,
        /// Whose it is.
        color: Color,
        /// What stands there.
        text: String,
    },
    /// A move that the rules forbid.
    #[error("move {ply}: {color} {mv}: {reason}")]
    Illegal {
        /// The number of the move, from 1.
        ply: usize,
        /// Whose it is.
        color: Color,
        /// The move.
        mv: Move,
        /// Why it is illegal.
        reason: IllegalMove,
    },
}

/// The game of the main line of `tree` up to `moves` moves, or all of them.
/// Stones that are set up between moves begin a new game from the position that
/// they lead to: superko then knows the positions since then alone.
///
/// # Errors
/// If it is no game of Go, or one that breaks the rules.
pub fn replay(
    tree: &GameTree,
    overrides: Overrides,
    moves: Option<usize>,
) -> Result<Game, SgfError> {
    let mut replay = Replay::begin(tree, overrides)?;
    for node in tree.main_line() {
        if replay.is_to_set_up(node) {
            replay.set_up(node)?;
        }
        for property in &node.properties {
            if moves == Some(replay.moves) && Replay::color_of(property).is_some() {
                return Ok(replay.game);
            }
            replay.take(property)?;
        }
    }
    Ok(replay.game)
}

/// A game that grows node by node.
pub struct Replay {
    pub game: Game,
    /// Moves made, also those before stones were set up.
    pub moves: usize,
}

impl Replay {
    /// The position before the first move of the main line.
    pub fn begin(tree: &GameTree, overrides: Overrides) -> Result<Self, SgfError> {
        if tree.root().text("GM").is_some_and(|game| game.trim() != "1") {
            return Err(SgfError::NotGo);
        }
        let start = start(tree, overrides)?;
        let game = Game::from_position(start, rules(tree.root(), overrides)?);
        Ok(Self { game, moves: 0 })
    }

    /// The player whose move `property` is, if it is one.
    pub fn color_of(property: &Property) -> Option<Color> {
        match property.key.as_str() {
            "B" => Some(Color::Black),
            "W" => Some(Color::White),
            _ => None,
        }
    }

    /// Whether `node` puts stones on a board on which moves were made.
    pub fn is_to_set_up(&self, node: &Node) -> bool {
        self.moves > 0 && node.properties.iter().any(|property| is_setup(&property.key))
    }

    fn set_up(&mut self, node: &Node) -> Result<(), SgfError> {
        let mut setup = Setup::of(self.game.board());
        for property in &node.properties {
            setup.take(property)?;
        }
        self.game = Game::from_position(setup.board()?, self.game.rules());
        Ok(())
    }

    /// Makes the move that `property` is, if it is one.
    pub fn take(&mut self, property: &Property) -> Result<(), SgfError> {
        let Some(color) = Self::color_of(property) else {
            return Ok(());
        };
        let ply = self.moves + 1;
        let text = || property.values.join("][");
        let point = || SgfError::Point { ply, color, text: text() };
        let [value] = property.values.as_slice() else { return Err(point()) };
        let mv = read_move(value, self.game.size()).ok_or_else(point)?;
        if self.game.end().is_some() {
            self.game.give_turn(color);
        }
        self.game.play(color, mv).map_err(|reason| SgfError::Illegal { ply, color, mv, reason })?;
        self.moves = ply;
        Ok(())
    }
}

/// Whether the property `key` changes stones.
pub fn is_setup(key: &str) -> bool {
    matches!(key, "AB" | "AW" | "AE")
}

/// Stones as they are set up.
pub struct Setup {
    size: Size,
    stones: BTreeMap<Vertex, Color>,
    to_play: Option<Color>,
    default: Color,
}

impl Setup {
    pub fn new(size: Size) -> Self {
        Self { size, stones: BTreeMap::new(), to_play: None, default: Color::Black }
    }

    pub fn of(board: &Board<6>) -> Self {
        let stone = |vertex: Vertex| Some((vertex, board.at(vertex)?));
        let stones = Vertex::all(board.size()).filter_map(stone).collect();
        Self { size: board.size(), stones, to_play: None, default: board.to_play() }
    }

    /// Takes AB, AW, AE, PL and HA.
    pub fn take(&mut self, property: &Property) -> Result<(), SgfError> {
        let color = match property.key.as_str() {
            "AB" => Some(Color::Black),
            "AW" => Some(Color::White),
            "AE" => None,
            "PL" => {
                let text = property.text();
                self.to_play = text.trim().parse().ok().or(self.to_play);
                return Ok(());
            }
            "HA" => {
                self.default = Color::White;
                return Ok(());
            }
            _ => return Ok(()),
        };
        // An empty list is no FF 4, but says that there are none.
        for value in property.values.iter().filter(|value| !value.trim().is_empty()) {
            let points = read_points(value, self.size).ok_or_else(|| {
                SgfError::SetupPoints(format!("{}[{}]", property.key, value.trim()))
            })?;
            for vertex in points {
                match color {
                    Some(color) => self.stones.insert(vertex, color),
                    None => self.stones.remove(&vertex),
                };
            }
        }
        Ok(())
    }

    pub fn board(&self) -> Result<Board<6>, SgfError> {
        let of = |color: Color| -> Vec<Vertex> {
            let stones = self.stones.iter().filter(|&(_, &there)| there == color);
            stones.map(|(&vertex, _)| vertex).collect()
        };
        let to_play = self.to_play.unwrap_or(self.default);
        Ok(Board::set_up(self.size, &of(Color::Black), &of(Color::White), to_play)?)
    }
}

/// The position before the first move of the main line: stones may be set up in
/// several nodes.
fn start(tree: &GameTree, overrides: Overrides) -> Result<Board<6>, SgfError> {
    let known = size(tree.root())?;
    let size = match known {
        Some(size) => size,
        None => Size::square(19).map_err(|_| SgfError::Size("19".to_owned()))?,
    };
    match overrides.size {
        Some(wanted) if size != wanted => {
            let other = |known| SgfError::OtherSize(known, wanted);
            return Err(known.map_or(SgfError::NoSize(wanted), other));
        }
        _ => {}
    }
    let mut setup = Setup::new(size);
    for property in tree.main_line().flat_map(|node| &node.properties) {
        if let Some(first) = Replay::color_of(property) {
            setup.to_play = setup.to_play.or(Some(first));
            break;
        }
        setup.take(property)?;
    }
    setup.board()
}

/// What SZ says; none where it is missing, which means 19x19.
pub fn size(root: &Node) -> Result<Option<Size>, SgfError> {
    let Some(property) = root.get("SZ") else { return Ok(None) };
    let text = property.values.join("][");
    let size = match property.values.as_slice() {
        [value] => read_size(value),
        _ => None,
    };
    size.map(Some).ok_or(SgfError::Size(text))
}

fn rules(root: &Node, overrides: Overrides) -> Result<Rules, SgfError> {
    let known = root.get("RU").and_then(|name| read_rules(&name.text()));
    let (ko, suicide) = overrides.rules.or(known).unwrap_or(Preset::Simple.ko_and_suicide());
    let komi = match overrides.komi {
        Some(komi) => komi,
        None => komi(root)?,
    };
    Ok(Rules { ko, suicide, komi, max_plies: MAX_PLIES })
}

/// What KM says: 0 where it is missing or empty.
pub fn komi(root: &Node) -> Result<Komi, SgfError> {
    let text = root.get("KM").map(|property| simple_text(&property.values.join("][")));
    match text.as_deref() {
        None | Some("") => Ok(Komi::default()),
        Some(text) => text.replace(',', ".").parse().map_err(|_| SgfError::Komi(text.to_owned())),
    }
}
