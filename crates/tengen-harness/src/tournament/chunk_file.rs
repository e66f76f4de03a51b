//! The file of a chunk: its games so far, and which are missing.

use super::admission::Admission;
use super::chunk::Chunk;
use super::config::Tournament;
use super::session::SessionError;
use super::threads::{self, Concurrency, Due};
use crate::results::{
    Entry, Fingerprint, ForeignRow, GameRow, Journal, PlayedGame, RunLock, journal,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The file of a chunk that is being played: it holds the games so far, and takes its
/// place among the finished chunks when it is closed with all of them.
#[derive(Debug)]
pub struct ChunkFile {
    fingerprint: Fingerprint,
    /// Number of games of the chunk.
    count: usize,
    /// Its games that are there.
    there: BTreeSet<usize>,
    journal: Journal,
    partial: PathBuf,
    path: PathBuf,
    _lock: RunLock,
}

impl ChunkFile {
    /// Opens the file of `chunk` in `folder`, to which games under `fingerprint` are
    /// added; `None` if all `count` games of the chunk are there. A finished file that
    /// lacks games, such as one whose last lines were lost, counts as unfinished again.
    /// `admit` says of each game whether it is one of those `count`.
    ///
    /// # Errors
    /// If another process plays the chunk, a file cannot be read or written, or `admit`
    /// refuses a game.
    pub fn open(
        chunk: Chunk,
        folder: &Path,
        fingerprint: Fingerprint,
        count: usize,
        mut admit: impl FnMut(&Entry, &Path) -> Result<bool, ForeignRow>,
    ) -> Result<Option<Self>, SessionError> {
        let lock = chunk.lock(folder)?;
        let (path, partial) = (chunk.path(folder), chunk.partial(folder));
        let mut there = BTreeSet::new();
        let mut admit_all = |entries: &[Entry], path: &Path| -> Result<bool, SessionError> {
            for entry in entries {
                if admit(entry, path)? {
                    there.insert(entry.played.row.game);
                }
            }
            Ok(there.len() == count)
        };
        let finished = if path.exists() { journal::read(&path)? } else { Vec::new() };
        if admit_all(&finished, &path)? && path.exists() {
            return Ok(None);
        }
        let (mut journal, entries) = Journal::open(&partial)?;
        admit_all(&entries, &partial)?;
        if path.exists() {
            let known: BTreeSet<usize> = entries.iter().map(|e| e.played.row.game).collect();
            for entry in finished.iter().filter(|e| !known.contains(&e.played.row.game)) {
                journal.append(&entry.played, entry.fingerprint)?;
            }
            journal.sync()?;
            let refused = |source| SessionError::Table { path: path.clone(), source };
            fs::remove_file(&path).map_err(refused)?;
        }
        Ok(Some(Self { fingerprint, count, there, journal, partial, path, _lock: lock }))
    }

    /// Whether the game with this number is there.
    #[must_use]
    pub fn has(&self, game: usize) -> bool {
        self.there.contains(&game)
    }

    /// Number of games still to be played.
    #[must_use]
    pub fn left(&self) -> usize {
        self.count - self.there.len()
    }

    /// Appends a game of the chunk that is not there yet.
    ///
    /// # Errors
    /// If it cannot be written; what was there before stays.
    pub fn append(&mut self, played: &PlayedGame) -> Result<(), SessionError> {
        self.journal.append(played, Some(self.fingerprint))?;
        self.there.insert(played.row.game);
        Ok(())
    }

    /// Syncs the games to the disk; the file takes its place if all are there.
    ///
    /// # Errors
    /// If the file cannot be written or renamed.
    pub fn close(mut self) -> Result<(), SessionError> {
        self.journal.sync()?;
        if self.left() == 0 {
            let refused = |source| SessionError::Table { path: self.path.clone(), source };
            fs::rename(&self.partial, &self.path).map_err(refused)?;
        }
        Ok(())
    }
}

impl Chunk {
    /// Plays the games of this chunk of `tournament` that are missing in
    /// `folder`, under `fingerprint`, and calls `told` with the row of each. The
    /// chunk's file appears when its last game is played.
    ///
    /// # Errors
    /// As [`ChunkFile::open`], or if a game cannot be played for lack of a resource.
    pub fn play(
        self,
        tournament: &Tournament,
        fingerprint: Fingerprint,
        folder: &Path,
        concurrency: impl Into<Concurrency>,
        stop: &AtomicBool,
        mut told: impl FnMut(&GameRow) + Send,
    ) -> Result<(), SessionError> {
        let mut admission = Admission::to_chunk(tournament, fingerprint);
        let games = tournament.schedule().games();
        let opened =
            ChunkFile::open(self, folder, fingerprint, self.count(games), |entry, path| {
                admission.check(entry, path)?;
                Ok(self.holds(entry.played.row.game))
            });
        let Some(mut file) = opened? else { return Ok(()) };
        let there = file.there.clone();
        let missing = self.games(games);
        let due = Due::new(file.left(), missing.filter(move |game| !there.contains(game)));
        let result: Result<(), SessionError> =
            threads::play_games(tournament, concurrency, due, stop, |played| {
                file.append(&played)?;
                told(&played.row);
                Ok(())
            });
        // What is there is kept, even after a failure.
        let closed = file.close();
        result.and(closed)
    }
}
