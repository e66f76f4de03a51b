//! A search that can be looked at while it goes on.

use super::uct::UctBot;
use super::{Bot, BotConfig, BotFailure, MoveAnswer, MoveRequest, Searching};
use std::time::Duration;
use tengen_go::{Game, Move};
use tengen_search::clock::Instant;
use tengen_search::{AnySearch, SearchReport, SearchView, UctConfig, report, root_parallel};

/// A bot's search for one move, which runs in slices and can be looked at between them. It is
/// the search that [`Bot::genmove`] makes, whatever the slices: what is seen after n simulations
/// is what a budget of n simulations finds, and the move is the bot's.
pub struct LiveSearch<'bot> {
    bot: Box<dyn Bot + 'bot>,
    pool: Option<&'bot rayon::ThreadPool>,
    game: Game,
    can_be_seen: bool,
    searches: Vec<AnySearch>,
    /// The time of the searches in seconds, where it is limited.
    limit: Option<f64>,
    time: Duration,
    /// Simulations of the bot's earlier searches for this move.
    earlier: u64,
    answer: Option<MoveAnswer>,
}

/// A move that has begun.
pub enum LiveMove<'bot> {
    /// The move is decided without a search; the bot is given back.
    Decided(MoveAnswer, Box<dyn Bot + 'bot>),
    /// The bot searches.
    Searching(Box<LiveSearch<'bot>>),
}

impl<'bot> LiveMove<'bot> {
    /// Begins the move of `bot`, which was built from `config`, in `game`; workers run on the
    /// threads of `pool`, if there is one. A bot that does not search decides at once.
    ///
    /// # Errors
    /// If the bot finds no move.
    pub fn begin(
        mut bot: Box<dyn Bot + 'bot>,
        config: &BotConfig,
        game: &Game,
        pool: Option<&'bot rayon::ThreadPool>,
    ) -> Result<Self, BotFailure> {
        Ok(match bot.begin_move(game)? {
            MoveRequest::Decided(answer) => Self::Decided(answer, bot),
            MoveRequest::Searching(searching) => {
                let can_be_seen = can_be_seen(config).is_ok();
                let search = LiveSearch::new(bot, pool, game, can_be_seen, searching);
                Self::Searching(Box::new(search))
            }
        })
    }
}

/// The settings of a bot whose search can be looked at.
fn can_be_seen(config: &BotConfig) -> Result<&UctConfig, AnalysisError> {
    match config {
        BotConfig::Uct(uct) if uct.sharing.is_none() => Ok(uct),
        BotConfig::Uct(_) => Err(AnalysisError::Shares(Box::new(config.clone()))),
        _ => Err(AnalysisError::NoSearch(Box::new(config.clone()))),
    }
}

/// Begins the search that a new bot of `config` makes for its move with the player seed `seed` in
/// `game`, without its budget and a kept tree: the bot, and the searches of its workers.
///
/// # Errors
/// If the bot makes no search that can be looked at.
pub(super) fn begin_endless<'bot>(
    config: &BotConfig,
    seed: u64,
    game: &Game,
    pool: Option<&'bot rayon::ThreadPool>,
) -> Result<(UctBot<'bot>, Vec<AnySearch>), AnalysisError> {
    let uct = can_be_seen(config)?;
    let endless = UctConfig { playouts: None, seconds: None, ..uct.clone() };
    let mut bot = UctBot::new(endless, seed, pool);
    let searches = bot.begin_search(game);
    Ok((bot, searches))
}

/// Why a bot cannot analyse.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
pub enum AnalysisError {
    /// It makes no search.
    #[error("{0} cannot analyse: expected a bot of kind uct")]
    NoSearch(Box<BotConfig>),
    /// Its workers share counts while they search.
    #[error("{0} cannot analyse, since its workers share statistics: set sharing=none")]
    Shares(Box<BotConfig>),
}

impl<'bot> LiveSearch<'bot> {
    /// Begins an unlimited search of the last position of `game`: the search that a new bot of
    /// `config` makes for its move with the player seed `seed`, without its budget and a kept tree.
    ///
    /// # Errors
    /// If the bot makes no search that can be looked at.
    pub fn analysis(
        config: &BotConfig,
        seed: u64,
        game: &Game,
        pool: Option<&'bot rayon::ThreadPool>,
    ) -> Result<Self, AnalysisError> {
        let (bot, searches) = begin_endless(config, seed, game, pool)?;
        let searching = Searching { searches, seconds: None };
        Ok(Self::new(Box::new(bot), pool, game, true, searching))
    }

