//! The measurement as an experiment: its units are positions.

use super::blocks::Positions;
use super::measurement::{PositionRow, measure};
use super::settings::Settings;
use super::solved::SolvedPosition;
use super::{provenance, write};
use crate::run::blocks::{Source, dispatch};
use crate::run::{
    Chunk, Concurrency, Done, Experiment, Provenance, Rows, RunDirectory, RunError, due, each_unit,
};
use std::cell::{Cell, RefCell};
use std::sync::atomic::AtomicBool;
use tengen_bots::SideBySide;
use toml::Table;

/// The file with the positions of a run.
pub const POSITIONS: &str = "positions.csv";

/// Searches that are made of solved positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Convergence {
    /// The settings of the searches.
    pub settings: Settings,
    /// The positions.
    pub positions: Vec<SolvedPosition>,
}

impl Experiment for Convergence {
    type Row = PositionRow;

    type Settings = Settings;

    const ROWS: &'static str = "searches.csv";

    const UNIT: &'static str = "position";

    const TAKES_EXECUTOR: bool = true;

    /// The settings, naming the run's own copy of the positions.
    fn config(&self) -> Result<Table, RunError> {
        let positions = POSITIONS.into();
        Ok(Table::try_from(&Settings { positions, ..self.settings.clone() })?)
    }

    fn provenance(&self) -> Result<Provenance, RunError> {
        provenance(&self.settings, &self.positions)
    }

    fn units(&self) -> Option<usize> {
        Some(self.positions.len())
    }

    fn is_reproducible(&self) -> bool {
        self.settings.side_by_side() == SideBySide::Any
    }

    fn rows_per_unit(&self) -> usize {
        self.settings.bot.len() * self.settings.budgets().len()
    }

    fn number(&self, unit: usize) -> usize {
        unit + 1
    }

    fn differs(&self, row: &PositionRow) -> Option<String> {
        let (positions, budgets) = (self.positions.len(), self.settings.budgets());
        let PositionRow { position, bot, simulations, .. } = row;
        if !(1..=positions).contains(position) {
            Some(format!("there are {positions} positions"))
        } else if !budgets.contains(simulations) {
            Some(match simulations {
                Some(simulations) => format!("no search has {simulations} simulations"),
                None => "every search has a number of simulations".to_owned(),
            })
        } else if !self.settings.bot.iter().any(|own| own.name == *bot) {
            Some(format!("no bot is called {bot}"))
        } else {
            None
        }
    }

    fn begin(&self, directory: &RunDirectory) -> Result<(), RunError> {
        directory.write(POSITIONS, write(&self.positions)?)
    }

    fn check(&self, directory: &RunDirectory) -> Result<(), RunError> {
        if directory.read(POSITIONS)? == write(&self.positions)? {
            return Ok(());
        }
        let folder = directory.path().display();
        Err(RunError::Input(format!(
            "{folder} holds another run ({POSITIONS} has other positions)"
        )))
    }

    fn make(
        &self,
        there: &Rows<PositionRow>,
        chunk: Option<Chunk>,
        on: Concurrency<'_>,
        stop: &AtomicBool,
        done: Done<'_, PositionRow>,
    ) -> Result<(), RunError> {
        let due = due(self, there, chunk);
        if let Some(blocks) = on.blocks {
            let places: Vec<usize> = due.collect();
            let left = Cell::new(places.len());
            let places = RefCell::new(places.into_iter());
            let source = Source {
                next: &|| places.borrow_mut().next().inspect(|_| left.set(left.get() - 1)),
                is_over: &|| false,
                expected: &|| left.get(),
            };
            return dispatch(blocks, &Positions::new(self)?, &source, stop, |rows| done(&rows));
        }
        each_unit(due, on.threads, stop, done, |place| {
            measure(&self.settings, place, &self.positions[place], stop)
        })
    }
}
