//! A tournament with every default filled in.

use super::opening::{self, Opening, OpeningError, Source};
use super::schedule::{Format, Schedule};
use crate::bots::NamedBot;
use crate::go::{Color, Ko, Komi, Preset, Rules, Size, Suicide};
use crate::results::GameRow;
use crate::stats::Sprt;
use serde::Serialize;

/// The largest seed: TOML has no larger integers.
const MOST_SEED: u64 = i64::MAX as u64;

/// The longest name of a run: with the date before it and a number behind it
/// it is the name of a folder, which systems bound at 255 bytes.
pub(super) const MOST_NAME: usize = 100;

/// Settings that make no tournament.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SettingsError {
    /// Fewer than two bots.
    #[error("a tournament needs two bots or more, and {0} given: add --bot SPEC")]
    TooFewBots(&'static str),
    /// A sequential test of more than two bots.
    #[error("a sequential test compares two bots, and {0} are given: leave --sprt or bots out")]
    TestOfMany(usize),
    /// Openings that cannot be had.
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
    /// A name that makes no folder.
    #[error("`{0}` is no name for a run: write 1 to {MOST_NAME} letters, digits, `_`, `.` and `-`")]
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

/// A tournament with every default filled in: what `config.toml` holds, and
/// all that decides its games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tournament {
    /// Part of the folder's name.
    pub name: String,
    /// Board size.
    pub size: Size,
    /// Points for White.
    pub komi: Komi,
    /// The set of rules that was named.
    pub rules: Preset,
    /// The ko rule in force.
    pub ko: Ko,
    /// The suicide rule in force.
    pub suicide: Suicide,
    /// Plies after which a game ends as it stands.
    pub max_plies: u32,
    /// Who meets whom.
    pub format: Format,
    /// Colour-swapped pairs of games a pairing.
    pub pairs: usize,
    /// Where openings come from.
    pub openings: Source,
    /// Random plies of an opening.
    pub opening_plies: u32,
    /// Seed of everything random.
    pub seed: u64,
    /// Whether records tell what the bots thought.
    pub comments: bool,
    /// The sequential test that may end the tournament early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// The openings of pair 0, pair 1 and so on, where they are given.
    #[serde(rename = "opening", skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<Opening>,
    /// The bots, in order, with unique names.
    #[serde(rename = "bot")]
    pub bots: Vec<NamedBot>,
}

impl Tournament {
    /// The rules of its games.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        Rules { ko: self.ko, suicide: self.suicide, komi: self.komi, max_plies: self.max_plies }
    }

    /// Its games.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.format, self.bots.len(), self.pairs, self.seed)
    }

    /// Whether `row` is a game of this tournament.
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

    /// Refuses what cannot be played.
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
        let is_short = (1..=MOST_NAME).contains(&self.name.len());
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
        if self.seed > MOST_SEED {
            let range = "0 to 9223372036854775807";
            return Err(SettingsError::Range { key: "seed", value: self.seed, range });
        }
        Ok(())
    }
}
