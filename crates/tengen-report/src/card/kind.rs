//! What kind of run a folder holds.

use serde::Serialize;
use tengen_harness::run::Manifest;
use toml::{Table, Value};

/// What kind of run a folder holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Games between bots.
    Tournament,
    /// The settings of a bot that win most.
    Tuning,
    /// Weights of features, learned from searches.
    Learning,
    /// Searches of solved positions.
    Convergence,
    /// Matches of searches that differ in their simulations or in parallel search.
    Scaling,
    /// Playouts per second.
    Playouts,
    /// Simulations per second.
    Speed,
    /// Methods of tuning on surfaces with a known optimum.
    Synthetic,
    /// Tables and text that sum up other runs or programs.
    #[default]
    Study,
}

/// Kinds by the key `kind` of `config.toml`, which is also the command.
const KEYS: [(&str, Kind); 6] = [
    ("tournament", Kind::Tournament),
    ("tune", Kind::Tuning),
    ("learn", Kind::Learning),
    ("convergence", Kind::Convergence),
    ("scaling-doubling", Kind::Scaling),
    ("scaling-parallel", Kind::Scaling),
];

/// Kinds by a table that no other kind has.
const TABLES: [(&str, Kind); 6] = [
    ("parallel.csv", Kind::Scaling),
    ("rounds.csv", Kind::Learning),
    ("searches.csv", Kind::Convergence),
    ("playouts.csv", Kind::Playouts),
    ("speed.csv", Kind::Speed),
    ("games.csv", Kind::Tournament),
];

impl Kind {
    /// The kind of a run, by its settings `config`, its `manifest` and its files: `has` says
    /// whether the folder has a file of that name. Runs of early versions do not name their kind:
    /// their settings, their command and their tables tell it.
    #[must_use]
    pub fn of(
        config: Option<&Table>,
        manifest: Option<&Manifest>,
        has: impl Fn(&str) -> bool,
    ) -> Self {
        let by_key = config.and_then(|table| table.get("kind")).and_then(Value::as_str);
        let by_key = by_key.and_then(|key| KEYS.iter().find(|(name, _)| *name == key));
        let is_given = |key: &str| config.is_some_and(|table| table.contains_key(key));
        // Another command may have resumed the run: the first session tells its kind.
        let command = manifest.and_then(|manifest| manifest.sessions.first());
        let command = command.map_or(&[][..], |session| &session.command);
        let has_table = |name: &str| has(name) || has(&format!("{name}.xz"));
        let by_table = TABLES.iter().find(|(name, _)| has_table(name)).map(|&(_, kind)| kind);
        match by_key {
            Some(&(_, kind)) => kind,
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
    pub const fn table(self) -> &'static str {
        match self {
            Self::Tournament | Self::Convergence => "summary.csv",
            Self::Tuning => "estimate.csv",
            Self::Learning => "rounds.csv",
            Self::Scaling => "parallel.csv",
            Self::Playouts => "playouts.csv",
            Self::Speed => "speed.csv",
            Self::Synthetic => "regret.csv",
            Self::Study => "README.md",
        }
    }

    /// The file of rows from which all results follow, if runs of this kind have one.
    #[must_use]
    pub const fn rows(self) -> Option<&'static str> {
        match self {
            Self::Tournament | Self::Tuning | Self::Scaling => Some("games.csv"),
            Self::Learning => Some("rounds.csv"),
            Self::Convergence => Some("searches.csv"),
            Self::Playouts | Self::Speed | Self::Synthetic | Self::Study => None,
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
    let programs = KEYS.iter().chain(&[("playouts", Kind::Playouts)]);
    programs.copied().find(|(name, _)| makes(name)).map(|(_, kind)| kind)
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
