//! What kind of run a folder holds, and what its files say.

mod bots;
mod brief;
mod card;
mod study;

pub use bots::BotLine;
pub use brief::{brief, brief_of_games};
pub use card::{Card, Picture, card};

use crate::report::files::{Declaration, RowsFile};
use crate::run::Manifest;
use crate::scaling::card::SCALING;
use crate::speed::report::{playouts, searches};
use crate::tournament::report::card::TOURNAMENT;
use crate::tuning::report::card::{SYNTHETIC, TUNING};
use crate::{convergence, learn};
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

impl Kind {
    /// What this kind declares.
    fn declaration(self) -> Declaration {
        match self {
            Self::Scaling => SCALING,
            Self::Learning => learn::report::KIND,
            Self::Convergence => convergence::report::KIND,
            Self::Playouts => playouts::KIND,
            Self::Speed => searches::KIND,
            Self::Tournament => TOURNAMENT,
            Self::Tuning => TUNING,
            Self::Synthetic => SYNTHETIC,
            Self::Study => study::STUDY,
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

    /// Its names: values of the key `kind` of `config.toml`, or the command of a run that has no such
    /// key. If a command plays only this kind, the first is its name. None if no command makes such
    /// runs.
    #[must_use]
    pub fn keys(self) -> &'static [&'static str] {
        self.declaration().keys
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
            _ => self.rows().and(self.keys().first().copied()),
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
