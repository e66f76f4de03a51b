//! The settings of a learning run.

use crate::run::Execution;
use crate::tournament::{Tournament, check_name};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use tengen_bots::{BotConfig, NamedBot};
use tengen_go::{ParseError, written_as_text};
use tengen_learn::{Fit, feature};
use tengen_search::UctConfig;
use tengen_search::prior::VISITS;
use tengen_settings::{
    Optional, Setting, SettingError, Settings as _, check, refuse_unknown, settings,
};
use tengen_stats::Sprt;
use toml::Table;

/// Settings of a tournament that a learning run has too.
const OF_TOURNAMENT: [&str; 9] =
    ["size", "komi", "rules", "ko", "suicide", "max_plies", "openings", "opening", "opening_plies"];

/// Settings of an execution that it has too.
const OF_EXECUTION: [&str; 2] = ["out", "threads"];

/// How a learned prior counts: as text `EVEN:WEIGHT`, the numbers of `prior=learned:FILE:EVEN:WEIGHT`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counting {
    /// Visits of every move, half of which are won.
    pub even: f64,
    /// Won visits of a move of probability 1.
    pub weight: f64,
}

impl FromStr for Counting {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let number = |text: &str| text.parse().ok().filter(|n| VISITS.contains(n));
        let parts = text.split_once(':');
        let both = parts.and_then(|(even, weight)| Some((number(even)?, number(weight)?)));
        let (even, weight) = both.ok_or_else(|| {
            let (low, high) = (VISITS.start(), VISITS.end());
            let expected = format!("EVEN:WEIGHT, numbers from {low} to {high}, as in 20:150");
            ParseError::new("counting", text, expected)
        })?;
        Ok(Self { even, weight })
    }
}

impl fmt::Display for Counting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.even, self.weight)
    }
}

written_as_text!(Counting);

settings! {
    "a learning run"
    /// What is learned from, how, and how it is judged: the settings of a learning run that a tournament
    /// does not have.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Settings {
        /// Kind of run
        kind: String = "learn".to_owned(), "kind" "KIND" File;
        /// Name of the run, part of its folder's name [default: learn]
        name: String = "learn".to_owned(), "name" "NAME" One;
        /// Learn from the games of this run, which `tournament --training` played on boards of --size,
        /// given once or more; then there is one round without games of a teacher, and a match only with --pairs
        #[serde(skip_serializing_if = "Vec::is_empty")]
        from: Vec<PathBuf> = Vec::new(), "from" "DIR" Many;
        /// Number of rounds: games of the teacher, a fit to the positions of the last rounds, and a match
        /// [default: 5; 1 with --from]
        rounds: usize = if from.is_empty() { 5 } else { 1 }, "rounds" "ROUNDS" One;
        /// Number of the last rounds whose positions a fit takes: those of a teacher that knew nothing are
        /// forgotten in time [default: 3]
        window: usize = 3, "window" "ROUNDS" One;
        /// Number of games of a round, which the teacher plays against itself [default: 400]
        games: usize = 400, "games" "GAMES" One;
        /// The teacher: a bot of kind uct, whose visits are learned [default:
        /// uct:playouts=3000,prior=none,rave=equivalence:300]
        teacher: NamedBot = bot("uct:playouts=3000,prior=none,rave=equivalence:300")?,
            "teacher" "SPEC" One;
        /// How the learned prior counts in the searches of the teacher, from the second round on:
        /// EVEN:WEIGHT of prior=learned. A teacher whose prior counts fewer visits teaches more [default: 14:60]
        teacher_prior: Counting = Counting { even: 14.0, weight: 60.0 },
            "teacher_prior" "EVEN:WEIGHT" One;
        /// The student: the bot of kind uct that is to become stronger; the first match is against it as
        /// it is given [default: uct:playouts=1000,prior=none,expansion=1]
        student: NamedBot = bot("uct:playouts=1000,prior=none,expansion=1")?, "student" "SPEC" One;
        /// How the learned prior counts in the searches of the student: EVEN:WEIGHT of prior=learned
        /// [default: 14:100]
        student_prior: Counting = Counting { even: 14.0, weight: 100.0 },
            "student_prior" "EVEN:WEIGHT" One;
        /// The sequential test that ends the match of a round; weights are accepted where it accepts
        /// elo1 [default: elo0=0 elo1=40]
        sprt: Sprt = sprt()?, "sprt" "TEST" One;
        /// Number of pairs of games of that match at most; 0 for no match [default: 300; 0 with --from]
        pairs: usize = if from.is_empty() { 300 } else { 0 }, "pairs" "PAIRS" One;
        /// Another opponent, such as gtp:COMMAND or uct:playouts=1000,prior=heuristic:20, that the student
        /// meets after each round, to see whether what is gained holds against others too
        #[serde(skip_serializing_if = "Option::is_none")]
        watch: Option<NamedBot> = None, "watch" "SPEC" One;
        /// Number of pairs of games against it [default: 10]
        watch_pairs: usize = 10, "watch_pairs" "PAIRS" One;
        /// Learn from at most this many positions, evenly spread over all
        #[serde(skip_serializing_if = "Option::is_none")]
        positions: Option<usize> = None, "positions" "N" One;
        /// Kinds of features to leave out, with commas: shape (the 3x3 pattern), crossing (the four
        /// neighbours and their liberties), line (distance from the edge), last and before (distance from the
        /// opponent's last move and from the own one before it), tactic, pass
        #[serde(skip_serializing_if = "Vec::is_empty")]
        leave_out: Vec<String> = Vec::new(), "leave_out" "KIND" List;
        /// Number of epochs of a fit, each of which goes through all positions [default: 12]
        passes: usize = Fit::default().passes, "passes" "N" One;
        /// Penalty of squared weights, which keeps those of rare features near 0 [default: 2]
        penalty: f64 = Fit::default().penalty, "penalty" "NUMBER" One;
        /// Power to which the teacher's shares of visits are raised before they are learned: above 1 the
        /// most visited moves count for more [default: 2]
        sharpness: f64 = Fit::default().sharpness, "sharpness" "NUMBER" One;
        /// Random seed of games, matches and fits [default: 1]
        seed: u64 = 1, "seed" "SEED" One;
    }
}

