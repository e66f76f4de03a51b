//! A tuning run in its folder: what is played, and what is known.

use crate::methods::trial::Sample;
use crate::tuning::trials::{EstimateAt, Trials};
use crate::tuning::tuning_run::Tuning;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tengen_harness::results::{
    Entry, Fingerprint, ForeignRow, GameRow, Journal, Mismatch, RowWriter, RunLock, journal,
};
use tengen_harness::tournament::{Next, SessionError, play_supplied};

/// How long a thread without a game sleeps before it looks whether it is to stop.
const NAP: Duration = Duration::from_millis(100);

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
    ) -> Result<Self, SessionError> {
        let folder = lock.folder().to_path_buf();
        let path = journal::path(&folder);
        let (journal, entries) = Journal::open(&path)?;
        let rows = rows_of(entries, fingerprint, &path)?;
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
        mut told: impl FnMut(&GameRow, Option<&EstimateAt>) + Send,
    ) -> Result<(), SessionError> {
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
        let played: Result<(), SessionError> =
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
        played.and(synced.map_err(SessionError::from))?;
        match trials.stranger() {
            Some(game) => {
                Err(Mismatch::Unplanned.in_row("game", game, &journal::path(&self.folder)).into())
            }
            None => Ok(()),
        }
    }

    /// Writes `games.csv`: the games in the order of the trials.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_games(&self) -> Result<(), SessionError> {
        let path = self.folder.join("games.csv");
        let rows: Vec<GameRow> = self.rows.values().cloned().collect();
        match RowWriter::create(&path, &rows) {
            Ok(_) => Ok(()),
            Err(source) => Err(SessionError::Table { path, source }),
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

/// The rows of the journal `path` by game, which must all have been played under
/// `fingerprint`.
pub fn rows_of(
    entries: Vec<Entry>,
    fingerprint: Fingerprint,
    path: &Path,
) -> Result<BTreeMap<usize, GameRow>, ForeignRow> {
    let mut rows = BTreeMap::new();
    for Entry { played, fingerprint: found } in entries {
        let game = played.row.game;
        fingerprint.admit(found).map_err(|mismatch| mismatch.in_row("game", game, path))?;
        rows.entry(game).or_insert(played.row);
    }
    Ok(rows)
}

fn locked<'a, 'run>(trials: &'a Mutex<Trials<'run>>) -> MutexGuard<'a, Trials<'run>> {
    trials.lock().unwrap_or_else(PoisonError::into_inner)
}
