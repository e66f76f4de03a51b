//! Confidence levels, and confidence intervals of a score.
//!
//! The Wald interval `p ± z·sqrt(p(1-p)/n)` is left out on purpose: at a nominal level
//! of 95 %, n = 20 and a true p of 0.97, it contains p with probability 46 % only.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// A confidence interval from `low` to `high`, ends included: of scores, or of values
/// of another type `T`.
///
/// # Examples
/// ```
/// use tengen_stats::{Elo, Interval};
///
/// let scores = Interval { low: 0.5, high: 0.64 };
/// assert!(scores.contains(&0.6));
/// let elo = scores.map(Elo::from_score);
/// assert_eq!(format!("{:+.0} to {:+.0}", elo.low, elo.high), "+0 to +100");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval<T = f64> {
    /// The lower end.
    pub low: T,
    /// The upper end.
    pub high: T,
}

impl<T: PartialOrd> Interval<T> {
    /// Whether `value` lies between the ends.
    pub fn contains(&self, value: &T) -> bool {
        self.low <= *value && *value <= self.high
    }
}

impl<T> Interval<T> {
    /// The interval of `f(x)` for x in this interval, where `f` never falls.
    pub fn map<U>(self, f: impl Fn(T) -> U) -> Interval<U> {
        Interval { low: f(self.low), high: f(self.high) }
    }
}

impl Interval {
    /// Half the distance between the ends.
    #[must_use]
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// A confidence level: the probability that an interval covers the true value.
///
/// # Examples
/// ```
/// use tengen_stats::{Level, percent_range, wilson};
///
/// assert_eq!(format!("{:.2}", Level::P95.z()), "1.96");
/// let interval = wilson(0.6, 100.0, Level::P95);
/// assert_eq!(interval.map(percent_range), Some("50.2 to 69.1 %".to_owned()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Level(f64);

impl Level {
    /// 95 %, the level of every interval of the programs.
    pub const P95: Self = Self(0.95);

    /// The level `probability`, above 0 and below 1; else `None`.
    #[must_use]
    pub fn new(probability: f64) -> Option<Self> {
        (probability > 0.0 && probability < 1.0).then_some(Self(probability))
    }

    /// The level as a probability, such as 0.95.
    #[must_use]
    pub const fn probability(self) -> f64 {
        self.0
    }

    /// The level of each of `count` intervals of which all hold with the probability of this level:
    /// its root of degree `count` (Šidák 1967, "Rectangular confidence regions for the means of
    /// multivariate normal distributions"), whether the estimates are independent or not.
    #[must_use]
    pub fn of_each(self, count: usize) -> Self {
        Self(self.0.powf(1.0 / count.max(1) as f64))
    }

    /// The probability of each of the two tails outside an interval, `(1 - level) / 2`.
    #[must_use]
    pub fn tail(self) -> f64 {
        (1.0 - self.0) / 2.0
    }

    /// The level of the interval at look `look`, counted from 1, of a match that was extended after
    /// its result was known: with this level as 1 - α it is `1 - α/2^look`, and at the first look
    /// this level, as for a match that is never extended.
    ///
    /// All intervals after the first look, however many there are and however each extension was
    /// decided, hold the true value together with a probability of at least 1 - α/2, since their
    /// errors `α/4 + α/8 + …` sum to at most α/2 (alpha spending: Lan and De Mets 1983, "Discrete
    /// sequential boundaries for clinical trials", here with a share for each look). With one more
    /// α/2 for the first look they would hold it in 1 - α; the first look, of fixed length, spends
    /// α. `cargo run --release -p tengen-stats --example looks` simulates coverage and width, also
    /// of a confidence sequence for every length, which is wider at 2 to 4 looks.
    #[must_use]
    pub fn at_look(self, look: u32) -> Self {
        if look <= 1 {
            return self;
        }
        // A level of exactly 1 would have an infinite quantile.
        let error = (1.0 - self.0) / 2_f64.powi(look.min(30).cast_signed());
        Self(1.0 - error)
    }

    /// Half the width of the two-sided interval of a normal variable, in
    /// standard deviations: 1.96 at 95 %.
    #[must_use]
    pub fn z(self) -> f64 {
        normal_quantile(1.0 - self.tail())
    }

