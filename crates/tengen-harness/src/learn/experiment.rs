//! A learning run as an experiment: its units are rounds, each of which needs those before it.

use super::learning::Learning;
use super::round::RoundRow;
use crate::run::{Chunk, Concurrency, Done, Experiment, Rows, RunError, Stage};
use std::sync::atomic::AtomicBool;
use tengen_settings::{CliOptions, Setting};
use toml::Table;

/// How far a learning run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The round, from 1.
    pub round: usize,
    /// What is played, such as `games of the teacher`.
    pub what: &'static str,
    /// Number of games that are played.
    pub done: usize,
    /// Number of all games; of a sequential test at most.
    pub all: usize,
}

/// A learning run that is made, with what is told how far it is.
pub struct LearningRun<'a> {
    /// The run.
    pub learning: &'a Learning,
    /// Called before a part of a round, and after each of its games.
    pub told: &'a (dyn Fn(Step) + Sync),
}

impl Experiment for LearningRun<'_> {
    type Row = RoundRow;

    const ROWS: &'static str = "rounds.csv";

    const UNIT: &'static str = "round";

    fn config(&self) -> Result<Table, RunError> {
        Ok(self.learning.to_table()?)
    }

    fn settings() -> Vec<Setting> {
        <super::settings::Settings as CliOptions>::settings()
    }

    fn units(&self) -> Option<usize> {
        Some(self.learning.settings().rounds)
    }

    fn number(&self, unit: usize) -> usize {
        unit + 1
    }

    fn differs(&self, row: &RoundRow) -> Option<String> {
        let rounds = self.learning.settings().rounds;
        (!(1..=rounds).contains(&row.round)).then(|| format!("there are {rounds} rounds"))
    }

    fn is_kept(&self, row: &RoundRow) -> Result<bool, RunError> {
        Ok(self.learning.weights(row.round).is_ok_and(|file| file.digest == row.weights))
    }

    fn stage<'a>(&'a self, there: &'a Rows<RoundRow>) -> Result<Stage<'a>, RunError> {
        let next = there.len();
        let units = (next..self.learning.settings().rounds).take(1);
        Ok(Stage { number: next + 1, of: self.learning.settings().rounds, units: Box::new(units) })
    }

    fn is_over(&self, there: &Rows<RoundRow>) -> bool {
        there.len() == self.learning.settings().rounds
    }

    fn make(
        &self,
        there: &Rows<RoundRow>,
        _: Option<Chunk>,
        on: Concurrency,
        stop: &AtomicBool,
        done: Done<'_, RoundRow>,
    ) -> Result<(), RunError> {
        let mut rows: Vec<RoundRow> = Vec::new();
        for round in 1..=self.learning.settings().rounds {
            if let Some(there) = there.get(&(round - 1)).and_then(|rows| rows.first()) {
                rows.push(there.clone());
                continue;
            }
            let row = self.learning.make_round(round, &rows, on, stop, self.told)?;
            let Some(row) = row else { return Ok(()) };
            done(std::slice::from_ref(&row))?;
            rows.push(row);
        }
        Ok(())
    }
}
