//! The setting `temperature`: samples the first moves of a game by visit count, for self-play.

use std::fmt;
use std::str::FromStr;
use tengen_go::{ParseError, text_setting};

/// How moves are sampled in the first plies of a game. As text `none` or `1:30`.
///
/// # Examples
/// ```
/// use tengen_search::temperature::Temperature;
///
/// let temperature: Temperature = "1:30".parse()?;
/// assert_eq!((temperature.at(29), temperature.at(30)), (Some(1.0), None));
/// assert_eq!(Temperature::None.at(0), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Temperature {
    /// No move is sampled.
    #[default]
    None,
    /// In the first plies of a game a move of n visits is sampled with a probability proportional
    /// to n^(1 / temperature).
    FirstPlies {
        /// The temperature: near 0 the most visited move is played; a high temperature makes all
        /// visited moves about equally likely.
        temperature: f64,
        /// The number of plies.
        plies: u32,
    },
}

impl Temperature {
    /// The temperature after `ply` plies; none if moves are not sampled then.
    #[must_use]
    pub fn at(&self, ply: u32) -> Option<f64> {
        match *self {
            Self::FirstPlies { temperature, plies } if ply < plies => Some(temperature),
            _ => None,
        }
    }
}

impl FromStr for Temperature {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text == "none" {
            return Ok(Self::None);
        }
        let numbers = || {
            let (temperature, plies) = text.split_once(':')?;
            let (temperature, plies): (f64, u32) = (temperature.parse().ok()?, plies.parse().ok()?);
            let allowed = (0.01..=100.0).contains(&temperature) && plies > 0;
            allowed.then_some(Self::FirstPlies { temperature, plies })
        };
        numbers().ok_or_else(|| Self::refused(text))
    }
}

impl fmt::Display for Temperature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.pad("none"),
            Self::FirstPlies { temperature, plies } => f.pad(&format!("{temperature}:{plies}")),
        }
    }
}

text_setting!(
    Temperature,
    "temperature",
    "none or TEMPERATURE:PLIES (0.01 to 100, and 1 or more), such as 1:30"
);
