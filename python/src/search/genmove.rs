//! The moves that any bot chooses.

use super::{range, seeds};
use crate::arguments::{bot_text, count, positions};
use crate::errors::invalid;
use crate::interrupt::interruptible_by;
use crate::player::{build, chosen, decide};
use crate::raised;
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tengen::bots::BotConfig;
use tengen::search::on_threads;

/// The move that a bot chooses in each position; -1 if it resigns.
#[pyfunction]
#[pyo3(signature = (positions, bot, *, seed, threads))]
pub fn genmove<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    bot: &Bound<'py, PyAny>,
    seed: u64,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let (positions, is_one) = self::positions(positions)?;
    let bot: BotConfig = bot_text(bot)?.parse().map_err(invalid)?;
    if threads == 0 {
        return Err(invalid("invalid threads 0: expected 1 or more"));
    }
    if let Some(over) = positions.iter().position(|position| position.game().end().is_some()) {
        return Err(invalid(format!("position {over} is over: there is no move to find")));
    }
    let (seeds, threads) = (seeds(seed, positions.len()), threads.min(positions.len()).max(1));
    let is_stopped = Arc::new(AtomicBool::new(false));
    let parts = interruptible_by(py, &is_stopped, |stop| {
        on_threads(threads, |thread| {
            let mut moves = Vec::new();
            for number in range(positions.len(), threads, thread) {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let game = positions[number].game();
                let mut player = build(&bot, seeds[number], &is_stopped);
                let answer = decide(&mut *player, game, stop).map_err(|why| why.to_string())?;
                let number = chosen(game, &answer)?;
                moves.push(number.map_or(-1, count));
            }
            Ok(moves)
        })
    })?;
    let failed = |error: String| raised::with_cause(py, &error);
    let parts = parts.map_err(|error| failed(error.to_string()))?;
    let parts: Result<Vec<Vec<i64>>, String> = parts.into_iter().collect();
    let moves = parts.map_err(failed)?.concat();
    let moves = PyArray1::from_vec(py, moves).into_any();
    if is_one { moves.get_item(0) } else { Ok(moves) }
}
