//! The settings of a tournament.

use super::counted::Counted;
use super::opening::{self, Opening, Openings};
use super::rule::Rule;
use super::schedule::{Format, Schedule};
use crate::run::{Execution, RunError, check_name};
use serde::Serialize;
use std::collections::HashSet;
use std::ops::Bound::Excluded;
use std::str::FromStr;
use tengen_bots::{NamedBot, SideBySide};
use tengen_go::{Ko, Komi, Preset, Rules, Size, Suicide, default_komi, default_max_plies};
use tengen_settings::{CliOptions, Part, SettingError, Settings, settings};
use tengen_stats::{Correction, Sprt};
use toml::Table;

/// The key `kind` of a tournament.
pub(crate) const TOURNAMENT_KEY: &str = "tournament";

/// The keys `kind` of the tournaments that `scaling` plays.
pub(crate) const SCALING_KEYS: &[&str] = &["scaling-doubling", "scaling-parallel"];

settings! {
    "a tournament" => checked
    /// All settings of a tournament that decide its games: the contents of `config.toml`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Tournament {
        /// Kind of run: `tournament`, `scaling-doubling` or `scaling-parallel`
        kind: String = TOURNAMENT_KEY.to_owned(), "KIND" File extent;
        /// Bot, given twice or more, such as uct:simulations=4000.
        ///
        /// NAME=SPEC names the bot, as in many=uct:simulations=4000,exploration=0.4. `tengen bots`
        /// lists the kinds of bots and the presets.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        bots as "bot": Vec<NamedBot> = Vec::new(), "SPEC" Many;
        /// Board size, such as 9 or 9x7.
        ///
        /// 9x7 has 9 columns and 7 rows; both numbers are 1 to 19.
        size: Size = default_size(), "SIZE" One;
        /// Komi in points, a multiple of 0.5 from -1000 to 1000.
        ///
        /// White receives the komi for moving second.
        komi: Komi = default_komi(size) => "2.5 up to 5x5, 8.5 on 7x7, else 7.5", "KOMI" One;
        /// Rule set, which decides ko and suicide
        rules: Preset = Preset::default(), "RULES" One nothing;
        /// Ko rule, in place of the ko rule of the rule set
        ko: Ko = rules.ko_and_suicide().0 => "by the rule set", "KO" One;
        /// Suicide rule, in place of the suicide rule of the rule set
        suicide: Suicide = rules.ko_and_suicide().1 => "by the rule set",
            "SUICIDE" One;
        /// Longest game in plies (moves and passes).
        ///
        /// A game of this length ends, and is scored as the board stands.
        max_plies: u32 = default_max_plies(size) => "4 x points + 100",
            "PLIES" One, in 1..=100_000;
        /// Tournament format: which bots meet
        format: Format = Format::default(), "FORMAT" One;
        /// Sequential probability ratio test (SPRT), which ends a match of two bots.
        ///
        /// The test decides between elo0 and elo1, two differences by which the first bot is
        /// stronger than the second, in Elo. The match ends when the test accepts elo0 or elo1, or
        /// after --pairs pairs. elo0 and elo1 are -1000 to 1000, elo0 below elo1. alpha and beta
        /// are the error rates, above 0 and below 0.5. The model is logistic, normalized or wald.
        /// Example, with the defaults: "elo0=0 elo1=30 alpha=0.05 beta=0.05 model=logistic".
        sprt: Option<Sprt> = None, "TEST" One extent;
        /// Find the best opponent of the first bot in a gauntlet, with this error rate.
        ///
        /// Successive elimination: after 16, 32, 64 and so on pairs of each remaining opponent,
        /// opponents that are worse than another one by more than chance are dropped, and play no
        /// more. The best opponent, the one that wins most against the first bot, is dropped with a
        /// probability of at most the error rate. The run ends when one opponent remains, or after
        /// --pairs pairs.
        eliminate: Option<f64> = None, "ERROR" One extent, in (Excluded(0.0), Excluded(0.5));
        /// Source of the openings: random, shared, balanced, none, or a PATH of game records.
        ///
        /// random: random moves. shared: random moves, one opening for pair n of every pairing.
        /// balanced: random moves, kept only if a search of 2,000 simulations gives Black a win
        /// rate of 35 to 65 %. none: the empty board. PATH: an SGF file or a folder of SGF files,
        /// one opening per pair.
        openings: Openings = Openings::default(), "random|shared|balanced|none|PATH" One;
        /// Opening of pair 0, pair 1 and so on; empty if the program draws the openings
        #[serde(skip_serializing_if = "Vec::is_empty")]
        opening: Vec<Opening> = read(&openings, size, Rules { ko, suicide, komi, max_plies })?,
            "OPENING" File;
        /// Number of colour-swapped pairs of games per pairing (two bots that meet)
        pairs: usize = default_pairs(sprt.is_some(), eliminate.is_some(), opening.len())
            => "50; 10000 with sprt; 1024 with eliminate; at most the number of openings",
            "PAIRS" One extent, in 1..=10_000_000;
        /// Number of random moves before the bots begin.
        ///
        /// Both games of a pair begin with these moves.
        opening_plies: u32 = default_opening_plies(size) => "2 up to 5x5, 4 up to 9x9, else 8",
            "PLIES" One, in 0..=200;
        /// Keep visits, win rate and principal variation of each move in the rows.
        ///
        /// The rows have them in the column comments of games.csv, and `tengen sgf` writes them
        /// into the game records. On the command line --comments stands for --comments true.
        comments: bool = false, "COMMENTS" Flag extent;
        /// Random seed of the run (master seed), for openings and bots
        seed: u64 = 1, "SEED" One;
        /// Claims that the run decides when it is over, such as "new > old + 20" or "a = b +- 20".
        ///
        /// The examples claim that the bot new is more than 20 Elo stronger than the bot old, and
        /// that the bots a and b differ by less than 20 Elo.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        rule: Vec<Rule> = Vec::new(), "RULE" File extent;
        /// Correction of the verdicts on several rules for their number.
        ///
        /// The verdict on each rule alone is written beside the corrected verdict.
        #[serde(skip_serializing_if = "Correction::is_default")]
        correction: Correction = Correction::default(), "CORRECTION" File extent;
        /// Name of the run, part of its folder's name.
        ///
        /// At most 100 characters: letters, digits, `_`, `.` and `-`.
        name: String = "tournament".to_owned(), "NAME" One nothing;
    }
}

