//! What kind of run a folder holds.

use super::table::Cells;
use super::{Files, Found, played, readme, tuned};
use crate::speed::{playouts, searches};
use crate::{convergence, learning};
use std::path::Path;
use tengen_harness::run::{Experiment, Manifest, RunError, rows};
use tengen_settings::choice;
use toml::{Table, Value};

choice! {
    "kind of run"
    /// What kind of run a folder holds. Kinds with a table of their own come in the order in which a
    /// folder is searched for it.
    #[derive(Default)]
    pub enum Kind {
        /// Matches of searches that differ in their simulations or in parallel search.
        Scaling = "scaling",
        /// Weights of features, learned from searches.
        Learning = "learning",
        /// Searches of solved positions.
        Convergence = "convergence",
        /// Playouts per second.
        Playouts = "playouts",
        /// Simulations per second.
        Speed = "speed",
        /// Games between bots.
        Tournament = "tournament",
        /// The settings of a bot that win most.
        Tuning = "tuning",
        /// Methods of tuning on surfaces with a known optimum.
        Synthetic = "synthetic",
        /// Tables and text that sum up other runs or programs.
        #[default]
        Study = "study",
    }
}

/// The names and files of a kind of run, and its card.
#[derive(Clone, Copy)]
pub(crate) struct Declaration {
    /// Its names: values of the key `kind` of `config.toml`, which are also commands.
    pub keys: &'static [&'static str],
    /// The most telling table of a run, written during the run or at its end.
    pub table: &'static str,
    /// A table that no other kind has.
    pub own_table: Option<&'static str>,
    /// The file of rows from which all results follow, if there is one.
    pub rows: Option<RowsFile>,
    /// Answer and plots from the settings and the files.
    pub card: fn(&Table, &dyn Files) -> Result<Found, String>,
    /// The answer in a few words from the rows and the text of `table` or `summary.csv`.
    pub brief: fn(&[Cells], &str) -> Option<String>,
}

/// A file of rows from which all results of a run follow.
#[derive(Clone, Copy, Debug)]
pub struct RowsFile {
    /// Its name.
    pub name: &'static str,
    /// What a unit of the run is called, such as `game`.
    pub unit: &'static str,
    /// Reads all rows of its text; an error names the line that is wrong.
    pub check: fn(&[u8]) -> Result<(), RunError>,
    /// How much the run makes, from its settings and files; none if they do not tell.
    pub extent: fn(&Table, &dyn Files) -> Option<Extent>,
}

impl RowsFile {
    /// The file of `E`.
    pub(crate) const fn of<E: Experiment>(
        extent: fn(&Table, &dyn Files) -> Option<Extent>,
    ) -> Self {
        let check = |text: &[u8]| {
            rows::parse::<E::Row>(rows::whole_lines(text), Path::new(E::ROWS)).map(drop)
        };
        Self { name: E::ROWS, unit: E::UNIT, check, extent }
    }
}

/// How much a run makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Number of units.
    pub units: usize,
    /// Number of rows of each unit.
    pub rows_per_unit: usize,
}

impl Extent {
    /// As many units of one row as the setting `key` says, or the first of its numbers.
    pub(crate) fn of_setting(config: &Table, key: &str) -> Option<Self> {
        let value = config.get(key)?;
        let first = value.as_array().map_or(Some(value), |all| all.first())?;
        Some(Self { units: first.as_integer()?.try_into().ok()?, rows_per_unit: 1 })
    }
}

impl Kind {
    /// What this kind declares.
    pub(super) fn declaration(self) -> Declaration {
        match self {
            Self::Scaling => played::SCALING,
            Self::Learning => learning::KIND,
            Self::Convergence => convergence::KIND,
            Self::Playouts => playouts::KIND,
            Self::Speed => searches::KIND,
            Self::Tournament => played::TOURNAMENT,
            Self::Tuning => tuned::TUNING,
            Self::Synthetic => tuned::SYNTHETIC,
            Self::Study => readme::STUDY,
        }
    }

    /// The first kind that `is_wanted`.
    fn find(is_wanted: impl Fn(Declaration) -> bool) -> Option<Self> {
        Self::VARIANTS.iter().copied().find(|kind| is_wanted(kind.declaration()))
    }

