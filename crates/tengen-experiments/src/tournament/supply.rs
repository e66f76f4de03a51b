//! Where the games that are played come from.

use super::config::Tournament;
use super::schedule::GamePlan;
use tengen_bots::NamedBot;
use tengen_go::Color;

/// A game with the bots that play it.
#[derive(Clone, Debug)]
pub struct PlannedGame {
    /// The game.
    pub plan: GamePlan,
    /// Black and White, by [`Color::index`].
    pub bots: [NamedBot; 2],
    /// Whether the searches of its moves are kept, for training data.
    pub keeps_searches: bool,
}

impl PlannedGame {
    /// The game of `plan` between bots of `tournament`, whose searches are not kept.
    #[must_use]
    pub fn of(tournament: &Tournament, plan: GamePlan) -> Self {
        let bots = Color::BOTH.map(|color| tournament.bots[plan.bot(color)].clone());
        Self { plan, bots, keeps_searches: false }
    }
}

/// The answer of a supply of games to a request for the next one.
#[derive(Clone, Debug)]
pub enum Next {
    /// Play this game.
    Game(Box<PlannedGame>),
    /// No game now: ask again when a game has ended.
    Later,
    /// No more games.
    Done,
}