    fn new(
        bot: Box<dyn Bot + 'bot>,
        pool: Option<&'bot rayon::ThreadPool>,
        game: &Game,
        can_be_seen: bool,
        searching: Searching,
    ) -> Self {
        let Searching { searches, seconds: limit } = searching;
        let (game, time) = (game.clone(), Duration::ZERO);
        Self { bot, pool, game, can_be_seen, searches, limit, time, earlier: 0, answer: None }
    }

    /// The game whose last position is searched.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Simulations begun so far, those of all workers.
    #[must_use]
    pub fn simulations(&self) -> u64 {
        self.earlier + self.searches.iter().map(AnySearch::simulations).sum::<u64>()
    }

    /// Whether the search has spent its budget or its time, or has nothing more to find.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let is_late = self.limit.is_some_and(|limit| self.time.as_secs_f64() >= limit);
        is_late || self.searches.iter().all(AnySearch::is_done)
    }

    /// Searches on until it is over, until `most` simulations are made in all, or until
    /// `should_stop`, which is asked about every 64 simulations. Each worker makes one
    /// simulation at least.
    ///
    /// # Errors
    /// If the trees would take more memory than they may: the search is then lost.
    pub fn advance(
        &mut self,
        most: Option<u64>,
        should_stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), BotFailure> {
        loop {
            self.advance_round(most, should_stop)?;
            let is_enough = most.is_some_and(|most| self.simulations() >= most);
            if self.can_be_seen || !self.is_over() || is_enough {
                return Ok(());
            }
            // Workers that share counts search in rounds.
            self.earlier = self.simulations();
            let results = self.searches.drain(..).map(AnySearch::report).collect();
            let seconds = std::mem::take(&mut self.time).as_secs_f64();
            match self.bot.end_move(&self.game, results, seconds)? {
                MoveRequest::Decided(answer) => {
                    self.answer = Some(answer);
                    return Ok(());
                }
                MoveRequest::Searching(searching) => {
                    (self.searches, self.limit) = (searching.searches, searching.seconds);
                }
            }
        }
    }

    /// Searches on in the present searches of the bot.
    fn advance_round(
        &mut self,
        most: Option<u64>,
        should_stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), BotFailure> {
        let began = Instant::now();
        self.divide(most.map(|most| most.saturating_sub(self.earlier)));
        let left = self.limit.map(|limit| limit - self.time.as_secs_f64());
        let is_late = || left.is_some_and(|left| began.elapsed().as_secs_f64() >= left);
        let searches = std::mem::take(&mut self.searches);
        let (size, pool) = (self.game.size(), self.pool);
        self.searches =
            root_parallel::advance(size, searches, pool, &|| should_stop() || is_late())?;
        self.time += began.elapsed();
        Ok(())
    }

    /// Divides `most` simulations among the workers, as a budget is divided; what those that are
    /// done have left over is for the others.
    fn divide(&mut self, most: Option<u64>) {
        let done = self.searches.iter().filter(|search| search.is_done());
        let left = most.map(|most| most.saturating_sub(done.map(AnySearch::simulations).sum()));
        let active = self.searches.iter_mut().filter(|search| !search.is_done());
        let active: Vec<&mut AnySearch> = active.collect();
        let workers = active.len() as u64;
        for (number, search) in (0..).zip(active) {
            let share = |left| root_parallel::share(left, workers, number).max(1);
            search.suspend_after(left.map_or(u64::MAX, share));
        }
    }

    /// What is found so far; none with `sharing`, where workers hold statistics of each other
    /// while they search.
    #[must_use]
    pub fn view(&self) -> Option<LiveView<'_>> {
        if !self.can_be_seen {
            return None;
        }
        let workers: Vec<SearchView<'_>> = self.searches.iter().map(AnySearch::view).collect();
        let report = report::report(&self.game, &workers, self.time.as_secs_f64());
        Some(LiveView { report, workers })
    }

    /// Ends the search: the bot's move, and the bot. If the move needs further searches, they
    /// are made first.
    pub fn finish(self) -> (Result<MoveAnswer, BotFailure>, Box<dyn Bot + 'bot>) {
        let Self { mut bot, pool, game, searches, time, answer, .. } = self;
        if let Some(answer) = answer {
            return (Ok(answer), bot);
        }
        let results = searches.into_iter().map(AnySearch::report).collect();
        let request = bot.end_move(&game, results, time.as_secs_f64());
        let answer = request.and_then(|request| request.decide(&mut *bot, &game, pool));
        (answer, bot)
    }
}

/// What a search has found by now.
pub struct LiveView<'a> {
    /// The report, all workers together.
    pub report: SearchReport,
    workers: Vec<SearchView<'a>>,
}

impl LiveView<'_> {
    /// The principal variation that begins with `first`, as far as it was searched.
    #[must_use]
    pub fn variation(&self, first: Move) -> Vec<Move> {
        report::variation(self.workers.iter().map(|worker| worker.tree), first)
    }
}
