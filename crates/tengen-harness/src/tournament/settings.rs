//! The settings of a tournament as given on the command line or in a TOML file.

use super::config::{SettingsError, Tournament};
use super::opening::{self, Opening, Source};
use super::schedule::Format;
use serde::de;
use serde::{Deserialize, Deserializer};
use std::collections::HashSet;
use std::path::PathBuf;
use tengen_bots::{BotConfig, NamedBot};
use tengen_go::{Ko, Komi, Preset, Rules, Size, Suicide, default_komi, default_max_plies};
use tengen_settings::choices::choices;
use tengen_settings::faults::Reading;
use tengen_stats::Sprt;

/// Source of the openings, as a user writes it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub enum Openings {
    /// Random moves.
    Random,
    /// Random moves, kept if neither side is ahead.
    Balanced,
    /// No opening: games begin on the empty board.
    None,
    /// The openings under the key `opening` of the TOML file.
    Given,
    /// An SGF file, or a folder of them.
    Path(PathBuf),
}

impl From<String> for Openings {
    fn from(text: String) -> Self {
        match text.as_str() {
            "random" => Self::Random,
            "balanced" => Self::Balanced,
            "none" => Self::None,
            "given" => Self::Given,
            _ => Self::Path(text.into()),
        }
    }
}

/// The settings of a tournament that were given, on the command line or in a
/// TOML file: the keys of the file are the options without their dashes, with
/// `_` for `-`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
#[command(next_help_heading = "Tournament (each also a key of the TOML file)")]
pub struct Settings {
    /// Kind of run, as `config.toml` has it.
    #[arg(skip)]
    pub kind: Option<String>,
    /// The bots, two or more.
    #[arg(
        long,
        value_name = "SPEC",
        help = format!(
            "Bot, given twice or more; NAME=SPEC names it, as \
             strong=uct:playouts=4000,exploration=0.4\n{}",
            BotConfig::help()
        )
    )]
    #[serde(default)]
    pub bot: Vec<NamedBot>,
    /// Board size, two numbers as in 9x7 or one, 1 to 19 [default: 9]
    #[arg(long)]
    pub size: Option<Size>,
    /// Komi in points, a multiple of 0.5 [default: 2.5 up to 5x5, 8.5 on 7x7,
    /// else 7.5]
    #[arg(long, allow_negative_numbers = true)]
    pub komi: Option<Komi>,
    /// Rule set: ko, suicide and superko [default: tengen, which is positional
    /// superko without suicide]
    #[arg(long, value_parser = choices::<Preset>())]
    pub rules: Option<Preset>,
    /// Ko rule, instead of that of the rule set
    #[arg(long, value_parser = choices::<Ko>())]
    pub ko: Option<Ko>,
    /// Suicide rule, instead of that of the rule set
    #[arg(long, value_parser = choices::<Suicide>())]
    pub suicide: Option<Suicide>,
    /// Longest game in plies (moves and passes), after which it is scored as it
    /// stands [default: 4 x points + 100]
    #[arg(long, value_name = "PLIES")]
    pub max_plies: Option<u32>,
    /// Tournament format: which bots meet [default: all-play-all]
    #[arg(long)]
    pub format: Option<Format>,
    /// Colour-swapped pairs of games per pairing of bots [default: 50]
    #[arg(long)]
    pub pairs: Option<usize>,
    /// Sequential probability ratio test (SPRT) of two bots: stop as soon as it
    /// accepts elo0 or elo1 as the Elo difference of the first bot to the second,
    /// after --pairs pairs at most [default: 10000]. Example: "elo0=0 elo1=30
    /// alpha=0.05 beta=0.05 model=logistic"
    #[arg(long, value_name = "TEST")]
    #[serde(default, deserialize_with = "text_or_table")]
    pub sprt: Option<Sprt>,
    /// Source of the openings: random moves, balanced (random, but kept only if a
    /// search of 2,000 simulations gives Black a win rate of 35 to 65 %), none,
    /// or an SGF file or a folder of them, one opening per pair [default: random]
    #[arg(long, value_name = "random|balanced|none|PATH")]
    pub openings: Option<Openings>,
    /// The openings, one per pair, which `--openings PATH` reads.
    #[arg(skip)]
    #[serde(default)]
    pub opening: Vec<Opening>,
    /// Number of random moves before the bots begin, the same moves in both games
    /// of a pair [default: 2 up to 5x5, 4 up to 9x9, else 8]
    #[arg(long, value_name = "PLIES")]
    pub opening_plies: Option<u32>,
    /// Write visits, win rate and principal variation of each move into the column
    /// comments, from which `tengen sgf` takes them into the records
    #[arg(long, num_args = 0..=1, default_missing_value = "true")]
    pub comments: Option<bool>,
    /// Random seed of openings and bots [default: 1]
    #[arg(long)]
    pub seed: Option<u64>,
    /// Name of the run, part of its folder's name [default: tournament]
    #[arg(long)]
    pub name: Option<String>,
    /// Output folder; if it holds a run already, DIR-2 and so on
    /// (default: `runs/<date>-<name>`)
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Number of threads; the result does not depend on it [default: one per
    /// core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS.into()))]
    #[serde(default, deserialize_with = "threads")]
    pub threads: Option<u16>,
    /// Games that a thread plays at once in a tournament with a bot of kind gtp, each with its
    /// own process of that program: the searches of other bots share the vector lanes, which
    /// is faster from 4 games on. No effect with a bot that has `seconds` [default: 1]
    #[arg(long, value_name = "GAMES",
          value_parser = clap::value_parser!(u16).range(1..=MAX_GAMES_PER_THREAD.into()))]
    #[serde(default, deserialize_with = "games_per_thread")]
    pub games_per_thread: Option<u16>,
}

