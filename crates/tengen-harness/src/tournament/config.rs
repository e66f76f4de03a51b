//! The settings of a tournament with every default filled in.

use super::opening::{self, Opening, OpeningError, Source};
use super::row::GameRow;
use super::schedule::{Format, Schedule};
use serde::Serialize;
use tengen_bots::NamedBot;
use tengen_go::{Color, Ko, Komi, Preset, Rules, Size, Suicide};
use tengen_stats::Sprt;

/// The largest seed: TOML has no larger integers.
const MAX_SEED: u64 = i64::MAX as u64;

/// The longest name of a run: with the date before it and a number behind it
/// it is the name of a folder, which systems bound at 255 bytes.
pub(super) const MAX_NAME: usize = 100;

/// A wrong setting of a tournament.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SettingsError {
    /// Fewer than two bots.
    #[error("a tournament needs two bots or more, and {0} given: add --bot SPEC")]
    TooFewBots(&'static str),
    /// A sequential test of more than two bots.
    #[error("a sequential test compares two bots, and {0} are given: leave --sprt or bots out")]
    TestOfMany(usize),
    /// Openings that cannot be read.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// More pairs than openings.
    #[error("there are {openings} openings for {pairs} pairs: ask for {openings} pairs or fewer")]
    TooFewOpenings {
        /// Openings given.
        openings: usize,
        /// Pairs wanted.
        pairs: usize,
    },
    /// Two bots were given one name.
    #[error("two bots are named `{0}`: give each a name of its own, NAME=SPEC")]
    SameName(String),
    /// A name of the run that cannot be part of its folder's name.
    #[error(
        "invalid name of a run `{0}`: expected 1 to {MAX_NAME} letters, digits, `_`, `.` and `-`"
    )]
    Name(String),
    /// A number outside its range.
    #[error("{key} is {value}: it must be {range}")]
    Range {
        /// The option without its dashes.
        key: &'static str,
        /// What was given.
        value: u64,
        /// What is allowed.
        range: &'static str,
    },
}

/// All settings of a tournament, defaults filled in: the contents of `config.toml`,
/// which decide its games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tournament {
    /// Kind of run: `tournament`, or what its report is about.
    pub kind: String,
    /// Name of the run, part of its folder's name.
    pub name: String,
    /// Board size.
    pub size: Size,
    /// Komi, in points.
    pub komi: Komi,
    /// Rule set: ko, suicide and superko.
    pub rules: Preset,
    /// Ko rule.
    pub ko: Ko,
    /// Suicide rule.
    pub suicide: Suicide,
    /// Longest game in plies (moves and passes), after which it is scored as it
    /// stands.
    pub max_plies: u32,
    /// Tournament format: which bots meet.
    pub format: Format,
    /// Number of colour-swapped pairs of games per pairing.
    pub pairs: usize,
    /// Source of the openings.
    pub openings: Source,
    /// Number of random moves of an opening.
    pub opening_plies: u32,
    /// Random seed (master seed) of openings and bots.
    pub seed: u64,
    /// Whether the rows have visits, win rate and principal variation of each move as
    /// comments.
    pub comments: bool,
    /// The sequential test that may end the tournament early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// The openings of pair 0, pair 1 and so on; empty where the program draws them.
    #[serde(rename = "opening", skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<Opening>,
    /// The bots, in order, with unique names.
    #[serde(rename = "bot")]
    pub bots: Vec<NamedBot>,
}

impl Tournament {
    /// The rules of the tournament's games.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        Rules { ko: self.ko, suicide: self.suicide, komi: self.komi, max_plies: self.max_plies }
    }

    /// The schedule of the tournament's games.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.format, self.bots.len(), self.pairs, self.seed)
    }

    /// Whether `row` is a game of `schedule`, the tournament's own: the pair, the
    /// pairing, the seed and the bots are those planned for its number.
    #[must_use]
    pub fn is_planned(&self, schedule: &Schedule, row: &GameRow) -> bool {
        row.game < schedule.games() && {
            let plan = schedule.plan(row.game);
            let name = |color| &self.bots[plan.bot(color)].name;
            (row.pair, row.pairing, row.seed) == (plan.pair, plan.pairing, plan.seed)
                && row.black == *name(Color::Black)
                && row.white == *name(Color::White)
        }
    }

    /// Checks the settings.
    ///
    /// # Errors
    /// The first setting that is wrong.
    pub fn validate(&self) -> Result<(), SettingsError> {
        match self.bots.len() {
            0 => return Err(SettingsError::TooFewBots("none is")),
            1 => return Err(SettingsError::TooFewBots("one is")),
            _ => {}
        }
        if self.openings == Source::Given && self.given.len() < self.pairs {
            let (openings, pairs) = (self.given.len(), self.pairs);
            return Err(SettingsError::TooFewOpenings { openings, pairs });
        }
        opening::check(&self.given, self.size, self.rules())?;
        if self.sprt.is_some() && self.bots.len() > 2 {
            return Err(SettingsError::TestOfMany(self.bots.len()));
        }
        let allowed = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        let is_short = (1..=MAX_NAME).contains(&self.name.len());
        if !is_short || !self.name.chars().all(allowed) {
            return Err(SettingsError::Name(self.name.clone()));
        }
        let check = |key, value: u64, most: u64, range| {
            let allowed = (1..=most).contains(&value);
            if allowed { Ok(()) } else { Err(SettingsError::Range { key, value, range }) }
        };
        check("pairs", self.pairs as u64, 10_000_000, "1 to 10000000")?;
        check("max-plies", self.max_plies.into(), 100_000, "1 to 100000")?;
        let plies = u64::from(self.opening_plies) + 1;
        check("opening-plies", plies, 201, "0 to 200").map_err(|_| SettingsError::Range {
            key: "opening-plies",
            value: self.opening_plies.into(),
            range: "0 to 200",
        })?;
        if self.seed > MAX_SEED {
            let range = "0 to 9223372036854775807";
            return Err(SettingsError::Range { key: "seed", value: self.seed, range });
        }
        Ok(())
    }
}
