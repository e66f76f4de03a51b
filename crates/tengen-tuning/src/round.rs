//! A round of a run in its folder: games that depend on no result of each other, so that they
//! can be played as chunks, by any processes on any machines, and merged.

use crate::session::TuningError;
use crate::trials::{Trials, is_of};
use crate::tuning::Tuning;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use tengen_results::{Entry, Fingerprint, GameRow, Journal, RunLock, journal};
use tengen_tournament::{Chunk, Next, PlannedGame, chunk_files, play_supplied};

/// The current round of a run: the first one that is not merged yet.
#[derive(Debug)]
pub struct Round<'run> {
    tuning: &'run Tuning,
    fingerprint: Fingerprint,
    folder: PathBuf,
    number: usize,
    /// Its games that are not in the journal, by their numbers.
    games: BTreeMap<usize, PlannedGame>,
    /// The games of the journal: after a merge that was interrupted, chunks hold some of them.
    merged: BTreeSet<usize>,
}

impl<'run> Round<'run> {
    /// The current round of `tuning` in `folder`, whose games were played under
    /// `fingerprint`; none if all rounds are in the journal there.
    ///
    /// # Errors
    /// If the journal cannot be read, or is another run's.
    pub fn current(
        tuning: &'run Tuning,
        fingerprint: Fingerprint,
        folder: &Path,
    ) -> Result<Option<Self>, TuningError> {
        let path = journal_path(folder);
        let entries = if path.exists() { journal::read(&path)? } else { Vec::new() };
        let mut rows: BTreeMap<usize, GameRow> = BTreeMap::new();
        for Entry { played, fingerprint: found } in entries {
            let game = played.row.game;
            if found != Some(fingerprint) {
                return Err(TuningError::Foreign { path, game });
            }
            rows.entry(game).or_insert(played.row);
        }
        let merged = rows.keys().copied().collect();
        let mut trials = Trials::by_rounds(tuning, rows);
        let mut games = BTreeMap::new();
        while let Next::Game(planned) = trials.next_game() {
            games.insert(planned.plan.game, *planned);
        }
        if let Some(game) = trials.stranger() {
            return Err(TuningError::Foreign { path, game });
        }
        let number = trials.round();
        let folder = Self::folder_of(folder, number);
        let round = Self { tuning, fingerprint, folder, number, games, merged };
        Ok((!round.games.is_empty()).then_some(round))
    }

    /// The number of the round, from 1.
    #[must_use]
    pub const fn number(&self) -> usize {
        self.number
    }

    /// The folder with the chunks of the round `number` of the run in `folder`.
    #[must_use]
    pub fn folder_of(folder: &Path, number: usize) -> PathBuf {
        folder.join(format!("round-{number}"))
    }

    /// The folder with the chunks of this round. It need not exist.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Plays the games of `chunk` that are missing in [`Round::folder`], which must exist, and
    /// calls `told` with the row of each. The chunk's file appears when its last game is played.
    ///
    /// # Errors
    /// If another process plays the chunk, a file cannot be read or written, a game in the
    /// chunk's file is another run's, or a game cannot be played for want of something; what is
    /// in the file stays.
    pub fn play(
        &self,
        chunk: Chunk,
        threads: usize,
        stop: &AtomicBool,
        mut told: impl FnMut(&GameRow),
    ) -> Result<(), TuningError> {
        let _lock = chunk.lock(&self.folder)?;
        let path = chunk.path(&self.folder);
        let mut due: BTreeMap<usize, &PlannedGame> =
            self.games.iter().map(|(&game, planned)| (game, planned)).collect();
        due.retain(|&game, _| chunk.holds(game));
        if path.exists() {
            for entry in &journal::read(&path)? {
                self.check(entry, &path)?;
            }
            return Ok(());
        }
        let partial = chunk.partial(&self.folder);
        let (mut journal, entries) = Journal::open(&partial)?;
        for entry in &entries {
            self.check(entry, &partial)?;
            due.remove(&entry.played.row.game);
        }
        let mut left = due.len();
        let games: VecDeque<PlannedGame> = due.into_values().cloned().collect();
        let games = Mutex::new(games);
        let next_game = |_: bool| {
            let next = games.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            next.map_or(Next::Done, |planned| Next::Game(Box::new(planned)))
        };
        let tournament = self.tuning.tournament();
        let played: Result<(), TuningError> =
            play_supplied(tournament, threads, left, &next_game, stop, |played| {
                journal.append(&played, Some(self.fingerprint))?;
                left -= 1;
                told(&played.row);
                Ok(())
            });
        // What is there is kept, even after a failure.
        let synced = journal.sync();
        played?;
        synced?;
        if left == 0 {
            let refused = |source| TuningError::Table { path: path.clone(), source };
            fs::rename(&partial, &path).map_err(refused)?;
        }
        Ok(())
    }

    /// Appends the games of all finished chunks to the journal of the run, whose lock is
    /// `lock`, in the order of the trials.
    ///
    /// # Errors
    /// If games are in no finished chunk, or a game is another run's: the journal is then left as it
    /// was. If a file cannot be read or written: a second merge adds what is missing.
    pub fn merge(&self, lock: &RunLock) -> Result<(), TuningError> {
        let mut there = BTreeMap::new();
        for path in self.chunks()? {
            for entry in journal::read(&path)? {
                self.check(&entry, &path)?;
                there.entry(entry.played.row.game).or_insert(entry);
            }
        }
        there.retain(|game, _| self.games.contains_key(game));
        let missing = self.games.len() - there.len();
        if missing > 0 {
            let (round, folder) = (self.number, self.folder.clone());
            return Err(TuningError::Missing { missing, round, folder });
        }
        let (mut journal, _) = Journal::open(&journal_path(lock.folder()))?;
        for Entry { played, fingerprint } in there.values() {
            journal.append(played, *fingerprint)?;
        }
        Ok(journal.sync()?)
    }

    /// The files of the finished chunks.
    ///
    /// # Errors
    /// If the folder cannot be listed.
    pub fn chunks(&self) -> Result<Vec<PathBuf>, TuningError> {
        match chunk_files(&self.folder, "csv") {
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            chunks => {
                chunks.map_err(|source| TuningError::Folder { path: self.folder.clone(), source })
            }
        }
    }

    /// Refuses a game that is none of this round.
    fn check(&self, entry: &Entry, path: &Path) -> Result<(), TuningError> {
        let row = &entry.played.row;
        let is_own = match self.games.get(&row.game) {
            Some(planned) => is_of(row, planned),
            None => self.merged.contains(&row.game),
        };
        if is_own && entry.fingerprint == Some(self.fingerprint) {
            return Ok(());
        }
        Err(TuningError::Foreign { path: path.to_path_buf(), game: row.game })
    }
}

fn journal_path(folder: &Path) -> PathBuf {
    folder.join("journal.csv")
}
