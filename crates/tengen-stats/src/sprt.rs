//! Sequential probability ratio tests: when to stop a match between two bots.
//!
//! A match goes on while the log-likelihood ratio (LLR) of two hypotheses about the rating
//! difference, the first player's rating minus the second's, stays between two bounds.

use super::elo::{Elo, NormalizedElo};
use super::gsprt;
use super::tally::{Games, Pairs};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use strum::{Display, EnumString};
use tengen_settings::{Domain, Refusal, SettingValue, Value, deserialized};

/// The likelihood model of a sequential test.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Display, EnumString,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Model {
    /// Wald's exact test for independent games that are won or lost. It ignores
    /// pairs; a draw counts as half a win and half a loss.
    Wald,
    /// Generalized test on logistic Elo.
    #[default]
    Logistic,
    /// Generalized test on normalized Elo, whose length does not depend on how
    /// often pairs are split.
    Normalized,
}

/// An error in the settings of a sequential test.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are equal, reversed or not numbers.
    #[error(
        "invalid elo0={0} elo1={1}: expected two numbers within ±{greatest} with elo0 < elo1",
        greatest = Elo::GREATEST
    )]
    Hypotheses(f64, f64),
    /// An error rate out of range.
    #[error("invalid {0}={1}: expected an error rate above 0 and below 0.5")]
    ErrorRate(&'static str, f64),
    /// An unknown model.
    #[error("invalid model of the test `{0}`: expected wald, logistic or normalized")]
    Model(String),
    /// A text that is not of the form key=value, or has an unknown key.
    #[error("invalid setting of the test `{0}`: expected elo0=, elo1=, alpha=, beta= or model=")]
    Setting(String),
    /// A key that comes twice.
    #[error("`{0}` is set twice")]
    Twice(String),
    /// An invalid number.
    #[error("invalid number `{0}` in `{1}`")]
    Number(String, String),
}

/// A sequential probability ratio test of "the rating difference is `elo0`" (H0) against
/// "it is `elo1`" (H1).
///
/// As text `elo0=0 elo1=30 alpha=0.05 beta=0.05 model=logistic`; settings that are left out have
/// the values of [`Sprt::default`].
///
/// # Examples
/// ```
/// use tengen_stats::{Pairs, Sprt, State};
///
/// let test: Sprt = "elo0=0 elo1=50".parse()?;
/// assert_eq!(format!("{:.2}", test.bounds().upper), "2.94");
/// let llr = test.llr(&Pairs::without_draws([20, 55, 40])).ok_or("no fit")?;
/// assert_eq!(format!("{llr:.2}"), "3.29");
/// assert_eq!(test.state(llr), State::AcceptH1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TextOrSettings", into = "Settings")]
pub struct Sprt {
    settings: Settings,
}

/// The settings of a [`Sprt`], not yet checked.
///
/// # Examples
/// ```
/// use tengen_stats::Sprt;
/// use tengen_stats::sprt::{Model, Settings};
///
/// let settings = Settings { elo1: 50.0, model: Model::Normalized, ..Settings::default() };
/// let test = Sprt::try_from(settings)?;
/// assert_eq!(test.to_string(), "elo0=0 elo1=50 alpha=0.05 beta=0.05 model=normalized");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The difference under H0, in the Elo of the model.
    pub elo0: f64,
    /// The difference under H1, greater than `elo0`.
    pub elo1: f64,
    /// The tolerated probability of accepting H1 when H0 holds.
    pub alpha: f64,
    /// The tolerated probability of accepting H0 when H1 holds.
    pub beta: f64,
    /// The likelihood model.
    pub model: Model,
}

/// The two forms of a test in a file.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "write a text such as \"elo0=0 elo1=30\" or a table of elo0, elo1, alpha, beta, model"
)]
enum TextOrSettings {
    Text(String),
    Settings(Settings),
}

impl TryFrom<TextOrSettings> for Sprt {
    type Error = SprtError;

    fn try_from(written: TextOrSettings) -> Result<Self, SprtError> {
        match written {
            TextOrSettings::Text(text) => text.parse(),
            TextOrSettings::Settings(settings) => settings.try_into(),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self { elo0: 0.0, elo1: 30.0, alpha: 0.05, beta: 0.05, model: Model::default() }
    }
}

impl TryFrom<Settings> for Sprt {
    type Error = SprtError;

    fn try_from(settings: Settings) -> Result<Self, SprtError> {
        let Settings { elo0, elo1, alpha, beta, .. } = settings;
        let range = -Elo::GREATEST..=Elo::GREATEST;
        if !(elo0 < elo1 && range.contains(&elo0) && range.contains(&elo1)) {
            return Err(SprtError::Hypotheses(elo0, elo1));
        }
        for (name, rate) in [("alpha", alpha), ("beta", beta)] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(SprtError::ErrorRate(name, rate));
            }
        }
        Ok(Self { settings })
    }
}

impl From<Sprt> for Settings {
    fn from(sprt: Sprt) -> Self {
        sprt.settings
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { elo0, elo1, alpha, beta, model } = self.settings;
        write!(f, "elo0={elo0} elo1={elo1} alpha={alpha} beta={beta} model={model}")
    }
}

