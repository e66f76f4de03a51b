//! The moves that any bot chooses.

use super::{range, seeds};
use crate::arguments::{bot_text, check_positive, count, positions};
use crate::errors::invalid;
use crate::interrupt::interruptible_on;
use crate::player::{build, chosen, decide};
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tengen::bots::BotConfig;

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
    check_positive("threads", threads, "1")?;
    if let Some(over) = positions.iter().position(|position| position.game().end().is_some()) {
        return Err(invalid(format!("position {over} is over: there is no move to find")));
    }
    let (seeds, threads) = (seeds(seed, positions.len()), threads.min(positions.len()).max(1));
    let is_stopped = Arc::new(AtomicBool::new(false));
    let parts = interruptible_on(py, &is_stopped, threads, |thread| {
        let mut moves = Vec::new();
        for number in range(positions.len(), threads, thread) {
            if is_stopped.load(Ordering::Relaxed) {
                break;
            }
            let game = positions[number].game();
            let mut player = build(&bot, seeds[number], &is_stopped);
            let answer = decide(&mut *player, game, &is_stopped).map_err(|why| why.to_string())?;
            moves.push(chosen(game, &answer)?.map_or(-1, count));
        }
        Ok::<_, String>(moves)
    })?;
    let moves = PyArray1::from_vec(py, parts.concat()).into_any();
    if is_one { moves.get_item(0) } else { Ok(moves) }
}
