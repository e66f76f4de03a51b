//! A game as text, for another process.

use serde::{Deserialize, Serialize};
use tengen_go::{Color, Game, Rules};
use tengen_sgf::{Overrides, Record};

/// A game: its record in SGF, and what SGF has no words for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Position {
    sgf: String,
    max_plies: u32,
    black_to_play: bool,
}

/// An invalid game.
#[derive(Debug, thiserror::Error)]
#[error("the position cannot be read: {0}")]
pub struct Unreadable(String);

impl Position {
    pub fn of(game: &Game) -> Self {
        Self {
            sgf: Record::new(game.clone()).to_sgf(),
            max_plies: game.rules().max_plies,
            black_to_play: game.to_play() == Color::Black,
        }
    }

    /// The game, with the positions that superko compares.
    pub fn game(&self) -> Result<Game, Unreadable> {
        let read = Record::read(&self.sgf, Overrides::default());
        let record = read.map_err(|fault| Unreadable(fault.to_string()))?.game;
        let komi = record.komi();
        let rules = Rules { komi, max_plies: self.max_plies, ..record.rules() };
        let start = record.position_at(0).unwrap_or(record.board());
        let mut game = Game::from_position(*start, rules).with_handicap(record.handicap());
        for (color, mv) in record.moves() {
            game.play_past(color, mv).map_err(|fault| Unreadable(format!("{mv}: {fault}")))?;
        }
        let to_play = if self.black_to_play { Color::Black } else { Color::White };
        if game.to_play() != to_play {
            game.give_turn(to_play);
        }
        Ok(game)
    }
}
