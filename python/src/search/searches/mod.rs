//! Searches that go on: some simulations more, a move in each position, again.

mod games;
mod methods;
mod saved;

use super::answers::next;
use super::callable::Inputs;
use super::parked::{Parked, Stoppable};
use super::range;
use crate::ending::detach;
use crate::errors::{RunError, invalid};
use crate::interrupt::interruptible_on;
use pyo3::prelude::*;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use tengen::go::{Game, Size};
use tengen::search::driver::{self, Gathered, Steps};
use tengen::search::tree::Tree;
use tengen::search::{AnySearch, SearchView, UctConfig, root_parallel};
use tengen::seed::mix;

/// A search of each of many positions, which each call continues.
#[pyclass(module = "tengen._tengen")]
pub struct Searches {
    size: Size,
    /// The text of the bot, as it was given.
    bot: String,
    config: UctConfig,
    games: Vec<Game>,
    /// The seed of the bot of each game.
    seeds: Vec<u64>,
    /// Whether one position was given, and not several.
    #[pyo3(get)]
    is_one: bool,
    /// The inputs of leaves that Python answers; none if Python does not answer them.
    inputs: Option<Inputs>,
    batch: usize,
    /// The searches of each thread, in order. In a mutex since searches cannot be shared.
    parts: Mutex<Vec<Part>>,
    /// The number of the last batch of leaves.
    batches: u64,
    /// By part, the number of the batch that waits for its reply.
    waiting: Vec<Option<u64>>,
    /// The failure after which the searches are lost, if any.
    failure: Option<String>,
}

enum Part {
    /// Searches whose leaves playouts judge, or an evaluator of Tengen's.
    Driven(Parked),
    /// Searches whose leaves Python answers.
    Asked(Steps<'static, Parked>),
}

impl Part {
    fn parked(&self) -> &Parked {
        match self {
            Self::Driven(parked) => parked,
            Self::Asked(steps) => steps.host(),
        }
    }

    /// The number of its searches.
    fn len(&self) -> usize {
        self.parked().searches().len()
    }

    fn parked_mut(&mut self) -> &mut Parked {
        match self {
            Self::Driven(parked) => parked,
            Self::Asked(steps) => steps.host_mut(),
        }
    }

