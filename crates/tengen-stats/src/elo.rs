//! Rating differences in Elo, and the scores that they predict.

use super::interval::Interval;
use std::fmt;

/// A rating difference on the Elo scale: 400 points are odds of ten to one.
///
/// Infinite for a score of 0 or 1, and printed as `-inf` or `inf`.
///
/// # Examples
/// ```
/// use tengen_stats::Elo;
///
/// assert_eq!(format!("{:+.0}", Elo::from_score(0.76)), "+200");
/// assert_eq!(format!("{:.2}", Elo(200.0).score()), "0.76");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Elo(pub f64);

impl Elo {
    /// Elo per logit (natural logarithm of the odds): `400 / ln 10`, 173.72.
    pub const PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

    /// The greatest difference, in either direction, of a hypothesis or a plan. A bot that is so much
    /// stronger wins 997 of 1,000 games.
    pub const GREATEST: f64 = 1000.0;

    /// The difference `elo` of a plan, whose setting is `name`. Refuses one beyond [`Self::GREATEST`].
    pub fn planned(name: &'static str, elo: f64) -> Result<Self, OutOfRange> {
        let greatest = Self::GREATEST;
        if elo.abs() <= greatest {
            return Ok(Self(elo));
        }
        Err(OutOfRange::new(name, elo, format!("expected -{greatest} to {greatest}")))
    }

    /// The rating difference that predicts `score`, `L⁻¹(s) = -400·log10(1/s - 1)`.
    ///
    /// A score below 0 or above 1, as the end of a symmetric interval may be, counts as
    /// 0 or 1.
    #[must_use]
    pub fn from_score(score: f64) -> Self {
        // Adding zero turns minus zero into zero, here and in the result of an even score.
        let score = score.clamp(0.0, 1.0) + 0.0;
        Self(-400.0 * (1.0 / score - 1.0).log10() + 0.0)
    }

    /// The expected score at this difference, `L(x) = 1 / (1 + 10^(-x/400))`.
    #[must_use]
    pub fn score(self) -> f64 {
        1.0 / (1.0 + 10_f64.powf(-self.0 / 400.0))
    }

    /// The interval of the rating difference for an interval of scores. For a Wilson interval it is
    /// symmetric; an end is infinite where the score is 0 or 1.
    #[must_use]
    pub fn interval(scores: Interval) -> Interval<Self> {
        scores.map(Self::from_score)
    }
}

/// Formats as the number does (`{:.1}`, `{:+.0}`, `{:>8.1}`), but infinity is
/// `inf` without a plus.
impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == f64::INFINITY {
            write!(f, "{:>1$}", "inf", f.width().unwrap_or(0))
        } else {
            self.0.fmt(f)
        }
    }
}

/// A number of a plan that is out of range: `margin is 2000: expected -1000 to 1000`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} is {value}: {expected}")]
pub struct OutOfRange {
    name: &'static str,
    value: f64,
    expected: String,
}

impl OutOfRange {
    /// The `value` of the setting `name`, of which `expected` says the range.
    pub(crate) fn new(name: &'static str, value: f64, expected: impl Into<String>) -> Self {
        Self { name, value, expected: expected.into() }
    }
}

/// A rating difference in normalized Elo: `(μ - ½)/σ` of a single game, times
/// 800 / ln 10 (Van den Bergh 2019, "Normalized Elo").
///
/// It says how many games it takes to see a difference: the expected z-score of a match
/// of N games is `nElo / 347.4356 · sqrt(N)`.
///
/// # Examples
/// ```
/// use tengen_stats::Pairs;
///
/// let moments = Pairs::without_draws([20, 55, 40]).moments().ok_or("no pairs")?;
/// let elo = moments.normalized_elo().ok_or("no variance")?;
/// assert_eq!(format!("{elo:+.0}"), "+61");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct NormalizedElo(pub f64);

impl NormalizedElo {
    /// Normalized Elo per standard deviation of a game's score: 347.4356.
    pub const PER_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;
}

/// Formats as [`Elo`] does.
impl fmt::Display for NormalizedElo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Elo(self.0).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_differences_invert_each_other() {
        for (elo, score) in [(0.0, 0.5), (400.0, 10.0 / 11.0), (-400.0, 1.0 / 11.0)] {
            assert!((Elo(elo).score() - score).abs() < 1e-12);
            assert!((Elo::from_score(score).0 - elo).abs() < 1e-9);
        }
        // FIDE's table: 76 % at 200 points.
        assert!((Elo(200.0).score() - 0.7597).abs() < 5e-5);
        assert!((Elo::PER_LOGIT - 173.7178).abs() < 1e-4);
        assert!((NormalizedElo::PER_DEVIATION - 347.4356).abs() < 1e-4);
    }

    #[test]
    fn planned_numbers_have_a_range() {
        assert_eq!(Elo::planned("elo", -1000.0), Ok(Elo(-1000.0)));
        let refused = |elo| Elo::planned("elo", elo).expect_err("out of range").to_string();
        assert_eq!(refused(1000.5), "elo is 1000.5: expected -1000 to 1000");
        assert_eq!(refused(-2000.0), "elo is -2000: expected -1000 to 1000");
        assert_eq!(refused(f64::NAN), "elo is NaN: expected -1000 to 1000");
    }

    #[test]
    fn all_or_nothing_is_infinite_and_written_so() {
        let all = Elo::interval(Interval { low: 0.0, high: 1.0 });
        assert_eq!((all.low.to_string(), all.high.to_string()), ("-inf".into(), "inf".into()));
        assert_eq!(
            format!("{:+.1}|{:>6.1}|{:>6.1}", all.high, all.high, all.low),
            "inf|   inf|  -inf"
        );
        assert_eq!((Elo(f64::INFINITY).score(), Elo(f64::NEG_INFINITY).score()), (1.0, 0.0));
        assert_eq!(format!("{:+.1} {:.1}", Elo(12.34), Elo::from_score(0.5)), "+12.3 0.0");
    }

    #[test]
    fn overshooting_ends_count_as_all_or_nothing() {
        assert_eq!(Elo::from_score(1.2), Elo(f64::INFINITY));
        assert_eq!(Elo::from_score(-0.1), Elo(f64::NEG_INFINITY));
    }
}
