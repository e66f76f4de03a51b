//! `uct` whose searches are made elsewhere, by other processes.

use super::uct::{decision, evident_pass, within};
use super::{Bot, BotFailure, MoveAnswer};
use std::time::Duration;
use tengen_go::Game;
use tengen_go::seed::mix;
use tengen_gtp::ResourceFault;
use tengen_search::driver::OutOfMemory;
use tengen_search::{SearchReport, UctConfig};

/// Makes a search of a position by a configuration, with a search seed.
pub type RemoteSearch<'a> =
    Box<dyn FnMut(&Game, &UctConfig, u64) -> Result<SearchReport, OutOfMemory> + Send + 'a>;

/// A `uct` bot that plays what searches made elsewhere find. It keeps no trees.
pub struct RemoteUct<'a> {
    config: UctConfig,
    seed: u64,
    search: RemoteSearch<'a>,
    time: Option<Duration>,
}

impl<'a> RemoteUct<'a> {
    /// The bot of `config` with the player seed `seed`, whose searches are made by `search`.
    #[must_use]
    pub fn new(config: UctConfig, seed: u64, search: RemoteSearch<'a>) -> Self {
        Self { config, seed, search, time: None }
    }
}

impl Bot for RemoteUct<'_> {
    fn genmove(&mut self, game: &Game) -> Result<MoveAnswer, BotFailure> {
        if let Some(turn) = evident_pass(game) {
            return Ok(turn);
        }
        let config = within(&self.config, self.time);
        let seed = mix(self.seed, u64::from(game.ply()));
        let report = (self.search)(game, &config, seed).map_err(ResourceFault::from)?;
        let decision = decision(&self.config, game, &report);
        Ok(MoveAnswer { decision, playouts: Some(report.simulations), report: Some(report) })
    }

    fn set_time(&mut self, time: Option<Duration>) {
        self.time = time;
    }
}
