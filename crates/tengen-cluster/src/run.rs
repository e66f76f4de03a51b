//! A tournament on the simulated cluster, with the files of a real one.

use super::games::{self, Game, GameModel};
use super::settings::{Settings, SettingsError};
use super::simulation::{Ended, Load, Totals, simulate};
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tengen_results::{Fingerprint, GameRow, RunLock};
use tengen_tournament::{Chunk, LOCK, Schedule, Session, SessionError, Tournament, merge};

/// Why the simulation could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The settings are wrong.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The rows of the published run cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Rows {
        /// The file.
        path: PathBuf,
        /// Why.
        source: csv::Error,
    },
    /// No model can be fitted to the rows.
    #[error(
        "{} has no games to learn from: give a run in which both colours won, and bots that \
         search", .0.display()
    )]
    NoModel(PathBuf),
    /// The files of the tournament cannot be written or merged.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// A folder or file cannot be made or read.
    #[error("cannot write the simulated tournament: {0}")]
    Io(#[from] io::Error),
}

/// A tournament whose games are drawn and not played.
#[derive(Debug)]
pub struct Simulated {
    /// The tournament: two bots.
    pub tournament: Tournament,
    /// Its schedule.
    pub schedule: Schedule,
    /// The fingerprint of its games.
    pub fingerprint: Fingerprint,
    /// The model of its games.
    pub model: GameModel,
    /// Its games by number.
    pub games: Vec<Game>,
    /// Their seconds of work.
    pub seconds: Vec<f64>,
}

/// Settings of a tournament of two bots whose names and numbers are of ordinary length.
const TOURNAMENT: &str = "name = 'simulated'\nsize = '9x9'\n\
                          bot = ['first=uct:playouts=60000', 'second=uct:playouts=60000']\n";

/// Any fingerprint will do: the same for all honest workers.
pub const FINGERPRINT: &str = "94b05f012a929275-7bb04b1805b5e009";

impl Simulated {
    /// The tournament of `settings` with the master seed `seed`, in which the first bot is
    /// stronger by `elo`.
    ///
    /// # Panics
    /// Never: the settings of the tournament are right.
    #[must_use]
    pub fn new(settings: &Settings, model: GameModel, seed: u64, elo: f64) -> Self {
        let written: tengen_tournament::Settings =
            toml::from_str(TOURNAMENT).expect("settings of a tournament");
        // A seed of TOML has 63 bits.
        let given = tengen_tournament::Settings {
            pairs: Some(settings.pairs),
            seed: Some(seed >> 1),
            ..written
        };
        let tournament = given.resolve().expect("settings of a tournament");
        let schedule = tournament.schedule();
        let drawn = |game| model.draw(&schedule.plan(game), elo);
        let games: Vec<Game> = (0..schedule.games()).map(drawn).collect();
        let seconds = games.iter().map(|game| game.seconds).collect();
        let fingerprint = FINGERPRINT.parse().expect("a fingerprint");
        Self { tournament, schedule, fingerprint, model, games, seconds }
    }

    /// All chunks `1/N` to `N/N`, where N is as many as make jobs of `minutes` at speed 1,
    /// and at least `least`, and the numbers of their games.
    ///
    /// # Panics
    /// Never: K is at most N, and N at most 100,000.
    #[must_use]
    pub fn chunks(&self, minutes: f64, least: usize) -> (Vec<Chunk>, Vec<Vec<usize>>) {
        let all: f64 = self.seconds.iter().sum();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at most 100,000
        let by_time = (all / 60.0 / minutes).ceil().clamp(1.0, 100_000.0) as usize;
        let of = by_time.max(least).min(self.schedule.games() / 2);
        let chunk = |number: usize| format!("{number}/{of}").parse().expect("a chunk");
        let chunks: Vec<Chunk> = (1..=of).map(chunk).collect();
        let games = chunks.iter().map(|chunk| chunk.games(self.schedule.games()).collect());
        let games = games.collect();
        (chunks, games)
    }
}

/// The model of the games of the run that `settings` names.
///
/// # Errors
/// If its rows cannot be read, or are not a model.
pub fn model(settings: &Settings) -> Result<GameModel, ClusterError> {
    let path = settings.games.clone();
    let rows = GameRow::read_all(&path)
        .map_err(|source| ClusterError::Rows { path: path.clone(), source })?;
    GameModel::fit(&rows, settings.longer).ok_or(ClusterError::NoModel(path))
}

/// What a tournament on the simulated cluster came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunResult {
    /// Number of workers.
    pub workers: usize,
    /// Number of chunks.
    pub chunks: usize,
    /// Minutes of a job at speed 1.
    pub minutes: f64,
    /// Times, jobs, and what the workers did.
    pub totals: Totals,
    /// Seconds of work of all games: the time of one worker of speed 1 that is never away.
    pub work: f64,
    /// Bytes of the chunks, which the workers write and merging reads.
    pub chunk_bytes: u64,
    /// Bytes of the merged run: its journal and `games.csv`.
    pub run_bytes: u64,
    /// Seconds of this machine, measured, in which the chunks were merged and `games.csv`
    /// written.
    pub merge_seconds: f64,
}

