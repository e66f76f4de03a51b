//! The settings of a tuning run as given on the command line or in a TOML file.

use crate::methods::kind::{MethodConfigError, MethodKind};
use crate::methods::space::{Parameter, Space, SpaceError};
use crate::methods::surface::Surface;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::path::PathBuf;
use std::str::FromStr;
use tengen_bots::{NamedBot, SpecError};
use tengen_go::{Komi, Preset, Size};
use tengen_harness::tournament::Source;
use tengen_settings::choices::choices;
use tengen_settings::faults;

/// A wrong setting of a tuning run.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SettingsError(pub(crate) String);

impl SettingsError {
    pub(crate) fn of(fault: &dyn std::error::Error) -> Self {
        Self(fault.to_string())
    }

    /// What is wrong with the settings of a method, in which a trial is `games` games: a user
    /// sets their number, and not that of the trials.
    pub(crate) fn of_method(fault: &MethodConfigError, games: usize) -> Self {
        Self(match fault {
            MethodConfigError::Trials { kind, points, fewest, trials } => format!(
                "games is {}: {kind} over {points} points needs {} or more",
                games * trials,
                games * fewest
            ),
            MethodConfigError::TrialsRange { trials, most } => {
                format!("games is {}: it must be {games} to {}", games * trials, games * most)
            }
            other => other.to_string(),
        })
    }
}

/// Whom the candidate plays.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Opponent {
    /// Itself: the candidate at another point or at its default settings, as the method
    /// wants it.
    #[default]
    Itself,
    /// This bot.
    Bot(Box<NamedBot>),
}

/// How [`Opponent::Itself`] is written.
const ITSELF: &str = "self";

impl FromStr for Opponent {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        if text == ITSELF { Ok(Self::Itself) } else { Ok(Self::Bot(Box::new(text.parse()?))) }
    }
}

impl Serialize for Opponent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Itself => serializer.serialize_str(ITSELF),
            Self::Bot(bot) => bot.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Opponent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match toml::Value::deserialize(deserializer)? {
            toml::Value::String(text) => text.parse().map_err(de::Error::custom),
            table => {
                let bot = table.try_into::<NamedBot>();
                bot.map(|bot| Self::Bot(Box::new(bot))).map_err(|e| de::Error::custom(e.message()))
            }
        }
    }
}

/// The settings of a tuning run that were given, on the command line or in a TOML
/// file: the keys of the file are the options without their dashes, with `_` for `-`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields, default)]
#[command(next_help_heading = "Tuning (each also a key of the TOML file)")]
pub struct Settings {
    /// Kind of run, as `config.toml` has it.
    #[arg(skip)]
    #[serde(skip_serializing)]
    pub kind: Option<String>,
    /// Name of the run, part of its folder's name [default: tune]
    #[arg(long)]
    pub name: Option<String>,
    /// Output folder; if it holds a run already, DIR-2 and so on
    /// (default: `runs/<date>-<name>`)
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Number of threads; the result does not depend on it [default: one per
    /// core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Parameter to tune, given once or more: a setting of uct that is a number, its
    /// range, and the scale linear, log or integer. Example: exploration=0.05..2:log.
    /// In TOML a table, as in `[param]` `exploration = "0.05..2:log"`.
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub param: Option<Space>,
    /// Parameter to tune, given once or more: a setting of uct that is a number
    /// (docs/bots.md lists them), its range, and its scale: linear, log or integer
    #[arg(long = "param", value_name = "NAME=LOW..HIGH[:SCALE]", allow_hyphen_values = true)]
    #[serde(skip)]
    pub params: Vec<Parameter>,
    /// Method: thompson (Thompson sampling over a Gaussian process), clop, sweep (a
    /// grid, equally many games each), halving (a grid, the better half again) or spsa
    /// [default: thompson]
    #[arg(long, value_delimiter = ',', value_parser = choices::<MethodKind>(), hide_possible_values = true)]
    #[serde(deserialize_with = "one_or_more", skip_serializing_if = "Vec::is_empty")]
    pub method: Vec<MethodKind>,
    /// Number of games that the method plays, in colour-swapped pairs [default: 1000]
    #[arg(long, value_delimiter = ',')]
    #[serde(deserialize_with = "one_or_more", skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<usize>,
    /// Number of values per parameter of a grid: sweep and halving [default: 8]
    #[arg(long)]
    pub steps: Option<usize>,
    /// Final perturbation of spsa, half a range being 1 [default: 0.25]
    #[arg(long)]
    pub perturbation: Option<f64>,
    /// Final step of spsa as a share of the perturbation [default: 0.02]
    #[arg(long)]
    pub step: Option<f64>,
    /// Number of pairs of games that may be played at once: the method has not seen the
    /// results of the last so many [default: 24, at most a tenth of all]
    #[arg(long, value_name = "PAIRS")]
    pub look_ahead: Option<usize>,
    /// Number of pairs of games of the validation match, against the default settings
    /// and against the opponent each [default: 200]
    #[arg(long, value_name = "PAIRS")]
    pub validation: Option<usize>,
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
    /// Longest game in plies (moves and passes), after which it is scored as it
    /// stands [default: 4 x points + 100]
    #[arg(long, value_name = "PLIES")]
    pub max_plies: Option<u32>,
    /// Source of the openings: random moves, or balanced (random, but kept only if a
    /// search of 2,000 simulations gives Black a win rate of 35 to 65 %)
    /// [default: random]
    #[arg(long, value_name = "random|balanced", value_parser = source)]
    pub openings: Option<Source>,
    /// Number of random moves before the bots begin, the same moves in both games
    /// of a pair [default: 2 up to 5x5, 4 up to 9x9, else 8]
    #[arg(long, value_name = "PLIES")]
    pub opening_plies: Option<u32>,
    /// Random seed of the method, the openings and the bots [default: 1]
    #[arg(long)]
    pub seed: Option<u64>,
    /// Measure methods on a synthetic surface with a known optimum instead of games:
    /// LOG, FLAT, POWER, ANGLE, STEP, ROSENBROCK, CORRELATED, or several with commas;
    /// --method and --games then may be several too
    #[arg(
        long, value_name = "SURFACE", value_delimiter = ',', ignore_case = true,
        value_parser = choices::<Surface>(), hide_possible_values = true
    )]
    #[serde(deserialize_with = "one_or_more", skip_serializing_if = "Vec::is_empty")]
    pub synthetic: Vec<Surface>,
    /// With --synthetic: number of repeats, each with a seed of its own [default: 200]
    #[arg(long)]
    pub repeats: Option<usize>,
    /// Candidate: the bot whose settings are tuned, of kind uct; its own settings are
    /// the default that the tuned ones are compared with [default: uct]
    #[arg(long, value_name = "SPEC")]
    pub bot: Option<NamedBot>,
    /// Reference opponent: another bot, such as gtp:COMMAND (a GTP engine), or self
    /// [default: self]
    #[arg(long, value_name = "self|SPEC")]
    pub opponent: Option<Opponent>,
}

