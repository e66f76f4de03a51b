//! A tournament in its folder: which games are played, which are missing, and where
//! a sequential test ends it.

use super::admission::Admission;
use super::config::Tournament;
use super::missing::Missing;
use super::threads::{self, Concurrency, Due};
use crate::results::{
    Fingerprint, ForeignRow, GameRow, Journal, JournalError, LockError, PlayedGame, Prefix,
    RowWriter, RunLock, journal,
};
use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use tengen_search::ResourceFault;
use tengen_stats::SequentialTest;

/// Name of the lock file, which keeps a run to one process at a time.
pub const LOCK: &str = "lock";

/// A run that is being played: its journal, and the games of it that count.
///
/// Every finished game goes to the journal. `games.csv` and all figures come
/// from the longest complete prefix of the schedule; under a sequential test
/// the prefix ends with the pair that decides it.
#[derive(Debug)]
pub struct Session<'run> {
    tournament: &'run Tournament,
    fingerprint: Option<Fingerprint>,
    journal: Journal,
    table: RowWriter,
    table_path: PathBuf,
    counted: Counted,
    played: BTreeSet<usize>,
    _lock: &'run RunLock,
}

/// The games of a run that count, and those that wait for earlier games of the
/// schedule.
#[derive(Debug)]
struct Counted {
    prefix: Prefix<GameRow>,
    rows: Vec<GameRow>,
    test: Option<SequentialTest>,
    /// The first bot's result in the first game of a pair, while the second is due.
    half: Option<tengen_stats::Outcome>,
}

/// An error of a run's files, or a lack of a resource, for which it stops.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// `games.csv` or the file of a chunk cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The folder of the chunks cannot be listed.
    #[error("cannot list {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A game in the run's files belongs to another run.
    #[error(transparent)]
    Foreign(#[from] ForeignRow),
    /// The chunks cannot be merged yet.
    #[error(transparent)]
    Missing(#[from] Missing),
    /// Another process plays the run.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// Games cannot be played for lack of a resource.
    #[error(transparent)]
    Resource(#[from] ResourceFault),
}

impl<'run> Session<'run> {
    /// Opens the run of `tournament` in the folder of `lock`, with the games in its
    /// journal. `fingerprint` is that of the games still to be played: those in the
    /// journal must have the same, or none, if an earlier version wrote them. For a
    /// run that is only read `fingerprint` is none: its games must then agree in
    /// their fingerprint.
    ///
    /// # Errors
    /// If the files cannot be read or written, or are another run's.
    pub fn open(
        tournament: &'run Tournament,
        fingerprint: Option<Fingerprint>,
        lock: &'run RunLock,
    ) -> Result<Self, SessionError> {
        let journal_path = journal::path(lock.folder());
        let (journal, entries) = Journal::open(&journal_path)?;
        let mut admission = Admission::to_journal(tournament, fingerprint);
        let mut counted = Counted {
            prefix: Prefix::default(),
            rows: Vec::new(),
            test: tournament.sprt.map(SequentialTest::new),
            half: None,
        };
        let mut played = BTreeSet::new();
        for entry in entries {
            admission.check(&entry, &journal_path)?;
            let row = entry.played.row;
            // A game that two processes played is counted once.
            if played.insert(row.game) {
                counted.prefix.insert(row.game, row);
            }
        }
        counted.advance();
        // Only once all games are known to belong to the run: until then an existing
        // `games.csv` stays.
        let table_path = lock.folder().join("games.csv");
        let refused = |source| SessionError::Table { path: table_path.clone(), source };
        let table = RowWriter::create(&table_path, &counted.rows).map_err(refused)?;
        Ok(Self {
            tournament,
            fingerprint,
            journal,
            table,
            table_path,
            counted,
            played,
            _lock: lock,
        })
    }

    /// Plays the missing games until all are there, the sequential test is decided, or
    /// `stop` becomes true. Calls `told` after every game, with the session and the row of
    /// the game.
    ///
    /// # Errors
    /// If a file cannot be written, or a game cannot be played for lack of a
    /// resource; the games in the journal stay.
    pub fn play(
        &mut self,
        concurrency: impl Into<Concurrency>,
        stop: &AtomicBool,
        mut told: impl FnMut(&Self, &GameRow) + Send,
    ) -> Result<(), SessionError> {
        let due = self.due();
        let result = threads::play_games(self.tournament, concurrency, due, stop, |played| {
            self.record(&played)?;
            told(self, &played.row);
            if self.is_decided() {
                stop.store(true, Ordering::Relaxed);
            }
            Ok(())
        });
        // Synced even after a failure, so that the games already written stay.
        let synced = self.journal.sync();
        result.and(synced.map_err(SessionError::from))
    }

    /// The games still to be played.
    fn due(&self) -> Due<'static> {
        if self.is_decided() {
            return Due::new(0, std::iter::empty());
        }
        let games = self.tournament.schedule().games();
        let played = self.played.clone();
        let left = games - played.len();
        Due::new(left, (0..games).filter(move |game| !played.contains(game)))
    }

    fn record(&mut self, played: &PlayedGame) -> Result<(), SessionError> {
        self.journal.append(played, self.fingerprint)?;
        self.played.insert(played.row.game);
        self.counted.prefix.insert(played.row.game, played.row.clone());
        let before = self.counted.rows.len();
        self.counted.advance();
        for row in &self.counted.rows[before..] {
            let refused = |source| SessionError::Table { path: self.table_path.clone(), source };
            self.table.write(row).map_err(refused)?;
        }
        Ok(())
    }

    /// The games that count, in the order of the schedule.
    #[must_use]
    pub fn rows(&self) -> &[GameRow] {
        &self.counted.rows
    }

    /// The sequential test, if there is one.
    #[must_use]
    pub const fn test(&self) -> Option<&SequentialTest> {
        self.counted.test.as_ref()
    }

    /// The number of games in the journal, those that do not count included.
    #[must_use]
    pub fn played(&self) -> usize {
        self.played.len()
    }

    /// Whether nothing is left to play.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_decided() || self.counted.rows.len() == self.tournament.schedule().games()
    }

    fn is_decided(&self) -> bool {
        self.counted.is_decided()
    }
}

impl Counted {
    /// Adds the games that now continue the complete prefix of the schedule, up to
    /// the end of the sequential test.
    fn advance(&mut self) {
        while !self.is_decided() {
            let Some(row) = self.prefix.next_due() else { break };
            self.test_next(&row);
            self.rows.push(row);
        }
    }

    /// Passes the next game of the schedule to the sequential test.
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

    fn is_decided(&self) -> bool {
        self.test.as_ref().is_some_and(|test| test.decision().is_some())
    }
}