fn bot(text: &str) -> Result<NamedBot, SettingError> {
    text.parse().map_err(|error: tengen_bots::SpecError| SettingError::from(error.to_string()))
}

fn sprt() -> Result<Sprt, SettingError> {
    "elo0=0 elo1=40".parse().map_err(|error| SettingError::of("sprt", format!("{error}")))
}

impl Optional for Settings {
    const HEADING: &'static str = "Learning (each also a key of the TOML file)";

    fn settings() -> Vec<Setting> {
        let all = [
            (Self::ALL, None),
            (Tournament::ALL, Some(&OF_TOURNAMENT[..])),
            (Execution::ALL, Some(&OF_EXECUTION[..])),
        ];
        all.into_iter()
            .flat_map(|(all, keys)| {
                all.iter().filter(move |it| keys.is_none_or(|keys| keys.contains(&it.key)))
            })
            .copied()
            .collect()
    }
}

impl Settings {
    /// The settings in `table`, and what is left of it: those of its tournaments.
    ///
    /// # Errors
    /// The first setting that is unknown or invalid.
    pub(super) fn split(mut table: Table) -> Result<(Self, Table), SettingError> {
        refuse_unknown(&table, Self::OWNER, <Self as Optional>::settings().iter())?;
        table.retain(|key, _| !OF_EXECUTION.contains(&key));
        Ok((Self::take(&mut table)?, table))
    }

    /// The keys of a tournament's settings that a learning run has too.
    pub(super) const fn of_tournament() -> &'static [&'static str] {
        &OF_TOURNAMENT
    }

    fn checked(self) -> Result<Self, SettingError> {
        check_name(&self.name)?;
        check("rounds", self.rounds, (1..=1_000).contains(&self.rounds), "1 to 1000")?;
        check("window", self.window, self.window > 0, "1 or more")?;
        let games = self.games;
        let even = "an even number from 2 to 1000000, since games are played in pairs";
        check("games", games, (2..=1_000_000).contains(&games) && games.is_multiple_of(2), even)?;
        let pairs = self.pairs;
        check("pairs", pairs, pairs <= 100_000, "0 to 100000")?;
        let pairs = self.watch_pairs;
        check("watch_pairs", pairs, (1..=100_000).contains(&pairs), "1 to 100000")?;
        check("passes", self.passes, (1..=1_000).contains(&self.passes), "1 to 1000")?;
        let penalty = self.penalty;
        check("penalty", penalty, (0.0..=1e6).contains(&penalty), "0 to 1000000")?;
        let sharpness = self.sharpness;
        check("sharpness", sharpness, (0.1..=100.0).contains(&sharpness), "0.1 to 100")?;
        check("seed", self.seed, i64::try_from(self.seed).is_ok(), "0 to 9223372036854775807")?;
        let positions = self.positions.unwrap_or(1);
        check("positions", positions, positions > 0, "1 or more")?;
        if let Some(kind) = self.leave_out.iter().find(|kind| !feature::KINDS.contains(&&kind[..]))
        {
            return Err(SettingError::range("leave_out", kind, &feature::KINDS.join(", ")));
        }
        if !self.from.is_empty() && self.rounds != 1 {
            let said = "with --from no games are played: leave --rounds out";
            return Err(SettingError::of("rounds", said));
        }
        for (key, bot) in [("teacher", &self.teacher), ("student", &self.student)] {
            let config = uct(bot)
                .ok_or_else(|| SettingError::of(key, format!("`{key}` must be of kind uct")))?;
            if config.evaluator.is_some() {
                let said = format!("`{key}` has an evaluator, which gives priors: leave it out");
                return Err(SettingError::of(key, said));
            }
        }
        Ok(self)
    }
}

/// The settings of a bot of kind uct.
pub(super) fn uct(bot: &NamedBot) -> Option<&UctConfig> {
    match &bot.config {
        BotConfig::Uct(config) => Some(config),
        _ => None,
    }
}
