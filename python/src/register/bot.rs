//! Bots: callables from a position to a move.

use super::check_callable;
use crate::arguments::mv;
use crate::ending::attach;
use crate::errors::invalid;
use crate::position::Position;
use crate::raised;
use pyo3::prelude::*;
use std::sync::Arc;
use tengen::bots::{self, Bot, BotFailure, BotKind, MoveAnswer};
use tengen::go::{Game, Move};
use tengen::search::{Resource, ResourceFault};
use tengen::seed::mix;

/// Registers a callable as a bot.
#[pyfunction]
pub fn register_bot(name: &str, choose: &Bound<'_, PyAny>, version: &str) -> PyResult<()> {
    check_callable(choose, "bot")?;
    let kind = OfCallable { name: name.to_owned(), choose: Arc::new(choose.clone().unbind()) };
    bots::register_bot(name, version, "a Python callable", Arc::new(kind)).map_err(invalid)
}

#[derive(Clone)]
struct OfCallable {
    name: String,
    choose: Arc<Py<PyAny>>,
}

impl BotKind for OfCallable {
    fn help() -> &'static str {
        "a Python callable"
    }

    fn build<'pool>(
        &self,
        seed: u64,
        _: Option<&'pool tengen::rayon::ThreadPool>,
    ) -> Box<dyn Bot + 'pool> {
        Box::new(Player { bot: self.clone(), seed })
    }
}

/// The player of one game.
struct Player {
    bot: OfCallable,
    seed: u64,
}

impl Bot for Player {
    fn genmove(&mut self, game: &Game) -> Result<MoveAnswer, BotFailure> {
        let chosen = attach(|py| {
            self.choose(py, game)
                .map_err(|error| raised::keep(py, error, &format!("bot `{}`", self.bot.name)))
        });
        let fault = |reason| ResourceFault::because(Resource::Evaluator, reason);
        Ok(MoveAnswer::without_search(chosen.map_err(fault)?))
    }
}

impl Player {
    fn choose(&self, py: Python<'_>, game: &Game) -> PyResult<Move> {
        // Another one for each ply, so that the callable can draw without a state.
        let seed = mix(self.seed, u64::from(game.ply()));
        let chosen = self.bot.choose.bind(py).call1((Position::of(game.clone()), seed))?;
        mv(&chosen, game.size())
    }
}