fn default_size() -> Size {
    Size::square(9).expect("9x9 is a size")
}

/// The openings in the file or folder of `openings`; none if it names no path.
fn read(openings: &Openings, size: Size, rules: Rules) -> Result<Vec<Opening>, SettingError> {
    match openings {
        Openings::Path(path) => opening::read(path, size, rules),
        _ => Ok(Vec::new()),
    }
}

/// Default number of pairs: a test and an elimination stop by themselves, and each of the first
/// given `openings` is played once.
fn default_pairs(is_test: bool, is_elimination: bool, openings: usize) -> usize {
    let pairs = match (is_test, is_elimination) {
        (true, _) => return 10_000,
        (false, true) => 1_024,
        (false, false) => 50,
    };
    if openings == 0 { pairs } else { openings.min(pairs) }
}

/// Default number of opening plies: enough that the games of a pairing differ, few
/// enough that neither side is ahead.
fn default_opening_plies(size: Size) -> u32 {
    match size.longer_side() {
        ..=5 => 2,
        6..=9 => 4,
        _ => 8,
    }
}

/// Appends `#2`, `#3` and so on to the names of further bots that were given no name
/// and have the same text form, since a bot may meet itself.
fn with_unique_names(bots: Vec<NamedBot>) -> Result<Vec<NamedBot>, SettingError> {
    let mut taken = HashSet::new();
    let mut unique = bots;
    for NamedBot { name, .. } in unique.iter().filter(|bot| bot.is_named()) {
        if !taken.insert(name.clone()) {
            let said = format!("two bots are named `{name}`: give each its own name, NAME=SPEC");
            return Err(SettingError::of("bot", said));
        }
    }
    for bot in unique.iter_mut().filter(|bot| !bot.is_named()) {
        let text = bot.name.clone();
        let mut number = 1;
        while !taken.insert(bot.name.clone()) {
            number += 1;
            bot.name = format!("{text}#{number}");
        }
    }
    Ok(unique)
}

