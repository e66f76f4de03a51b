//! What kind of run a folder holds, and what its files say.

mod bots;
mod brief;
mod card;
mod folder;
mod study;

pub use crate::report::files::Declaration;
pub use bots::BotLine;
pub use brief::{brief, brief_of_games};
pub use card::{Card, Picture, card};
pub use folder::Folder;

use crate::report::files::RowsFile;
use crate::run::Manifest;
use crate::scaling::card::SCALING;
use crate::speed::report::{playouts, searches};
use crate::tournament::report::card::TOURNAMENT;
use crate::tuning::report::card::{SYNTHETIC, TUNING};
use crate::{convergence, learn};
use serde::{Serialize, Serializer};
use std::fmt;
use std::sync::{PoisonError, RwLock};
use toml::{Table, Value};

/// What kind of run a folder holds: a kind of Tengen, or one that a program registers ([`register`]).
#[derive(Clone, Copy)]
pub struct Kind(&'static Declaration);

/// The kinds that a program has registered.
static REGISTERED: RwLock<Vec<Kind>> = RwLock::new(Vec::new());

/// Registers a kind of run: from now on its runs are told from others.
pub fn register(kind: Kind) {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    registered.retain(|other| *other != kind);
    registered.push(kind);
}

impl Kind {
    /// Matches of searches that differ in their simulations or in parallel search.
    pub const SCALING: Self = Self(&SCALING);
    /// Weights of features, learned from searches.
    pub const LEARNING: Self = Self(&learn::report::KIND);
    /// Searches of solved positions.
    pub const CONVERGENCE: Self = Self(&convergence::report::KIND);
    /// Playouts per second.
    pub const PLAYOUTS: Self = Self(&playouts::KIND);
    /// Simulations per second.
    pub const SPEED: Self = Self(&searches::KIND);
    /// Games between bots.
    pub const TOURNAMENT: Self = Self(&TOURNAMENT);
    /// The settings of a bot that win most.
    pub const TUNING: Self = Self(&TUNING);
    /// Methods of tuning on surfaces with a known optimum.
    pub const SYNTHETIC: Self = Self(&SYNTHETIC);
    /// Tables and text that sum up other runs or programs.
    pub const STUDY: Self = Self(&study::STUDY);

    /// Tengen's kinds. Those with a table of their own come in the order in which a folder is searched
    /// for it.
    const BUILT_IN: [Self; 9] = [
        Self::SCALING,
        Self::LEARNING,
        Self::CONVERGENCE,
        Self::PLAYOUTS,
        Self::SPEED,
        Self::TOURNAMENT,
        Self::TUNING,
        Self::SYNTHETIC,
        Self::STUDY,
    ];

    /// The kind that `declaration` declares.
    #[must_use]
    pub const fn new(declaration: &'static Declaration) -> Self {
        Self(declaration)
    }

    /// Its name on the page.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// What this kind declares.
    const fn declaration(self) -> &'static Declaration {
        self.0
    }

    /// The first kind that `is_wanted`.
    fn find(is_wanted: impl Fn(&Declaration) -> bool) -> Option<Self> {
        let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
        let all = Self::BUILT_IN.iter().chain(&*registered);
        all.copied().find(|kind| is_wanted(kind.0))
    }

    /// Whether a known kind has its name or one of its keys.
    #[must_use]
    pub fn is_known(self) -> bool {
        Self::find(|known| known.name == self.name()).is_some()
            || self.keys().iter().any(|key| Self::of_key(key).is_some())
    }

    /// The kind whose runs have the value `key` of the key `kind` in `config.toml`.
    #[must_use]
    pub fn of_key(key: &str) -> Option<Self> {
        Self::find(|kind| kind.keys.contains(&key))
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
        let by_key = key.and_then(Self::of_key);
        let is_given = |key: &str| config.is_some_and(|table| table.contains_key(key));
        // Another command may have resumed the run: the first session tells its kind.
        let command = manifest.and_then(|manifest| manifest.sessions.first());
        let command = command.map_or(&[][..], |session| &session.command);
        let has_table = |name: &str| has(name) || has(&format!("{name}.xz"));
        let by_table = Self::find(|kind| kind.own_table.is_some_and(has_table));
        match by_key {
            Some(kind) => kind,
            None if is_given("synthetic") => Self::SYNTHETIC,
            None if is_given("param") => Self::TUNING,
            None if is_given("positions") => Self::CONVERGENCE,
            None if has("study.toml") || config.is_none() && manifest.is_none() => {
                by_table.filter(|_| !has("README.md")).unwrap_or_default()
            }
            None if by_table == Some(Kind::SCALING) => Kind::SCALING,
            None => by_command(command).or(by_table).unwrap_or_else(|| {
                if is_given("pairs") { Self::TOURNAMENT } else { Self::default() }
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
        if self == Self::SCALING {
            return Self::TOURNAMENT.command();
        }
        self.rows().and(self.keys().first().copied())
    }

    /// Whether a run of this kind plays the games of a tournament.
    #[must_use]
    pub fn is_tournament(self) -> bool {
        [Self::TOURNAMENT, Self::SCALING].contains(&self)
    }

    /// Whether a run of this kind has settings.
    #[must_use]
    pub fn has_config(self) -> bool {
        ![Self::PLAYOUTS, Self::STUDY].contains(&self)
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Kind {}

impl Default for Kind {
    fn default() -> Self {
        Self::STUDY
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
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
        return Some(if has("speed") { Kind::SPEED } else { Kind::SCALING });
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
        assert_eq!(kind("/a/b/tournament-de7f --config x"), Some(Kind::TOURNAMENT));
        assert_eq!(kind("bin/tengen tune --size 5"), Some(Kind::TUNING));
        assert_eq!(kind("./scaling --part speed"), Some(Kind::SPEED));
        assert_eq!(kind("./scaling --part parallel --size 9"), Some(Kind::SCALING));
        assert_eq!(kind("/tmp/t2 --config tournament"), None);
    }

    #[test]
    fn settings_and_tables_tell_the_kind() {
        let kind = |config: &str, table: &'static str| {
            let config: Option<Table> =
                Some(config.parse().unwrap()).filter(|_| !config.is_empty());
            Kind::of(config.as_ref(), None, |name| name == table)
        };
        assert_eq!(kind("kind = 'learn'", ""), Kind::LEARNING);
        assert_eq!(kind("param = {}", "games.csv"), Kind::TUNING);
        assert_eq!(kind("positions = ''", ""), Kind::CONVERGENCE);
        assert_eq!(kind("synthetic = []\nmethod = []", ""), Kind::SYNTHETIC);
        assert_eq!(kind("pairs = 3", "games.csv.xz"), Kind::TOURNAMENT);
        assert_eq!(kind("pairs = 3", ""), Kind::TOURNAMENT);
        assert_eq!(kind("seed = 3", "speed.csv"), Kind::SPEED);
        assert_eq!(kind("", "README.md"), Kind::STUDY);
        assert_eq!(kind("", "games.csv"), Kind::TOURNAMENT);
    }
}