fn source(text: &str) -> Result<Source, String> {
    match text {
        "random" => Ok(Source::Random),
        "balanced" => Ok(Source::Balanced),
        _ => Err("write random or balanced".to_owned()),
    }
}

/// Reads one value or a list of them.
fn one_or_more<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: de::DeserializeOwned,
    D: Deserializer<'de>,
{
    let each = match toml::Value::deserialize(deserializer)? {
        toml::Value::Array(values) => values,
        value => vec![value],
    };
    let read = |value: toml::Value| value.try_into().map_err(|e| de::Error::custom(e.message()));
    each.into_iter().map(read).collect()
}

impl FromStr for Settings {
    type Err = SettingsError;

    /// Reads TOML; an error names the line.
    fn from_str(text: &str) -> Result<Self, SettingsError> {
        faults::read(text, "a tuning").map_err(SettingsError)
    }
}

impl Settings {
    /// The settings as TOML: of a run, the contents of `config.toml`.
    ///
    /// # Errors
    /// Never in practice: every setting has a form in TOML.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// These settings, and those of `below` where nothing is given here.
    ///
    /// # Errors
    /// If a parameter is given twice.
    pub fn or(self, below: Self) -> Result<Self, SettingsError> {
        let first = |own: Vec<_>, below| if own.is_empty() { below } else { own };
        let own = if self.params.is_empty() { self.param } else { Some(space(self.params)?) };
        Ok(Self {
            kind: self.kind.or(below.kind),
            name: self.name.or(below.name),
            out: self.out.or(below.out),
            threads: self.threads.or(below.threads),
            param: own.or(below.param),
            params: Vec::new(),
            method: if self.method.is_empty() { below.method } else { self.method },
            games: first(self.games, below.games),
            steps: self.steps.or(below.steps),
            perturbation: self.perturbation.or(below.perturbation),
            step: self.step.or(below.step),
            look_ahead: self.look_ahead.or(below.look_ahead),
            validation: self.validation.or(below.validation),
            size: self.size.or(below.size),
            komi: self.komi.or(below.komi),
            rules: self.rules.or(below.rules),
            max_plies: self.max_plies.or(below.max_plies),
            openings: self.openings.or(below.openings),
            opening_plies: self.opening_plies.or(below.opening_plies),
            seed: self.seed.or(below.seed),
            synthetic: if self.synthetic.is_empty() { below.synthetic } else { self.synthetic },
            repeats: self.repeats.or(below.repeats),
            bot: self.bot.or(below.bot),
            opponent: self.opponent.or(below.opponent),
        })
    }
}

fn space(parameters: Vec<Parameter>) -> Result<Space, SettingsError> {
    Space::new(parameters).map_err(|fault: SpaceError| SettingsError::of(&fault))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_reads_as_the_command_line() {
        let text = "method = 'clop'\ngames = [30, 100]\nopponent = 'self'\nbot = 'uct:playouts=9'\n\
                    [param]\nexploration = '0.05..2:log'";
        let read: Settings = toml::from_str(text).unwrap();
        assert_eq!(
            (read.method.as_slice(), read.games.as_slice()),
            (&[MethodKind::Clop][..], &[30, 100][..])
        );
        let params = vec!["exploration=0.05..2:log".parse().unwrap()];
        let line = Settings { params, ..Settings::default() };
        assert_eq!(line.or(Settings::default()).unwrap().param, read.param);
        let written = toml::to_string(&read).unwrap();
        assert_eq!(toml::from_str::<Settings>(&written).unwrap(), read, "{written}");
        assert!(toml::from_str::<Settings>("gmaes = 3").is_err());
    }
}