/// The most threads of a run.
const MAX_THREADS: u16 = 1_024;

/// The most games that a thread plays at once with processes of another program.
pub const MAX_GAMES_PER_THREAD: u16 = 64;

/// Reads a number of threads.
fn threads<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u16>, D::Error> {
    one_to(MAX_THREADS, "threads", deserializer)
}

/// Reads the number of games that a thread plays at once.
fn games_per_thread<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u16>, D::Error> {
    one_to(MAX_GAMES_PER_THREAD, "games_per_thread", deserializer)
}

/// Reads a number from 1 to `most` under `key`.
fn one_to<'de, D: Deserializer<'de>>(
    most: u16,
    key: &str,
    deserializer: D,
) -> Result<Option<u16>, D::Error> {
    let given = i64::deserialize(deserializer)?;
    match u16::try_from(given) {
        Ok(number) if (1..=most).contains(&number) => Ok(Some(number)),
        _ => Err(de::Error::custom(format!("`{key}` is {given}: write 1 to {most}"))),
    }
}

/// Reads a sequential test: a text as on the command line, or a table.
fn text_or_table<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Sprt>, D::Error> {
    let fault = |fault: String| de::Error::custom(fault);
    match toml::Value::deserialize(deserializer)? {
        toml::Value::String(text) => text.parse().map(Some).map_err(de::Error::custom),
        toml::Value::Table(table) => table.clone().try_into().map(Some).map_err(|error| {
            let reading = Reading { table: &table, owner: "sprt", required: &[], line: None };
            fault(format!("`sprt`: {}", reading.explain::<Sprt>(&error)))
        }),
        other => Err(fault(format!(
            "`sprt` is {other}: write a text such as \"elo0=0 elo1=30\" or a table of elo0, elo1, \
             alpha, beta, model"
        ))),
    }
}

