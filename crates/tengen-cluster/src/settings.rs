//! The settings of the simulation.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::str::FromStr;
use tengen_input::faults;
use tengen_stats::Sprt;

/// A simulated cluster and the tournament that it plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The `games.csv` of the run whose games are the model of the simulated ones.
    pub games: PathBuf,
    /// How many times as long as a game of that run a simulated game takes.
    pub longer: f64,
    /// Colour-swapped pairs of games of the tournament.
    pub pairs: usize,
    /// The master seed.
    pub seed: u64,
    /// Numbers of workers, each of which is simulated.
    pub workers: Vec<usize>,
    /// The workers.
    pub worker: Workers,
    /// The jobs.
    pub job: Jobs,
    /// The sequential test.
    pub test: Test,
    /// Workers that lie.
    pub lies: Lies,
}

/// What a worker is like: one core.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Workers {
    /// Standard deviation of the logarithm of the speed; the median speed is 1, that of the
    /// machine that played the published run.
    pub log_speed_deviation: f64,
    /// Mean hours for which a worker stays; exponential.
    pub hours_present: f64,
    /// Mean hours for which it is away then; exponential.
    pub hours_absent: f64,
    /// Mean hours of work between two stalls; exponential.
    pub hours_between_stalls: f64,
    /// Mean hours of a stall, in which the worker does nothing; exponential.
    pub hours_stalled: f64,
    /// Playouts that a core plays side by side, which decide how many games of a chunk are
    /// open at once.
    pub lanes: usize,
}

/// How the tournament is cut into jobs, and what a job costs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Jobs {
    /// Minutes that a job takes on a worker of speed 1, where there are enough games.
    pub minutes: f64,
    /// Least number of jobs per worker, for the further rows of each number of workers.
    pub per_worker: usize,
    /// The time limit at which the batch system ends a job, however many games it has, as a
    /// multiple of `minutes`.
    pub limit: f64,
    /// Seconds from the dispatch of a job to its first game.
    pub start_seconds: f64,
    /// Jobs that the dispatcher starts per second.
    pub dispatched_per_second: f64,
    /// The same of a faster dispatcher, for the third row of each number of workers.
    pub fast_dispatched_per_second: f64,
    /// The shorter `limit` of that row.
    pub short_limit: f64,
    /// Pairs of a job where jobs are blocks of consecutive pairs.
    pub block: usize,
    /// Megabytes of the program and its settings, sent to a worker each time that it comes.
    pub program_megabytes: f64,
}

/// A sequential test of the first bot against the second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// The Elo of the first bot over the second.
    pub elo: f64,
    /// The test.
    pub sprt: Sprt,
    /// Number of tests, each with a seed of its own; the table has medians.
    pub repeats: u64,
}

/// Workers that report false games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lies {
    /// The share of the workers that lie.
    pub liars: f64,
    /// The share of the games lost by the first bot that a liar reports as won.
    pub falsified: f64,
    /// Shares of the games that are played again on another worker.
    pub replayed: Vec<f64>,
}

/// Settings that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SettingsError(String);

impl FromStr for Settings {
    type Err = SettingsError;

    /// Reads TOML, and checks the ranges; an error names the line.
    fn from_str(text: &str) -> Result<Self, SettingsError> {
        let settings: Self = faults::read(text, "the simulated cluster").map_err(SettingsError)?;
        settings.validate()?;
        Ok(settings)
    }
}

impl Settings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// The first number that is out of its range.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let Self { worker, job, test, lies, .. } = self;
        let positive = |key: &str, value: f64| {
            let allowed = value > 0.0 && value <= 1e9;
            let fault = || SettingsError(format!("`{key}` is {value}: write a number above 0"));
            if allowed { Ok(()) } else { Err(fault()) }
        };
        positive("longer", self.longer)?;
        positive("hours_present", worker.hours_present)?;
        positive("hours_absent", worker.hours_absent)?;
        positive("hours_between_stalls", worker.hours_between_stalls)?;
        positive("hours_stalled", worker.hours_stalled)?;
        positive("minutes", job.minutes)?;
        positive("dispatched_per_second", job.dispatched_per_second)?;
        positive("fast_dispatched_per_second", job.fast_dispatched_per_second)?;
        let share = |key: &str, value: f64| {
            let fault = || SettingsError(format!("`{key}` is {value}: write a share, 0 to 1"));
            if (0.0..=1.0).contains(&value) { Ok(()) } else { Err(fault()) }
        };
        share("liars", lies.liars)?;
        share("falsified", lies.falsified)?;
        lies.replayed.iter().try_for_each(|&value| share("replayed", value))?;
        let whole = |key: &str, value: u64, most: u64| {
            let fault = || SettingsError(format!("`{key}` is {value}: write 1 to {most}"));
            if (1..=most).contains(&value) { Ok(()) } else { Err(fault()) }
        };
        whole("pairs", self.pairs as u64, 100_000)?;
        for &workers in &self.workers {
            whole("workers", workers as u64, 100_000)?;
        }
        whole("workers", self.workers.len() as u64, 100)?;
        whole("lanes", worker.lanes as u64, 1_024)?;
        whole("per_worker", job.per_worker as u64, 1_000)?;
        whole("block", job.block as u64, 100_000)?;
        whole("repeats", test.repeats, 10_000)?;
        let range = |key: &str, value: f64, least: f64, most: f64| {
            let fault = || SettingsError(format!("`{key}` is {value}: write {least} to {most}"));
            if (least..=most).contains(&value) { Ok(()) } else { Err(fault()) }
        };
        range("log_speed_deviation", worker.log_speed_deviation, 0.0, 3.0)?;
        range("limit", job.limit, 0.1, 1_000.0)?;
        range("short_limit", job.short_limit, 0.1, 1_000.0)?;
        range("start_seconds", job.start_seconds, 0.0, 86_400.0)?;
        range("program_megabytes", job.program_megabytes, 0.0, 1e6)?;
        range("elo", test.elo, -1_000.0, 1_000.0)
    }
}
