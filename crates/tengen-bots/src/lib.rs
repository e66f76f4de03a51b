#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Bots: their configurations, and players of one game built from them.

mod by_clock;
mod config;
mod contained;
pub mod gtp_engine;
mod identity;
mod kind;
mod kinds;
mod live;
mod named;
mod preset;
mod program;
mod random;
mod sample;
mod solver;
mod spec;
mod stop;
mod tree_search;
mod two_ply;
mod uct;

pub use config::BotConfig;
pub use identity::{Program, name_program, program, register_program};
pub use kind::{BotKind, MoveCost, SideBySide};
pub use kinds::{Kind, register, register_bot, unregister};
pub use live::{AnalysisError, LiveMove, LiveSearch};
pub use named::NamedBot;
pub use preset::BotPreset;
pub use random::RandomConfig;
pub use sample::{OWNERSHIP_PLAYOUTS, sample};
pub use solver::SolverConfig;
pub use spec::SpecError;
pub use stop::ShouldStop;
pub use tree_search::{TreeSearch, TreeSearchError};
pub use two_ply::TwoPlyConfig;
pub use uct::{decision, evident_pass, genmove_with_trees, within_time};

use std::time::Duration;
use tengen_go::{Game, Move, Score};
use tengen_search::clock::Instant;
use tengen_search::{
    AnySearch, Resource, ResourceFault, SearchReport, SearchResult, reports, root_parallel,
};

/// A player of one game.
pub trait Bot: Send {
    /// Prepares the bot for `game` before its first move, while no clock runs;
    /// `label` names game and player in a log. A bot for which this is not called
    /// prepares at its first move.
    fn begin(&mut self, game: &Game, label: &str) -> Result<(), BotFailure> {
        let _ = (game, label);
        Ok(())
    }

    /// Chooses the move of the player to move in `game`, which continues the game
    /// of the call before.
    fn genmove(&mut self, game: &Game) -> Result<MoveAnswer, BotFailure>;

    /// Begins a move: like [`Bot::genmove`], but a bot that needs searches may
    /// return them. The caller then runs them, together with those of other games,
    /// and passes their results to [`Bot::end_move`].
    fn begin_move(&mut self, game: &Game) -> Result<MoveRequest, BotFailure> {
        self.genmove(game).map(MoveRequest::Decided)
    }

    /// Chooses the move from the `results` of the searches that [`Bot::begin_move`], or this
    /// function before, returned; they took `seconds`. A bot may need more searches. Fails if the
    /// bot has returned no searches.
    fn end_move(
        &mut self,
        game: &Game,
        results: Vec<SearchResult>,
        seconds: f64,
    ) -> Result<MoveRequest, BotFailure> {
        let _ = (game, results, seconds);
        Err(no_search())
    }

    /// Begins an analysis of the last position of `game`: like [`Bot::begin_move`], but the
    /// searches are meant to be looked at while they run, and may have no budget. The default
    /// begins a move.
    fn begin_analysis(&mut self, game: &Game) -> Result<MoveRequest, BotFailure> {
        self.begin_move(game)
    }

    /// Sets the time that each of the next moves may take, in place of the number of simulations in
    /// the settings; a shorter time in the settings still holds. None: the settings alone hold.
    /// Bots that do not search ignore it.
    fn set_time(&mut self, time: Option<Duration>) {
        let _ = time;
    }

    /// Makes [`Bot::genmove`] give up soon after `should_stop` says so: it then returns a failure,
    /// or any legal move, and a GTP engine that was to answer is killed. Bots that make
    /// simulations, which [`LiveSearch`] can stop, and the random bot ignore it.
    fn stop_when(&mut self, should_stop: ShouldStop) {
        let _ = should_stop;
    }

    /// The score of the last position of `game` by the bot's own count; none for a
    /// bot that does not count.
    fn final_score(&mut self, game: &Game) -> Result<Option<Score>, BotFailure> {
        let _ = game;
        Ok(None)
    }

    /// The bot's remark on its last move, for people: a line. None for most moves.
    fn remark(&self) -> Option<&str> {
        None
    }

    /// Name and version of the GTP engine behind the bot, once it runs; none for any
    /// other bot.
    fn program(&self) -> Option<&str> {
        None
    }

    /// Where the bot uses CPU time. The default: on the thread of its caller alone.
    fn cpu_time(&mut self) -> CpuTime {
        CpuTime::Caller
    }
}

/// Where a bot uses CPU time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CpuTime {
    /// On the thread that calls the bot, or that runs its searches.
    Caller,
    /// In another program, which has used so many seconds since it started, with its child processes
    /// and whoever's turn it was; none where that is not known.
    Program(Option<f64>),
}

