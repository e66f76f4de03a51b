//! A tournament that keeps the searches of its games.

use super::index::{Index, journal_path};
use super::journal::Journal;
use crate::run::{
    Chunk, Concurrency, Done, Experiment, Rows, RunDirectory, RunError, SEARCHES, Stage,
};
use crate::tournament::{GameRow, PlayedGame, Tournament};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use tengen_settings::Setting;
use toml::Table;

/// A tournament whose run, in its folder, keeps the searches of its games.
///
/// The record of a game is written before its row, so that a kill leaves no row without one. A row
/// whose record is missing all the same, as after a failure of the machine, does not count, and its
/// game is played again.
pub struct Recorded<'a> {
    tournament: &'a Tournament,
    folder: PathBuf,
    chunk: Option<Chunk>,
    /// The records that were there when the first row was looked up.
    there: OnceLock<Index>,
}

impl<'a> Recorded<'a> {
    /// The run of `tournament` in `folder`, or `chunk` of it.
    #[must_use]
    pub fn new(tournament: &'a Tournament, folder: &Path, chunk: Option<Chunk>) -> Self {
        let there = OnceLock::new();
        Self { tournament, folder: folder.to_path_buf(), chunk, there }
    }
}

/// Checks that the run in `directory` keeps the searches of its games; `remedy` is what to do where it does
/// not.
///
/// # Errors
/// If it was begun without.
pub fn check_kept(directory: &RunDirectory, remedy: &str) -> Result<(), RunError> {
    let folder = directory.path();
    if folder.join(SEARCHES).exists() {
        return Ok(());
    }
    let folder = folder.display();
    Err(RunError::Input(format!(
        "{folder} was begun without --training and lacks the searches of its games: {remedy}"
    )))
}

/// What to do where `--training` needs searches that a run has not kept.
pub const LEAVE_OUT: &str = "leave --training out, or begin a new run";

impl Experiment for Recorded<'_> {
    type Row = GameRow;

    const ROWS: &'static str = Tournament::ROWS;

    const UNIT: &'static str = Tournament::UNIT;

    fn config(&self) -> Result<Table, RunError> {
        self.tournament.config()
    }

    fn settings() -> Vec<Setting> {
        Tournament::settings()
    }

    fn units(&self) -> Option<usize> {
        self.tournament.units()
    }

    fn share(&self, unit: usize) -> usize {
        self.tournament.share(unit)
    }

    fn differs(&self, row: &GameRow) -> Option<String> {
        Experiment::differs(self.tournament, row)
    }

    fn is_kept(&self, row: &GameRow) -> Result<bool, RunError> {
        let there = if let Some(there) = self.there.get() {
            there
        } else {
            let read = Index::read(&self.folder, self.chunk)?;
            self.there.get_or_init(|| read)
        };
        Ok(there.count(row).is_some())
    }

    fn stage<'a>(&'a self, there: &'a Rows<GameRow>) -> Result<Stage<'a>, RunError> {
        self.tournament.stage(there)
    }

    fn is_over(&self, there: &Rows<GameRow>) -> bool {
        self.tournament.is_over(there)
    }

    fn counted(&self, there: Rows<GameRow>) -> Vec<GameRow> {
        self.tournament.counted(there)
    }

    fn begin(&self, directory: &RunDirectory) -> Result<(), RunError> {
        self.tournament.begin(directory)?;
        Journal::open(&journal_path(directory.path(), None))?.sync()
    }

    fn check(&self, directory: &RunDirectory) -> Result<(), RunError> {
        check_kept(directory, LEAVE_OUT)
    }

    fn make(
        &self,
        there: &Rows<GameRow>,
        chunk: Option<Chunk>,
        on: Concurrency,
        stop: &AtomicBool,
        done: Done<'_, GameRow>,
    ) -> Result<(), RunError> {
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
