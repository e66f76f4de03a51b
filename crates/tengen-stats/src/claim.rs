//! Claims about a rating difference, how sure a result makes them, and lists of claims.
//!
//! A claim is decided by the interval of the difference. Its p-value is the same decision as a
//! number: the claim is decided at the level 95 % if its p-value is at most 0.05.

use super::elo::{Elo, OutOfRange};
use super::interval::Interval;
use tengen_settings::choice;

/// A claim about the rating difference of two players, the first player's rating minus the
/// second's.
///
/// # Examples
/// ```
/// use tengen_stats::{Claim, Elo, Finding, Interval};
///
/// let interval = Interval { low: Elo(-12.0), high: Elo(15.0) };
/// assert_eq!(Claim::Above(Elo(0.0)).finding(interval), Finding::Undecided);
/// assert_eq!(Claim::Within(Elo(20.0)).finding(interval), Finding::Holds);
/// assert_eq!(Claim::Above(Elo(20.0)).finding(interval), Finding::Fails);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// The difference is above this number.
    Above(Elo),
    /// The difference is between minus this number and this number, which is positive: the players
    /// are equivalent.
    Within(Elo),
}

/// What a result says about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finding {
    /// The claim holds for every difference in the interval.
    Holds,
    /// The claim holds for no difference in the interval.
    Fails,
    /// The claim holds for some differences in the interval.
    Undecided,
}

impl Claim {
    /// The claim of a plan: a difference of less than `within`, or without it one above `margin`.
    pub fn planned(margin: f64, within: Option<f64>) -> Result<Self, OutOfRange> {
        match within {
            None => Elo::planned("margin", margin).map(Self::Above),
            Some(elo) if elo > 0.0 && elo <= Elo::GREATEST => Ok(Self::Within(Elo(elo))),
            Some(elo) => {
                let expected = format!("expected a number above 0, at most {}", Elo::GREATEST);
                Err(OutOfRange::new("within", elo, expected))
            }
        }
    }

    /// The finding of an `interval` of the difference with the confidence level 1 − 2α.
    ///
    /// If the claim is false it is found to hold with a probability of at most α. For
    /// [`Claim::Within`] these are two one-sided tests (Schuirmann 1987, "A comparison of the two
    /// one-sided tests procedure and the power approach"), each at α. So the interval of 95 %
    /// has α = 2.5 % for every claim.
    #[must_use]
    pub fn finding(&self, interval: Interval<Elo>) -> Finding {
        let Interval { low, high } = interval;
        let (is_above, is_below) = match *self {
            Self::Above(margin) => (low > margin, high < margin),
            Self::Within(Elo(margin)) => {
                (low.0 > -margin && high.0 < margin, low.0 > margin || high.0 < -margin)
            }
        };
        match (is_above, is_below) {
            (true, _) => Finding::Holds,
            (_, true) => Finding::Fails,
            _ => Finding::Undecided,
        }
    }

    /// How sure a result makes this claim. `p_value` is the one-sided p-value of "the difference
    /// is above this": [`Pairs::p_value`](crate::Pairs::p_value) or
    /// [`Sprt::p_value`](crate::Sprt::p_value) at the score of the difference. `None` where there
    /// is none.
    pub fn significance(&self, p_value: impl Fn(Elo) -> Option<f64>) -> Option<Significance> {
        Some(match *self {
            Self::Above(margin) => {
                let above = p_value(margin)?;
                Significance { holds: above, fails: 1.0 - above }
            }
            Self::Within(Elo(margin)) => {
                let (low, high) = (p_value(Elo(-margin))?, p_value(Elo(margin))?);
                Significance { holds: low.max(1.0 - high), fails: high.min(1.0 - low) }
            }
        })
    }
}

/// How sure a result makes a claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Significance {
    /// The one-sided p-value of the claim: small if the claim holds.
    holds: f64,
    /// The one-sided p-value of its opposite: small if the claim fails.
    fails: f64,
}

impl Significance {
    /// The two-sided p-value, 0 to 1: the smaller one-sided p-value, doubled, since a result may
    /// decide the claim in either direction.
    #[must_use]
    pub fn p_value(&self) -> f64 {
        (2.0 * self.holds.min(self.fails)).min(1.0)
    }

    /// The finding at the error rate `alpha` where the p-value is `p_value`: [`Self::p_value`], or
    /// what [`Correction::adjusted`] makes of it.
    #[must_use]
    pub fn finding(&self, p_value: f64, alpha: f64) -> Finding {
        match p_value <= alpha {
            true if self.holds < self.fails => Finding::Holds,
            true => Finding::Fails,
            false => Finding::Undecided,
        }
    }
}

choice! {
    "correction"
    /// Correction of the verdicts on a list of claims for their number.
    #[derive(Default)]
    pub enum Correction {
        /// Bounds the probability of one wrong verdict or more.
        #[default]
        Holm = "holm",
        /// Bounds the expected share of wrong verdicts among all verdicts.
        BenjaminiHochberg = "benjamini-hochberg",
        /// No correction: each claim alone.
        None = "none",
    }
}

