//! The main line of a tree as a game.

use super::error::{SgfError, SgfWarning};
use super::komi::read_komi;
use super::rules::{RecordRules, read_rules};
use super::tree::{GameTree, Node, Property};
use super::value::{read_move, read_points, read_size};
use std::collections::BTreeMap;
use tengen_go::{Board, Color, Game, Komi, Preset, Rules, Size, Vertex};

/// Plies that a game read from a record may go on to.
const MAX_PLIES: u32 = 100_000;

/// What a reader knows better than the record.
///
/// # Examples
/// ```
/// use tengen_go::Size;
/// use tengen_sgf::{Overrides, Record};
///
/// let size = Some(Size::square(9)?);
/// let overrides = Overrides { komi: Some("6.5".parse()?), size, ..Overrides::default() };
/// let record = Record::read("(;SZ[9]KM[0];B[ee])", overrides)?;
/// assert_eq!(record.game.komi().to_string(), "6.5");
/// let error = Record::read("(;SZ[13];B[ee])", overrides).unwrap_err();
/// assert_eq!(error.to_string(), "its board is 13x13 and not 9x9");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    /// Instead of RU. Without either it is simple ko without suicide, by which
    /// most records are legal.
    pub rules: Option<RecordRules>,
    /// Instead of KM. Without either it is 0.
    pub komi: Option<Komi>,
    /// The only size of board that is wanted; without it any is.
    pub size: Option<Size>,
}

/// The game of the main line of `tree` up to `moves` moves, or all of them.
/// Stones that are set up between moves begin a new game from the position that
/// they lead to: superko then knows the positions since then alone. Moves that break the rules
/// of ko or suicide are made, since they are past; the first of them is among the warnings.
///
/// # Errors
/// If it is not a game of Go, or a move is on a stone or off the board.
pub fn replay(
    tree: &GameTree,
    overrides: Overrides,
    moves: Option<usize>,
) -> Result<(Game, Vec<SgfWarning>), SgfError> {
    let mut replay = Replay::begin(tree, overrides)?;
    for node in tree.main_line() {
        if replay.is_to_set_up(node) {
            replay.set_up(node)?;
        }
        for property in &node.properties {
            if moves == Some(replay.moves) && Replay::color_of(property).is_some() {
                return Ok((replay.game, replay.warnings));
            }
            replay.take(property)?;
        }
    }
    Ok((replay.game, replay.warnings))
}

/// A game that grows node by node.
pub struct Replay {
    pub game: Game,
    /// Moves made, also those before stones were set up.
    pub moves: usize,
    pub warnings: Vec<SgfWarning>,
}

impl Replay {
    /// The position before the first move of the main line.
    pub fn begin(tree: &GameTree, overrides: Overrides) -> Result<Self, SgfError> {
        if tree.root().text("GM").is_some_and(|game| game.trim() != "1") {
            return Err(SgfError::NotGo);
        }
        let (start, stones) = start(tree, overrides)?;
        let known = tree.root().get("RU").and_then(|name| read_rules(&name.text()));
        let RecordRules { ko, suicide, handicap } =
            overrides.rules.or(known).unwrap_or(Preset::Simple.into());
        let (komi, warning) = match overrides.komi {
            Some(komi) => (komi, None),
            None => read_komi(tree.root())?,
        };
        let rules = Rules { ko, suicide, komi, max_plies: MAX_PLIES };
        let game = Game::from_position(start, rules).with_handicap(handicap.handicap(stones));
        Ok(Self { game, moves: 0, warnings: warning.into_iter().collect() })
    }

    /// The player whose move `property` is, if it is one.
    fn color_of(property: &Property) -> Option<Color> {
        match property.key.as_str() {
            "B" => Some(Color::Black),
            "W" => Some(Color::White),
            _ => None,
        }
    }

    /// Whether `node` puts stones on a board on which moves were made.
    pub fn is_to_set_up(&self, node: &Node) -> bool {
        self.moves > 0 && ["AB", "AW", "AE"].iter().any(|key| node.get(key).is_some())
    }

