//! RAVE: means of moves blended with their all-moves-as-first (AMAF) means.

use crate::amaf::Weight;
use std::fmt;
use std::str::FromStr;
use tengen_go::{ParseError, numbers, text_setting};

/// The schedule of RAVE: the weight β in (1 − β) m + β a, where m is the mean of a move and a its
/// AMAF mean (Gelly and Silver, "Monte-Carlo tree search and rapid action value estimation in
/// computer Go", 2011, section 4). β is 1 for a move without visits, and 0 for a move without AMAF
/// visits.
///
/// The blend is computed in single precision, for all points of the board at once
/// ([`Amaf::blend`](crate::amaf::Amaf::blend)).
///
/// As text: `none`, `equivalence:3000` or `min-mse:0.01`.
///
/// # Examples
/// ```
/// use tengen_search::UctConfig;
/// use tengen_search::select::Rave;
///
/// let rave: Rave = "equivalence:3000".parse()?;
/// assert_eq!(rave.weight(3_000).of(1.0, 1.0), 0.5);
/// assert_eq!(UctConfig::default().rave, rave);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Rave {
    /// No RAVE: β = 0.
    #[default]
    None,
    /// The hand-selected schedule β = √(k / (3 N + k)), where N are the visits of the
    /// parent, and k is the number of visits at which both means weigh the same.
    Equivalence(f64),
    /// The minimum-MSE schedule β = ã / (n + ã + 4 n ã b²), where n are the visits of the move, ã
    /// its AMAF visits, visits by priors included, and b is the bias of AMAF, assumed to be the
    /// same for all moves.
    MinMse(f64),
}

/// The largest number of visits of [`Rave::Equivalence`].
const MAX_VISITS: f64 = 1e9;

/// The largest bias of [`Rave::MinMse`].
const MAX_BIAS: f64 = 1.0;

impl Rave {
    /// The weight of the AMAF means at a node with `parent_visits` visits.
    #[inline]
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // in single precision
    pub fn weight(self, parent_visits: u32) -> Weight {
        match self {
            Self::None => Weight::OfNode(0.0),
            Self::Equivalence(k) => {
                Weight::OfNode((k / (3.0 * f64::from(parent_visits) + k)).sqrt() as f32)
            }
            Self::MinMse(bias) => Weight::OfMove { slope: (4.0 * bias * bias) as f32 },
        }
    }

    /// Whether the weight depends on the visits of a move.
    #[inline]
    #[must_use]
    pub const fn reads_visits(self) -> bool {
        matches!(self, Self::MinMse(_))
    }
}

impl FromStr for Rave {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let number = |text, range| numbers(text, range).ok().map(|[number]| number);
        let schedule = match text.split_once(':') {
            None if text == "none" => Some(Self::None),
            Some(("equivalence", visits)) => {
                number(visits, f64::MIN_POSITIVE..=MAX_VISITS).map(Self::Equivalence)
            }
            Some(("min-mse", bias)) => number(bias, 0.0..=MAX_BIAS).map(Self::MinMse),
            _ => None,
        };
        schedule.ok_or_else(|| Self::refused(text))
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

text_setting!(
    Rave,
    "schedule of RAVE",
    format!(
        "none, equivalence:VISITS (above 0, at most {MAX_VISITS}) or min-mse:BIAS (0 to {MAX_BIAS})"
    )
);