/// A text, or a table of elo0, elo1, alpha, beta and model.
impl SettingValue for Sprt {
    fn domain() -> Domain {
        Domain::Text(
            "a test such as \"elo0=0 elo1=30 alpha=0.05 beta=0.05 model=logistic\"".to_owned(),
        )
    }

    fn read(value: &Value) -> Result<Self, Refusal> {
        deserialized(value)
    }
}

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        let mut settings = Settings::default();
        let mut seen = Vec::new();
        for word in text.split_whitespace() {
            let (key, value) =
                word.split_once('=').ok_or_else(|| SprtError::Setting(word.into()))?;
            let number = || value.parse().map_err(|_| SprtError::Number(value.into(), word.into()));
            match key {
                "elo0" => settings.elo0 = number()?,
                "elo1" => settings.elo1 = number()?,
                "alpha" => settings.alpha = number()?,
                "beta" => settings.beta = number()?,
                "model" => {
                    settings.model = value.parse().map_err(|_| SprtError::Model(value.into()))?;
                }
                _ => return Err(SprtError::Setting(word.into())),
            }
            if seen.contains(&key) {
                return Err(SprtError::Twice(key.into()));
            }
            seen.push(key);
        }
        settings.try_into()
    }
}

/// The log-likelihood ratios (LLR) at which a test stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The LLR at or below which H0 is accepted: `ln(β / (1-α))`.
    pub lower: f64,
    /// The LLR at or above which H1 is accepted: `ln((1-β) / α)`.
    pub upper: f64,
}

/// The verdict of a test on a match so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Play on.
    Continue,
    /// Stop: the difference is less than `elo1`.
    AcceptH0,
    /// Stop: the difference is more than `elo0`.
    AcceptH1,
}

impl Sprt {
    /// The settings of the test.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The LLRs at which the test stops (Wald 1945, "Sequential tests of
    /// statistical hypotheses").
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let Settings { alpha, beta, .. } = self.settings;
        Bounds { lower: (beta / (1.0 - alpha)).ln(), upper: ((1.0 - beta) / alpha).ln() }
    }

    /// The verdict of the test at this LLR.
    #[must_use]
    pub fn state(&self, llr: f64) -> State {
        let Bounds { lower, upper } = self.bounds();
        if llr <= lower {
            State::AcceptH0
        } else if llr >= upper {
            State::AcceptH1
        } else {
            State::Continue
        }
    }

    /// The LLR of a match in pairs: positive for H1, 0 before the first pair. None where rounding
    /// keeps the normalized model from fitting the counts: never up to 10⁹ pairs.
    ///
    /// If no pair has exactly one drawn game, three cells (scores 0, ½ and 1) are used
    /// instead of five: where games cannot be drawn the other two would always be empty,
    /// and an empty cell counts as 1e-3.
    #[must_use]
    pub fn llr(&self, pairs: &Pairs) -> Option<f64> {
        match pairs.cells() {
            [ll, 0, split, 0, ww] => self.llr_of_pairs([ll, split, ww].map(|count| count as f64)),
            cells => self.llr_of_pairs(cells.map(|count| count as f64)),
        }
    }

    /// The LLR of pairs by score, whose counts need not be whole numbers.
    pub(crate) fn llr_of_pairs<const N: usize>(&self, cells: [f64; N]) -> Option<f64> {
        self.llr_of(cells, 2)
    }

    /// The LLR of single games, whose pairs are not known; none as in [`Self::llr`].
    #[must_use]
    pub fn llr_of_games(&self, games: &Games) -> Option<f64> {
        self.llr_of(games.cells().map(|count| count as f64), 1)
    }

    fn llr_of<const N: usize>(&self, cells: [f64; N], games_per_unit: u8) -> Option<f64> {
        let Settings { elo0, elo1, model, .. } = self.settings;
        match model {
            Model::Wald => Some(self.wald(&cells, games_per_unit)),
            Model::Logistic => gsprt::logistic(cells, Elo(elo0), Elo(elo1)),
            Model::Normalized => {
                gsprt::normalized(cells, games_per_unit, NormalizedElo(elo0), NormalizedElo(elo1))
            }
        }
    }

    /// `W·ln(p1/p0) + L·ln((1-p1)/(1-p0))` with `p_i` the score at `elo_i`.
    fn wald(&self, cells: &[f64], games_per_unit: u8) -> f64 {
        let top = (cells.len() - 1) as f64;
        let games = f64::from(games_per_unit);
        let (mut wins, mut losses) = (0.0, 0.0);
        for (i, &count) in cells.iter().enumerate() {
            let score = i as f64 / top;
            wins += games * score * count;
            losses += games * (1.0 - score) * count;
        }
        self.wald_of(wins, losses)
    }

    /// Wald's ratio of so many wins and losses.
    pub(crate) fn wald_of(&self, wins: f64, losses: f64) -> f64 {
        let [p0, p1] = [self.settings.elo0, self.settings.elo1].map(|elo| Elo(elo).score());
        wins * (p1 / p0).ln() + losses * ((1.0 - p1) / (1.0 - p0)).ln()
    }
}

#[cfg(test)]
#[path = "sprt_tests.rs"]
mod tests;