impl Correction {
    /// The name in a sentence: "Holm's correction".
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Holm => "Holm's correction",
            Self::BenjaminiHochberg => "the correction of Benjamini and Hochberg",
            Self::None => "no correction",
        }
    }

    /// Whether it is the default correction.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The adjusted p-values of a list of claims with these `p_values`, in the order of the list.
    /// The finding of a claim whose adjusted p-value is at most α keeps the bound α.
    ///
    /// Holm 1979, "A simple sequentially rejective multiple test procedure", whose bound holds
    /// however the results of the claims depend on each other; Benjamini and Hochberg 1995,
    /// "Controlling the false discovery rate", whose bound holds if they are independent or
    /// positively dependent.
    ///
    /// # Examples
    /// ```
    /// use tengen_stats::Correction;
    ///
    /// assert_eq!(Correction::Holm.adjusted(&[0.01, 0.5, 0.02]), [0.03, 0.5, 0.04]);
    /// assert_eq!(Correction::BenjaminiHochberg.adjusted(&[0.01, 0.5, 0.02]), [0.03, 0.5, 0.03]);
    /// ```
    #[must_use]
    pub fn adjusted(self, p_values: &[f64]) -> Vec<f64> {
        let count = p_values.len();
        let mut by_size: Vec<usize> = (0..count).collect();
        by_size.sort_by(|&one, &other| p_values[one].total_cmp(&p_values[other]));
        let mut adjusted = p_values.to_vec();
        match self {
            Self::None => {}
            Self::Holm => {
                let mut greatest = 0.0_f64;
                for (rank, &place) in by_size.iter().enumerate() {
                    greatest = greatest.max((count - rank) as f64 * p_values[place]).min(1.0);
                    adjusted[place] = greatest;
                }
            }
            Self::BenjaminiHochberg => {
                let mut least = 1.0_f64;
                for (rank, &place) in by_size.iter().enumerate().rev() {
                    least = least.min(p_values[place] * count as f64 / (rank + 1) as f64);
                    adjusted[place] = least;
                }
            }
        }
        adjusted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Level, Pairs};

    #[test]
    fn adjusted_p_values_are_those_of_scipy() {
        // SciPy 1.17: false_discovery_control(p). NumPy: the running maximum of (7 - rank)·p.
        let p = [0.0011, 0.031, 0.0049, 0.24, 0.012, 0.86, 0.041];
        let holm = [0.0077, 0.124, 0.0294, 0.48, 0.06, 0.86, 0.124];
        let hochberg = [0.0077, 0.05425, 0.01715, 0.28, 0.028, 0.86, 0.0574];
        for (correction, expected) in [
            (Correction::Holm, holm),
            (Correction::BenjaminiHochberg, hochberg),
            (Correction::None, p),
        ] {
            for (found, expected) in correction.adjusted(&p).into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{correction:?}: {found} {expected}");
            }
            assert_eq!(correction.adjusted(&[0.3]), [0.3]);
            assert!(correction.adjusted(&[]).is_empty());
        }
        assert_eq!(Correction::Holm.adjusted(&[0.9, 0.8]), [1.0, 1.0]);
    }

    #[test]
    fn p_values_and_intervals_decide_alike() {
        let claims = [-40.0, 0.0, 15.0]
            .map(|elo| Claim::Above(Elo(elo)))
            .into_iter()
            .chain([5.0, 30.0, 60.0].map(|elo| Claim::Within(Elo(elo))));
        let mut seen = [0; 3];
        for claim in claims {
            for cells in [[10, 161, 29], [40, 90, 30], [100, 500, 110], [2, 5, 9], [300, 200, 1]] {
                let pairs = Pairs::without_draws(cells);
                for level in [0.5, 0.8, 0.95, 0.999] {
                    let interval = Level::new(level).and_then(|level| pairs.interval(level));
                    let expected = claim.finding(Elo::interval(interval.expect("pairs")));
                    let found =
                        claim.significance(|elo| pairs.p_value(elo.score())).expect("pairs");
                    let decided = found.finding(found.p_value(), 1.0 - level);
                    assert_eq!(decided, expected, "{claim:?} {cells:?} {level} {found:?}");
                    seen[decided as usize] += 1;
                }
            }
        }
        assert!(seen.iter().all(|&count| count >= 10), "{seen:?}");
    }

    #[test]
    fn equivalence_needs_the_whole_interval_on_one_side() {
        let finding = |low, high| {
            Claim::Within(Elo(20.0)).finding(Interval { low: Elo(low), high: Elo(high) })
        };
        assert_eq!(finding(-19.0, 19.0), Finding::Holds);
        assert_eq!(finding(-21.0, 19.0), Finding::Undecided);
        assert_eq!(finding(-100.0, 100.0), Finding::Undecided);
        assert_eq!(finding(21.0, f64::INFINITY), Finding::Fails);
        assert_eq!(finding(f64::NEG_INFINITY, -20.5), Finding::Fails);
    }
}