impl FromStr for Tournament {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        Self::from_toml(text)
    }
}

impl Tournament {
    /// The settings `given` over the settings `below`. A setting of `below` is dropped if it
    /// follows from a given setting: ko and suicide follow from the rule set, the openings from
    /// their source, komi, the longest game and the number of opening plies from another size, and
    /// the rounds and pairs of a learning run from whether it plays games.
    #[must_use]
    pub fn over(given: Table, mut below: Table) -> Table {
        let size = |table: &Table| table.get("size").cloned()?.try_into::<Size>().ok();
        let has_size = given.contains_key("size") && size(&given) != size(&below);
        for (is_given, replaced) in [
            (given.contains_key("rules"), &["ko", "suicide"][..]),
            (given.contains_key("openings"), &["opening"]),
            (has_size, &["komi", "max_plies", "opening_plies"]),
            (given.contains_key("from") && !below.contains_key("from"), &["rounds", "pairs"]),
        ] {
            below.retain(|key, _| !(is_given && replaced.contains(&key)));
        }
        below.extend(given);
        below
    }

    /// The settings, checked, with a name of its own for each bot and a source of openings that
    /// needs no file.
    fn checked(mut self) -> Result<Self, SettingError> {
        self.bots = with_unique_names(self.bots)?;
        if !self.opening.is_empty() {
            if matches!(self.openings, Openings::Shared | Openings::Balanced | Openings::None) {
                let said = format!("`openings` is {}: leave it or `opening` out", self.openings);
                return Err(SettingError::of("openings", said));
            }
            self.openings = Openings::Given;
        } else if self.openings == Openings::None {
            self.opening_plies = 0;
        }
        if matches!(self.openings, Openings::None | Openings::Given) && self.opening.is_empty() {
            self.openings = Openings::Random;
        }
        self.validate()?;
        Ok(self)
    }

    /// The rules of the tournament's games.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        Rules { ko: self.ko, suicide: self.suicide, komi: self.komi, max_plies: self.max_plies }
    }

    /// How many games a thread can play side by side: what the bot allows that allows the fewest.
    pub(crate) fn side_by_side(&self) -> SideBySide {
        self.bots.iter().map(|bot| bot.config.side_by_side()).max().unwrap_or(SideBySide::Any)
    }

    /// No games, before those that count are found.
    #[must_use]
    pub fn no_games(&self) -> Counted {
        Counted::new(self.sprt, self.eliminate, self.bots.len())
    }

    /// Whether a sequential test or an elimination can end matches before all pairs are played.
    #[must_use]
    pub fn ends_early(&self) -> bool {
        self.sprt.is_some() || self.eliminate.is_some()
    }

    /// The schedule of the tournament's games.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.format, self.bots.len(), self.pairs, self.seed)
    }

    /// Checks the settings.
    pub fn validate(&self) -> Result<(), SettingError> {
        let refused = |key: &str, said: String| Err(SettingError::of(key, said));
        if let few @ 0..=1 = self.bots.len() {
            let given = if few == 0 { "none is" } else { "one is" };
            let said =
                format!("a tournament needs two bots or more, and {given} given: add --bot SPEC");
            return refused("bot", said);
        }
        let (openings, pairs) = (self.opening.len(), self.pairs);
        if self.openings == Openings::Given && openings < pairs {
            let (are, s) = if openings == 1 { ("is", "") } else { ("are", "s") };
            let said = format!(
                "there {are} {openings} opening{s} for {pairs} pairs: request {openings} or fewer"
            );
            return refused("pairs", said);
        }
        opening::check(&self.opening, self.size, self.rules())?;
        if self.sprt.is_some() && self.bots.len() > 2 {
            let bots = self.bots.len();
            let said = format!(
                "a sequential test compares two bots, and {bots} are given: leave --sprt or bots out"
            );
            return refused("sprt", said);
        }
        if self.eliminate.is_some() {
            if self.format != Format::Gauntlet || self.bots.len() < 3 {
                let said = "an elimination compares the opponents of the first bot: request format gauntlet with \
                            three bots or more";
                return refused("eliminate", said.to_owned());
            }
            if let Some(rule) = self.rule.first() {
                let said = format!(
                    "an elimination ends matches early, so that rules have no fixed sample: leave \
                     `eliminate` or the rule `{rule}` out"
                );
                return refused("eliminate", said);
            }
        }
        for rule in &self.rule {
            let pairings = self.schedule();
            let is = |place: usize, name: &str| self.bots[place].name == name;
            let meet = pairings.pairings().iter().any(|pairing| {
                let (first, second) = (pairing.first, pairing.second);
                is(first, &rule.bot) && is(second, &rule.opponent)
                    || is(first, &rule.opponent) && is(second, &rule.bot)
            });
            if !meet {
                let said = format!(
                    "the bots of the rule `{rule}` do not meet: expected names of two bots that do"
                );
                return refused("rule", said);
            }
        }
        check_name(&self.name)?;
        self.in_range()
    }

    /// The settings of a run whose games have the settings `shared` of the tournament: these, and the
    /// `own` settings of the run.
    pub fn with_settings(&self, own: &impl Serialize, shared: &[&str]) -> Result<Table, RunError> {
        let mut table = Table::try_from(own)?;
        let of_tournament = Table::try_from(self)?;
        table.extend(of_tournament.into_iter().filter(|(key, _)| shared.contains(&key.as_str())));
        Ok(table)
    }
}