    /// The kind of a run, by its settings `config`, its `manifest` and its files: `has` says
    /// whether the folder has a file of that name. Runs of early versions do not name their kind:
    /// their settings, their command and their tables tell it.
    #[must_use]
    pub fn of(
        config: Option<&Table>,
        manifest: Option<&Manifest>,
        has: impl Fn(&str) -> bool,
    ) -> Self {
        let key = config.and_then(|table| table.get("kind")).and_then(Value::as_str);
        let by_key = key.and_then(|key| Self::find(|kind| kind.keys.contains(&key)));
        let is_given = |key: &str| config.is_some_and(|table| table.contains_key(key));
        // Another command may have resumed the run: the first session tells its kind.
        let command = manifest.and_then(|manifest| manifest.sessions.first());
        let command = command.map_or(&[][..], |session| &session.command);
        let has_table = |name: &str| has(name) || has(&format!("{name}.xz"));
        let by_table = Self::find(|kind| kind.own_table.is_some_and(has_table));
        match by_key {
            Some(kind) => kind,
            None if is_given("synthetic") => Self::Synthetic,
            None if is_given("param") => Self::Tuning,
            None if is_given("positions") => Self::Convergence,
            None if has("study.toml") || config.is_none() && manifest.is_none() => {
                by_table.filter(|_| !has("README.md")).unwrap_or_default()
            }
            None if by_table == Some(Kind::Scaling) => Kind::Scaling,
            None => by_command(command).or(by_table).unwrap_or_else(|| {
                if is_given("pairs") { Self::Tournament } else { Self::default() }
            }),
        }
    }

    /// The most telling table of a run of this kind, written during the run or at its end.
    #[must_use]
    pub fn table(self) -> &'static str {
        self.declaration().table
    }

    /// The file of rows from which all results follow, if runs of this kind have one.
    #[must_use]
    pub fn rows(self) -> Option<RowsFile> {
        self.declaration().rows
    }

    /// The command that plays runs of this kind from their settings; none if no command does.
    #[must_use]
    pub fn command(self) -> Option<&'static str> {
        match self {
            Self::Scaling => Self::Tournament.command(),
            _ => self.rows().and(self.declaration().keys.first().copied()),
        }
    }

    /// Whether a run of this kind plays the games of a tournament.
    #[must_use]
    pub const fn is_tournament(self) -> bool {
        matches!(self, Self::Tournament | Self::Scaling)
    }

    /// Whether a run of this kind has settings.
    #[must_use]
    pub const fn has_config(self) -> bool {
        !matches!(self, Self::Playouts | Self::Study)
    }
}

/// The kind of run that a command line makes: its program or the word after `tengen` names it.
fn by_command(command: &[String]) -> Option<Kind> {
    let is_program = |word: &String, name: &str| {
        let file = word.rsplit(['/', '\\']).next().unwrap_or_default();
        file.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.']))
    };
    let makes = |name: &str| command.iter().take(2).any(|word| is_program(word, name));
    let has = |text: &str| command.iter().any(|word| word == text);
    if makes("scaling") {
        return Some(if has("speed") { Kind::Speed } else { Kind::Scaling });
    }
    Kind::find(|kind| kind.keys.iter().any(|name| makes(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_tells_the_kind() {
        let kind = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            by_command(&words)
        };
        assert_eq!(kind("/a/b/tournament-de7f --config x"), Some(Kind::Tournament));
        assert_eq!(kind("bin/tengen tune --size 5"), Some(Kind::Tuning));
        assert_eq!(kind("./scaling --part speed"), Some(Kind::Speed));
        assert_eq!(kind("./scaling --part parallel --size 9"), Some(Kind::Scaling));
        assert_eq!(kind("/tmp/t2 --config tournament"), None);
    }

    #[test]
    fn settings_and_tables_tell_the_kind() {
        let kind = |config: &str, table: &'static str| {
            let config: Option<Table> =
                Some(config.parse().unwrap()).filter(|_| !config.is_empty());
            Kind::of(config.as_ref(), None, |name| name == table)
        };
        assert_eq!(kind("kind = 'learn'", ""), Kind::Learning);
        assert_eq!(kind("param = {}", "games.csv"), Kind::Tuning);
        assert_eq!(kind("positions = ''", ""), Kind::Convergence);
        assert_eq!(kind("synthetic = []\nmethod = []", ""), Kind::Synthetic);
        assert_eq!(kind("pairs = 3", "games.csv.xz"), Kind::Tournament);
        assert_eq!(kind("pairs = 3", ""), Kind::Tournament);
        assert_eq!(kind("seed = 3", "speed.csv"), Kind::Speed);
        assert_eq!(kind("", "README.md"), Kind::Study);
        assert_eq!(kind("", "games.csv"), Kind::Tournament);
    }
}
