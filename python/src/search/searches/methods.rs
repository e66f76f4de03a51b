//! The methods of `Searches` that Python calls to run its searches and to look at them.

use super::super::answers;
use super::super::callable::{self, Callable, Inputs, Names};
use super::super::found::{Found, arrays};
use super::super::{bot, seeds, size_of};
use super::{Part, Searches};
use crate::arguments::{count, positions};
use crate::ending::detach;
use crate::errors::invalid;
use crate::position::Position;
use crate::raised;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray4};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Mutex;
use tengen::go::Game;
use tengen::search::evaluator::Batch;

/// Planes, legal moves, the number of each leaf's search, and boards or None.
type Batches<'py> = (
    Bound<'py, PyArray4<f32>>,
    Bound<'py, PyArray2<bool>>,
    Bound<'py, PyArray1<i64>>,
    Option<Bound<'py, PyAny>>,
);

#[pymethods]
impl Searches {
    #[new]
    #[pyo3(signature = (positions, bot, *, seed, is_asked, planes, boards, batch, threads))]
    #[allow(clippy::too_many_arguments)] // keywords
    fn new(
        positions: &Bound<'_, PyAny>,
        bot: &str,
        seed: u64,
        is_asked: bool,
        planes: Option<Names>,
        boards: usize,
        batch: usize,
        threads: usize,
    ) -> PyResult<Self> {
        let (positions, is_one) = self::positions(positions)?;
        let size = size_of(&positions, batch, threads)?;
        let inputs = Inputs::new(planes, boards)?;
        let inputs = is_asked.then_some(inputs);
        let config = bot::config(bot, inputs.as_ref(), "Searches")?;
        if config.workers > 1 {
            return Err(invalid(format!(
                "bot `{bot}`: Searches takes one worker: leave `workers` out"
            )));
        }
        let games: Vec<Game> = positions.iter().map(|position| position.game().clone()).collect();
        let (seeds, threads) = (seeds(seed, games.len()), threads.min(games.len()));
        let (parts, batches, waiting, failure) = (Mutex::default(), 0, Vec::new(), None);
        let mut own = Self {
            size,
            bot: bot.to_owned(),
            config,
            games,
            seeds,
            is_one,
            inputs,
            batch,
            parts,
            batches,
            waiting,
            failure,
        };
        let searches = (0..own.games.len()).map(|number| own.begin(number, None)).collect();
        own.park(searches, threads);
        Ok(own)
    }

    /// Makes so many simulations more in each search; `evaluator` answers the leaves.
    fn run(
        &mut self,
        py: Python<'_>,
        simulations: u64,
        evaluator: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.check()?;
        let inputs = self.inputs.clone().unwrap_or_default();
        let callable = evaluator.map(|f| Callable::new(f, inputs)).transpose()?;
        self.waiting.fill(None);
        self.suspend_after(simulations);
        let done = match callable {
            Some(mut callable) => {
                let batch = self.batch;
                let all = self.parts().iter_mut().filter_map(|part| match part {
                    Part::Asked(steps) => Some(steps),
                    Part::Driven(_) => None,
                });
                answers::answer(py, all.collect(), batch, &mut callable)
            }
            None => self.drive(py),
        };
        self.noted(py, done)
    }

    /// Begins so many more simulations in each search, to which the next batches of leaves belong, and returns the
    /// number of parts, each of which can have a batch of leaves that waits: `parts` at least, if there are as many
    /// searches.
    fn begin_steps(&mut self, simulations: u64, parts: usize) -> PyResult<usize> {
        self.check()?;
        let parts = parts.min(self.games.len());
        if parts > self.parts().len() {
            self.check_answered()?;
            let (searches, _) = self.take();
            self.park(searches, parts);
        }
        self.suspend_after(simulations);
        Ok(self.parts().len())
    }

    /// The next batch of leaves of a part, or the one that waits there: its number, planes, legal moves, the number of each leaf's
    /// search, and boards or None; None if there is none.
    fn gather<'py>(
        &mut self,
        py: Python<'py>,
        part: usize,
    ) -> PyResult<Option<(u64, Batches<'py>)>> {
        self.check()?;
        let gathered = self.gather_from(py, part);
        self.noted(py, gathered)?;
        let inputs = self.inputs.clone().unwrap_or_default();
        let Some((first, steps)) = self.asked(part) else { return Ok(None) };
        let index = steps.slots().into_iter().map(|slot| count(first + slot)).collect::<Vec<_>>();
        let Some(batch) = steps.batch() else { return Ok(None) };
        let ((planes, legal), boards) = callable::arrays(py, &batch, &inputs)?;
        let arrays = (planes, legal, index.into_pyarray(py), boards);
        let number = self.waiting[part].unwrap_or(self.batches + 1);
        self.waiting[part] = Some(number);
        self.batches = self.batches.max(number);
        Ok(Some((number, arrays)))
    }

    /// Answers the leaves of the batch `number` of a part, which waits.
    fn reply(
        &mut self,
        py: Python<'_>,
        part: usize,
        number: u64,
        policy: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.check()?;
        let is_this = self.waiting.get(part) == Some(&Some(number));
        let Some((_, steps)) = self.asked(part).filter(|_| is_this) else {
            return Err(invalid(
                "these leaves wait for no reply any more: the searches have gone on without it",
            ));
        };
        let batch: Option<Batch<'_>> = steps.batch();
        if let Some(batch) = batch {
            callable::read(policy, value, batch)?;
        }
        let done = detach(py, || answers::hand_back(steps));
        if done.is_ok() {
            self.waiting[part] = None;
        }
        self.noted(py, done)
    }

    /// What has been found so far: arrays by name.
    fn found<'py>(&mut self, py: Python<'py>, tree: bool) -> PyResult<Bound<'py, PyDict>> {
        self.check()?;
        let mut all: Vec<Found> = self.games.iter().map(|_| Found::nothing()).collect();
        let seeds: Vec<u64> = (0..self.games.len()).map(|number| self.seed(number)).collect();
        let (games, config) = (std::mem::take(&mut self.games), self.config.clone());
        let seen = detach(py, || {
            raised::caught(|| {
                self.see(|number, view| {
                    all[number] = Found::of(&games[number], &config, seeds[number], &[view], tree);
                });
            })
        });
        self.games = games;
        seen?;
        arrays(py, self.size, all, self.is_one, &self.seeds, &self.config)
    }

    /// The names of the planes of leaves that are answered from Python, separated by commas; else None.
    #[getter]
    fn plane_names(&self) -> Option<String> {
        self.inputs.as_ref().map(|inputs| inputs.state().0)
    }

    /// The setting `own_eyes` of the bot.
    #[getter]
    fn own_eyes(&self) -> bool {
        self.config.own_eyes
    }

    /// Whether leaves are answered from Python.
    #[getter]
    fn is_asked(&self) -> bool {
        self.inputs.is_some()
    }

    fn __len__(&self) -> usize {
        self.games.len()
    }

    /// Copies of the positions.
    fn positions(&self) -> Vec<Position> {
        self.games.iter().map(|game| Position::of(game.clone())).collect()
    }

    /// Whether each game is over.
    fn is_over<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.games.iter().map(|game| game.end().is_some()).collect::<Vec<_>>().into_pyarray(py)
    }
}