impl CliOptions for Tournament {
    const HEADING: &'static str = "Tournament (each also a key of the TOML file)";

    fn parts() -> Vec<Part> {
        vec![Self::part(), Execution::part()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    settings! {
        "a test"
        /// Settings of an experiment that needs a bot.
        #[derive(Clone, Debug, PartialEq)]
        struct OfOneBot {
            /// Number of games
            games: u32 = 7, "N" One;
            /// The bot
            player: NamedBot, "SPEC" One;
        }
    }

    #[test]
    fn a_bot_that_has_to_be_given_leaves_the_defaults_of_others() {
        assert_eq!(OfOneBot::filled(&Table::new()), "games = 7".parse().unwrap());
    }

    #[test]
    fn what_is_given_wins() {
        let over = |given: &str, below: &str| {
            let (given, below) = (given.parse().unwrap(), below.parse().unwrap());
            Tournament::from_table(Tournament::over(given, below)).unwrap()
        };
        let both = over(
            "pairs = '3'\nbot = ['random', 'two-ply']",
            "pairs = 9\nseed = 7\nbot = ['uct', 'random']",
        );
        assert_eq!((both.pairs, both.seed, both.bots[1].name.as_str()), (3, 7, "two-ply"));
        // A complete file names its ko rule; other rule sets bring their own.
        let file = "rules = 'simple'\nko = 'simple'\nbot = ['uct', 'random']";
        assert_eq!(over("rules = 'aga'", file).ko, Ko::Ssk);
        let file = "bot = ['uct', 'random']\nsize = '5x5'\nkomi = 2.5\nmax_plies = 200";
        assert_eq!(over("size = '9'", file).komi.to_string(), "7.5");
        // The same size, written otherwise.
        assert_eq!(over("size = '5'\npairs = 3", file).max_plies, 200);
        let file = "bot = ['uct', 'random']\nsize = 5\n[[opening]]\nmoves = 'C3'";
        assert_eq!(over("openings = 'random'", file).openings, Openings::Random);
    }

    #[test]
    fn a_bot_may_meet_itself() {
        let names = |text: &str| -> Result<Vec<String>, String> {
            let tournament: Tournament =
                text.parse().map_err(|error: SettingError| error.to_string())?;
            Ok(tournament.bots.into_iter().map(|bot| bot.name).collect())
        };
        assert_eq!(
            names("bot = ['random', 'random', 'uct:workers=1', 'uct', 'random']").unwrap(),
            ["random", "random#2", "uct", "uct#2", "random#3"]
        );
        assert!(names("bot = ['a=random', 'a=uct']").unwrap_err().contains("named `a`"));
        assert_eq!(names("bot = ['uct', 'uct=random']").unwrap(), ["uct#2", "uct"]);
    }
}
