//! The settings of a learning run.

use crate::run::Execution;
use crate::tournament::{Tournament, check_name};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use tengen_bots::NamedBot;
use tengen_go::{ParseError, text_setting};
use tengen_learn::{Fit, feature};
use tengen_search::UctConfig;
use tengen_search::prior::VISITS;
use tengen_settings::{CliOptions, Domain, Part, SettingError, Settings as _, check, settings};
use tengen_stats::Sprt;

/// Settings of a tournament that a learning run has too.
const OF_TOURNAMENT: [&str; 9] =
    ["size", "komi", "rules", "ko", "suicide", "max_plies", "openings", "opening", "opening_plies"];

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
        let (even, weight) = both.ok_or_else(|| Self::refused(text))?;
        Ok(Self { even, weight })
    }
}

impl fmt::Display for Counting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.even, self.weight)
    }
}

text_setting!(
    Counting,
    "counting",
    format!("EVEN:WEIGHT, numbers from {}, as in 20:150", Domain::from(VISITS))
);

settings! {
    "a learning run" => checked
    /// What is learned from, how, and how it is judged: the settings of a learning run that a tournament
    /// does not have.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Settings {
        /// Kind of run
        kind: String = "learn".to_owned(), "KIND" File extent;
        /// Name of the run, part of its folder's name
        name: String = "learn".to_owned(), "NAME" One nothing;
        /// Learn from the games of this run, which `tournament --training` played on boards of --size,
        /// given once or more; then there is one round without games of a teacher, and a match only with --pairs
        #[serde(skip_serializing_if = "Vec::is_empty")]
        from: Vec<PathBuf> = Vec::new(), "DIR" Many;
        /// Number of rounds: games of the teacher, a fit to the positions of the last rounds, and a match
        rounds: usize = if from.is_empty() { 5 } else { 1 } => "5; 1 with from",
            "ROUNDS" One, in 1..=1_000;
        /// Number of the last rounds whose positions a fit takes: those of a teacher that knew nothing are
        /// forgotten in time
        window: usize = 3, "ROUNDS" One, in 1..;
        /// Number of games of a round, which the teacher plays against itself: an even number
        games: usize = 400, "GAMES" One, in 2..=1_000_000;
        /// The teacher: a bot of kind uct, whose visits are learned
        teacher: NamedBot = bot("uct:simulations=3000,prior=none,rave=equivalence:300")?,
            "SPEC" One;
        /// How the learned prior counts in the searches of the teacher, from the second round on:
        /// EVEN:WEIGHT of prior=learned. A teacher whose prior counts fewer visits teaches more
        teacher_prior: Counting = Counting { even: 14.0, weight: 60.0 },
            "EVEN:WEIGHT" One;
        /// The student: the bot of kind uct that is to become stronger; the first match is against it as
        /// it is given
        student: NamedBot = bot("uct:simulations=1000,prior=none,expansion=1")?, "SPEC" One;
        /// How the learned prior counts in the searches of the student: EVEN:WEIGHT of prior=learned
        student_prior: Counting = Counting { even: 14.0, weight: 100.0 },
            "EVEN:WEIGHT" One;
        /// The sequential test that ends the match of a round; weights are accepted where it accepts
        /// elo1
        sprt: Sprt = sprt()?, "TEST" One;
        /// Number of pairs of games of that match at most; 0 for no match
        pairs: usize = if from.is_empty() { 300 } else { 0 } => "300; 0 with from",
            "PAIRS" One, in 0..=100_000;
        /// Another opponent, such as gtp:COMMAND or uct:simulations=1000,prior=heuristic:20, that the student
        /// meets after each round, to see whether what is gained holds against others too
        #[serde(skip_serializing_if = "Option::is_none")]
        watch: Option<NamedBot> = None, "SPEC" One;
        /// Number of pairs of games against it
        watch_pairs: usize = 10, "PAIRS" One, in 1..=100_000;
        /// Learn from at most this many positions, evenly spread over all
        #[serde(skip_serializing_if = "Option::is_none")]
        positions: Option<usize> = None, "N" One, in 1..;
        /// Kinds of features to leave out, with commas: shape (the 3x3 pattern), crossing (the four
        /// neighbours and their liberties), line (distance from the edge), last and before (distance from the
        /// opponent's last move and from the own one before it), tactic, pass
        #[serde(skip_serializing_if = "Vec::is_empty")]
        leave_out: Vec<String> = Vec::new(), "KIND" List;
        /// Number of epochs of a fit, each of which goes through all positions
        passes: usize = Fit::default().passes, "N" One, in 1..=1_000;
        /// Penalty of squared weights, which keeps those of rare features near 0
        penalty: f64 = Fit::default().penalty, "NUMBER" One, in 0.0..=1e6;
        /// Power to which the teacher's shares of visits are raised before they are learned: above 1 the
        /// most visited moves count for more
        sharpness: f64 = Fit::default().sharpness, "NUMBER" One, in 0.1..=100.0;
        /// Random seed of games, matches and fits
        seed: u64 = 1, "SEED" One;
    }
}

fn bot(text: &str) -> Result<NamedBot, SettingError> {
    text.parse().map_err(|error: tengen_bots::SpecError| SettingError::from(error.to_string()))
}

fn sprt() -> Result<Sprt, SettingError> {
    "elo0=0 elo1=40".parse().map_err(|error| SettingError::of("sprt", format!("{error}")))
}

impl CliOptions for Settings {
    const HEADING: &'static str = "Learning (each also a key of the TOML file)";

    fn parts() -> Vec<Part> {
        vec![
            Self::part(),
            Tournament::part_of(&OF_TOURNAMENT),
            Execution::part_of(&["out", "threads"]),
        ]
    }
}

impl Settings {
    /// The keys of a tournament's settings that a learning run has too.
    pub(super) const fn of_tournament() -> &'static [&'static str] {
        &OF_TOURNAMENT
    }

    fn checked(self) -> Result<Self, SettingError> {
        check_name(&self.name)?;
        let even = "even, since games are played in pairs";
        check("games", self.games, self.games.is_multiple_of(2), even)?;
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
    bot.config.uct()
}
