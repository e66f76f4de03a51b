//! A tournament that keeps the searches of its games.

use super::index::{Index, journal_path};
use super::journal::Journal;
use crate::run::{
    Chunk, Concurrency, Done, Experiment, Provenance, Rows, RunDirectory, RunError, SEARCHES,
};
use crate::tournament::{GameRow, PlayedGame, Tournament};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use toml::Table;

/// A tournament whose run keeps the searches of its games, if they are wanted.
///
/// The record of a game is written before its row, so that a kill leaves no row without one. A row
/// whose record is missing all the same, as after a failure of the machine, does not count, and its
/// game is played again.
pub struct Recorded {
    /// The tournament.
    pub tournament: Tournament,
    /// Whether the searches are kept.
    pub keeps_searches: bool,
    folder: PathBuf,
    chunk: Option<Chunk>,
    /// The records that were there when the first row was looked up.
    there: OnceLock<Index>,
}

impl Recorded {
    /// The run of `tournament`, which keeps the searches if `keeps_searches`.
    #[must_use]
    pub fn new(tournament: Tournament, keeps_searches: bool) -> Self {
        let (folder, there) = (PathBuf::new(), OnceLock::new());
        Self { tournament, keeps_searches, folder, chunk: None, there }
    }
}

/// Checks that the run in `directory` keeps the searches of its games; `remedy` says what to do
/// otherwise.
pub fn check_kept(directory: &RunDirectory, remedy: &str) -> Result<(), RunError> {
    let folder = directory.path();
    if folder.join(SEARCHES).exists() {
        return Ok(());
    }
    let folder = folder.display();
    Err(RunError::Input(format!(
        "{folder} lacks the searches of its games, since it was begun without --training or {SEARCHES} was removed: {remedy}"
    )))
}

/// What to do where `--training` needs searches that a run has not kept.
pub const LEAVE_OUT: &str = "leave --training out, or begin a new run";

impl Experiment for Recorded {
    type Row = GameRow;

    type Settings = Tournament;

    const ROWS: &'static str = Tournament::ROWS;

    const UNIT: &'static str = Tournament::UNIT;

    const TAKES_EXECUTOR: bool = true;

    fn works_in(&mut self, folder: &Path, chunk: Option<Chunk>) {
        (self.folder, self.chunk) = (folder.to_path_buf(), chunk);
    }

    fn config(&self) -> Result<Table, RunError> {
        self.tournament.config()
    }

    fn provenance(&self) -> Result<Provenance, RunError> {
        self.tournament.provenance()
    }

    fn units(&self) -> Option<usize> {
        self.tournament.units()
    }

    fn chunks(&self) -> Result<(), String> {
        self.tournament.chunks()
    }

    fn is_reproducible(&self) -> bool {
        self.tournament.is_reproducible()
    }

    fn share(&self, unit: usize) -> usize {
        self.tournament.share(unit)
    }

    fn differs(&self, row: &GameRow) -> Option<String> {
        self.tournament.differs(row)
    }

    fn is_kept(&self, row: &GameRow) -> Result<bool, RunError> {
        if !self.keeps_searches {
            return Ok(true);
        }
        let there = if let Some(there) = self.there.get() {
            there
        } else {
            let read = Index::read(&self.folder, self.chunk)?;
            self.there.get_or_init(|| read)
        };
        Ok(there.count(row).is_some())
    }

    fn is_over(&self, there: &Rows<GameRow>) -> bool {
        self.tournament.is_over(there)
    }

    fn counted(&self, there: Rows<GameRow>) -> Vec<GameRow> {
        self.tournament.counted(there)
    }

    fn begin(&self, directory: &RunDirectory) -> Result<(), RunError> {
        self.tournament.begin(directory)?;
        if !self.keeps_searches {
            return Ok(());
        }
        Journal::open(&journal_path(directory.path(), None))?.sync()
    }

    fn check(&self, directory: &RunDirectory) -> Result<(), RunError> {
        if self.keeps_searches {
            check_kept(directory, LEAVE_OUT)
        } else {
            self.tournament.check(directory)
        }
    }

    fn make(
        &self,
        there: &Rows<GameRow>,
        chunk: Option<Chunk>,
        on: Concurrency<'_>,
        stop: &AtomicBool,
        done: Done<'_, GameRow>,
    ) -> Result<(), RunError> {
        if !self.keeps_searches {
            return self.tournament.make(there, chunk, on, stop, done);
        }
        let mut journal = Journal::open(&journal_path(&self.folder, chunk))?;
        let mut keep = |played: PlayedGame| {
            journal.append(&played)?;
            done(&[played.row])
        };
        let made = self.tournament.play_missing(there, chunk, on, stop, true, &mut keep);
        let synced = journal.sync();
        made.and(synced)
    }
}
