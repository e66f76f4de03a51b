//! A position as plain values, for pickle, and its comparison.

use super::Position;
use crate::arguments::{color, move_of_number, sign};
use crate::errors::invalid;
use pyo3::prelude::*;
use tengen::go::{Board, Color, Game, Handicap, Preset, Rules};

/// Rules of ko and suicide, komi, the limit of plies, stones and points of the handicap.
pub type RulesState = (String, String, String, u32, u16, u16);
/// The first position: its rows and the player to move.
pub type StartState = (String, i8);
/// Rules, first position, moves with their players, and the player to move.
pub type State = (RulesState, StartState, Vec<(i8, usize)>, i8);

impl Position {
    pub fn state(&self) -> State {
        let game = &self.game;
        let (rules, handicap) = (game.rules(), game.handicap());
        let (ko, suicide) = (rules.ko.to_string(), rules.suicide.to_string());
        let komi = game.komi().to_string();
        let rules = (ko, suicide, komi, rules.max_plies, handicap.stones, handicap.points);
        let start = game.position_at(0).unwrap_or(game.board());
        let start = (start.to_rows(), sign(start.to_play()));
        (rules, start, self.moves(), self.to_play())
    }

    pub fn of_state((rules, start, moves, to_play): State) -> PyResult<Self> {
        let (ko, suicide, komi, max_plies, stones, points) = rules;
        let (rows, first) = start;
        let board = Board::from_diagram(&rows, color(first.into())?).map_err(invalid)?;
        let komi = komi.parse().map_err(invalid)?;
        let mut rules = Rules::new(Preset::Tengen, board.size(), komi);
        rules.ko = ko.parse().map_err(invalid)?;
        rules.suicide = suicide.parse().map_err(invalid)?;
        rules.max_plies = max_plies;
        let mut game = Game::from_position(board, rules).with_handicap(Handicap { stones, points });
        for (player, move_number) in moves {
            let move_number = i64::try_from(move_number).unwrap_or(i64::MAX);
            let mv = move_of_number(move_number, game.size())?;
            // What was played is past, even where a record broke a rule.
            game.play_past(color(player.into())?, mv).map_err(invalid)?;
        }
        let to_play: Color = color(to_play.into())?;
        if game.to_play() != to_play {
            game.give_turn(to_play);
        }
        Ok(Self::of(game))
    }
}

#[pymethods]
impl Position {
    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, State)> {
        let restore = py.get_type::<Self>().getattr("_restore")?.unbind();
        Ok((restore, self.state()))
    }

    #[staticmethod]
    fn _restore(
        rules: RulesState,
        start: StartState,
        moves: Vec<(i8, usize)>,
        to_play: i8,
    ) -> PyResult<Self> {
        Self::of_state((rules, start, moves, to_play))
    }

    fn __eq__(&self, other: &Self) -> bool {
        let is_same = |one: &Game, other: &Game| {
            (one.board(), one.rules(), one.handicap())
                == (other.board(), other.rules(), other.handicap())
                && one.moves().eq(other.moves())
                && one.position_at(0) == other.position_at(0)
        };
        is_same(&self.game, &other.game)
    }
}
