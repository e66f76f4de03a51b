//! Bots: callables from a position to a move.

use super::Registered;
use crate::arguments::mv;
use crate::errors::invalid;
use crate::position::Position;
use pyo3::prelude::*;
use std::sync::Arc;
use tengen::bots::{self, Bot, BotFailure, BotKind, MoveAnswer};
use tengen::go::Game;
use tengen::search::{Resource, ResourceFault};
use tengen::seed::mix;

/// Registers a callable as a bot.
#[pyfunction]
pub fn register_bot(name: &str, choose: &Bound<'_, PyAny>, version: &str) -> PyResult<()> {
    let kind = OfCallable(Registered::new(choose, "bot", name)?);
    bots::register_bot(name, version, "a Python callable", Arc::new(kind)).map_err(invalid)
}

#[derive(Clone)]
struct OfCallable(Registered);

impl BotKind for OfCallable {
    fn help() -> &'static str {
        "a Python callable"
    }

    fn build<'pool>(
        &self,
        seed: u64,
        _: Option<&'pool tengen::rayon::ThreadPool>,
    ) -> Box<dyn Bot + 'pool> {
        Box::new(Player { choose: self.0.clone(), seed })
    }
}

struct Player {
    choose: Registered,
    seed: u64,
}

impl Bot for Player {
    fn genmove(&mut self, game: &Game) -> Result<MoveAnswer, BotFailure> {
        // Another one for each ply, so that the callable can draw without a state.
        let seed = mix(self.seed, u64::from(game.ply()));
        let position = Position::of(game.clone());
        let chosen = self.choose.try_ask(|f| mv(&f.call1((position, seed))?, game.size()));
        let fault = |reason| ResourceFault::because(Resource::Evaluator, reason);
        Ok(MoveAnswer::without_search(chosen.map_err(fault)?))
    }
}
