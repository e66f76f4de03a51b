//! Prior values of moves, from knowledge of Go.

use super::setting::{SettingError, number_after, written_as_text};
use super::tree::Columns;
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
    /// Prior values by [`MovePriors`](super::move_priors::MovePriors), each of which counts
    /// as this number of visits (Gelly and Silver, "Combining online and offline knowledge
    /// in UCT", 2007, section 6).
    Heuristic(f64),
}

impl Prior {
    /// Fills `means` with the means of the children, where a prior p counts as w visits
    /// of mean p: (r + w p) / (n + w) for rewards r in n visits. A child without visits
    /// has `first_play` if w is 0.
    pub(super) fn blend(self, columns: &Columns<'_>, first_play: f64, means: &mut Vec<f64>) {
        let weight = match self {
            Self::None => 0.0,
            Self::Heuristic(visits) => visits,
        };
        let children = columns.visits.iter().zip(columns.rewards).zip(columns.priors);
        means.clear();
        means.extend(children.map(|((&n, &reward), &prior)| {
            let n = f64::from(n) + weight;
            if n > 0.0 { (reward + weight * f64::from(prior)) / n } else { first_play }
        }));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priors_are_virtual_visits() {
        // (6 + 10·0.8) / 20 = 0.7, and 0.8 without visits.
        let (visits, rewards, priors) = ([10, 0], [6.0, 0.0], [0.8, 0.8]);
        let columns =
            Columns { visits: &visits, rewards: &rewards, priors: &priors, positions: &[] };
        let mut means = Vec::new();
        Prior::Heuristic(10.0).blend(&columns, 0.9, &mut means);
        assert!((means[0] - 0.7).abs() < 1e-6 && (means[1] - 0.8).abs() < 1e-6, "{means:?}");
        Prior::Heuristic(0.0).blend(&columns, 0.9, &mut means);
        assert_eq!(means, [0.6, 0.9]);
    }
}
