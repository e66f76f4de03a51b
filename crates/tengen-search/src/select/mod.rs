//! Selection: which child a simulation visits next.
//!
//! A formula gives every child an urgency, from the columns of the tree and
//! the visits of the parent; the highest urgency is chosen, and ties go to the
//! child that came first, which for moves without a prior is a random one.
//! Each formula is a function of its own. In all of them n are a child's
//! visits, m its mean reward for the player who chooses, 0 to 1, N the
//! visits of the parent and ln the natural logarithm.

mod greedy;
mod kl_ucb;
mod puct;
mod rave;
mod thompson;
mod ucb1;
mod ucb1_tuned;

pub use greedy::greedy;
pub use kl_ucb::{bernoulli_divergence, kl_ucb};
pub use puct::puct;
pub use rave::{Rave, blend};
pub use thompson::thompson;
pub use ucb1::ucb1;
pub use ucb1_tuned::ucb1_tuned;

use super::setting::SettingError;
use super::tree::Columns;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Which formula selects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// [`ucb1`].
    #[default]
    Ucb1,
    /// [`ucb1_tuned`].
    Ucb1Tuned,
    /// [`kl_ucb`].
    KlUcb,
    /// [`thompson`].
    Thompson,
    /// [`puct`].
    Puct,
    /// [`greedy`].
    Greedy,
}

impl Selection {
    /// Whether all children without visits are equally urgent, so that they
    /// need not be in the tree.
    #[must_use]
    pub const fn is_blind_to_unvisited(self) -> bool {
        !matches!(self, Self::Thompson | Self::Puct)
    }
}

/// The value that a move without visits has in the formulas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fpu {
    /// This value, the same everywhere: first-play urgency (Gelly and Wang,
    /// "Exploration exploitation in Go: UCT for Monte-Carlo Go", 2006).
    /// Infinity tries every move once before any other is tried again.
    Constant(f64),
    /// The mean of the node's simulations, for the player who chooses, plus
    /// this, usually a negative number.
    Parent(f64),
}

impl Fpu {
    /// The value where the mean of the parent for the player who chooses is
    /// `parent_mean`.
    #[inline]
    #[must_use]
    pub fn value(self, parent_mean: f64) -> f64 {
        match self {
            Self::Constant(value) => value,
            Self::Parent(offset) => parent_mean + offset,
        }
    }
}

impl FromStr for Fpu {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        let error = || SettingError {
            text: text.to_owned(),
            setting: "first_play",
            expected: "a number from 0, inf, parent-NUMBER or parent+NUMBER",
        };
        match text.strip_prefix("parent") {
            Some("") => Ok(Self::Parent(0.0)),
            Some(offset) if offset.starts_with(['+', '-']) => {
                let offset: f64 = offset.parse().map_err(|_| error())?;
                if offset.abs() <= 1.0 { Ok(Self::Parent(offset)) } else { Err(error()) }
            }
            Some(_) => Err(error()),
            None => match text.parse::<f64>() {
                Ok(value) if value >= 0.0 => Ok(Self::Constant(value)),
                _ => Err(error()),
            },
        }
    }
}

impl fmt::Display for Fpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(value) => write!(f, "{value}"),
            Self::Parent(offset) => write!(f, "parent{offset:+}"),
        }
    }
}

impl Serialize for Fpu {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Constant(value) => serializer.serialize_f64(*value),
            Self::Parent(_) => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Fpu {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Number(f64),
            Text(String),
        }
        let text = match Form::deserialize(deserializer)? {
            Form::Number(number) => number.to_string(),
            Form::Text(text) => text,
        };
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The constants of the selection formulas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selector {
    /// The formula.
    pub selection: Selection,
    /// Its constant c.
    pub exploration: f64,
    /// The value of a move without visits.
    pub first_play: Fpu,
    /// How the values of all-moves-as-first are blended in.
    pub rave: Rave,
    /// Visits that a prior counts for.
    pub prior_visits: f64,
}

/// What the formulas know of the node that selects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parent {
    /// Its visits.
    pub visits: u32,
    /// The mean of its simulations for the player who chooses.
    pub mean: f64,
}

impl Selector {
    /// Fills `urgencies` with those of the children in `columns`. `random` is
    /// drawn from by Thompson sampling alone; `means` is used as scratch.
    ///
    /// # Panics
    /// If Thompson sampling is to blend all-moves-as-first or priors, which
    /// `UctConfig::validate` refuses.
    pub fn fill(
        &self,
        parent: Parent,
        columns: &Columns<'_>,
        random: &mut Xoshiro256PlusPlus,
        means: &mut Vec<f64>,
        urgencies: &mut Vec<f64>,
    ) {
        let first_play = self.first_play.value(parent.mean);
        urgencies.clear();
        urgencies.resize(columns.visits.len(), 0.0);
        let blends = self.rave != Rave::None || !columns.priors.is_empty();
        if blends && self.selection != Selection::Puct {
            means.clear();
            means.resize(columns.visits.len(), 0.0);
            blend(self, parent.visits, columns, first_play, means);
            self.fill_by_means(parent, columns, means, urgencies);
            return;
        }
        let (visits, rewards) = (columns.visits, columns.rewards);
        let c = self.exploration;
        match self.selection {
            Selection::Ucb1 => ucb1(visits, rewards, parent.visits, c, first_play, urgencies),
            Selection::Ucb1Tuned => {
                ucb1_tuned(visits, rewards, parent.visits, c, first_play, urgencies);
            }
            Selection::KlUcb => kl_ucb(visits, rewards, parent.visits, c, first_play, urgencies),
            Selection::Thompson => thompson(visits, rewards, random, urgencies),
            Selection::Puct => {
                puct(visits, rewards, columns.priors, parent.visits, c, first_play, urgencies);
            }
            Selection::Greedy => greedy(visits, rewards, first_play, urgencies),
        }
    }