/// A bot's decision on its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Plays a move, or passes.
    Move(Move),
    /// Resigns.
    Resign,
}

impl std::fmt::Display for Decision {
    /// The move, or `resign`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Move(mv) => mv.fmt(f),
            Self::Resign => f.pad("resign"),
        }
    }
}

/// What [`Bot::begin_move`] and [`Bot::end_move`] return: the move, or the searches that it needs.
#[derive(Debug)]
pub enum MoveRequest {
    /// The move is decided.
    Decided(MoveAnswer),
    /// The move needs the results of these searches.
    Searching(Searching),
}

impl MoveRequest {
    /// The move, after the searches that `bot` needs for it in `game`; they run one after the
    /// other on the threads of `pool`, or on this thread if there is none.
    pub fn decide(
        self,
        bot: &mut dyn Bot,
        game: &Game,
        pool: Option<&rayon::ThreadPool>,
    ) -> Result<MoveAnswer, BotFailure> {
        self.decide_until(bot, game, pool, &|| false)
    }

    /// [`Self::decide`], with searches that end early once `should_stop` says so.
    pub fn decide_until(
        self,
        bot: &mut dyn Bot,
        game: &Game,
        pool: Option<&rayon::ThreadPool>,
        should_stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<MoveAnswer, BotFailure> {
        let mut request = self;
        loop {
            let Searching { searches, seconds } = match request {
                Self::Decided(answer) => return Ok(answer),
                Self::Searching(searching) => searching,
            };
            let began = Instant::now();
            let limit = seconds.map(Duration::from_secs_f64);
            let is_late = || limit.is_some_and(|limit| began.elapsed() >= limit);
            let is_over = || should_stop() || is_late();
            let searches = root_parallel::advance(game.size(), searches, pool, &is_over)?;
            request = bot.end_move(game, reports(searches)?, began.elapsed().as_secs_f64())?;
        }
    }
}

/// The searches that a move needs.
#[derive(Debug)]
pub struct Searching {
    /// The searches, in order.
    pub searches: Vec<AnySearch>,
    /// Seconds after which to end the searches; none where their budgets end them. With a limit
    /// they must run immediately, and with no other searches on their thread.
    pub seconds: Option<f64>,
}

/// A bot's decision, with the statistics of its search.
#[derive(Clone, Debug)]
pub struct MoveAnswer {
    /// The decision; a move of Tengen's own bots is legal, a move of a GTP engine need not be.
    pub decision: Decision,
    /// Number of simulations; none for bots that make none.
    pub simulations: Option<u64>,
    /// Statistics of the search, where there was one.
    pub report: Option<SearchReport>,
}

impl MoveAnswer {
    /// The move or the pass; none where the bot resigns.
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
        Self { decision: Decision::Move(mv), simulations: None, report: None }
    }
}

/// Why a bot makes no move.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum BotFailure {
    /// Through a fault of the bot: it loses the game.
    #[error("{reason}")]
    Forfeit {
        /// The termination of the game.
        kind: FailureKind,
        /// The reason, for people.
        reason: String,
    },
    /// Through a lack of memory, processes or files: nobody loses, the game is
    /// not played.
    #[error(transparent)]
    Resource(ResourceFault),
}

impl BotFailure {
    /// The lacking resource, after which the bot may play another time. Otherwise an error: the bot
    /// cannot play with these settings, such as a program that is not there.
    pub fn lacking(self) -> Result<ResourceFault, Self> {
        match self {
            Self::Resource(fault) if fault.resource() != Resource::File => Ok(fault),
            failure => Err(failure),
        }
    }
}

impl From<ResourceFault> for BotFailure {
    /// A panic of code that the program has registered is a fault of the bot.
    fn from(fault: ResourceFault) -> Self {
        match fault.resource() {
            Resource::RegisteredCode => {
                Self::Forfeit { kind: FailureKind::Panic, reason: fault.to_string() }
            }
            _ => Self::Resource(fault),
        }
    }
}

/// The failure of a bot that is given results though it has requested no search.
fn no_search() -> BotFailure {
    let reason = "the bot has requested no search".to_owned();
    BotFailure::Forfeit { kind: FailureKind::Crash, reason }
}

/// How a bot's failure ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// By an illegal move.
    Illegal,
    /// By a crash: its program ended, or broke the protocol.
    Crash,
    /// By a panic of code that the program has registered: the bot itself, or what its settings
    /// name.
    Panic,
    /// On time.
    Time,
}
