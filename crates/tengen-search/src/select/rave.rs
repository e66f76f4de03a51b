//! RAVE: means blended with those of all-moves-as-first, and with priors.

use super::Selector;
use crate::setting::{SettingError, number_after, written_as_text};
use crate::tree::Columns;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How the mean a of all-moves-as-first is blended with the mean m of a move
/// (Gelly and Silver, "Monte-Carlo tree search and rapid action value
/// estimation in computer Go", 2011, section 4): (1 − β) m + β a. A move
/// without visits has β = 1, one without visits of all-moves-as-first β = 0.
///
/// As text: `none`, `equivalence:3000` or `min-mse:0.1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Rave {
    /// No all-moves-as-first: β = 0.
    #[default]
    None,
    /// The hand-selected schedule, β = √(k / (3 N + k)), where N are the
    /// visits of the parent and k those at which both means weigh the same.
    Equivalence(f64),
    /// The schedule of least mean square error, β = ñ / (n + ñ + 4 n ñ b²),
    /// where ñ are the visits of all-moves-as-first and b their bias.
    MinMse(f64),
}

impl Rave {
    /// The weight β of all-moves-as-first.
    #[inline]
    #[must_use]
    pub fn weight(self, parent_visits: f64, visits: f64, amaf_visits: f64) -> f64 {
        if amaf_visits <= 0.0 {
            return 0.0;
        }
        match self {
            Self::None => 0.0,
            _ if visits <= 0.0 => 1.0,
            Self::Equivalence(k) => (k / (3.0 * parent_visits + k)).sqrt(),
            Self::MinMse(bias) => {
                let both = visits * amaf_visits;
                amaf_visits / (visits + amaf_visits + 4.0 * both * bias * bias)
            }
        }
    }
}

/// Fills `means` with the blended mean of each child. A prior p of weight w
/// (`prior_visits`) counts as w visits of mean p: of all-moves-as-first where
/// there is RAVE, else of the move itself. A child of which nothing is known
/// has `first_play`.
pub fn blend(
    selector: &Selector,
    parent_visits: u32,
    columns: &Columns<'_>,
    first_play: f64,
    means: &mut [f64],
) {
    let weight = if columns.priors.is_empty() { 0.0 } else { selector.prior_visits };
    let prior = |child: usize| columns.priors.get(child).map_or(0.0, |&prior| f64::from(prior));
    let children = means.iter_mut().zip(columns.visits).zip(columns.rewards).enumerate();
    if selector.rave == Rave::None {
        for (child, ((mean, &n), &reward)) in children {
            let n = f64::from(n.cast_signed()) + weight;
            *mean = if n > 0.0 { (reward + weight * prior(child)) / n } else { first_play };
        }
        return;
    }
    let big_n = f64::from(parent_visits);
    // β of the equivalence schedule is the same for all children.
    let shared = selector.rave.weight(big_n, 1.0, 1.0);
    let amaf = columns.amaf_visits.iter().zip(columns.amaf_rewards);
    for ((child, ((mean, &n), &reward)), (&amaf_n, &amaf_reward)) in children.zip(amaf) {
        let n = f64::from(n.cast_signed());
        let amaf_n = f64::from(amaf_n) + weight;
        let amaf = (f64::from(amaf_reward) + weight * prior(child)) / amaf_n;
        let own = reward / n;
        let beta = match selector.rave {
            Rave::Equivalence(_) => shared,
            rave => rave.weight(big_n, n, amaf_n),
        };
        let both = (1.0 - beta) * own + beta * amaf;
        // What is divided by nothing is not taken.
        let known = if n > 0.0 { both } else { amaf };
        let unknown = if n > 0.0 { own } else { first_play };
        *mean = if amaf_n > 0.0 { known } else { unknown };
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
    use crate::select::{Fpu, Selection};

    fn means(
        rave: Rave,
        prior_visits: f64,
        priors: &[f32],
        (visits, rewards): (&[u32], &[f64]),
        (amaf_visits, amaf_rewards): (&[f32], &[f32]),
    ) -> Vec<f64> {
        let selector = Selector {
            selection: Selection::Ucb1,
            exploration: 0.0,
            first_play: Fpu::Constant(0.9),
            rave,
            prior_visits,
        };
        let columns =
            Columns { visits, rewards, amaf_visits, amaf_rewards, priors, positions: &[] };
        let mut means = vec![0.0; visits.len()];
        blend(&selector, 1_000, &columns, 0.9, &mut means);
        means
    }

    fn assert_near(found: &[f64], expected: &[f64]) {
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
            0.0,
            &[],
            (&[10, 0, 10, 0], &[6.0, 0.0, 6.0, 0.0]),
            (&[100.0, 50.0, 0.0, 0.0], &[20.0, 10.0, 0.0, 0.0]),
        );
        // No visits: all-moves-as-first alone; none of those: the mean alone.
        assert_near(&found, &[0.4, 0.2, 0.6, 0.9]);
    }

    #[test]
    fn least_mean_square_error_by_hand() {
        // n = 10, ñ = 100, b = ½: β = 100 / (110 + 1000) = 0.0900901;
        // 0.6 - 0.4·β = 0.563964.
        let found = means(Rave::MinMse(0.5), 0.0, &[], (&[10], &[6.0]), (&[100.0], &[20.0]));
        assert_near(&found, &[0.563_964]);
    }

    #[test]
    fn priors_are_virtual_visits() {
        // Without RAVE: (6 + 10·0.8) / 20 = 0.7, and 0.8 without visits.
        let found = means(Rave::None, 10.0, &[0.8, 0.8], (&[10, 0], &[6.0, 0.0]), (&[], &[]));
        assert_near(&found, &[0.7, 0.8]);
        // With it: ã = (20 + 10·0.8) / 110 = 0.254545, half and half with 0.6.
        let rave = Rave::Equivalence(1_000.0);
        let found = means(rave, 10.0, &[0.8], (&[10], &[6.0]), (&[100.0], &[20.0]));
        assert_near(&found, &[0.427_273]);
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