    /// The formulas over means that are blended from several sources: the
    /// mean, plus the term of exploration of a child with visits.
    fn fill_by_means(
        &self,
        parent: Parent,
        columns: &Columns<'_>,
        means: &[f64],
        urgencies: &mut [f64],
    ) {
        if self.exploration == 0.0 {
            urgencies.copy_from_slice(means);
            return;
        }
        // Rewards that have the blended mean: the formula sees that mean.
        let rewards: Vec<f64> =
            means.iter().zip(columns.visits).map(|(mean, &n)| mean * f64::from(n)).collect();
        let (visits, c) = (columns.visits, self.exploration);
        match self.selection {
            Selection::Ucb1 => ucb1(visits, &rewards, parent.visits, c, 0.0, urgencies),
            Selection::Ucb1Tuned => {
                ucb1_tuned(visits, &rewards, parent.visits, c, 0.0, urgencies);
            }
            Selection::KlUcb => kl_ucb(visits, &rewards, parent.visits, c, 0.0, urgencies),
            Selection::Greedy => return urgencies.copy_from_slice(means),
            Selection::Thompson | Selection::Puct => {
                unreachable!("no blended means: `UctConfig::validate`")
            }
        }
        for (child, &n) in visits.iter().enumerate() {
            if n == 0 {
                urgencies[child] = means[child];
            }
        }
    }
}

/// The first child of the highest urgency, and that urgency.
///
/// # Panics
/// If there is no child.
#[inline]
#[must_use]
pub fn most_urgent(urgencies: &[f64]) -> (usize, f64) {
    assert!(!urgencies.is_empty(), "a node that selects has children");
    // Two passes without a branch each: the maximum, then its first place.
    let mut lanes = [f64::NEG_INFINITY; 8];
    let (chunks, rest) = urgencies.as_chunks::<8>();
    for chunk in chunks {
        for (most, &urgency) in lanes.iter_mut().zip(chunk) {
            *most = if urgency > *most { urgency } else { *most };
        }
    }
    let most = lanes.iter().chain(rest).fold(f64::NEG_INFINITY, |most, &u| most.max(u));
    let place = urgencies.iter().position(|&urgency| urgency == most).unwrap_or(0);
    (place, most)
}

/// The logarithm of the parent's visits: that of the pure-Rust libm, the same
/// on every machine. 0 for no visits.
#[inline]
fn log_visits(visits: u32) -> f64 {
    libm::log(f64::from(visits.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn first_play_as_text_and_number() {
        assert_eq!("inf".parse(), Ok(Fpu::Constant(f64::INFINITY)));
        assert_eq!("1.1".parse(), Ok(Fpu::Constant(1.1)));
        assert_eq!("parent".parse(), Ok(Fpu::Parent(0.0)));
        assert_eq!("parent-0.2".parse(), Ok(Fpu::Parent(-0.2)));
        for text in ["", "-1", "nan", "parent0.1", "parent-x", "parent-2", "parent--1"] {
            assert!(text.parse::<Fpu>().is_err(), "{text}");
        }
        for value in [Fpu::Constant(0.0), Fpu::Parent(-0.25), Fpu::Parent(0.5)] {
            assert_eq!(value.to_string().parse(), Ok(value));
        }
    }

    #[test]
    fn first_play_relative_to_the_parent() {
        assert!((Fpu::Parent(-0.2).value(0.7) - 0.5).abs() < 1e-12);
        assert!((Fpu::Constant(0.9).value(0.7) - 0.9).abs() < 1e-12);
    }

    #[test]
    fn infinite_urgency_is_found() {
        assert_eq!(most_urgent(&[0.1, f64::INFINITY, f64::INFINITY]), (1, f64::INFINITY));
        assert_eq!(most_urgent(&[f64::NEG_INFINITY]), (0, f64::NEG_INFINITY));
    }

    proptest! {
        #[test]
        fn the_first_of_the_highest(urgencies in prop::collection::vec(0_u8..20, 1..90)) {
            let urgencies: Vec<f64> = urgencies.iter().map(|&u| f64::from(u)).collect();
            let mut best = 0;
            for (place, urgency) in urgencies.iter().enumerate() {
                if *urgency > urgencies[best] {
                    best = place;
                }
            }
            prop_assert_eq!(most_urgent(&urgencies), (best, urgencies[best]));
        }
    }
}
