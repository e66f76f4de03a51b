//! A GTP engine: serves one of Tengen's bots over the Go Text Protocol.
//!
//! An [`Engine`] holds a game and a bot and executes commands; [`Engine::serve`] reads the commands
//! on a thread of its own, so that an analysis ends when the next line arrives. The commands are in
//! files by subject, each with the table of its names: `session` of the protocol itself, `board`,
//! `handicap` and `rules` of the position, `play` of moves and `clocks` and `time` of clocks,
//! `scoring` and `status` of life and death, `analysis` of live searches, `gogui` of GoGui's
//! extensions, `settings` of the bot.
//!
//! Where the specification (GTP version 2, draft 2) has words for an error, the answer is those
//! words alone; details go to standard error and to the log.

mod analysis;
mod arguments;
mod board;
mod clocks;
mod gogui;
mod handicap;
mod live;
mod play;
mod refusal;
mod report;
mod rules;
mod scoring;
mod session;
mod settings;
mod status;
mod time;

use crate::{Bot, BotConfig};
use arguments::{Words, at_most};
pub use handicap::fixed as fixed_handicap;
use live::{Incoming, Live};
use refusal::Refusal;
use std::io;
use std::time::Duration;
use tengen_go::{Game, Komi, Preset, Rules, Size, default_komi};
use tengen_gtp::protocol::{Answer, Command};
use tengen_gtp::{Line, Log};
use tengen_search::SearchReport;
use tengen_stats::seed::mix;
use time::{Clocks, TimeSettings};

/// Plies that a game may have: over GTP it is the controller who ends it.
const MAX_PLIES: u32 = 100_000;

/// What executes a command: the engine, the words after its name, and the answer as
/// far as it is sent before the command is done.
type Handler =
    for<'pool> fn(&mut Engine<'pool>, Words<'_>, &mut Live<'_>) -> Result<String, Refusal>;

/// The commands of a file: the name, the most words after it, and what executes it.
type Commands = &'static [(&'static str, usize, Handler)];

/// The commands by file; together in no order.
const COMMANDS: [Commands; 9] = [
    session::COMMANDS,
    board::COMMANDS,
    play::COMMANDS,
    clocks::COMMANDS,
    rules::COMMANDS,
    scoring::COMMANDS,
    analysis::COMMANDS,
    gogui::COMMANDS,
    settings::COMMANDS,
];

/// What builds a bot from its settings and its player seed.
pub type BotBuilder<'pool> = Box<dyn Fn(&BotConfig, u64) -> Box<dyn Bot + 'pool> + 'pool>;

/// A bot and the game that it is asked about.
pub struct Engine<'pool> {
    config: BotConfig,
    /// Threads of a search that the clock ends.
    threads: usize,
    seed: u64,
    pool: Option<&'pool rayon::ThreadPool>,
    build: BotBuilder<'pool>,
    preset: Preset,
    /// None until a command sets it: until then the komi of the board's size holds.
    komi: Option<Komi>,
    game: Game,
    /// Made when it is first asked, and again when the game does not continue the game of the last
    /// request.
    bot: Option<Box<dyn Bot + 'pool>>,
    /// The settings with which `bot` was made.
    made: BotConfig,
    /// Games that the bot was asked about before this one.
    games: u64,
    clocks: Clocks,
    heeds_clocks: bool,
    /// What the last search found.
    report: Option<SearchReport>,
    /// Notes for people on the command that is executed, for the log and standard error.
    notes: Vec<String>,
    has_ended: bool,
}

impl<'pool> Engine<'pool> {
    /// The bot of `config` at an empty 19×19 board. Its first game is played
    /// with `seed` itself, every later one with a seed of its own.
    ///
    /// # Panics
    /// Never: 19×19 is a size.
    #[must_use]
    pub fn new(
        config: BotConfig,
        seed: u64,
        preset: Preset,
        pool: Option<&'pool rayon::ThreadPool>,
    ) -> Self {
        let size = Size::square(19).expect("19x19 is a size");
        Self {
            threads: 1,
            made: config.clone(),
            config,
            seed,
            pool,
            build: Box::new(move |config, seed| config.build(seed, pool)),
            preset,
            komi: None,
            game: new_game(size, preset, None),
            bot: None,
            games: 0,
            clocks: Clocks::new(TimeSettings::None),
            heeds_clocks: true,
            report: None,
            notes: Vec::new(),
            has_ended: false,
        }
    }

