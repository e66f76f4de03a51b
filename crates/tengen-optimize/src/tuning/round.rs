//! A round of a run in its folder: games that depend on no result of each other, so that they
//! can be played as chunks, by any processes on any machines, and merged.

use crate::tuning::session::rows_of;
use crate::tuning::trials::{Trials, is_of};
use crate::tuning::tuning_run::Tuning;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use tengen_harness::results::{
    Entry, Fingerprint, ForeignRow, GameRow, Mismatch, RunLock, journal,
};
use tengen_harness::tournament::{
    Chunk, ChunkFile, Next, PlannedGame, SessionError, chunk_files, merge_chunks, play_supplied,
};

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
    ) -> Result<Option<Self>, SessionError> {
        let path = journal::path(folder);
        let entries = if path.exists() { journal::read(&path)? } else { Vec::new() };
        let rows = rows_of(entries, fingerprint, &path)?;
        let merged = rows.keys().copied().collect();
        let mut trials = Trials::by_rounds(tuning, rows);
        let mut games = BTreeMap::new();
        while let Next::Game(planned) = trials.next_game() {
            games.insert(planned.plan.game, *planned);
        }
        if let Some(game) = trials.stranger() {
            return Err(Mismatch::Unplanned.in_row("game", game, &path).into());
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
        mut told: impl FnMut(&GameRow) + Send,
    ) -> Result<(), SessionError> {
        let due = || self.games.keys().copied().filter(move |&game| chunk.holds(game));
        let opened =
            ChunkFile::open(chunk, &self.folder, self.fingerprint, due().count(), |entry, path| {
                self.check(entry, path)?;
                let game = entry.played.row.game;
                Ok(chunk.holds(game) && self.games.contains_key(&game))
            });
        let Some(mut file) = opened? else { return Ok(()) };
        let missing = due().filter(|&game| !file.has(game));
        let games: VecDeque<PlannedGame> = missing.map(|game| self.games[&game].clone()).collect();
        let games = Mutex::new(games);
        let next_game = |_: bool| {
            let next = games.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            next.map_or(Next::Done, |planned| Next::Game(Box::new(planned)))
        };
        let (tournament, left) = (self.tuning.tournament(), file.left());
        let played: Result<(), SessionError> =
            play_supplied(tournament, threads, left, &next_game, stop, |played| {
                file.append(&played)?;
                told(&played.row);
                Ok(())
            });
        // What is there is kept, even after a failure.
        let closed = file.close();
        played.and(closed)
    }

    /// Appends the games of all finished chunks to the journal of the run, whose lock is
    /// `lock`, in the order of the trials.
    ///
    /// # Errors
    /// If games are in no finished chunk, or a game is another run's: the journal is then left as it
    /// was. If a file cannot be read or written: a second merge adds what is missing.
    pub fn merge(&self, lock: &RunLock) -> Result<(), SessionError> {
        let due = self.games.keys().copied();
        merge_chunks(lock, &self.folder, due, |entry, path| self.check(entry, path))
    }

    /// The files of the finished chunks.
    ///
    /// # Errors
    /// If the folder cannot be listed.
    pub fn chunks(&self) -> Result<Vec<PathBuf>, SessionError> {
        match chunk_files(&self.folder, "csv") {
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            chunks => {
                chunks.map_err(|source| SessionError::Folder { path: self.folder.clone(), source })
            }
        }
    }

    /// Refuses a game that is none of this round.
    fn check(&self, entry: &Entry, path: &Path) -> Result<(), ForeignRow> {
        let row = &entry.played.row;
        let is_own = match self.games.get(&row.game) {
            Some(planned) => is_of(row, planned),
            None => self.merged.contains(&row.game),
        };
        let own = if is_own { Ok(()) } else { Err(Mismatch::Unplanned) };
        own.and_then(|()| self.fingerprint.admit(entry.fingerprint))
            .map_err(|mismatch| mismatch.in_row("game", row.game, path))
    }
}
