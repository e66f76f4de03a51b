//! Playout policies: how a playout draws its moves.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A playout policy: how a move is drawn among the candidates of a turn.
///
/// As text, also in TOML: `uniform` or `capture-escape:0.9`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Policy {
    /// Every candidate is equally likely.
    Uniform {},
    /// With probability `probability` the first attempt of a turn draws from
    /// the [`urgent`](super::scalar::urgent) candidates alone, if there are
    /// any: those that capture the chain of the opponent's last stone, or
    /// extend an own chain in atari beside that stone. Any other attempt draws
    /// from all candidates, as does the first attempt of a playout, which knows
    /// no last stone.
    CaptureEscape {
        /// Probability per turn of preferring urgent points, 0 to 1.
        probability: f64,
    },
}

/// A text that is no playout policy.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum PolicyError {
    /// There is no policy of that name.
    #[error("`{0}` is no policy: write uniform or capture-escape:PROBABILITY")]
    Unknown(String),
    /// The probability is no number from 0 to 1.
    #[error("the probability of capture-escape is `{0}`: it must be a number from 0 to 1")]
    Probability(String),
}

impl Default for Policy {
    fn default() -> Self {
        Self::Uniform {}
    }
}

impl Policy {
    /// Whether a turn prefers urgent points, by its first random number.
    ///
    /// The candidate is drawn by the upper half of `number`; this coin is the 31
    /// bits from bit 1 on, so that it needs no number of its own, and a playout
    /// at probability 0 is the uniform one.
    #[inline]
    #[must_use]
    pub fn prefers_urgent(self, number: u64) -> bool {
        #[allow(clippy::cast_possible_truncation)] // the lower half
        let coin = number as u32 >> 1;
        coin < self.coin_threshold()
    }

    /// The bound below which a coin of 31 bits makes a turn prefer urgent points.
    #[inline]
    #[must_use]
    pub fn coin_threshold(self) -> u32 {
        match self {
            Self::Uniform {} => 0,
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 2³¹
            Self::CaptureEscape { probability } => (probability * 2_f64.powi(31)).round() as u32,
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uniform {} => f.pad("uniform"),
            Self::CaptureEscape { probability } => f.pad(&format!("capture-escape:{probability}")),
        }
    }
}

impl FromStr for Policy {
    type Err = PolicyError;

    fn from_str(text: &str) -> Result<Self, PolicyError> {
        match text.split_once(':') {
            None if text == "uniform" => Ok(Self::Uniform {}),
            Some(("capture-escape", given)) => match given.parse() {
                Ok(probability) if (0.0..=1.0).contains(&probability) => {
                    Ok(Self::CaptureEscape { probability })
                }
                _ => Err(PolicyError::Probability(given.to_owned())),
            },
            _ => Err(PolicyError::Unknown(text.to_owned())),
        }
    }
}

impl TryFrom<String> for Policy {
    type Error = PolicyError;

    fn try_from(text: String) -> Result<Self, PolicyError> {
        text.parse()
    }
}

impl From<Policy> for String {
    fn from(policy: Policy) -> Self {
        policy.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in ["uniform", "capture-escape:0", "capture-escape:0.9", "capture-escape:1"] {
            assert_eq!(text.parse::<Policy>().map(|policy| policy.to_string()), Ok(text.into()));
        }
        for text in ["", "Uniform", "uniform:1", "capture-escape", "capture"] {
            let error = text.parse::<Policy>().unwrap_err();
            assert_eq!(error, PolicyError::Unknown(text.into()));
        }
        for given in ["", "1.01", "-0.1", "nan", "much"] {
            let error = format!("capture-escape:{given}").parse::<Policy>().unwrap_err();
            assert_eq!(error, PolicyError::Probability(given.into()));
        }
    }

    #[test]
    fn never_and_always_are_exact() {
        let policy = |probability| Policy::CaptureEscape { probability };
        for number in [0, 1, u64::MAX, 0xFFFF_FFFF, 0x8000_0000] {
            assert!(
                !policy(0.0).prefers_urgent(number) && !Policy::default().prefers_urgent(number)
            );
            assert!(policy(1.0).prefers_urgent(number));
        }
        assert!(
            policy(0.5).prefers_urgent(0x7FFF_FFFF) && !policy(0.5).prefers_urgent(0x8000_0000)
        );
    }
}
