//! Prior values of moves, from knowledge of Go.

use super::setting::{SettingError, number_after, written_as_text};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Prior values of moves. As text `none` or `heuristic:10`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Prior {
    /// No priors; PUCT then takes all moves as equal.
    #[default]
    None,
    /// Prior values from [`MovePriors`](super::move_priors::MovePriors), each
    /// counted as this number of visits (Gelly and Silver,
    /// "Combining online and offline knowledge in UCT", 2007, section 6).
    Heuristic(f64),
}

impl Prior {
    /// The number of visits for which a prior counts.
    #[must_use]
    pub const fn visits(self) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Heuristic(visits) => visits,
        }
    }
}

impl FromStr for Prior {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        if text == "none" {
            return Ok(Self::None);
        }
        number_after(text, "heuristic", 0.0..=1e6).map(Self::Heuristic).ok_or(SettingError {
            text: text.to_owned(),
            setting: "prior",
            expected: "none or heuristic:VISITS",
        })
    }
}

impl fmt::Display for Prior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.pad("none"),
            Self::Heuristic(visits) => f.pad(&format!("heuristic:{visits}")),
        }
    }
}

written_as_text!(Prior);
