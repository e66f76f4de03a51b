//! Progressive widening.

use super::setting::{SettingError, written_as_text};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Progressive widening: how many moves of a node selection considers. As text
/// `none` or `progressive:2:0.5`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Widening {
    /// All moves.
    #[default]
    None,
    /// ⌈C · N^α⌉ moves after N visits of the node, at least one (Coulom, "Computing Elo
    /// ratings of move patterns in the game of Go", 2007; the power law after
    /// Couëtoux et al., "Continuous upper confidence trees", 2011): those of
    /// highest prior, or at random without priors.
    Progressive {
        /// The factor C.
        factor: f64,
        /// The exponent α, above 0 and below 1.
        exponent: f64,
    },
}

impl Widening {
    /// The number of moves that selection considers after `visits` visits of the node.
    #[inline]
    #[must_use]
    pub fn limit(self, visits: u32) -> usize {
        match self {
            Self::None => usize::MAX,
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
            Self::Progressive { factor, exponent } => {
                (factor * libm::pow(f64::from(visits), exponent)).ceil().max(1.0) as usize
            }
        }
    }
}

impl FromStr for Widening {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        if text == "none" {
            return Ok(Self::None);
        }
        let numbers = || {
            let (factor, exponent) = text.strip_prefix("progressive:")?.split_once(':')?;
            let (factor, exponent): (f64, f64) = (factor.parse().ok()?, exponent.parse().ok()?);
            let allowed = factor > 0.0 && factor <= 1e6 && exponent > 0.0 && exponent < 1.0;
            allowed.then_some(Self::Progressive { factor, exponent })
        };
        numbers().ok_or(SettingError {
            text: text.to_owned(),
            setting: "widening",
            expected: "none or progressive:FACTOR:EXPONENT, the exponent between 0 and 1",
        })
    }
}

impl fmt::Display for Widening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.pad("none"),
            Self::Progressive { factor, exponent } => {
                f.pad(&format!("progressive:{factor}:{exponent}"))
            }
        }
    }
}

written_as_text!(Widening);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computed_by_hand() {
        let widening = Widening::Progressive { factor: 1.5, exponent: 0.5 };
        // 1.5·√N: 0, 1.5, 3, 15.
        for (visits, limit) in [(0, 1), (1, 2), (4, 3), (5, 4), (100, 15)] {
            assert_eq!(widening.limit(visits), limit, "{visits}");
        }
        assert_eq!(Widening::None.limit(0), usize::MAX);
    }

    #[test]
    fn text_round_trips() {
        for text in ["none", "progressive:2:0.5"] {
            assert_eq!(text.parse::<Widening>().unwrap().to_string(), text);
        }
        for text in ["", "progressive", "progressive:2", "progressive:2:1", "progressive:0:0.5"] {
            assert!(text.parse::<Widening>().is_err(), "{text}");
        }
    }
}
