//! The interval of a median by order statistics: it assumes no distribution.

use super::interval::{Interval, Level};

/// The interval of the median of the distribution of `values`, with its exact confidence.
///
/// A value is below the median as often as above it, so that the interval from the k-th least to
/// the k-th greatest of N independent values misses the median with the probability
/// `2·P(B < k)`, where B is binomial with N trials of probability ½ (Thompson 1936, "On confidence
/// ranges for the median and other expectation distributions for populations of unknown
/// distribution form"). k is the greatest number with a confidence of at least `level`. Where no
/// interval has this confidence, as for fewer than six values at 95 %, the interval is the range of
/// all values. `None` without values.
///
/// # Examples
/// ```
/// use tengen_stats::{Level, median_interval};
///
/// let speeds = [101.0, 99.0, 104.0, 98.0, 103.0, 100.0, 97.0, 120.0, 102.0];
/// let (interval, confidence) = median_interval(&speeds, Level::P95).ok_or("no speed")?;
/// assert_eq!((interval.low, interval.high), (98.0, 104.0));
/// assert_eq!(format!("{:.3}", confidence), "0.961");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn median_interval(values: &[f64], level: Level) -> Option<(Interval, f64)> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (low, confidence) = rank(sorted.len(), level)?;
    let high = sorted.len() - 1 - low;
    Some((Interval { low: sorted[low], high: sorted[high] }, confidence))
}

/// The place, from 0, of the lower end among `count` ascending values, and the confidence of the
/// interval from there to the same place from above.
fn rank(count: usize, level: Level) -> Option<(usize, f64)> {
    let last = count.checked_sub(1)?;
    // The probability of no value below the median; in logarithms, since 2^-1100 is 0.
    let mut log = -(count as f64) * std::f64::consts::LN_2;
    let mut below = log.exp();
    let mut best = (0, (1.0 - 2.0 * below).max(0.0));
    for place in 1..=last / 2 {
        log += ((count - place + 1) as f64 / place as f64).ln();
        below += log.exp();
        if below > level.tail() {
            break;
        }
        best = (place, 1.0 - 2.0 * below);
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::uniform;

    #[test]
    fn ranks_are_those_of_the_tables() {
        // Conover 1999, "Practical nonparametric statistics": places from 1, at 95 %.
        for (count, place) in [(6, 1), (8, 1), (9, 2), (11, 2), (12, 3), (15, 4), (20, 6), (25, 8)]
        {
            let (found, confidence) = rank(count, Level::P95).expect("values");
            assert_eq!(found + 1, place, "{count}");
            assert!(confidence >= 0.95, "{count}: {confidence}");
        }
        for (count, confidence) in [(1, 0.0), (2, 0.5), (3, 0.75), (5, 0.9375), (6, 0.96875)] {
            assert_eq!(rank(count, Level::P95), Some((0, confidence)));
        }
        assert_eq!(median_interval(&[], Level::P95), None);
        // Beyond the range of 2^-N: nearly the normal approximation, 1,000 - 0.98·sqrt(2,000).
        let (found, confidence) = rank(2_000, Level::P95).expect("values");
        assert!((954..=957).contains(&found) && (0.95..0.955).contains(&confidence), "{found}");
    }

    #[test]
    fn it_covers_the_median_of_any_distribution_as_often_as_it_says() {
        for count in [5, 7, 12, 25] {
            let mut covered = 0;
            let mut said = 0.0;
            for sample in 0..4_000_u64 {
                // The cube of an exponential variable: very skewed.
                let values: Vec<f64> = (0..count)
                    .map(|at| uniform(sample * 31 + 7, at))
                    .map(|drawn| (-(1.0 - drawn).ln()).powi(3))
                    .collect();
                let (interval, confidence) = median_interval(&values, Level::P95).expect("values");
                covered += u32::from(interval.contains(&std::f64::consts::LN_2.powi(3)));
                said = confidence;
            }
            let found = f64::from(covered) / 4_000.0;
            assert!((found - said).abs() < 0.015, "{count}: {found} instead of {said}");
        }
    }
}