    fn into_searches(self) -> Vec<Option<AnySearch>> {
        match self {
            Self::Driven(parked) => parked.into_searches(),
            Self::Asked(steps) => steps.end().into_searches(),
        }
    }
}

impl Searches {
    fn parts(&mut self) -> &mut Vec<Part> {
        self.parts.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// The seed of the search of the game `number`: its bot's seed for the ply.
    fn seed(&self, number: usize) -> u64 {
        mix(self.seeds[number], u64::from(self.games[number].ply()))
    }

    /// A search of the position of the game `number`, which continues `tree`; none if the game is over.
    fn begin(&self, number: usize, tree: Option<Tree>) -> Option<AnySearch> {
        let game = &self.games[number];
        if game.end().is_some() {
            return None;
        }
        let tree = tree.unwrap_or_else(|| Tree::new(self.config.extras()));
        // The first worker of the bot.
        let seed = mix(self.seed(number), 0);
        let mut search = root_parallel::begin_one(game, &self.config, u64::MAX, seed, tree);
        search.suspend_after(0);
        Some(search)
    }

    /// Divides `searches` into the parts of so many `threads`.
    fn park(&mut self, searches: Vec<Option<AnySearch>>, threads: usize) {
        let all = searches.len();
        let mut searches = searches.into_iter();
        let (size, is_asked) = (self.size, self.inputs.is_some());
        self.waiting = vec![None; threads];
        *self.parts() = (0..threads)
            .map(|thread| {
                let own: Vec<_> =
                    searches.by_ref().take(range(all, threads, thread).len()).collect();
                let slots = own.len();
                let parked = Parked::new(own);
                if is_asked {
                    Part::Asked(driver::steps(size, slots, parked))
                } else {
                    Part::Driven(parked)
                }
            })
            .collect();
    }

    /// Fails if a run has failed in a way that has lost the searches.
    fn check(&self) -> PyResult<()> {
        match &self.failure {
            Some(failure) => Err(RunError::new_err(format!(
                "an earlier run of the searches has failed, and they are lost: {failure}"
            ))),
            None => Ok(()),
        }
    }

    /// Keeps the error of `result` if the searches are lost: after a lack of memory, or an
    /// exception in the middle of a search.
    fn noted(&mut self, py: Python<'_>, result: PyResult<()>) -> PyResult<()> {
        if let Err(error) = &result {
            let games: Vec<bool> = self.games.iter().map(|game| game.end().is_some()).collect();
            let mut is_over = games.into_iter();
            let is_lost = self.parts().iter().any(|part| {
                let parked = part.parked();
                let own = is_over.by_ref().take(part.len());
                let are_here = own.zip(parked.searches()).all(|(over, it)| over || it.is_some());
                parked.is_lost() || matches!(part, Part::Driven(_)) && !are_here
            });
            if is_lost || error.is_instance_of::<RunError>(py) {
                self.failure = Some(error.value(py).to_string());
            }
        }
        result
    }

    /// Calls `see` with the number of each game that has a search, and its view.
    fn see(&mut self, mut see: impl FnMut(usize, SearchView<'_>)) {
        let mut first = 0;
        for part in self.parts() {
            let parked = part.parked().searches();
            for (slot, search) in parked.iter().enumerate() {
                if let Some(search) = search {
                    see(first + slot, search.view());
                }
            }
            if let Part::Asked(steps) = part {
                for (slot, view) in steps.views() {
                    see(first + slot, view);
                }
            }
            first += part.len();
        }
    }

    /// Whether leaves wait for a reply.
    fn is_waiting(&mut self) -> bool {
        self.parts().iter().any(|part| match part {
            Part::Asked(steps) => !steps.slots().is_empty(),
            Part::Driven(_) => false,
        })
    }

    /// Fails if leaves wait for a reply.
    fn check_answered(&mut self) -> PyResult<()> {
        if !self.is_waiting() {
            return Ok(());
        }
        Err(invalid(
            "leaves wait for a reply: answer them first, by run(0) or a loop over steps(0)",
        ))
    }

    /// The searches of the part `number` that are answered from Python, with the number of its first game.
    fn asked(&mut self, number: usize) -> Option<(usize, &mut Steps<'static, Parked>)> {
        let first = self.parts().iter().take(number).map(Part::len).sum();
        match self.parts().get_mut(number)? {
            Part::Asked(steps) => Some((first, steps)),
            Part::Driven(_) => None,
        }
    }

    fn suspend_after(&mut self, simulations: u64) {
        for part in self.parts() {
            if let Part::Asked(steps) = part {
                steps.suspend_after(simulations);
            }
            part.parked_mut().suspend_after(simulations);
        }
    }

    /// Runs the searches that are not answered from Python until they are suspended.
    fn drive(&mut self, py: Python<'_>) -> PyResult<()> {
        let size = self.size;
        let parts: Vec<Mutex<&mut Part>> = self.parts().iter_mut().map(Mutex::new).collect();
        let stop = AtomicBool::new(false);
        let done = interruptible_on(py, &stop, parts.len(), |thread| {
            let mut part = parts[thread].lock().unwrap_or_else(PoisonError::into_inner);
            let Part::Driven(parked) = &mut **part else { return Ok(()) };
            let slots = parked.searches().len();
            driver::drive(size, slots, &mut Stoppable { parked, stop: &stop })
        });
        done.map(drop)
    }

    /// All searches, without those that run, and the number of their threads.
    fn take(&mut self) -> (Vec<Option<AnySearch>>, usize) {
        let parts = std::mem::take(self.parts());
        let threads = parts.len();
        (parts.into_iter().flat_map(Part::into_searches).collect(), threads)
    }

    /// Gathers a batch of the part `number`, unless one waits there.
    fn gather_from(&mut self, py: Python<'_>, number: usize) -> PyResult<()> {
        let batch = self.batch;
        let Some((_, steps)) = self.asked(number) else { return Ok(()) };
        while let Gathered::Paused = detach(py, || next(steps, batch, false))? {
            py.check_signals()?;
        }
        Ok(())
    }
}
