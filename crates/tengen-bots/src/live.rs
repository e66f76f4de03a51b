//! A search that can be looked at while it goes on.

use super::uct::{decision, evident_pass, within};
use super::{BotFailure, Decision, MoveAnswer};
use std::time::Duration;
use tengen_go::seed::mix;
use tengen_go::{Game, Move};
use tengen_gtp::ResourceFault;
use tengen_search::clock::Instant;
use tengen_search::tree::Tree;
use tengen_search::{SearchReport, UctConfig, report, root_parallel};

/// A UCT search of one position that runs in slices. After each slice its trees
/// can be looked at, and the next slice goes on in them with a seed of its own: it
/// finds what a search of the same length finds, but not the same tree. Its workers share
/// nothing, whatever the setting `sharing`.
pub struct LiveSearch<'pool> {
    config: UctConfig,
    seed: u64,
    pool: Option<&'pool rayon::ThreadPool>,
    game: Game,
    trees: Vec<Tree>,
    slices: u64,
    simulations: u64,
    time: Duration,
}

impl<'pool> LiveSearch<'pool> {
    /// A search of the last position of `game`.
    #[must_use]
    pub fn new(
        config: &UctConfig,
        seed: u64,
        pool: Option<&'pool rayon::ThreadPool>,
        game: &Game,
    ) -> Self {
        let config = config.clone();
        let (game, time) = (game.clone(), Duration::ZERO);
        Self { config, seed, pool, game, trees: Vec::new(), slices: 0, simulations: 0, time }
    }

    /// The game whose last position is searched.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Simulations made so far.
    #[must_use]
    pub const fn simulations(&self) -> u64 {
        self.simulations
    }

    /// The move of a bot that makes no search here: a pass that wins at once, or ends
    /// what is finished.
    #[must_use]
    pub fn without_search(&self) -> Option<MoveAnswer> {
        evident_pass(&self.game)
    }

    /// The settings for a move that may take `time`, if that is limited.
    #[must_use]
    pub fn budget(&self, time: Option<Duration>) -> UctConfig {
        within(&self.config, time)
    }

    /// The decision of a bot whose search found `report`.
    #[must_use]
    pub fn decision(&self, report: &SearchReport) -> Decision {
        decision(&self.config, &self.game, report)
    }

    /// Searches on until `should_stop`, which is asked about every 64 simulations, or
    /// until `most` simulations are made in all. Each worker makes one at least.
    ///
    /// # Errors
    /// If the trees would take more memory than they may.
    pub fn advance(
        &mut self,
        most: Option<u64>,
        should_stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<SearchReport, BotFailure> {
        let began = Instant::now();
        let left = most.map(|most| most.saturating_sub(self.simulations));
        let playouts = left.map(|left| left.max(self.config.workers.into()));
        let config = UctConfig { playouts, ..self.config.clone() };
        let seed = mix(self.seed, self.slices);
        let jobs = root_parallel::jobs(&config, seed, std::mem::take(&mut self.trees));
        let results = root_parallel::run_until(&self.game, &config, jobs, self.pool, should_stop)
            .map_err(ResourceFault::from)?;
        self.slices += 1;
        self.time += began.elapsed();
        let seconds = self.time.as_secs_f64();
        let (report, trees) = root_parallel::report(&self.game, results, config.merge, seconds);
        self.trees = trees;
        self.simulations += report.simulations;
        Ok(SearchReport { simulations: self.simulations, ..report })
    }

    /// The line of play that begins with `first`, as far as it was searched.
    #[must_use]
    pub fn variation(&self, first: Move) -> Vec<Move> {
        report::variation(&self.trees, first)
    }
}
