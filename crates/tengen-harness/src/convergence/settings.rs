//! The settings of the experiment.

use crate::run::Execution;
use crate::tournament::check_name;
use std::path::PathBuf;
use std::str::FromStr;
use tengen_bots::NamedBot;
use tengen_search::UctConfig;
use tengen_settings::{CliOptions, Part, Retired, SettingError, Settings as _, settings};

/// Keys of earlier versions.
const RETIRED: [Retired; 1] = [Retired::Renamed { key: "playouts", now: "simulations" }];

settings! {
    "a measurement of convergence" => checked; retired RETIRED
    /// Which searches are made of which positions.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Settings {
        /// Kind of run: `convergence`
        kind: String = "convergence".to_owned(), "KIND" File extent;
        /// Name of the run, part of its folder's name.
        ///
        /// At most 100 characters: letters, digits, `_`, `.` and `-`.
        name: String = "convergence".to_owned(), "NAME" One nothing;
        /// File of solved positions, as `tengen positions` writes it
        positions: PathBuf, "FILE" One nothing;
        /// Smallest number of simulations of a search
        simulations: u64 = 16, "N" One, in 1..=1 << 20;
        /// Number of doublings of the smallest number of simulations.
        ///
        /// 12 doublings of 16 simulations measure 16, 32, 64 and so on up to 65,536 simulations.
        doublings: u32 = 12, "N" One, in 0..=20;
        /// Number of searches of each position by each bot.
        ///
        /// Every search has its own seed.
        searches: u32 = 2, "N" One, in 1..=1_000;
        /// Random seed of the run (master seed), for the searches
        seed: u64 = 1, "SEED" One;
        /// Bot whose searches are measured, given once or more: a uct without seconds and sharing.
        ///
        /// NAME=SPEC names the bot, as in rave=uct:exploration=0. Every bot needs its own name.
        bot: Vec<NamedBot>, "SPEC" Many;
    }
}

impl CliOptions for Settings {
    const HEADING: &'static str = "Convergence (each also a key of the TOML file)";

    fn parts() -> Vec<Part> {
        vec![Self::part(), Execution::part_of(&["out", "threads"])]
    }
}

impl FromStr for Settings {
    type Err = SettingError;

    /// Reads TOML, and checks what it says; an error names the line.
    fn from_str(text: &str) -> Result<Self, SettingError> {
        Self::from_toml(text)
    }
}

impl Settings {
    /// The settings, if each number is in its range, each bot searches a number of simulations, and
    /// no two bots share a name.
    fn checked(self) -> Result<Self, SettingError> {
        check_name(&self.name)?;
        let refused = |said: String| Err(SettingError::of("bot", said));
        if self.bot.is_empty() {
            return refused("`bot` is empty: write the searches to measure".to_owned());
        }
        for (place, bot) in self.bot.iter().enumerate() {
            let name = &bot.name;
            let Some(config) = bot.config.uct() else {
                return refused(format!(
                    "bot `{name}` makes no simulations: write uct:key=value,..."
                ));
            };
            if config.seconds.is_some() {
                return refused(format!("bot `{name}` sets seconds: leave it out"));
            }
            if self.simulations < u64::from(config.workers) {
                let workers = config.workers;
                return refused(format!("bot `{name}` has {workers} workers: raise `simulations`"));
            }
            if !config.sharing.is_none() {
                return refused(format!("bot `{name}` sets sharing: leave it out"));
            }
            if self.bot[..place].iter().any(|other| other.name == *name) {
                return refused(format!("two bots are `{name}`: name one, NAME=SPEC"));
            }
        }
        Ok(self)
    }

    /// The settings as TOML: of a run, the contents of `config.toml`.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// The numbers of simulations, rising.
    #[must_use]
    pub fn budgets(&self) -> Vec<u64> {
        (0..=self.doublings).map(|doubling| self.simulations << doubling).collect()
    }

    /// The configurations of the searches, in the order of the bots.
    pub fn searches(&self) -> impl Iterator<Item = &UctConfig> {
        self.bot.iter().filter_map(|bot| bot.config.uct())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "name = \"a-run\"\npositions = \"solved.csv\"\nsimulations = 16\ndoublings = 3\nsearches = 2\n\
                        seed = 1\nbot = [\"plain=uct:rave=none\", \"uct\"]\n";

    #[test]
    fn wrong_settings_are_named() {
        for (from, to, fault) in [
            ("doublings = 3", "doublings = 21", "`doublings` is 21"),
            ("searches = 2", "searches = 0", "`searches` is 0"),
            ("simulations = 16", "simulations = 0", "`simulations` is 0"),
            ("\"uct\"", "\"random\"", "bot `random` makes no simulations"),
            ("\"uct\"", "\"plain=uct\"", "two bots are `plain`"),
            ("\"uct\"", "\"uct:seconds=1\"", "sets seconds"),
            ("seed", "sead", "sead"),
            ("a-run", "a/run", "`a/run`"),
        ] {
            let said = TEXT.replacen(from, to, 1).parse::<Settings>().unwrap_err().to_string();
            assert!(said.contains(fault), "{said}");
        }
    }
}
