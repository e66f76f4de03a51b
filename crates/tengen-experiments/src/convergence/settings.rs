//! The settings of the experiment.

use crate::run::{Execution, check_name};
use std::path::PathBuf;
use tengen_bots::{NamedBot, SideBySide};
use tengen_go::Size;
use tengen_settings::{CliOptions, KeyChange, Part, SettingError, Settings as _, settings};

/// Keys of earlier versions.
const KEY_CHANGES: &[KeyChange] = &[KeyChange::Renamed { key: "playouts", now: "simulations" }];

settings! {
    "a measurement of convergence" => checked; changes KEY_CHANGES
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
        /// Board sizes of the positions, such as 4x4,5x5; all sizes of the file if left out
        #[serde(skip_serializing_if = "Vec::is_empty")]
        size: Vec<Size> = Vec::new(), "SIZE" List;
        /// Smallest number of simulations of a search.
        ///
        /// If a file or the options of `tengen suite` leave it out, each bot moves by its own settings, and
        /// any bot can be measured.
        simulations: Option<u64> = None, "N" One, in 1..=1 << 20;
        /// Number of doublings of the smallest number of simulations.
        ///
        /// 12 doublings of 16 simulations measure 16, 32, 64 and so on up to 65,536 simulations.
        doublings: u32 = 0, "N" One, in 0..=20;
        /// Number of searches of each position by each bot.
        ///
        /// Every search has its own seed.
        searches: u32 = 2, "N" One, in 1..=1_000;
        /// Random seed of the run (master seed), for the searches
        seed: u64 = 1, "SEED" One;
        /// Bot whose moves are measured, given once or more.
        ///
        /// NAME=SPEC names the bot, as in rave=uct:exploration=0. Every bot needs its own name.
        /// With --simulations every bot must be a uct without seconds and sharing.
        bot: Vec<NamedBot>, "SPEC" Many;
    }
}

impl CliOptions for Settings {
    const HEADING: &'static str = "Measurement (each also a key of the TOML file)";

    fn parts() -> Vec<Part> {
        vec![Self::part(), Execution::part_of(&["out", "threads"])]
    }
}

impl Settings {
    /// The settings, if each number is in its range, no two bots share a name, and each bot can
    /// search a number of simulations if there is one.
    fn checked(self) -> Result<Self, SettingError> {
        check_name(&self.name)?;
        if self.bot.is_empty() {
            return Err(SettingError::of("bot", "`bot` is empty: write the bots to measure"));
        }
        if self.simulations.is_none() && self.doublings > 0 {
            let said = "`doublings` needs `simulations`, the number that is doubled: set it too";
            return Err(SettingError::of("doublings", said));
        }
        for (place, bot) in self.bot.iter().enumerate() {
            let name = &bot.name;
            let is_named_before = self.bot[..place].iter().any(|other| other.name == *name);
            let fault = if is_named_before {
                Some(format!("two bots are `{name}`: name one, NAME=SPEC"))
            } else {
                self.simulations.and_then(|simulations| why_not_measured(bot, simulations))
            };
            if let Some(fault) = fault {
                return Err(SettingError::of("bot", fault));
            }
        }
        Ok(self)
    }

    /// The numbers of simulations, rising; none of them known where each bot moves by its own
    /// settings.
    #[must_use]
    pub fn budgets(&self) -> Vec<Option<u64>> {
        match self.simulations {
            Some(least) => (0..=self.doublings).map(|doubling| Some(least << doubling)).collect(),
            None => vec![None],
        }
    }

    /// How many of its searches a thread could make side by side: fewer than any number if a bot is
    /// a program or has a clock, so that no search can be repeated exactly.
    #[must_use]
    pub fn side_by_side(&self) -> SideBySide {
        let each = self.bot.iter().map(|bot| bot.config.side_by_side());
        each.max().unwrap_or(SideBySide::Any)
    }
}

/// Why the searches of `bot` cannot be measured after `least` simulations and more, with what to do
/// about it.
fn why_not_measured(bot: &NamedBot, least: u64) -> Option<String> {
    let name = &bot.name;
    let Some(config) = bot.config.uct() else {
        return Some(format!(
            "bot `{name}` makes no simulations: write uct:key=value,..., or leave `simulations` out"
        ));
    };
    let workers = config.workers;
    if config.seconds.is_some() {
        Some(format!("bot `{name}` sets seconds: leave it out, or leave `simulations` out"))
    } else if least < u64::from(workers) {
        Some(format!("bot `{name}` has {workers} workers: raise `simulations`"))
    } else if !config.sharing.is_none() {
        Some(format!("bot `{name}` sets sharing: leave it out, or leave `simulations` out"))
    } else {
        None
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
            ("simulations = 16\n", "", "`doublings` needs `simulations`"),
            ("seed", "size = [\"5\"]\nsearchs", "searchs"),
        ] {
            let said = Settings::from_toml(&TEXT.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(said.contains(fault), "{said}");
        }
    }

    #[test]
    fn without_simulations_any_bot_is_measured() {
        let text = "positions = \"a.csv\"\nbot = [\"random\", \"uct:seconds=1\"]\n";
        let settings = Settings::from_toml(text).unwrap();
        assert_eq!(settings.budgets(), [None]);
        assert_eq!(settings.side_by_side(), SideBySide::One);
        let text = toml::to_string(&settings).unwrap();
        assert!(!text.contains("simulations =") && !text.contains("size ="), "{text}");
        assert_eq!(Settings::from_toml(&text).unwrap(), settings);
    }
}
