//! The main line of a tree as a game.

use super::error::{SgfError, SgfWarning};
use super::komi::read_komi;
use super::rules::{RecordRules, read_rules};
use super::setup::{Setup, color_of, misplaced, read_player, sets_up, start};
use super::tree::{GameTree, Node, Property};
use super::value::read_move;
use std::mem::discriminant;
use tengen_go::{Game, Komi, Rules, Size};

/// Limit of plies of a game that is read from a record.
const MAX_PLIES: u32 = 100_000;

/// Rules and komi that replace the record's, and the size that its board must have.
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
    /// The rules instead of RU. Without both: simple ko without suicide, under which most records
    /// are legal.
    pub rules: Option<RecordRules>,
    /// The komi instead of KM. Without both: 0.
    pub komi: Option<Komi>,
    /// The only board size that is accepted; without it any size is.
    pub size: Option<Size>,
}

/// The game of the main line of `tree` up to `moves` moves, or all of them. Stones that are set up
/// between moves begin a new game from the resulting position: superko then ignores all earlier
/// positions. Moves that break the rules of ko or suicide are made, since they are past; the first
/// of them is among the warnings. Refuses other games than Go, and a move on a stone or off the
/// board.
pub fn replay(
    tree: &GameTree,
    overrides: Overrides,
    moves: Option<usize>,
) -> Result<(Game, Vec<SgfWarning>), SgfError> {
    let mut replay = Replay::begin(tree, overrides)?;
    for node in tree.main_line() {
        replay.begin_node(node)?;
        for property in &node.properties {
            if moves == Some(replay.moves) && color_of(property).is_some() {
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
    /// Number of moves made, also before stones were set up.
    pub moves: usize,
    pub warnings: Vec<SgfWarning>,
}

impl Replay {
    /// The position before the first move of the main line.
    pub fn begin(tree: &GameTree, overrides: Overrides) -> Result<Self, SgfError> {
        if tree.root().text("GM").is_some_and(|game| game.trim() != "1") {
            return Err(SgfError::NotGo);
        }
        let mut warnings = tree.warnings().to_vec();
        let (start, stones) = start(tree, overrides, &mut warnings)?;
        let read = || read_rules(tree.root(), &mut warnings);
        let RecordRules { ko, suicide, handicap } = overrides.rules.unwrap_or_else(read);
        let (komi, warning) = match overrides.komi {
            Some(komi) => (komi, None),
            None => read_komi(tree.root())?,
        };
        warnings.extend(warning);
        let is_replaced = |warning: &SgfWarning| match warning {
            SgfWarning::Ignored { key, .. } => {
                (key == "KM" && overrides.komi.is_some())
                    || (key == "RU" && overrides.rules.is_some())
            }
            _ => false,
        };
        let rules = Rules { ko, suicide, komi, max_plies: MAX_PLIES };
        let game = Game::from_position(start, rules).with_handicap(handicap.handicap(stones));
        let mut replay = Self { game, moves: 0, warnings: Vec::new() };
        let misplaced = misplaced(tree).into_iter().filter(|one| !is_replaced(one));
        for warning in warnings.into_iter().chain(misplaced) {
            replay.warn(warning);
        }
        Ok(replay)
    }

    /// Adds a warning unless one of its kind is known; of ignored values, unless an equal one is.
    fn warn(&mut self, warning: SgfWarning) {
        let is_same = |known: &SgfWarning| match known {
            SgfWarning::Ignored { .. } => *known == warning,
            _ => discriminant(known) == discriminant(&warning),
        };
        if !self.warnings.iter().any(is_same) {
            self.warnings.push(warning);
        }
    }

    /// Whether `node` puts stones on a board on which moves were made.
    pub fn is_late_setup(&self, node: &Node) -> bool {
        self.moves > 0 && sets_up(node)
    }

    /// Sets up the stones of `node` before its moves, whatever the order of its properties. Stones
    /// set up before the first move are on the board already.
    pub fn begin_node(&mut self, node: &Node) -> Result<(), SgfError> {
        let moves = node.properties.iter().filter(|property| color_of(property).is_some()).count();
        if moves > 0 && sets_up(node) {
            self.warn(SgfWarning::SetUpWithMove { ply: self.moves + 1 });
        }
        if moves > 1 {
            self.warn(SgfWarning::SameNode { ply: self.moves + 2 });
        }
        if self.is_late_setup(node) {
            let mut setup = Setup::of(self.game.board());
            setup.take(node)?;
            let rules = Rules { komi: self.game.komi(), ..self.game.rules() };
            let game = Game::from_position(setup.board()?, rules);
            self.game = game.with_handicap(self.game.handicap());
            for warning in setup.warnings {
                self.warn(warning);
            }
        } else if let Some(property) = node.get("PL").filter(|_| self.moves > 0) {
            match read_player(property) {
                Ok(player) if moves == 0 && player != self.game.to_play() => {
                    self.game.give_turn(player);
                }
                Ok(_) => {}
                Err(warning) => self.warn(warning),
            }
        }
        Ok(())
    }

    /// Makes the move of `property`, if it is a move.
    pub fn take(&mut self, property: &Property) -> Result<(), SgfError> {
        let Some(color) = color_of(property) else {
            return Ok(());
        };
        let ply = self.moves + 1;
        let point = |text| SgfError::Point { ply, color, text };
        let mv = read_move(property, self.game.size()).map_err(point)?;
        let broken = self.game.play_past(color, mv);
        let broken = broken.map_err(|reason| SgfError::Illegal { ply, color, mv, reason })?;
        if let Some(reason) = broken {
            self.warn(SgfWarning::Illegal { ply, color, mv, reason });
        }
        self.moves = ply;
        Ok(())
    }
}
