//! Checks whether a game in a run's files belongs to the run.

use super::config::Tournament;
use super::schedule::Schedule;
use std::path::{Path, PathBuf};
use tengen_results::{Entry, Fingerprint};

/// A game in a file of a run that does not belong to it.
#[derive(Debug, thiserror::Error)]
#[error("game {game} of {} {reason}", path.display())]
pub struct ForeignGame {
    /// The file.
    path: PathBuf,
    /// Number of the game in the schedule.
    game: usize,
    reason: Reason,
}

#[derive(Debug, thiserror::Error)]
enum Reason {
    #[error(
        "is not the one of this configuration: config.toml was changed, or the file is another \
         run's"
    )]
    Unplanned,
    #[error(
        "was played under other settings than this run's: undo the change of config.toml, or \
         take the file away"
    )]
    Settings,
    #[error(
        "was played by a program whose bots play otherwise: build the commit that manifest.toml \
         names, or take the file away"
    )]
    Behavior,
    #[error(
        "was played by a version that does not tell its settings: join it with the program that \
         played it, or take the file away and play its games again"
    )]
    Unsigned,
}

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
    pub fn check(&mut self, entry: &Entry, path: &Path) -> Result<(), ForeignGame> {
        let row = &entry.played.row;
        let reason = if !self.tournament.is_planned(&self.schedule, row) {
            Reason::Unplanned
        } else if let Some(own) = entry.fingerprint {
            let wanted = *self.fingerprint.get_or_insert(own);
            if own == wanted {
                return Ok(());
            } else if own.settings == wanted.settings {
                Reason::Behavior
            } else {
                Reason::Settings
            }
        } else if self.admits_unsigned {
            return Ok(());
        } else {
            Reason::Unsigned
        };
        Err(ForeignGame { path: path.to_path_buf(), game: row.game, reason })
    }
}
