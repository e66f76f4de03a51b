//! The result rows of one run: those that are there, and those that are missing.

use crate::convergence::measurement::PositionRow;
use crate::convergence::settings::Settings;
use crate::results::{Fingerprint, ForeignRow, Mismatch};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Why the file of a chunk cannot be merged into a run.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// The file cannot be read, or a line is not a row.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: csv::Error,
    },
    /// A row belongs to another run.
    #[error(transparent)]
    Foreign(#[from] ForeignRow),
    /// A position was measured twice, with other results.
    #[error("{}: position {position} was measured twice, with other results", path.display())]
    Differs {
        /// The file.
        path: PathBuf,
        /// The number of the position.
        position: usize,
    },
}

/// The rows of a run of some positions, under a fingerprint, that are there so far.
#[derive(Debug)]
pub struct Rows<'run> {
    settings: &'run Settings,
    positions: usize,
    fingerprint: Fingerprint,
    /// By position, bot and number of playouts.
    there: BTreeMap<(usize, usize, u64), PositionRow>,
}

impl<'run> Rows<'run> {
    /// No rows of the run of `settings` with this number of `positions`, all rows of which have
    /// `fingerprint`.
    #[must_use]
    pub const fn new(settings: &'run Settings, positions: usize, fingerprint: Fingerprint) -> Self {
        Self { settings, positions, fingerprint, there: BTreeMap::new() }
    }

    /// Adds the rows of the chunk in the file `path`, but for a last line that was cut off.
    ///
    /// # Errors
    /// If the file cannot be read, or a row belongs to another run or contradicts another.
    pub fn add_file(&mut self, path: &Path) -> Result<(), MergeError> {
        let unreadable = |source| MergeError::Unreadable { path: path.to_path_buf(), source };
        let text = std::fs::read(path).map_err(|fault| unreadable(fault.into()))?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut reader = csv::Reader::from_reader(&text[..whole]);
        let rows: Result<Vec<PositionRow>, csv::Error> = reader.deserialize().collect();
        self.add(rows.map_err(unreadable)?, path)
    }

    /// Adds `rows`, which were read from the file `path`, or will be written to it.
    ///
    /// # Errors
    /// If one belongs to another run or contradicts another.
    pub fn add(&mut self, rows: Vec<PositionRow>, path: &Path) -> Result<(), MergeError> {
        let budgets = self.settings.budgets();
        for row in rows {
            let position = row.position;
            let foreign = |mismatch: Mismatch| mismatch.in_row("position", position, path);
            let is_known =
                (1..=self.positions).contains(&position) && budgets.contains(&row.playouts);
            let bot = self.settings.bot.iter().position(|bot| bot.name == row.bot);
            let bot = bot.filter(|_| is_known).ok_or_else(|| foreign(Mismatch::Unplanned))?;
            self.fingerprint.admit(row.fingerprint).map_err(foreign)?;
            let key = (position, bot, row.playouts);
            if *self.there.entry(key).or_insert_with(|| row.clone()) != row {
                return Err(MergeError::Differs { path: path.to_path_buf(), position });
            }
        }
        Ok(())
    }

    /// Whether a row of the position at `place`, from 0, is missing.
    #[must_use]
    pub fn lacks(&self, place: usize) -> bool {
        let there = self.there.range((place + 1, 0, 0)..(place + 2, 0, 0)).count();
        there < self.settings.bot.len() * self.settings.budgets().len()
    }

    /// All rows, in the order of [`measure`](crate::convergence::measure), whatever the order in which they
    /// were added.
    pub fn into_rows(self) -> impl Iterator<Item = PositionRow> {
        self.there.into_values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Digest;

    fn fingerprint(settings: u64) -> Fingerprint {
        let mut digest = Digest::default();
        digest.number(settings);
        Fingerprint { settings: digest, behavior: Digest::default() }
    }

    fn row(position: usize, bot: &str, playouts: u64) -> PositionRow {
        let fingerprint = Some(fingerprint(1));
        let bot = bot.to_owned();
        PositionRow {
            position,
            bot,
            playouts,
            optimal: 0.5,
            regret: 1.0,
            value_error: 0.25,
            fingerprint,
        }
    }

    fn settings() -> Settings {
        "name = \"a\"\npositions = \"\"\nplayouts = 16\ndoublings = 1\nsearches = 1\nseed = 1\n\
         bot = [\"b=uct\", \"a=uct:exploration=0.3\"]"
            .parse()
            .unwrap()
    }

    fn all() -> Vec<PositionRow> {
        let of = |position| {
            [("b", 16), ("b", 32), ("a", 16), ("a", 32)].map(|(bot, n)| row(position, bot, n))
        };
        [of(1), of(2)].concat()
    }

    #[test]
    fn rows_in_any_order_are_those_of_one_process() {
        let settings = settings();
        let mut rows = Rows::new(&settings, 2, fingerprint(1));
        let mut shuffled = all();
        shuffled.reverse();
        for part in [shuffled.drain(..3).collect(), all().drain(2..5).collect(), shuffled] {
            assert!(rows.lacks(0));
            rows.add(part, Path::new("")).unwrap();
        }
        assert!(!rows.lacks(0) && !rows.lacks(1));
        assert_eq!(rows.into_rows().collect::<Vec<_>>(), all());
    }

    #[test]
    fn rows_that_are_not_the_run_are_refused() {
        let settings = settings();
        for (foreign, named) in [
            (row(0, "a", 16), "position 0 of x.csv is not the one of this configuration"),
            (row(3, "a", 16), "position 3"),
            (row(1, "c", 16), "position 1"),
            (row(1, "a", 17), "position 1"),
            (
                PositionRow { optimal: 1.0, ..row(2, "a", 16) },
                "x.csv: position 2 was measured twice",
            ),
            (
                PositionRow { fingerprint: Some(fingerprint(2)), ..row(1, "a", 16) },
                "other settings",
            ),
            (PositionRow { fingerprint: None, ..row(1, "a", 16) }, "no fingerprint"),
        ] {
            let mut rows = Rows::new(&settings, 2, fingerprint(1));
            let said = rows.add([all(), vec![foreign]].concat(), Path::new("x.csv"));
            let said = said.unwrap_err().to_string();
            assert!(said.contains(named), "{said}");
        }
    }

    #[test]
    fn a_line_that_was_cut_off_is_missing() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("chunk.csv");
        let text = crate::results::to_csv(all()).unwrap();
        let settings = settings();
        for cut in [1, 30] {
            std::fs::write(&path, &text[..text.len() - cut]).unwrap();
            let mut rows = Rows::new(&settings, 2, fingerprint(1));
            rows.add_file(&path).unwrap();
            assert_eq!([rows.lacks(0), rows.lacks(1)], [false, true]);
        }
    }
}