    fn set_up(&mut self, node: &Node) -> Result<(), SgfError> {
        let mut setup = Setup::of(self.game.board());
        for property in &node.properties {
            setup.take(property)?;
        }
        let rules = Rules { komi: self.game.komi(), ..self.game.rules() };
        let game = Game::from_position(setup.board()?, rules);
        self.game = game.with_handicap(self.game.handicap());
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
        let broken = self.game.play_past(color, mv);
        let broken = broken.map_err(|reason| SgfError::Illegal { ply, color, mv, reason })?;
        let is_known =
            self.warnings.iter().any(|known| matches!(known, SgfWarning::Illegal { .. }));
        if let Some(reason) = broken.filter(|_| !is_known) {
            self.warnings.push(SgfWarning::Illegal { ply, color, mv, reason });
        }
        self.moves = ply;
        Ok(())
    }
}

/// Stones as they are set up.
struct Setup {
    size: Size,
    stones: BTreeMap<Vertex, Color>,
    to_play: Option<Color>,
    default: Color,
    /// What HA says, if that is a handicap.
    handicap: u16,
}

impl Setup {
    fn of(board: &Board<6>) -> Self {
        let stone = |vertex: Vertex| Some((vertex, board.at(vertex)?));
        let stones = Vertex::all(board.size()).filter_map(stone).collect();
        Self { size: board.size(), stones, to_play: None, default: board.to_play(), handicap: 0 }
    }

    /// Takes AB, AW, AE, PL and HA.
    fn take(&mut self, property: &Property) -> Result<(), SgfError> {
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
                // Even games have HA[0] or HA[1], and some an empty HA.
                let most = self.size.points();
                let stones = property.text().trim().parse().ok();
                let stones = stones.filter(|&stones| stones >= 2 && usize::from(stones) <= most);
                self.handicap = stones.unwrap_or(0);
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

    /// Whether there is a handicap, and its stones are set up.
    fn has_handicap_stones(&self) -> bool {
        self.handicap > 0 && self.stones.values().any(|&color| color == Color::Black)
    }

    fn board(&self) -> Result<Board<6>, SgfError> {
        let of = |color: Color| -> Vec<Vertex> {
            let stones = self.stones.iter().filter(|&(_, &there)| there == color);
            stones.map(|(&vertex, _)| vertex).collect()
        };
        let default = if self.has_handicap_stones() { Color::White } else { self.default };
        let to_play = self.to_play.unwrap_or(default);
        Ok(Board::set_up(self.size, &of(Color::Black), &of(Color::White), to_play)?)
    }
}

/// The position before the first move of the main line, for which stones may be set up in
/// several nodes, and the number of its handicap stones.
fn start(tree: &GameTree, overrides: Overrides) -> Result<(Board<6>, u16), SgfError> {
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
    let mut setup = Setup::of(&Board::new(size));
    for property in tree.main_line().flat_map(|node| &node.properties) {
        if let Some(first) = Replay::color_of(property) {
            setup.to_play = setup.to_play.or(Some(first));
            break;
        }
        setup.take(property)?;
    }
    let is_handicap = setup.has_handicap_stones() || plays_handicap(tree);
    Ok((setup.board()?, if is_handicap { setup.handicap } else { 0 }))
}

/// Whether Black begins with several moves, as some programs write handicap stones; White may
/// pass in between.
fn plays_handicap(tree: &GameTree) -> bool {
    let moves = tree.main_line().flat_map(|node| &node.properties);
    let moves = moves.filter_map(|property| Some((Replay::color_of(property)?, property)));
    let is_pass = |property: &Property| matches!(property.text().trim(), "" | "tt");
    let first = moves.take_while(|(color, mv)| *color == Color::Black || is_pass(mv));
    first.filter(|(color, mv)| *color == Color::Black && !is_pass(mv)).nth(1).is_some()
}

/// What SZ says; none where it is missing, which means 19x19.
fn size(root: &Node) -> Result<Option<Size>, SgfError> {
    let Some(property) = root.get("SZ") else { return Ok(None) };
    let text = property.values.join("][");
    let size = match property.values.as_slice() {
        [value] => read_size(value),
        _ => None,
    };
    size.map(Some).ok_or(SgfError::Size(text))
}
