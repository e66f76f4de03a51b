//! A tournament in its folder: what is played, what is missing, and where it
//! ends.

use super::config::Tournament;
use super::tournament;
use crate::gtp::ResourceFault;
use crate::run::{
    GameRow, Journal, JournalError, LockError, PlayedGame, Prefix, RowWriter, RunLock,
};
use crate::stats::{self, SequentialTest};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The file by which a process keeps a run to itself.
pub const LOCK: &str = "lock";

/// A run that is being played: its journal, and the part of it that counts.
///
/// Every finished game goes to the journal. `games.csv` and all figures come
/// from the longest complete prefix of the schedule; under a sequential test
/// the prefix ends with the pair that decides it.
#[derive(Debug)]
pub struct Session<'run> {
    tournament: &'run Tournament,
    journal: Journal,
    table: RowWriter,
    table_path: PathBuf,
    prefix: Prefix<GameRow>,
    rows: Vec<GameRow>,
    played: BTreeSet<usize>,
    test: Option<SequentialTest>,
    /// What the first bot made of the first game of the pair at hand.
    half: Option<stats::Outcome>,
    _lock: RunLock,
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// `games.csv`.
    #[error("cannot write {}: {source}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The journal holds a game that the configuration does not.
    #[error(
        "game {game} of the journal is not the one of this configuration: \
         config.toml was changed, or the journal is another run's"
    )]
    Stranger {
        /// Number of the game.
        game: usize,
    },
    /// Another process plays it.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// This program lacks something, and its games cannot be played.
    #[error(transparent)]
    Resource(#[from] ResourceFault),
}

impl<'run> Session<'run> {
    /// Opens the run of `tournament` in `folder`, with the games that its
    /// journal holds already.
    ///
    /// # Errors
    /// If the files cannot be read or written, or are another run's.
    pub fn open(tournament: &'run Tournament, folder: &Path) -> Result<Self, SessionError> {
        let lock = RunLock::take(folder, LOCK)?;
        let (journal, played) = Journal::open(&folder.join("journal.csv"))?;
        let table_path = folder.join("games.csv");
        let mut session = Self {
            tournament,
            journal,
            table: table(&table_path, &[])?,
            table_path,
            prefix: Prefix::default(),
            rows: Vec::new(),
            played: BTreeSet::new(),
            test: tournament.sprt.map(SequentialTest::new),
            half: None,
            _lock: lock,
        };
        let schedule = tournament.schedule();
        for PlayedGame { row, .. } in played {
            if !tournament.is_planned(&schedule, &row) {
                return Err(SessionError::Stranger { game: row.game });
            }
            // A game that two processes played is counted once.
            if session.played.insert(row.game) {
                session.prefix.insert(row.game, row);
            }
        }
        session.advance();
        session.table = table(&session.table_path, &session.rows)?;
        Ok(session)
    }

    /// Plays the games that are missing on `threads` threads, until all are
    /// there, the sequential test is decided, or `stop` becomes true. `told`
    /// hears of every game and of the session after it.
    ///
    /// # Errors
    /// If a file cannot be written, or a game cannot be played for want of
    /// something; what is in the journal stays.
    pub fn play(
        &mut self,
        threads: usize,
        stop: &AtomicBool,
        mut told: impl FnMut(&Self, &GameRow),
    ) -> Result<(), SessionError> {
        let due = self.due();
        let result = tournament::run(self.tournament, threads, &due, stop, |played| {
            self.record(&played)?;
            told(self, &played.row);
            if self.is_decided() {
                stop.store(true, Ordering::Relaxed);
            }
            Ok(())
        });
        // Synced even after a failure: what was written is to stay.
        let synced = self.journal.sync();
        result.and(synced.map_err(SessionError::from))
    }

    /// The games to play, in order.
    fn due(&self) -> Vec<usize> {
        if self.is_decided() {
            return Vec::new();
        }
        let games = 0..self.tournament.schedule().games();
        games.filter(|game| !self.played.contains(game)).collect()
    }

    fn record(&mut self, played: &PlayedGame) -> Result<(), SessionError> {
        self.journal.append(played)?;
        self.played.insert(played.row.game);
        self.prefix.insert(played.row.game, played.row.clone());
        let before = self.rows.len();
        self.advance();
        for row in &self.rows[before..] {
            let refused = |source| SessionError::Table { path: self.table_path.clone(), source };
            self.table.write(row).map_err(refused)?;
        }
        Ok(())
    }

    /// Takes what has become due into the part that counts.
    fn advance(&mut self) {
        while !self.is_decided() {
            let Some(row) = self.prefix.next_due() else { break };
            self.test_next(&row);
            self.rows.push(row);
        }
    }

    /// Shows the sequential test the next game of the schedule.
    fn test_next(&mut self, row: &GameRow) {
        let Some(test) = &mut self.test else { return };
        let first_is_black = row.game.is_multiple_of(2);
        let result = row.outcome.of_black();
        let result = result.map(|black| if first_is_black { black } else { black.reversed() });
        if first_is_black {
            self.half = result;
        } else if let (Some(one), Some(other)) = (self.half.take(), result) {
            test.finish(row.pair as u64, [one, other]);
        }
    }

    /// The games that count, in the order of the schedule.
    #[must_use]
    pub fn rows(&self) -> &[GameRow] {
        &self.rows
    }

    /// The sequential test, if there is one.
    #[must_use]
    pub const fn test(&self) -> Option<&SequentialTest> {
        self.test.as_ref()
    }

    /// The number of games in the journal, those that do not count included.
    #[must_use]
    pub fn played(&self) -> usize {
        self.played.len()
    }

    /// Whether nothing is left to play.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_decided() || self.rows.len() == self.tournament.schedule().games()
    }

    fn is_decided(&self) -> bool {
        self.test.as_ref().is_some_and(|test| test.decision().is_some())
    }
}

fn table(path: &Path, rows: &[GameRow]) -> Result<RowWriter, SessionError> {
    RowWriter::create(path, rows)
        .map_err(|source| SessionError::Table { path: path.to_path_buf(), source })
}
