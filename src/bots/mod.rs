//! Players: a configuration on paper, and a bot at the board.

mod config;
mod gtp;
mod random;
mod spec;
mod two_ply;
mod uct;

pub use config::{BotConfig, RandomConfig, TwoPlyConfig};
pub use spec::{NamedBot, SpecError};
pub use uct::genmove_with_trees;

use crate::go::{Game, Move, Score};
use crate::gtp::ResourceFault;
use crate::search::{AnySearch, Report, SearchResult};

/// A player of one game.
pub trait Bot: Send {
    /// Takes its seat before the first move of `game`, while no clock runs;
    /// `label` names the game and the seat in a log. A bot that is asked for a
    /// move without it takes its seat then.
    ///
    /// # Errors
    /// If it cannot play this game.
    fn begin(&mut self, game: &Game, label: &str) -> Result<(), BotFailure> {
        let _ = (game, label);
        Ok(())
    }

    /// The move of the player to move in `game`, which goes on from the last
    /// one that this bot was asked about.
    ///
    /// # Errors
    /// If it finds none: the game is then lost, or cannot be played.
    fn genmove(&mut self, game: &Game) -> Result<MoveAnswer, BotFailure>;

    /// Begins a move: like [`Bot::genmove`], but a bot that needs playouts may
    /// leave them to the caller, who can then play those of many games
    /// together, and ends the move with [`Bot::end_move`].
    ///
    /// # Errors
    /// If it finds no move: the game is then lost, or cannot be played.
    fn begin_move(&mut self, game: &Game) -> Result<MoveRequest, BotFailure> {
        self.genmove(game).map(MoveRequest::Decided)
    }

    /// Ends a move whose searches found `results`, after `seconds`.
    ///
    /// # Errors
    /// If no searches were asked for.
    fn end_move(
        &mut self,
        game: &Game,
        results: Vec<SearchResult>,
        seconds: f64,
    ) -> Result<MoveAnswer, BotFailure> {
        let _ = (game, results, seconds);
        let reason = "the bot has asked for no search".to_owned();
        Err(BotFailure::Forfeit { kind: FailureKind::Crash, reason })
    }

    /// What the bot makes of the last position of `game`, where it has an
    /// opinion of its own.
    ///
    /// # Errors
    /// If it has one and cannot tell it.
    fn final_score(&mut self, game: &Game) -> Result<Option<Score>, BotFailure> {
        let _ = game;
        Ok(None)
    }

    /// The name and version of the program behind it, once it has taken its
    /// seat; none for a bot of this program.
    fn program(&self) -> Option<&str> {
        None
    }
}

/// What a bot does in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Makes a move, or passes.
    Move(Move),
    /// Gives up the game.
    Resign,
}

/// How far a bot has come with its move.
#[derive(Debug)]
pub enum MoveRequest {
    /// It has decided.
    Decided(MoveAnswer),
    /// It waits for the end of these searches of the position.
    Searching(Vec<AnySearch>),
}

/// A bot's decision, and what it took.
#[derive(Clone, Debug)]
pub struct MoveAnswer {
    /// What it does; a move of our own bots is legal in the game that was
    /// asked about, that of another program need not be.
    pub decision: Decision,
    /// Playouts made for it; none for bots that make none.
    pub playouts: Option<u64>,
    /// What the search found, where there was one.
    pub report: Option<Report>,
}

impl MoveAnswer {
    /// The move or the pass; none where it resigns.
    #[must_use]
    pub const fn mv(&self) -> Option<Move> {
        match self.decision {
            Decision::Move(mv) => Some(mv),
            Decision::Resign => None,
        }
    }

    /// A move that took no search.
    #[must_use]
    pub const fn without_search(mv: Move) -> Self {
        Self { decision: Decision::Move(mv), playouts: None, report: None }
    }
}

/// Why a bot cannot go on.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum BotFailure {
    /// By what the bot did, or did not: it loses the game.
    #[error("{reason}")]
    Forfeit {
        /// What it counts as.
        kind: FailureKind,
        /// What happened, for people.
        reason: String,
    },
    /// By what this program lacks: nobody loses, the game is not played.
    #[error(transparent)]
    Resource(#[from] ResourceFault),
}

/// What a failure of a bot counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// It answered, but with no legal move.
    Illegal,
    /// Its program ended, or broke the protocol.
    Crash,
    /// It took too long.
    Time,
}
