//! The ratio of two sums, such as seconds per move, and the mean of independent values.

use super::interval::{Interval, Level};

/// The ratio Σy / Σx of `pairs` (x, y), and its interval, symmetric by the delta method with Student's
/// quantile: the standard error is s with `s² = n / (n − 1) · Σ (y − r·x)² / (Σx)²` (Cochran 1977,
/// "Sampling techniques", equation 6.13, without the finite population). `None` unless Σx is
/// positive; no interval for fewer than two pairs.
///
/// # Examples
/// ```
/// use tengen_stats::{Level, ratio_of_sums};
///
/// // Moves and seconds of three games.
/// let games = [(20.0, 2.0), (30.0, 4.0), (25.0, 2.7)];
/// let (ratio, interval) = ratio_of_sums(&games, Level::P95).ok_or("no moves")?;
/// let interval = interval.ok_or("one game")?;
/// assert_eq!(format!("{ratio:.3}, {:.3} to {:.3}", interval.low, interval.high), "0.116, 0.071 to 0.161");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn ratio_of_sums(pairs: &[(f64, f64)], level: Level) -> Option<(f64, Option<Interval>)> {
    let (x, y) = pairs.iter().fold((0.0, 0.0), |(x, y), pair| (x + pair.0, y + pair.1));
    if x <= 0.0 {
        return None;
    }
    let (ratio, count) = (y / x, pairs.len() as f64);
    let squares: f64 = pairs.iter().map(|(x, y)| (y - ratio * x).powi(2)).sum();
    let interval = (pairs.len() > 1).then(|| {
        let half = level.t(count - 1.0) * (count / (count - 1.0) * squares).sqrt() / x;
        Interval { low: ratio - half, high: ratio + half }
    });
    Some((ratio, interval))
}

/// The mean of independent `values`, and its interval, symmetric with Student's quantile: the standard
/// error is s / √n for n values with the sample variance s². `None` without values; no interval for one
/// value.
///
/// The interval is exact for values of a normal distribution. For shares and rare costs take
/// [`wilson`](super::wilson) and [`rare_cost_interval`](super::rare_cost_interval).
///
/// # Examples
/// ```
/// use tengen_stats::{Level, mean};
///
/// let (mean, interval) = mean(&[3.0, 4.0, 5.0, 4.0], Level::P95).ok_or("no values")?;
/// let interval = interval.ok_or("one value")?;
/// assert_eq!(format!("{mean}, {:.2} to {:.2}", interval.low, interval.high), "4, 2.70 to 5.30");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn mean(values: &[f64], level: Level) -> Option<(f64, Option<Interval>)> {
    let each: Vec<(f64, f64)> = values.iter().map(|&value| (1.0, value)).collect();
    ratio_of_sums(&each, level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_holds_the_ratio() {
        use rand_xoshiro::Xoshiro256PlusPlus;
        use rand_xoshiro::rand_core::{Rng, SeedableRng};
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut draw = || (stream.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let (samples, mut held) = (4_000, 0);
        for _ in 0..samples {
            // x and y share the length of their game; E y / E x = 1.2.
            let pairs: Vec<(f64, f64)> = (0..30)
                .map(|_| {
                    let length = 20.0 + 40.0 * draw();
                    (length * (0.9 + 0.2 * draw()), 1.2 * length * (0.7 + 0.6 * draw()))
                })
                .collect();
            let (_, interval) = ratio_of_sums(&pairs, Level::P95).unwrap();
            held += usize::from(interval.unwrap().contains(&1.2));
        }
        let share = held as f64 / f64::from(samples);
        assert!((0.93..0.965).contains(&share), "{share}");
    }

    #[test]
    fn the_mean_and_its_interval_by_hand() {
        let (found, interval) = mean(&[0.1, 0.3], Level::P95).unwrap();
        assert!((found - 0.2).abs() < 1e-12);
        // The deviation is 0.1·√2, the standard error 0.1; 12.706 is the quantile with one degree.
        let half = interval.unwrap().half_width();
        assert!((half - 1.270_62).abs() < 1e-4, "{half}");
        assert_eq!(mean(&[0.1], Level::P95), Some((0.1, None)));
        assert_eq!(mean(&[], Level::P95), None);
    }
}
