//! The setting `temperature`: samples the first moves of a game by visit count, for self-play.

use crate::setting::none_or_numbers;

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

none_or_numbers!(
    Temperature,
    "temperature",
    "",
    FirstPlies { temperature: f64 = (0.01..=100.0), plies: u32 = (1..) },
    "none or TEMPERATURE:PLIES (0.01 to 100, and 1 or more), such as 1:30"
);
