//! A search that can be looked at while it goes on.

use super::{Bot, BotConfig, BotFailure, MoveAnswer, MoveRequest, Searching};
use std::time::Duration;
use tengen_go::Game;
use tengen_search::clock::Instant;
use tengen_search::{AnySearch, SearchReport, SearchView, report, reports, root_parallel};

/// A bot's search for one move, which runs in slices and can be looked at between them. Whatever
/// the slices, it is the search that [`Bot::genmove`] makes: after n simulations it shows the
/// result of a budget of n simulations, and its move is the bot's.
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
    pub fn begin(
        mut bot: Box<dyn Bot + 'bot>,
        config: &BotConfig,
        game: &Game,
        pool: Option<&'bot rayon::ThreadPool>,
    ) -> Result<Self, BotFailure> {
        Ok(match bot.begin_move(game)? {
            MoveRequest::Decided(answer) => Self::Decided(answer, bot),
            MoveRequest::Searching(searching) => {
                let can_be_seen = can_be_seen(config);
                let search = LiveSearch::new(bot, pool, game, can_be_seen, searching);
                Self::Searching(Box::new(search))
            }
        })
    }
}

/// Whether the searches of a bot can be looked at while they go on.
fn can_be_seen(config: &BotConfig) -> bool {
    config.uct().is_none_or(|uct| uct.sharing.is_none())
}

/// Begins the analysis of `game` by a new bot of `config` with the player seed `seed`: returns the
/// bot, and its searches or its finished answer.
pub(super) fn begin_analysis<'bot>(
    config: &BotConfig,
    seed: u64,
    game: &Game,
    pool: Option<&'bot rayon::ThreadPool>,
) -> Result<(Box<dyn Bot + 'bot>, MoveRequest), AnalysisError> {
    if !can_be_seen(config) {
        return Err(AnalysisError::Shares(Box::new(config.clone())));
    }
    if !config.can_analyze() {
        return Err(AnalysisError::NoSearch(Box::new(config.clone())));
    }
    let mut bot = config.build(seed, pool);
    let request = bot.begin_analysis(game)?;
    if let MoveRequest::Decided(MoveAnswer { report: None, .. }) = request {
        return Err(AnalysisError::NoSearch(Box::new(config.clone())));
    }
    Ok((bot, request))
}

/// Why a bot cannot analyse.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
pub enum AnalysisError {
    /// The bot shows no search.
    #[error("{0} cannot analyse: expected a bot that shows its search, such as uct")]
    NoSearch(Box<BotConfig>),
    /// Its workers share counts while they search.
    #[error("{0} cannot analyse, since its workers share statistics: set sharing=none")]
    Shares(Box<BotConfig>),
    /// The bot fails.
    #[error(transparent)]
    Failure(#[from] BotFailure),
}

impl<'bot> LiveSearch<'bot> {
    /// Begins an analysis of the last position of `game` ([`Bot::begin_analysis`]): for `uct` the
    /// search that a new bot of `config` makes for its move with the player seed `seed`, without
    /// its budget and a kept tree. A bot that searches before it returns its move is shown once
    /// that search is over. Refuses a bot that shows no search.
    pub fn analysis(
        config: &BotConfig,
        seed: u64,
        game: &Game,
        pool: Option<&'bot rayon::ThreadPool>,
    ) -> Result<Self, AnalysisError> {
        let (bot, request) = begin_analysis(config, seed, game, pool)?;
        let (searching, answer) = match request {
            MoveRequest::Searching(searching) => (searching, None),
            MoveRequest::Decided(answer) => {
                (Searching { searches: Vec::new(), seconds: None }, Some(answer))
            }
        };
        Ok(Self { answer, ..Self::new(bot, pool, game, true, searching) })
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

    /// Simulations begun so far, by all workers.
    #[must_use]
    pub fn simulations(&self) -> u64 {
        let made = self.answer.as_ref().and_then(|answer| answer.simulations).unwrap_or(0);
        let begun = self.searches.iter().map(|search| search.simulations()).sum::<u64>();
        made.max(self.earlier + begun)
    }

    /// Whether the search has spent its budget or its time, or has nothing more to find.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let is_late = self.limit.is_some_and(|limit| self.time.as_secs_f64() >= limit);
        is_late || self.searches.iter().all(|search| search.is_done())
    }

    /// Searches on until the search is over, `most` simulations are made in all, or `should_stop`,
    /// called about every 64 simulations, returns true. Each worker makes one simulation at least.
    /// After an error the search is lost.
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
            let results = reports(std::mem::take(&mut self.searches))?;
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

    /// Continues the present searches of the bot.
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

    /// Divides `most` simulations among the workers, as a budget is divided; workers that are done
    /// leave the rest to the others.
    fn divide(&mut self, most: Option<u64>) {
        let done = self.searches.iter().filter(|search| search.is_done());
        let left =
            most.map(|most| most.saturating_sub(done.map(|search| search.simulations()).sum()));
        let active = self.searches.iter_mut().filter(|search| !search.is_done());
        let active: Vec<&mut AnySearch> = active.collect();
        let workers = active.len() as u64;
        for (number, search) in (0..).zip(active) {
            let share = |left| root_parallel::share(left, workers, number).max(1);
            search.suspend_after(left.map_or(u64::MAX, share));
        }
    }

    /// The report so far, with all details; of a bot that has decided, its own report. None with
    /// `sharing`, where workers hold each other's statistics while they search.
    #[must_use]
    pub fn report(&self) -> Option<SearchReport> {
        if !self.can_be_seen {
            return None;
        }
        if let Some(report) = self.answer.as_ref().and_then(|answer| answer.report.as_ref()) {
            return Some(report.clone());
        }
        let workers: Vec<SearchView<'_>> =
            self.searches.iter().map(|search| search.view()).collect();
        let mut report = report::report(&self.game, &workers, self.time.as_secs_f64());
        report.add_details(self.game.size(), workers.iter().map(|worker| worker.tree));
        Some(report)
    }

    /// Ends the search: the bot's move, and the bot. If the move needs further searches, they
    /// are made first.
    pub fn finish(self) -> (Result<MoveAnswer, BotFailure>, Box<dyn Bot + 'bot>) {
        let Self { mut bot, pool, game, searches, time, answer, .. } = self;
        if let Some(answer) = answer {
            return (Ok(answer), bot);
        }
        let results = reports(searches).map_err(BotFailure::from);
        let request = results.and_then(|results| bot.end_move(&game, results, time.as_secs_f64()));
        let answer = request.and_then(|request| request.decide(&mut *bot, &game, pool));
        (answer, bot)
    }
}
