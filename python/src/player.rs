//! `Player`: a bot that chooses moves.

use crate::arguments::bot_text;
use crate::errors::{RunError, invalid};
use crate::interrupt::interruptible_by;
use crate::position::Position;
use crate::raised;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tengen::bots::{Bot, BotConfig, BotFailure, MoveAnswer, ShouldStop};
use tengen::go::Game;

/// A bot of any kind that plays one game, as on the command line. `bot` is a text such as
/// "uct:simulations=800", "two-ply" or "random", or a function as of `tengen.register.bot`; all its
/// random draws follow from `seed`. Raises ValueError for a wrong text.
#[pyclass(module = "tengen", frozen)]
pub struct Player {
    text: String,
    seed: u64,
    bot: Mutex<Box<dyn Bot>>,
    is_busy: AtomicBool,
    /// Set once the move that is being chosen is no longer wanted.
    is_stopped: Arc<AtomicBool>,
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (bot, *, seed = 0))]
    fn new(bot: &Bound<'_, PyAny>, seed: u64) -> PyResult<Self> {
        let bot = bot_text(bot)?;
        let config: BotConfig = bot.parse().map_err(invalid)?;
        let is_stopped = Arc::new(AtomicBool::new(false));
        let player = build(&config, seed, &is_stopped);
        let (text, bot, is_busy) = (bot, Mutex::new(player), AtomicBool::new(false));
        Ok(Self { text, seed, bot, is_busy, is_stopped })
    }

    /// The move of the player to move in `position`, which continues the game of the call before; None if the bot resigns.
    /// Raises ValueError if the game is over, and RunError if the bot finds no move, or one that the rules forbid.
    fn choose(&self, py: Python<'_>, position: &Position) -> PyResult<Option<usize>> {
        let game = position.game();
        if game.end().is_some() {
            return Err(invalid("the game is over: expected a position in which there is a move"));
        }
        // To wait for the other call would be for ever where this one is made by a callable of the bot.
        if self.is_busy.swap(true, Ordering::AcqRel) {
            return Err(PyRuntimeError::new_err(
                "the player is choosing another move: make a Player for each thread, and for each call within a bot",
            ));
        }
        self.is_stopped.store(false, Ordering::Relaxed);
        let answer = interruptible_by(py, &self.is_stopped, |stop| {
            let mut bot = self.bot.lock().unwrap_or_else(PoisonError::into_inner);
            decide(&mut **bot, game, stop)
        });
        self.is_busy.store(false, Ordering::Release);
        let answer = answer?;
        let fault =
            |failure: BotFailure| raised::with_cause(py, &format!("{}: {failure}", self.text));
        let chosen = chosen(game, &answer.map_err(fault)?);
        chosen.map_err(|why| RunError::new_err(format!("{}: {why}", self.text)))
    }

    fn __repr__(&self) -> String {
        format!("Player({:?}, seed={})", self.text, self.seed)
    }
}

/// The number of the move of `answer` in `game`; none if the bot resigns; an error if the rules
/// forbid the move.
pub fn chosen(game: &Game, answer: &MoveAnswer) -> Result<Option<usize>, String> {
    let Some(mv) = answer.mv() else { return Ok(None) };
    match game.check(game.to_play(), mv) {
        Ok(()) => Ok(Some(game.size().move_number(mv))),
        Err(why) => Err(format!("the bot chose {mv}: {why}")),
    }
}

/// The bot of `config`, which stops its work early, if it can, once `is_stopped` is set.
pub fn build(config: &BotConfig, seed: u64, is_stopped: &Arc<AtomicBool>) -> Box<dyn Bot> {
    let mut bot = config.build(seed, None);
    let flag = Arc::clone(is_stopped);
    bot.stop_when(ShouldStop::when(move || flag.load(Ordering::Relaxed)));
    bot
}

/// The move of `bot`. Once `stop` is set, the move is any legal one, or a failure.
pub fn decide(bot: &mut dyn Bot, game: &Game, stop: &AtomicBool) -> Result<MoveAnswer, BotFailure> {
    bot.begin_move(game)?.decide_until(bot, game, None, &|| stop.load(Ordering::Relaxed))
}
