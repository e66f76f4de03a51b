//! The settings of a learning run.

use crate::run::{Execution, check_name_of_parts};
use crate::tournament::Tournament;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use tengen_bots::NamedBot;
use tengen_go::{ParseError, text_setting};
use tengen_learn::{Fit, feature};
use tengen_search::prior::VISITS;
use tengen_settings::{CliOptions, Domain, Part, SettingError, Settings as _, check, settings};
use tengen_stats::Sprt;

/// Settings of a tournament that a learning run has too.
pub(super) const OF_TOURNAMENT: [&str; 9] =
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
        /// Kind of run: `learn`
        kind: String = "learn".to_owned(), "KIND" File extent;
        /// Name of the run, part of its folder's name.
        ///
        /// At most 89 letters, digits, `_`, `.` and `-`: the command adds a part to the name, to at
        /// most 100 characters.
        name: String = "learn".to_owned(), "NAME" One nothing;
        /// Learn from the games of the run in DIR, given once or more.
        ///
        /// `tengen tournament --training` must have played these games, on boards of --size. The
        /// run then has one round without games of a teacher, and a match only with --pairs.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        from: Vec<PathBuf> = Vec::new(), "DIR" Many;
        /// Number of rounds.
        ///
        /// A round has games of the teacher, a fit of the weights, and a match.
        rounds: usize = if from.is_empty() { 5 } else { 1 } => "5; 1 with from",
            "ROUNDS" One, in 1..=1_000;
        /// Number of recent rounds per fit.
        ///
        /// A fit forgets the positions of earlier rounds, whose teacher knew less.
        window: usize = 3, "ROUNDS" One, in 1..;
        /// Number of games per round that the teacher plays against itself, an even number
        games: usize = 400, "GAMES" One, in 2..=1_000_000;
        /// Teacher: a bot of kind uct without an evaluator.
        ///
        /// Weights are fitted to the visits of the teacher's searches. Give it `prior=none`: without
        /// a `prior` it has the built-in weights, and teaches them.
        teacher: NamedBot = bot("uct:simulations=3000,prior=none,expansion=8,rave=equivalence:300")?,
            "SPEC" One;
        /// How the learned prior counts in the searches of the teacher, as EVEN:WEIGHT.
        ///
        /// `tengen bots uct` describes EVEN and WEIGHT under `prior`. Until weights are accepted, the
        /// teacher has the prior that it is given. A teacher whose prior counts fewer visits
        /// teaches more.
        teacher_prior: Counting = Counting { even: 14.0, weight: 60.0 },
            "EVEN:WEIGHT" One;
        /// Student: a bot of kind uct without an evaluator, which the weights are to make stronger.
        ///
        /// Until weights are accepted, the opponent of a match is the student as it is given.
        student: NamedBot = bot("uct:simulations=1000,prior=none,expansion=1")?, "SPEC" One;
        /// How the learned prior counts in the searches of the student, as EVEN:WEIGHT.
        ///
        /// `tengen bots uct` describes EVEN and WEIGHT under `prior`.
        student_prior: Counting = Counting { even: 14.0, weight: 100.0 },
            "EVEN:WEIGHT" One;
        /// Sequential probability ratio test (SPRT), which ends the match of a round.
        ///
        /// The test decides between elo0 and elo1, two differences by which the student with the
        /// new weights is stronger than the student with the last accepted weights, in Elo. The
        /// weights are accepted if the test accepts elo1. elo0 and elo1 are -1000 to 1000, elo0
        /// below elo1. The model is logistic, normalized or wald.
        sprt: Sprt = sprt()?, "TEST" One;
        /// Largest number of pairs of games of the match of a round; 0 for no match.
        ///
        /// Without a decision after these pairs the weights are not accepted. With 0 all weights
        /// are accepted.
        pairs: usize = if from.is_empty() { 300 } else { 0 } => "300; 0 with from",
            "PAIRS" One, in 0..=100_000;
        /// Further opponent that the student meets after each round, such as gtp:COMMAND.
        ///
        /// These games decide nothing. They show whether a gain also holds against another bot,
        /// such as uct:simulations=1000.
        watch: Option<NamedBot> = None, "SPEC" One;
        /// Number of pairs of games per round against the opponent of --watch
        watch_pairs: usize = 10, "PAIRS" One, in 1..=100_000;
        /// Largest number of positions per fit, evenly spread over all positions
        positions: Option<usize> = None, "N" One, in 1..;
        /// Kinds of features to leave out, separated by commas, such as shape,last.
        ///
        /// shape: the 3x3 pattern. crossing: the four neighbours and their liberties. line: the
        /// distance from the edge. last: the distance from the opponent's last move. before: the
        /// distance from the player's last move. tactic: captures, escapes and atari. pass: the
        /// pass.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        leave_out: Vec<String> = Vec::new(), "KIND" List;
        /// Number of epochs per fit.
        ///
        /// An epoch goes through all positions once.
        passes: usize = Fit::default().passes, "N" One, in 1..=1_000;
        /// Penalty of squared weights.
        ///
        /// A larger penalty keeps the weights of rare features nearer to 0.
        penalty: f64 = Fit::default().penalty, "NUMBER" One, in 0.0..=1e6;
        /// Power to which a fit raises the teacher's shares of visits.
        ///
        /// Above 1 the most visited moves count for more.
        sharpness: f64 = Fit::default().sharpness, "NUMBER" One, in 0.1..=100.0;
        /// Random seed of the run (master seed), for games, matches and fits
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
    fn checked(self) -> Result<Self, SettingError> {
        check_name_of_parts(&self.name)?;
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
            let config = bot.config.uct();
            let config = config
                .ok_or_else(|| SettingError::of(key, format!("`{key}` must be of kind uct")))?;
            if config.evaluator.is_some() {
                let said = format!("`{key}` has an evaluator, which gives priors: leave it out");
                return Err(SettingError::of(key, said));
            }
        }
        Ok(self)
    }
}
