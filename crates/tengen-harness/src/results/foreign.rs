//! Rows that do not belong to the run in whose files they are.

use super::fingerprint::Fingerprint;
use std::path::{Path, PathBuf};

/// A row in a file of a run that does not belong to the run.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{unit} {number} of {} {mismatch}", path.display())]
pub struct ForeignRow {
    path: PathBuf,
    unit: &'static str,
    number: usize,
    mismatch: Mismatch,
}

/// Why a row does not belong to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// The run has no row of this number, seed and bot.
    #[error(
        "is not the one of this configuration: config.toml was changed, or the file is another \
         run's"
    )]
    Unplanned,
    /// The settings that decide a row differ.
    #[error(
        "has the fingerprint of other settings than this run's: undo the change of config.toml, \
         or take the file away"
    )]
    Settings,
    /// The program plays or measures otherwise.
    #[error(
        "has the fingerprint of a program whose bots play otherwise: build the commit that \
         manifest.toml names, or take the file away"
    )]
    Behavior,
    /// An earlier version wrote the row.
    #[error(
        "has no fingerprint, since an earlier version wrote it: merge it with the program that \
         wrote it, or take the file away and run its chunk again"
    )]
    Unsigned,
}

impl Mismatch {
    /// The error for the row with this `number` in the file `path`; `unit` names a row, as in
    /// `game`.
    #[must_use]
    pub fn in_row(self, unit: &'static str, number: usize, path: &Path) -> ForeignRow {
        ForeignRow { path: path.to_path_buf(), unit, number, mismatch: self }
    }
}

impl Fingerprint {
    /// Checks that a row with the fingerprint `found` belongs to a run with this one.
    ///
    /// # Errors
    /// If it does not.
    pub fn admit(self, found: Option<Self>) -> Result<(), Mismatch> {
        match found {
            Some(found) if found == self => Ok(()),
            Some(found) if found.settings == self.settings => Err(Mismatch::Behavior),
            Some(_) => Err(Mismatch::Settings),
            None => Err(Mismatch::Unsigned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_fingerprint_is_admitted() {
        let [own, other] = [1, 2].map(Fingerprint::sample);
        let other_program = Fingerprint { settings: own.settings, ..other };
        assert_eq!(own.admit(Some(own)), Ok(()));
        assert_eq!(own.admit(Some(other)), Err(Mismatch::Settings));
        assert_eq!(own.admit(Some(other_program)), Err(Mismatch::Behavior));
        assert_eq!(own.admit(None), Err(Mismatch::Unsigned));
        let said = Mismatch::Unsigned.in_row("game", 7, Path::new("run/journal.csv")).to_string();
        assert!(said.starts_with("game 7 of run/journal.csv has no fingerprint"), "{said}");
    }
}
