//! RAVE: means of moves blended with their means of all-moves-as-first (AMAF).

use crate::amaf::{Blend, Weight};
use crate::setting::{SettingError, number_after, written_as_text};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The schedule of RAVE: the weight β in (1 − β) m + β a, where m is the mean of a move
/// and a its mean of all-moves-as-first (Gelly and Silver, "Monte-Carlo tree search and
/// rapid action value estimation in computer Go", 2011, section 4). A move without
/// visits has β = 1, one without visits of all-moves-as-first β = 0.
///
/// The blend is computed in single precision, for all points of the board at once
/// ([`Amaf::blend`](crate::amaf::Amaf::blend)).
///
/// As text: `none`, `equivalence:3000` or `min-mse:0.1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Rave {
    /// No all-moves-as-first: β = 0.
    #[default]
    None,
    /// The hand-selected schedule β = √(k / (3 N + k)), where N are the visits of the
    /// parent, and k is the number of visits at which both means weigh the same.
    Equivalence(f64),
    /// The schedule of least mean square error, β = ñ / (n + ñ + 4 n ñ b²), where n are
    /// the visits of the move, ñ those of all-moves-as-first, and b is the bias of the
    /// latter.
    MinMse(f64),
}

impl Rave {
    /// The blend at a node with `parent_visits` visits. `own_visits` are the visits of the
    /// move of each cell; only [`Rave::MinMse`] reads them.
    #[inline]
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // in single precision
    pub fn blend(self, parent_visits: u32, own_visits: &[f32], first_play: f64) -> Blend<'_> {
        let weight = match self {
            Self::None => Weight::Equal(0.0),
            Self::Equivalence(k) => {
                Weight::Equal((k / (3.0 * f64::from(parent_visits) + k)).sqrt() as f32)
            }
            Self::MinMse(bias) => {
                Weight::LeastError { four_square_bias: (4.0 * bias * bias) as f32, own_visits }
            }
        };
        Blend { weight, first_play: first_play as f32 }
    }
}

impl FromStr for Rave {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        if text == "none" {
            return Ok(Self::None);
        }
        number_after(text, "equivalence", f64::MIN_POSITIVE..=1e9)
            .map(Self::Equivalence)
            .or_else(|| number_after(text, "min-mse", f64::MIN_POSITIVE..=1e9).map(Self::MinMse))
            .ok_or(SettingError {
                text: text.to_owned(),
                setting: "schedule of RAVE",
                expected: "none, equivalence:VISITS or min-mse:BIAS",
            })
    }
}

impl fmt::Display for Rave {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.pad("none"),
            Self::Equivalence(k) => f.pad(&format!("equivalence:{k}")),
            Self::MinMse(bias) => f.pad(&format!("min-mse:{bias}")),
        }
    }
}

written_as_text!(Rave);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amaf::{Amaf, NO_MEAN, Ranked};

    /// A move: its visits and rewards, and those of all-moves-as-first.
    type Statistics = (f32, f32, u32, u32);

    /// The blended means of `moves` at a node of 1000 visits.
    fn means(rave: Rave, moves: &[Statistics]) -> Vec<f32> {
        let mut amaf = Amaf::default();
        amaf.resize(1);
        amaf.open(0, 15, 4, &[(1 << moves.len()) - 1]);
        let (mut own_means, mut own_visits) = ([NO_MEAN; 16], [0.0; 16]);
        for (cell, &(visits, reward, amaf_visits, amaf_wins)) in moves.iter().enumerate() {
            for count in 0..amaf_visits {
                amaf.count(0, &[1 << cell], f32::from(u8::from(count < amaf_wins)));
            }
            if visits > 0.0 {
                amaf.remove_untried(0, cell);
                (own_means[cell], own_visits[cell]) = (reward / visits, visits);
            }
        }
        let mut means = Vec::new();
        let blend = rave.blend(1_000, &own_visits, 0.9);
        let _ = amaf.blend(0, &own_means, blend, Ranked::All, &mut means, &mut [0]);
        assert!(means[moves.len()..].iter().all(|&mean| mean == f32::NEG_INFINITY));
        means.truncate(moves.len());
        means
    }

    fn assert_near(found: &[f32], expected: &[f32]) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
        }
        assert_eq!(found.len(), expected.len());
    }

    #[test]
    fn equivalence_by_hand() {
        // β = √(1000 / (3·1000 + 1000)) = ½: half of 0.6 and half of 0.2.
        let found = means(
            Rave::Equivalence(1_000.0),
            &[(10.0, 6.0, 100, 20), (0.0, 0.0, 50, 10), (10.0, 6.0, 0, 0), (0.0, 0.0, 0, 0)],
        );
        // No visits: all-moves-as-first alone; none of those: the mean alone.
        assert_near(&found, &[0.4, 0.2, 0.6, 0.9]);
    }

    #[test]
    fn least_mean_square_error_by_hand() {
        // n = 10, ñ = 100, b = ½: β = 100 / (110 + 1000) = 0.0900901;
        // 0.6 − 0.4·β = 0.563964. n = 40, ñ = 10: β = 10 / (50 + 400) = 0.0222222;
        // 0.5 + 0.3·β = 0.506667.
        let found = means(
            Rave::MinMse(0.5),
            &[
                (10.0, 6.0, 100, 20),
                (40.0, 20.0, 10, 8),
                (0.0, 0.0, 50, 10),
                (10.0, 6.0, 0, 0),
                (0.0, 0.0, 0, 0),
            ],
        );
        assert_near(&found, &[0.563_964, 0.506_667, 0.2, 0.6, 0.9]);
    }

    #[test]
    fn text_round_trips() {
        for text in ["none", "equivalence:3000", "min-mse:0.1"] {
            assert_eq!(text.parse::<Rave>().map(|rave| rave.to_string()), Ok(text.into()));
        }
        for text in ["", "rave", "none:1", "equivalence", "equivalence:0", "min-mse:-1"] {
            assert!(text.parse::<Rave>().is_err(), "{text}");
        }
    }
}