    /// Half the width of the two-sided interval of a variable of Student's t distribution with
    /// `freedom` degrees of freedom: 2.26 at 95 % and 9, approaching [`Self::z`] with many. It
    /// allows for a variance that is estimated from few units. Equal to [`Self::z`] unless
    /// `freedom` is positive.
    #[must_use]
    pub fn t(self, freedom: f64) -> f64 {
        let z = self.z();
        if freedom > MANY {
            // Abramowitz and Stegun 26.7.5: the next term is below 1e-6.
            let terms = [
                z.powi(3) + z,
                5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z,
                3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z,
            ];
            let divisors = [4.0, 96.0, 384.0].into_iter().zip(1..);
            let term = |(term, (divisor, power))| term / (divisor * freedom.powi(power));
            return z + terms.into_iter().zip(divisors).map(term).sum::<f64>();
        }
        StudentsT::new(0.0, 1.0, freedom)
            .map_or(z, |student| student.inverse_cdf(1.0 - self.tail()))
    }
}

/// Degrees of freedom above which a series gives the quantile of Student's distribution, since the
/// search for the quantile takes long.
const MANY: f64 = 60.0;

/// Φ(x), the probability that a standard normal variable is at most `x`.
#[must_use]
pub fn normal_cdf(x: f64) -> f64 {
    Normal::standard().cdf(x)
}

/// The quantile of the standard normal distribution: the `x` with Φ(x) = `probability`,
/// infinite at 0 and at 1.
#[must_use]
pub fn normal_quantile(probability: f64) -> f64 {
    Normal::standard().inverse_cdf(probability.clamp(0.0, 1.0))
}

/// The probability that a variable of Student's t distribution with `freedom` degrees of freedom is
/// above `x`.
pub(crate) fn student_tail(x: f64, freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).map_or_else(|_| normal_cdf(-x), |student| student.cdf(-x))
}

/// The Wilson interval of a mean score `p`, 0 to 1, over `n` games (Wilson 1927,
/// "Probable inference, the law of succession, and statistical inference"): centre
/// `(p + z²/2n) / (1 + z²/n)`, half-width `z·sqrt(p(1-p)/n + z²/4n²) / (1 + z²/n)`.
///
/// It assumes independent games: for a match in pairs use
/// [`Pairs::interval`](super::Pairs::interval). `None` if `n` is not positive, or `p` is not
/// between 0 and 1.
#[must_use]
pub fn wilson(score: f64, n: f64, level: Level) -> Option<Interval> {
    score_interval(score, n, level.z())
}

/// The interval of [`wilson`] with `quantile` in place of the normal one.
pub(crate) fn score_interval(score: f64, n: f64, quantile: f64) -> Option<Interval> {
    if !(n > 0.0 && (0.0..=1.0).contains(&score)) {
        return None;
    }
    let z2_n = quantile.powi(2) / n;
    let centre = score + z2_n / 2.0;
    let half = (z2_n * (score * (1.0 - score) + z2_n / 4.0)).sqrt();
    let end = |x: f64| (x / (1.0 + z2_n)).clamp(0.0, 1.0);
    // At a score of 0 or 1 one end is exactly the score; rounding would miss it by a little.
    Some(Interval {
        low: if score == 0.0 { 0.0 } else { end(centre - half) },
        high: if score >= 1.0 { 1.0 } else { end(centre + half) },
    })
}