/// Plays the tournament of `simulated` on `workers` workers in jobs of `minutes`, but at
/// least `least` of them: writes the files of the chunks as real jobs do, in a folder below
/// `scratch`, merges them, and checks that all games are there.
///
/// # Errors
/// If a file cannot be written, or the games do not merge.
///
/// # Panics
/// If the files hold other games than the simulation has counted.
pub fn play(
    settings: &Settings,
    simulated: &Simulated,
    workers: usize,
    least: usize,
    scratch: &Path,
) -> Result<RunResult, ClusterError> {
    let Simulated { tournament, fingerprint, schedule, .. } = simulated;
    let folder = tempfile::tempdir_in(scratch)?;
    let (chunks, games) = simulated.chunks(settings.job.minutes, least);
    let work: f64 = simulated.seconds.iter().sum();
    let minutes = work / 60.0 / chunks.len() as f64;
    let load = Load { chunks: &games, seconds: &simulated.seconds };
    let write = |ended: &Ended<'_>| -> Result<(), ClusterError> {
        let opened = chunks[ended.chunk].open(tournament, *fingerprint, folder.path())?;
        let Some(mut file) = opened else { return Ok(()) };
        for &game in ended.games {
            let plan = schedule.plan(game);
            file.append(&games::played(tournament, &plan, &simulated.games[game]))?;
        }
        let is_complete = file.close()?;
        assert_eq!(is_complete, ended.is_complete, "the file of a chunk knows its games");
        Ok(())
    };
    let (totals, failure) = simulate(settings, load, workers, |ended| {
        write(&ended).map_or_else(ControlFlow::Break, ControlFlow::Continue)
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    let chunk_bytes = bytes_in(folder.path())?;
    let started = Instant::now();
    let lock = RunLock::take(folder.path(), LOCK).map_err(SessionError::from)?;
    merge(tournament, *fingerprint, &lock)?;
    let session = Session::open(tournament, Some(*fingerprint), &lock)?;
    assert!(session.is_complete(), "games are missing");
    let merge_seconds = started.elapsed().as_secs_f64();
    let run_bytes = bytes_in(folder.path())? - chunk_bytes;
    let chunks = chunks.len();
    Ok(RunResult { workers, chunks, minutes, totals, work, chunk_bytes, run_bytes, merge_seconds })
}

/// The bytes of the files in `folder`.
fn bytes_in(folder: &Path) -> io::Result<u64> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.metadata()?.len())).sum()
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::settings::{Jobs, Lies, Test, Workers};

    /// A model whose games take about 10 s.
    pub const MODEL: GameModel =
        GameModel { plies: (100.0, 12.0), log_seconds: (-2.3, 0.1), white: 30.0, rows: 100 };

    /// Workers that come, go and stall often, and a tournament of 400 games.
    pub fn restless() -> Settings {
        Settings {
            games: PathBuf::new(),
            longer: 1.0,
            pairs: 200,
            seed: 5,
            workers: vec![3, 20],
            worker: Workers {
                log_speed_deviation: 0.4,
                hours_present: 0.1,
                hours_absent: 0.05,
                hours_between_stalls: 0.1,
                hours_stalled: 0.02,
                lanes: 8,
            },
            job: Jobs {
                minutes: 2.0,
                per_worker: 4,
                limit: 2.0,
                start_seconds: 3.0,
                dispatched_per_second: 5.0,
                fast_dispatched_per_second: 50.0,
                short_limit: 1.5,
                block: 4,
                program_megabytes: 10.0,
            },
            test: Test { elo: 100.0, sprt: "elo0=0 elo1=100".parse().unwrap(), repeats: 2 },
            lies: Lies { liars: 0.3, falsified: 0.5, replayed: vec![0.0, 0.1, 1.0] },
        }
    }

    #[test]
    fn files_of_broken_off_jobs_merge_to_the_whole_tournament() {
        let settings = restless();
        let simulated = Simulated::new(&settings, MODEL, 3, 0.0);
        let scratch = tempfile::tempdir().unwrap();
        // `play` itself checks that all games are there.
        let result = play(&settings, &simulated, 20, 1, scratch.path()).unwrap();
        assert!(result.totals.broken > 5, "{result:?}");
        assert!(result.totals.most_attempts > 2, "{result:?}");
        assert!(result.chunk_bytes > 400 * 500 && result.run_bytes > result.chunk_bytes);
        let again = play(&settings, &simulated, 20, 1, scratch.path()).unwrap();
        assert_eq!(
            RunResult { merge_seconds: 0.0, ..again },
            RunResult { merge_seconds: 0.0, ..result }
        );
        assert_eq!(scratch.path().read_dir().unwrap().count(), 0, "files are left");
    }
}