impl Settings {
    /// These settings, with those of `below` where none is given here. A rule set
    /// given here also replaces the ko rule and the suicide rule of `below`.
    #[must_use]
    pub fn or(self, below: Self) -> Self {
        Self {
            kind: self.kind.or(below.kind),
            bot: if self.bot.is_empty() { below.bot } else { self.bot },
            size: self.size.or(below.size),
            komi: self.komi.or(below.komi),
            rules: self.rules.or(below.rules),
            ko: self.ko.or(below.ko.filter(|_| self.rules.is_none())),
            suicide: self.suicide.or(below.suicide.filter(|_| self.rules.is_none())),
            max_plies: self.max_plies.or(below.max_plies),
            format: self.format.or(below.format),
            pairs: self.pairs.or(below.pairs),
            sprt: self.sprt.or(below.sprt),
            comments: self.comments.or(below.comments),
            opening: if self.openings.is_some() || below.opening.is_empty() {
                self.opening
            } else {
                below.opening
            },
            openings: self.openings.or(below.openings),
            opening_plies: self.opening_plies.or(below.opening_plies),
            seed: self.seed.or(below.seed),
            name: self.name.or(below.name),
            out: self.out.or(below.out),
            threads: self.threads.or(below.threads),
            games_per_thread: self.games_per_thread.or(below.games_per_thread),
        }
    }

    /// Fills in every default and checks every value.
    ///
    /// # Errors
    /// The first setting that is wrong.
    pub fn resolve(self) -> Result<Tournament, SettingsError> {
        let size = self.size.unwrap_or_else(default_size);
        let rules = self.rules.unwrap_or_default();
        let (ko, suicide) = rules.ko_and_suicide();
        let komi = self.komi.unwrap_or_else(|| default_komi(size));
        let (ko, suicide) = (self.ko.unwrap_or(ko), self.suicide.unwrap_or(suicide));
        let max_plies = self.max_plies.unwrap_or_else(|| default_max_plies(size));
        let (openings, given) = match self.openings {
            Some(Openings::Path(ref path)) => {
                let rules = Rules { ko, suicide, komi, max_plies };
                (Source::Given, opening::read(path, size, rules)?)
            }
            _ if !self.opening.is_empty() => (Source::Given, self.opening),
            Some(Openings::Balanced) => (Source::Balanced, Vec::new()),
            Some(Openings::Random | Openings::None | Openings::Given) | None => {
                (Source::Random, Vec::new())
            }
        };
        let is_open = self.openings == Some(Openings::None);
        let plies = if is_open { Some(0) } else { self.opening_plies };
        let most = if given.is_empty() { 50 } else { given.len().min(50) };
        let tournament = Tournament {
            kind: self.kind.unwrap_or_else(|| "tournament".to_owned()),
            name: self.name.unwrap_or_else(|| "tournament".to_owned()),
            size,
            komi,
            rules,
            ko,
            suicide,
            max_plies,
            format: self.format.unwrap_or_default(),
            pairs: self.pairs.unwrap_or(if self.sprt.is_some() { 10_000 } else { most }),
            openings,
            given,
            opening_plies: plies.unwrap_or_else(|| default_opening_plies(size)),
            seed: self.seed.unwrap_or(1),
            sprt: self.sprt,
            comments: self.comments.unwrap_or(false),
            bots: with_unique_names(self.bot)?,
        };
        tournament.validate()?;
        Ok(tournament)
    }
}

fn default_size() -> Size {
    Size::square(9).expect("9x9 is a size")
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
fn with_unique_names(bots: Vec<NamedBot>) -> Result<Vec<NamedBot>, SettingsError> {
    let mut taken = HashSet::new();
    let mut unique = bots;
    for bot in unique.iter().filter(|bot| bot.is_named()) {
        if !taken.insert(bot.name.clone()) {
            return Err(SettingsError::SameName(bot.name.clone()));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Settings {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn a_bot_may_meet_itself() {
        let names = |text| -> Result<Vec<String>, _> {
            let tournament = settings(text).resolve()?;
            Ok(tournament.bots.into_iter().map(|bot| bot.name).collect())
        };
        assert_eq!(
            names("bot = ['random', 'random', 'uct:workers=1', 'uct', 'random']").unwrap(),
            ["random", "random#2", "uct", "uct#2", "random#3"]
        );
        assert_eq!(
            names("bot = ['a=random', 'a=uct']"),
            Err(SettingsError::SameName("a".to_owned()))
        );
        assert_eq!(names("bot = ['uct', 'uct=random']").unwrap(), ["uct#2", "uct"]);
    }
}