/// Formats a proportion, 0 to 1, in percent with one decimal: `85.4 %`.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Formats an interval of proportions, 0 to 1, in percent: `80.4 to 89.3 %`.
#[must_use]
pub fn percent_range(shares: Interval) -> String {
    format!("{:.1} to {}", 100.0 * shares.low, percent(shares.high))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(interval: Option<Interval>, low: f64, high: f64) {
        let interval = interval.expect("games were played");
        assert!((interval.low - low).abs() < 5e-5, "{interval:?} instead of {low}, {high}");
        assert!((interval.high - high).abs() < 5e-5, "{interval:?} instead of {low}, {high}");
    }

    #[test]
    fn wilson_agrees_with_newcombe() {
        // Newcombe 1998, "Two-sided confidence intervals for the single
        // proportion", table I, methods 3.
        assert_near(wilson(81.0 / 263.0, 263.0, Level::P95), 0.2553, 0.3662);
        assert_near(wilson(15.0 / 148.0, 148.0, Level::P95), 0.0624, 0.1605);
        assert_near(wilson(0.0, 20.0, Level::P95), 0.0, 0.1611);
        assert_near(wilson(1.0 / 29.0, 29.0, Level::P95), 0.0061, 0.1718);
    }

    #[test]
    fn all_or_nothing_has_one_exact_end() {
        for n in [1_u64, 2, 20, 1_000_000] {
            let none = wilson(0.0, n as f64, Level::P95).expect("games were played");
            let all = wilson(1.0, n as f64, Level::P95).expect("games were played");
            assert!(none.contains(&0.0) && all.contains(&1.0));
            assert!((none.high - (1.0 - all.low)).abs() < 1e-12);
            assert!(none.high < 1.0 && none.high > 0.0);
        }
    }

    #[test]
    fn levels_are_probabilities_between_0_and_1() {
        assert_eq!(Level::new(0.95), Some(Level::P95));
        // The quartile of the normal distribution.
        assert!((Level::new(0.5).unwrap().z() - 0.674_489_750_196_082).abs() < 1e-9);
        for level in [0.0, 1.0, -0.5, 95.0, f64::NAN] {
            assert_eq!(Level::new(level), None);
        }
    }

    #[test]
    fn looks_share_the_error() {
        let error = |look| 2.0 * Level::P95.at_look(look).tail();
        assert!((error(1) - 0.05).abs() < 1e-12 && (error(2) - 0.0125).abs() < 1e-12);
        let sum: f64 = (2..=60).map(error).sum();
        assert!(sum > 0.0249 && sum < 0.025 + 1e-7, "{sum}");
        assert!((Level::P95.at_look(2).z() - 2.497_7).abs() < 1e-3);
        assert!(Level::P95.at_look(u32::MAX).z().is_finite());
    }

    #[test]
    fn intervals_that_hold_together_are_wider() {
        // Ten comparisons: 1 - 0.95^(1/10) = 0.005116, and the quantile 2.8 of two tails.
        let each = Level::P95.of_each(10);
        assert!((2.0 * each.tail() - 0.005_116_197).abs() < 1e-9);
        assert!((each.z() - 2.800).abs() < 5e-4, "{}", each.z());
        assert_eq!((Level::P95.of_each(1), Level::P95.of_each(0)), (Level::P95, Level::P95));
    }

    #[test]
    fn students_quantiles_are_those_of_the_tables() {
        for (freedom, quantile) in [
            (1.0, 12.7062),
            (4.0, 2.7764),
            (9.0, 2.2622),
            (60.0, 2.0003),
            (61.0, 1.9996),
            (203.0, 1.9717),
        ] {
            let found = Level::P95.t(freedom);
            assert!((found - quantile).abs() < 5e-5, "{freedom}: {found}");
        }
        assert!((Level::P95.t(1e9) - Level::P95.z()).abs() < 1e-6);
        assert_eq!(Level::P95.t(0.0), Level::P95.z());
    }

    #[test]
    fn nothing_played_has_no_interval() {
        assert_eq!(wilson(0.5, 0.0, Level::P95), None);
        assert_eq!(wilson(f64::NAN, 10.0, Level::P95), None);
    }

    #[test]
    fn normal_quantiles_invert_the_distribution() {
        assert!((Level::P95.z() - 1.959_963_984_540_054).abs() < 1e-9);
        assert!((normal_cdf(1.0) - 0.841_344_746_068_543).abs() < 1e-9);
        for p in [1e-6, 0.01, 0.3, 0.5, 0.9, 0.999_999] {
            assert!((normal_cdf(normal_quantile(p)) - p).abs() < 1e-9 * p.max(1e-3));
        }
        assert!(normal_quantile(1.0).is_infinite() && normal_quantile(1.0) > 0.0);
        assert!(normal_quantile(0.0).is_infinite() && normal_quantile(0.0) < 0.0);
    }
}
