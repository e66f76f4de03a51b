//! Checks whether a game in a run's files belongs to the run.

use super::config::Tournament;
use super::schedule::Schedule;
use crate::results::{Entry, Fingerprint, ForeignRow, Mismatch};
use std::path::Path;

/// The check whether games belong to a run: their numbers, bots and seeds must be
/// those of its schedule, and their fingerprints must agree.
pub struct Admission<'run> {
    tournament: &'run Tournament,
    schedule: Schedule,
    /// The fingerprint that all games must have; none until the first game is
    /// checked, if any one fingerprint will do.
    fingerprint: Option<Fingerprint>,
    /// Whether games without a fingerprint pass: earlier versions wrote none.
    admits_unsigned: bool,
}

impl<'run> Admission<'run> {
    /// The check for the journal of `tournament`, which an earlier version without
    /// fingerprints may have written.
    pub fn to_journal(tournament: &'run Tournament, fingerprint: Option<Fingerprint>) -> Self {
        let schedule = tournament.schedule();
        Self { tournament, schedule, fingerprint, admits_unsigned: true }
    }

    /// The check for a chunk of `tournament`, whose games must all have
    /// `fingerprint`.
    pub fn to_chunk(tournament: &'run Tournament, fingerprint: Fingerprint) -> Self {
        let admission = Self::to_journal(tournament, Some(fingerprint));
        Self { admits_unsigned: false, ..admission }
    }

    /// Checks that the game `entry` of the file `path` belongs to the run.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&mut self, entry: &Entry, path: &Path) -> Result<(), ForeignRow> {
        let row = &entry.played.row;
        let found = entry.fingerprint;
        let checked = if !self.tournament.is_planned(&self.schedule, row) {
            Err(Mismatch::Unplanned)
        } else if found.is_none() && self.admits_unsigned {
            Ok(())
        } else {
            self.fingerprint = self.fingerprint.or(found);
            self.fingerprint.map_or(Ok(()), |wanted| wanted.admit(found))
        };
        checked.map_err(|mismatch| mismatch.in_row("game", row.game, path))
    }
}
