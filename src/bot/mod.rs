//! Players: a configuration on paper, and a bot at the board.

mod config;
mod random;
mod spec;
mod two_ply;
mod uct;

pub use config::{BotConfig, RandomConfig, TwoPlyConfig};
pub use spec::{NamedBot, SpecError};

use crate::go::{Game, Move};
use crate::search::Report;

/// A player of one game.
pub trait Bot: Send {
    /// The move of the player to move in `game`, which goes on from the last
    /// one that this bot was asked about.
    fn genmove(&mut self, game: &Game) -> Turn;
}

/// A bot's move, and what it took.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The move, legal in the game that was asked about.
    pub made: Move,
    /// Playouts made for it; none for bots that make none.
    pub playouts: Option<u64>,
    /// What the search found, where there was one.
    pub report: Option<Report>,
}

impl Turn {
    /// A move that took no search.
    #[must_use]
    pub const fn without_search(made: Move) -> Self {
        Self { made, playouts: None, report: None }
    }
}
