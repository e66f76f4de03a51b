//! A tuning run in its folder: what is played, and what is known.

use crate::trials::{EstimateAt, Trials};
use crate::tuning::Tuning;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tengen_gtp::ResourceFault;
use tengen_results::{Fingerprint, GameRow, Journal, JournalError, LockError, RowWriter, RunLock};
use tengen_tournament::{Next, play_supplied};
use tengen_tune::trial::Sample;

/// How long a thread without a game sleeps before it looks whether it is to stop.
const NAP: Duration = Duration::from_millis(100);

/// Why a tuning run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TuningError {
    /// The journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// `games.csv`.
    #[error("cannot write {}: {source}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The folder of a round.
    #[error("cannot list {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Another process has the run or the chunk.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The program lacks something.
    #[error(transparent)]
    Resource(#[from] ResourceFault),
    /// A round cannot be merged yet.
    #[error(
        "{missing} games of round {round} are in no finished chunk of {}: play the rest with --chunk",
        folder.display()
    )]
    Missing {
        /// Number of games.
        missing: usize,
        /// The round, from 1.
        round: usize,
        /// The folder of its chunks.
        folder: PathBuf,
    },
    /// A game of another run, or of another program.
    #[error(
        "game {game} of {} is none of this run: config.toml was changed, the file is another \
         run's, or it was played by a program whose bots play otherwise",
        path.display()
    )]
    Foreign {
        /// The journal.
        path: PathBuf,
        /// The game.
        game: usize,
    },
}

/// A run that is being played: every finished game goes to its journal, and to the
/// tuner in the order of the trials.
pub struct Session<'run> {
    tuning: &'run Tuning,
    fingerprint: Fingerprint,
    journal: Journal,
    folder: PathBuf,
    rows: BTreeMap<usize, GameRow>,
    trials: Mutex<Trials<'run>>,
    is_told: Condvar,
    _lock: &'run RunLock,
}

impl<'run> Session<'run> {
    /// Opens the run of `tuning` in the folder of `lock`, with the games that its
    /// journal holds; all must have been played under `fingerprint`.
    ///
    /// # Errors
    /// If the journal cannot be read or written, or is another run's.
    pub fn open(
        tuning: &'run Tuning,
        fingerprint: Fingerprint,
        lock: &'run RunLock,
    ) -> Result<Self, TuningError> {
        let folder = lock.folder().to_path_buf();
        let path = folder.join("journal.csv");
        let (journal, entries) = Journal::open(&path)?;
        let mut rows = BTreeMap::new();
        for entry in entries {
            let game = entry.played.row.game;
            if entry.fingerprint != Some(fingerprint) {
                return Err(TuningError::Foreign { path, game });
            }
            rows.entry(game).or_insert(entry.played.row);
        }
        let trials = Mutex::new(Trials::new(tuning, rows.clone()));
        let is_told = Condvar::new();
        Ok(Self { tuning, fingerprint, journal, folder, rows, trials, is_told, _lock: lock })
    }

    /// Plays what is missing on `threads` threads, until all is there or `stop` becomes
    /// true. `told` hears of every game that is played, and of the latest estimate.
    ///
    /// # Errors
    /// If a file cannot be written, or a game cannot be played for want of something;
    /// what is in the journal stays.
    pub fn play(
        &mut self,
        threads: usize,
        stop: &AtomicBool,
        mut told: impl FnMut(&GameRow, Option<&EstimateAt>),
    ) -> Result<(), TuningError> {
        let Self { tuning, fingerprint, journal, rows, trials, is_told, .. } = self;
        let next_game = |may_wait: bool| {
            let mut guard = locked(trials);
            loop {
                match guard.next_game() {
                    Next::Later if may_wait && !stop.load(Ordering::Relaxed) => {
                        let waited = is_told.wait_timeout(guard, NAP);
                        guard = waited.unwrap_or_else(PoisonError::into_inner).0;
                    }
                    // Whoever may wait must not ask again at once.
                    Next::Later if may_wait => return Next::Done,
                    next => return next,
                }
            }
        };
        let at_once = 2 * tuning.look_ahead();
        let played: Result<(), TuningError> =
            play_supplied(tuning.tournament(), threads, at_once, &next_game, stop, |played| {
                journal.append(&played, Some(*fingerprint))?;
                let mut guard = locked(trials);
                guard.take(&played.row);
                told(&played.row, guard.estimates().last());
                drop(guard);
                is_told.notify_all();
                rows.insert(played.row.game, played.row);
                Ok(())
            });
        // Synced even after a failure: what was written is to stay.
        let synced = journal.sync();
        let trials = trials.get_mut().unwrap_or_else(PoisonError::into_inner);
        trials.settle();
        played.and(synced.map_err(TuningError::from))?;
        match trials.stranger() {
            Some(game) => Err(TuningError::Foreign { path: self.folder.join("journal.csv"), game }),
            None => Ok(()),
        }
    }

    /// Writes `games.csv`: the games in the order of the trials.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_games(&self) -> Result<(), TuningError> {
        let path = self.folder.join("games.csv");
        let rows: Vec<GameRow> = self.rows.values().cloned().collect();
        match RowWriter::create(&path, &rows) {
            Ok(_) => Ok(()),
            Err(source) => Err(TuningError::Table { path, source }),
        }
    }

    /// The trials that the tuner was told of, with their scores.
    #[must_use]
    pub fn samples(&self) -> Vec<Sample> {
        locked(&self.trials).tuner().samples().to_vec()
    }

    /// The estimates after more and more games.
    #[must_use]
    pub fn estimates(&self) -> Vec<EstimateAt> {
        locked(&self.trials).estimates().to_vec()
    }

    /// Number of games in the journal.
    #[must_use]
    pub fn played(&self) -> usize {
        self.rows.len()
    }

    /// Whether nothing is left to play.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        locked(&self.trials).is_complete()
    }
}

fn locked<'a, 'run>(trials: &'a Mutex<Trials<'run>>) -> MutexGuard<'a, Trials<'run>> {
    trials.lock().unwrap_or_else(PoisonError::into_inner)
}
