//! `uct` whose searches are made by ranks.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tengen_bots::{Bot, BotFailure, MoveAnswer, decision, evident_pass, within_time};
use tengen_go::Game;
use tengen_search::{ResourceFault, SearchReport, UctConfig};
use tengen_stats::seed::mix;

/// Searches a position by a configuration, with a search seed.
pub type RanksSearch =
    dyn FnMut(&Game, &UctConfig, u64) -> Result<SearchReport, ResourceFault> + Send;

/// A `uct` bot that plays what ranks find. It keeps no trees.
pub struct RanksBot {
    config: UctConfig,
    seed: u64,
    search: Arc<Mutex<RanksSearch>>,
    time: Option<Duration>,
}

impl RanksBot {
    /// The bot of `config` with the player seed `seed`, whose searches are made by `search`.
    #[must_use]
    pub const fn new(config: UctConfig, seed: u64, search: Arc<Mutex<RanksSearch>>) -> Self {
        Self { config, seed, search, time: None }
    }
}

impl Bot for RanksBot {
    fn genmove(&mut self, game: &Game) -> Result<MoveAnswer, BotFailure> {
        if let Some(turn) = evident_pass(game) {
            return Ok(turn);
        }
        let config = within_time(&self.config, self.time);
        let seed = mix(self.seed, u64::from(game.ply()));
        let mut search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        let report = search(game, &config, seed)?;
        let decision = decision(&self.config, seed, game, &report);
        Ok(MoveAnswer {
            decision,
            simulations: Some(report.counts.simulations),
            report: Some(report),
        })
    }

    fn set_time(&mut self, time: Option<Duration>) {
        self.time = time;
    }
}