    /// This engine at an empty board of `size`, with `komi` if there is one.
    #[must_use]
    pub fn at(mut self, size: Size, komi: Option<Komi>) -> Self {
        self.komi = komi;
        self.game = new_game(size, self.preset, komi);
        self
    }

    /// This engine, playing by the bot's own settings whatever the clocks say.
    #[must_use]
    pub const fn without_clocks(mut self) -> Self {
        self.heeds_clocks = false;
        self
    }

    /// This engine, searching on `threads` threads where the clock ends a search
    /// ([`BotConfig::by_clock`]).
    #[must_use]
    pub const fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// This engine, with bots that `build` makes. Analyses still search on this thread and those of
    /// the pool.
    #[must_use]
    pub fn with_bots(mut self, build: BotBuilder<'pool>) -> Self {
        self.build = build;
        self
    }

    /// The answer to a line; none to an empty one. An analysis ends after its first
    /// report.
    pub fn answer(&mut self, line: &str) -> Option<Answer> {
        let incoming = Incoming::default();
        incoming.add();
        let (line, mut sent) = (Line::Whole(line.to_owned()), Vec::new());
        // Writing to memory does not fail.
        let _ = self.respond(line, &incoming, &mut sent, &Log::default(), &mut io::sink());
        Answer::read(String::from_utf8_lossy(&sent).trim_end())
    }

    /// Whether the command `quit` was received.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Executes a command. A command that sends its answer itself sends it to `live` and returns an
    /// empty text; a failed output is noticed by whoever writes to it next.
    fn execute(&mut self, command: &Command, live: &mut Live<'_>) -> Result<String, Refusal> {
        self.notes.clear();
        let words: Vec<&str> = command.arguments.iter().map(String::as_str).collect();
        let mut commands = COMMANDS.into_iter().flatten();
        let Some((_, most, execute)) = commands.find(|(name, ..)| *name == command.name) else {
            return Err(Refusal::new("unknown command"));
        };
        at_most(&words, *most)?;
        execute(self, &words, live)
    }

    /// Begins a game on the empty board.
    fn begin(&mut self, size: Size) {
        self.set_game(new_game(size, self.preset, self.komi));
        self.clocks.reset();
    }

    /// Goes on with another game.
    fn set_game(&mut self, game: Game) {
        if self.bot.take().is_some() {
            self.games += 1;
        }
        self.game = game;
    }

    /// The bot that searches for `time`, or without a clock by its own settings.
    fn playing(&self, time: Option<Duration>) -> BotConfig {
        if time.is_some() || self.config.ends_by_clock() {
            return self.config.by_clock(self.threads);
        }
        self.config.clone()
    }

    /// Takes the player of this game that searches for `time`, or without a clock.
    fn take_player(&mut self, time: Option<Duration>) -> Box<dyn Bot + 'pool> {
        let playing = self.playing(time);
        let known = self.bot.take().filter(|_| playing == self.made);
        let mut bot = known.unwrap_or_else(|| (self.build)(&playing, self.game_seed()));
        self.made = playing;
        bot.set_time(time);
        bot
    }

    /// The seed of the bot in this game.
    fn game_seed(&self) -> u64 {
        if self.games == 0 { self.seed } else { mix(self.seed, self.games) }
    }
}

/// The names of all commands in alphabetical order.
fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = COMMANDS.into_iter().flatten().map(|(name, ..)| *name).collect();
    names.sort_unstable();
    names
}

fn rules(size: Size, preset: Preset, komi: Option<Komi>) -> Rules {
    let komi = komi.unwrap_or_else(|| default_komi(size));
    Rules { max_plies: MAX_PLIES, ..Rules::new(preset, size, komi) }
}

fn new_game(size: Size, preset: Preset, komi: Option<Komi>) -> Game {
    Game::new(size, rules(size, preset, komi))
}
