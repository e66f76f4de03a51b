//! What a match of fixed length can show: the power of its interval, the pairs that a difference
//! needs, and the difference that a number of pairs can show.
//!
//! A match shows a [`Claim`] if the claim holds for its whole interval ([`Claim::finding`]). The
//! interval of N pairs lies above the score m if the mean score lies t·√(m(1 - m)/n) above m, with
//! the effective number of games n ([`Pairs::interval`](crate::Pairs::interval)). The mean score is
//! close to normal, with the deviation σ(s)/√N at the true score s. So the power, the probability
//! that the interval lies above m, is
//!
//! ```text
//! Φ( (s - m - t √(m(1 - m)/n)) √N / σ(s) )
//! ```
//!
//! where n is that of pairs as they are expected at s. With many pairs it is the power of the usual
//! test of a proportion (Fleiss, Levin and Paik 2003, "Statistical methods for rates and
//! proportions", section 4.1). From about 40 pairs on it is within two percentage points of the
//! power that the sum over all results of a match gives, as the tests show.

use super::claim::Claim;
use super::elo::Elo;
use super::interval::{Interval, Level, normal_cdf};
use super::pair_kind::PairKind;
use super::pairs::Evidence;

/// A match of fixed length between two players, which is to show a claim.
///
/// # Examples
/// ```
/// use tengen_stats::{Claim, Elo, FixedMatch, Level, PairKind};
///
/// let planned =
///     FixedMatch { kind: PairKind::INDEPENDENT, level: Level::P95, claim: Claim::Above(Elo(0.0)) };
/// let pairs = planned.pairs(Elo(30.0), 0.8).ok_or("no number of pairs shows it")?;
/// assert_eq!(format!("{pairs:.0} {:.2}", planned.power(pairs, Elo(30.0))), "530 0.80");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedMatch {
    /// How the games of a pair depend on each other.
    pub kind: PairKind,
    /// The level of the interval.
    pub level: Level,
    /// What the match is to show.
    pub claim: Claim,
}

/// More pairs than any match has.
const MOST_PAIRS: f64 = 1e12;

/// A difference in Elo that one pair shows nearly always.
const GREAT: f64 = 2_000.0;

/// Halvings of a range of numbers of pairs or of differences: to less than a billionth.
const HALVINGS: usize = 60;

impl FixedMatch {
    /// The power: the probability that a match of `pairs` pairs shows the claim if the true
    /// difference is `truth`.
    #[must_use]
    pub fn power(&self, pairs: f64, truth: Elo) -> f64 {
        let score = truth.score();
        let error = self.kind.deviation(score) / pairs.sqrt();
        let Some(evidence) = self.expected(pairs, truth) else { return 0.0 };
        let shown = |distance: f64, end: f64| {
            let above = distance - evidence.reach(end, self.level);
            // Without any spread every match has its expected score.
            if error > 0.0 { normal_cdf(above / error) } else { f64::from(u8::from(above > 0.0)) }
        };
        match self.claim {
            Claim::Above(margin) => shown(score - margin.score(), margin.score()),
            Claim::Within(Elo(margin)) => {
                let [low, high] = [-margin, margin].map(|elo| Elo(elo).score());
                (shown(score - low, low) + shown(high - score, high) - 1.0).max(0.0)
            }
        }
    }

    /// The number of pairs with which a match shows the claim with the probability `power` if the
    /// true difference is `truth`; `None` if no number does, because the claim is false or because
    /// `power` is not above 0 and below 1.
    #[must_use]
    pub fn pairs(&self, truth: Elo, power: f64) -> Option<f64> {
        let is_enough = |pairs: f64| self.power(pairs, truth) >= power;
        if !(power > 0.0 && power < 1.0 && is_enough(MOST_PAIRS)) {
            return None;
        }
        // A match that is planned has one pair at least.
        let least =
            (!is_enough(1.0)).then(|| bisected(0.0, MOST_PAIRS.ln(), |ln| is_enough(ln.exp())));
        Some(least.map_or(1.0, f64::exp))
    }

    /// The difference from which on a match of `pairs` pairs shows that a player is stronger
    /// ([`Claim::Above`]) with the probability `power`. `None` for [`Claim::Within`], which a match
    /// shows best where the difference is 0, for a `power` that is not above 0 and below 1, and if
    /// the pairs are too few for any difference.
    #[must_use]
    pub fn smallest_difference(&self, pairs: f64, power: f64) -> Option<Elo> {
        let Claim::Above(Elo(margin)) = self.claim else { return None };
        let is_shown = |elo: f64| self.power(pairs, Elo(elo)) >= power;
        let is_possible = power > 0.0 && power < 1.0 && is_shown(margin + GREAT);
        is_possible.then(|| Elo(bisected(margin, margin + GREAT, is_shown)))
    }

    /// The interval of the score of a match of `pairs` pairs whose results are as expected at the
    /// true difference `truth`; `None` unless `pairs` is positive.
    #[must_use]
    pub fn expected_interval(&self, pairs: f64, truth: Elo) -> Option<Interval> {
        self.expected(pairs, truth)?.interval(self.level)
    }

    /// What `pairs` pairs say whose results are as expected at the true difference `truth`.
    fn expected(&self, pairs: f64, truth: Elo) -> Option<Evidence> {
        Evidence::of(self.kind.cells(truth.score()).map(|cell| cell * pairs))
    }
}

/// The number between `low` and `high` from which on `is_enough` is true.
pub(crate) fn bisected(low: f64, high: f64, is_enough: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (low, high);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if is_enough(middle) { high = middle } else { low = middle }
    }
    high
}

#[cfg(test)]
#[path = "power_tests.rs"]
mod tests;
