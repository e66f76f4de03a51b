//! The settings of the experiment.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::str::FromStr;
use tengen_bots::{BotConfig, NamedBot};
use tengen_search::UctConfig;
use tengen_settings::faults;

/// Which searches are made of which positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Kind of run.
    #[serde(default = "kind")]
    pub kind: String,
    /// The name of the run.
    pub name: String,
    /// The file of solved positions.
    pub positions: PathBuf,
    /// The least number of playouts of a search.
    pub playouts: u64,
    /// How often it is doubled.
    pub doublings: u32,
    /// Searches of each position by each bot, with seeds of their own.
    pub searches: u32,
    /// The master seed.
    pub seed: u64,
    /// The searches: `uct` with its settings, and a name.
    pub bot: Vec<NamedBot>,
}

/// Settings that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SettingsError(String);

impl FromStr for Settings {
    type Err = SettingsError;

    /// Reads TOML, and checks what it says; an error names the line.
    fn from_str(text: &str) -> Result<Self, SettingsError> {
        let settings: Self = faults::read(text, "this experiment").map_err(SettingsError)?;
        settings.validate()?;
        Ok(settings)
    }
}

fn kind() -> String {
    "convergence".to_owned()
}

impl Settings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// If a number is out of its range, a bot is not a search of a number of playouts, or
    /// two have one name.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let fault = |said: String| Err(SettingsError(said));
        let allowed = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        if self.name.is_empty() || !self.name.chars().all(allowed) {
            let name = &self.name;
            return fault(format!("`name` is `{name}`: write letters, digits, `_`, `.` and `-`"));
        }
        if !(1..=1 << 20).contains(&self.playouts) {
            return fault(format!("`playouts` is {}: write 1 to 1048576", self.playouts));
        }
        if self.doublings > 20 {
            return fault(format!("`doublings` is {}: write 0 to 20", self.doublings));
        }
        if !(1..=1_000).contains(&self.searches) {
            return fault(format!("`searches` is {}: write 1 to 1000", self.searches));
        }
        if self.bot.is_empty() {
            return fault("`bot` is empty: write the searches to measure".to_owned());
        }
        for (place, bot) in self.bot.iter().enumerate() {
            let name = &bot.name;
            let BotConfig::Uct(config) = &bot.config else {
                return fault(format!("bot `{name}` makes no playouts: write uct:key=value,..."));
            };
            if config.seconds.is_some() {
                return fault(format!("bot `{name}` sets seconds: leave it out"));
            }
            if self.playouts < u64::from(config.workers) {
                let workers = config.workers;
                return fault(format!("bot `{name}` has {workers} workers: raise `playouts`"));
            }
            if !config.sharing.is_none() {
                return fault(format!("bot `{name}` sets sharing: leave it out"));
            }
            if self.bot[..place].iter().any(|other| other.name == *name) {
                return fault(format!("two bots are `{name}`: name one, NAME=SPEC"));
            }
        }
        Ok(())
    }

    /// The settings as TOML: of a run, the contents of `config.toml`.
    ///
    /// # Errors
    /// Never in practice: every setting has a form in TOML.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// The numbers of playouts, rising.
    #[must_use]
    pub fn budgets(&self) -> Vec<u64> {
        (0..=self.doublings).map(|doubling| self.playouts << doubling).collect()
    }

    /// The configurations of the searches, in the order of the bots.
    pub fn searches(&self) -> impl Iterator<Item = &UctConfig> {
        self.bot.iter().filter_map(|bot| match &bot.config {
            BotConfig::Uct(config) => Some(config),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "name = \"a-run\"\npositions = \"solved.csv\"\nplayouts = 16\ndoublings = 3\nsearches = 2\n\
                        seed = 1\nbot = [\"plain=uct:rave=none\", \"uct\"]\n";

    #[test]
    fn wrong_settings_are_named() {
        for (from, to, fault) in [
            ("doublings = 3", "doublings = 21", "`doublings` is 21"),
            ("searches = 2", "searches = 0", "`searches` is 0"),
            ("playouts = 16", "playouts = 0", "`playouts` is 0"),
            ("\"uct\"", "\"random\"", "bot `random` makes no playouts"),
            ("\"uct\"", "\"plain=uct\"", "two bots are `plain`"),
            ("\"uct\"", "\"uct:seconds=1\"", "sets seconds"),
            ("seed", "sead", "sead"),
            ("a-run", "a/run", "`name` is `a/run`"),
        ] {
            let said = TEXT.replacen(from, to, 1).parse::<Settings>().unwrap_err().to_string();
            assert!(said.contains(fault), "{said}");
        }
    }
}
