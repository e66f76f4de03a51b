//! A player that outlives panics of registered code: each panic is a failure of the bot, which
//! loses its game.

use super::{
    Bot, BotConfig, BotFailure, CpuTime, FailureKind, MoveAnswer, MoveRequest, ShouldStop,
};
use std::time::Duration;
use tengen_go::{Game, Score, catch_registered_panic};
use tengen_search::{ResourceFault, SearchResult};

/// A player whose bot calls registered code, or is registered. After a panic the bot is dropped; if
/// the player is asked again, as over GTP, it builds a new bot.
pub(super) struct Contained<'pool> {
    config: BotConfig,
    seed: u64,
    pool: Option<&'pool rayon::ThreadPool>,
    /// None before it is first asked, and after a panic.
    bot: Option<Box<dyn Bot + 'pool>>,
    time: Option<Duration>,
    should_stop: ShouldStop,
}

impl<'pool> Contained<'pool> {
    /// The player that `config` builds.
    pub(super) fn new(
        config: BotConfig,
        seed: u64,
        pool: Option<&'pool rayon::ThreadPool>,
    ) -> Self {
        let should_stop = ShouldStop::default();
        Self { config, seed, pool, bot: None, time: None, should_stop }
    }

    /// The result of `call`; a panic of registered code becomes a failure.
    fn ask<T>(
        &mut self,
        call: impl FnOnce(&mut dyn Bot) -> Result<T, BotFailure>,
    ) -> Result<T, BotFailure> {
        let Self { config, seed, pool, bot, time, should_stop } = self;
        let asked = catch_registered_panic(|| {
            config.call(|| {
                let bot = bot.get_or_insert_with(|| {
                    let mut bot = config.build_uncontained(*seed, *pool);
                    bot.set_time(*time);
                    bot.stop_when(should_stop.clone());
                    bot
                });
                call(&mut **bot)
            })
        });
        let answer = asked.unwrap_or_else(|panic| Err(ResourceFault::from(panic).into()));
        if let Err(BotFailure::Forfeit { kind: FailureKind::Panic, .. }) = answer {
            self.drop_bot();
        }
        answer
    }

    /// Drops the bot, whose code may panic again while it is dropped.
    fn drop_bot(&mut self) {
        let bot = self.bot.take();
        let _ = catch_registered_panic(|| self.config.call(|| drop(bot)));
    }
}

impl Drop for Contained<'_> {
    fn drop(&mut self) {
        self.drop_bot();
    }
}

impl Bot for Contained<'_> {
    fn begin(&mut self, game: &Game, label: &str) -> Result<(), BotFailure> {
        self.ask(|bot| bot.begin(game, label))
    }

    fn genmove(&mut self, game: &Game) -> Result<MoveAnswer, BotFailure> {
        self.ask(|bot| bot.genmove(game))
    }

    fn begin_move(&mut self, game: &Game) -> Result<MoveRequest, BotFailure> {
        self.ask(|bot| bot.begin_move(game))
    }

    fn end_move(
        &mut self,
        game: &Game,
        results: Vec<SearchResult>,
        seconds: f64,
    ) -> Result<MoveRequest, BotFailure> {
        self.ask(|bot| bot.end_move(game, results, seconds))
    }

    fn begin_analysis(&mut self, game: &Game) -> Result<MoveRequest, BotFailure> {
        self.ask(|bot| bot.begin_analysis(game))
    }

    fn set_time(&mut self, time: Option<Duration>) {
        self.time = time;
        if self.bot.is_some() {
            // Code that panics here panics again when the bot is asked for a move.
            let _ = self.ask(|bot| {
                bot.set_time(time);
                Ok(())
            });
        }
    }

    fn stop_when(&mut self, should_stop: ShouldStop) {
        self.should_stop = should_stop.clone();
        if self.bot.is_some() {
            let _ = self.ask(|bot| {
                bot.stop_when(should_stop);
                Ok(())
            });
        }
    }

    fn final_score(&mut self, game: &Game) -> Result<Option<Score>, BotFailure> {
        self.ask(|bot| bot.final_score(game))
    }

    fn program(&self) -> Option<&str> {
        self.bot.as_ref()?.program()
    }

    fn cpu_time(&mut self) -> CpuTime {
        // A bot that has panicked was asked on the thread of its caller.
        self.ask(|bot| Ok(bot.cpu_time())).unwrap_or(CpuTime::Caller)
    }
}
