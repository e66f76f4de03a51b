//! Searches of positions as numpy arrays.

mod answers;
mod bot;
mod callable;
pub mod found;
pub mod genmove;
mod many;
mod nodes;
mod parked;
mod searches;

pub use bot::{CALLABLE, register_callable};
pub use callable::{Callable, Inputs, Names};
pub use searches::Searches;

use crate::arguments::{check_positive, first, positions};
use crate::errors::invalid;
use crate::interrupt::interruptible_on;
use crate::position::Position;
use found::Found;
use many::{Many, Work};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use tengen::go::Size;
use tengen::search::driver::{self, Steps};
use tengen::seed::mix;

/// Searches each position with a bot: arrays by name.
#[pyfunction]
#[pyo3(signature = (positions, bot, *, seed, evaluator, planes, boards, batch, threads, tree))]
#[allow(clippy::too_many_arguments)] // keywords
pub fn search<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    bot: &str,
    seed: u64,
    evaluator: Option<&Bound<'py, PyAny>>,
    planes: Option<Names>,
    boards: usize,
    batch: usize,
    threads: usize,
    tree: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let (positions, is_one) = self::positions(positions)?;
    let size = size_of(&positions, batch, threads)?;
    if let Some(over) = positions.iter().position(|position| position.game().end().is_some()) {
        return Err(invalid(format!("position {over} is over: there is no move to find")));
    }
    let inputs = Inputs::new(planes, boards)?;
    let callable = evaluator.map(|f| Callable::new(f, inputs.clone())).transpose()?;
    let config = bot::config(bot, callable.as_ref().map(|_| &inputs), "a search")?;
    let work = Work {
        games: positions.iter().map(Position::game).collect(),
        seeds: seeds(seed, positions.len()),
        config: &config,
        with_trees: tree,
    };
    let threads = threads.min(positions.len());
    let stop = AtomicBool::new(false);
    let mut all: Vec<(usize, Found)> = if let Some(mut callable) = callable {
        let begin = |thread| {
            let range = range(positions.len(), threads, thread);
            let slots = range.len().min(batch.max(SLOTS));
            driver::steps(size, slots, Many::new(&work, range, slots, &stop))
        };
        let mut steps: Vec<Steps<'_, Many<'_>>> = (0..threads).map(begin).collect();
        answers::answer(py, steps.iter_mut().collect(), batch, &mut callable)?;
        steps.into_iter().flat_map(|steps| steps.end().found).collect()
    } else {
        let parts = interruptible_on(py, &stop, threads, |thread| {
            let range = range(positions.len(), threads, thread);
            let slots = range.len().min(SLOTS.max(2 * driver::lanes(size)));
            let mut many = Many::new(&work, range, slots, &stop);
            driver::drive(size, slots, &mut many).map(|()| many.found)
        })?;
        parts.into_iter().flatten().collect()
    };
    all.sort_by_key(|(number, _)| *number);
    let all = all.into_iter().map(|(_, found)| found).collect();
    found::arrays(py, size, all, is_one, &work.seeds, &config)
}

/// Searches that a thread makes side by side, at least, if there are as many.
const SLOTS: usize = 64;

/// The size of the boards of `positions`, of which there is one at least.
fn size_of(positions: &[Position], batch: usize, threads: usize) -> PyResult<Size> {
    let first = first(positions)?;
    check_positive("batch", batch, "1 leaf")?;
    check_positive("threads", threads, "1")?;
    Ok(first.size_of_board())
}

/// The seeds of the bots of so many positions: `seed` itself for the first one.
fn seeds(seed: u64, positions: usize) -> Vec<u64> {
    (0..positions as u64).map(|place| if place == 0 { seed } else { mix(seed, place) }).collect()
}

/// The part of `all` that the thread of this number has.
pub fn range(all: usize, threads: usize, thread: usize) -> Range<usize> {
    let first = |thread: usize| all / threads * thread + (all % threads).min(thread);
    first(thread)..first(thread + 1)
}
