//! The nonparametric bootstrap of pair scores (Efron 1979): how much a statistic would
//! vary if the match were played again, estimated by drawing its pairs again with
//! replacement.

use super::elo::Elo;
use super::interval::{Interval, Level};
use super::tally::Pairs;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

impl Pairs {
    /// A bootstrap sample: as many pairs, drawn from these with replacement.
    #[must_use]
    pub fn resampled(&self, stream: &mut Xoshiro256PlusPlus) -> Self {
        let (before, count) = (self.cells(), self.count());
        let mut cells = [0; 5];
        for _ in 0..count {
            let mut left = stream.random_range(0..count);
            // The counts add up to more than the number drawn.
            let drawn = before.iter().position(|&cell| {
                let is_here = left < cell;
                left = left.saturating_sub(cell);
                is_here
            });
            if let Some(drawn) = drawn {
                cells[drawn] += 1;
            }
        }
        Self::from_cells(cells)
    }

    /// The Elo of the first player after half a won pair and half a lost pair are added,
    /// `L⁻¹((N·p + ½) / (N + 1))`: always finite, and a little nearer to zero than the Elo of the
    /// score. 0 without pairs.
    #[must_use]
    pub fn smoothed_elo(&self) -> Elo {
        let pairs = self.count() as f64;
        let points = self.score().map_or(0.0, |score| score * pairs);
        Elo::from_score((points + 0.5) / (pairs + 1.0))
    }
}

/// The percentile interval of bootstrap `samples`: their range without the proportion
/// `level.tail()` of them at each end. Samples may be infinite. `None` without samples.
#[must_use]
pub fn percentile_interval(mut samples: Vec<f64>, level: Level) -> Option<Interval> {
    samples.sort_by(f64::total_cmp);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // below the length
    let cut = (samples.len() as f64 * level.tail() + 1e-9) as usize;
    let high = samples.len().checked_sub(cut + 1)?;
    Some(Interval { low: samples[cut], high: samples[high] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::rand_core::SeedableRng;

    #[test]
    fn smoothed_elo_by_hand() {
        // 9.5 of 10: odds of 19 to 1.
        let all = Pairs::without_draws([0, 0, 9]).smoothed_elo().0;
        assert!((all - 400.0 * 19_f64.log10()).abs() < 1e-9, "{all}");
        let none = Pairs::without_draws([9, 0, 0]).smoothed_elo().0;
        assert!((all + none).abs() < 1e-9);
        assert_eq!(Pairs::without_draws([3, 4, 3]).smoothed_elo(), Elo(0.0));
        assert_eq!(Pairs::default().smoothed_elo(), Elo(0.0));
    }

    #[test]
    fn resamples_follow_the_seed_and_keep_what_is_sure() {
        let pairs = Pairs::from_cells([3, 0, 10, 0, 7]);
        let draw = |seed| pairs.resampled(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        let mut sums = [0; 5];
        for seed in 0..2_000 {
            let again = draw(seed);
            assert_eq!(again.count(), 20);
            for (sum, cell) in sums.iter_mut().zip(again.cells()) {
                *sum += cell;
            }
        }
        assert_eq!((sums[1], sums[3]), (0, 0));
        // Means 3, 10 and 7 with deviations of about 0.04.
        for (sum, mean) in [(sums[0], 3.0), (sums[2], 10.0), (sums[4], 7.0)] {
            assert!((sum as f64 / 2_000.0 - mean).abs() < 0.2, "{sums:?}");
        }
        let sure = Pairs::without_draws([0, 0, 9]);
        assert_eq!(sure.resampled(&mut Xoshiro256PlusPlus::seed_from_u64(1)), sure);
        let empty = Pairs::default();
        assert_eq!(empty.resampled(&mut Xoshiro256PlusPlus::seed_from_u64(1)), empty);
    }

    #[test]
    fn percentiles_leave_a_tail_at_each_side() {
        let samples: Vec<f64> = (0..1000).rev().map(f64::from).collect();
        let interval = percentile_interval(samples, Level::P95).unwrap();
        assert_eq!((interval.low, interval.high), (25.0, 974.0));
        let open = percentile_interval(vec![1.0, f64::NEG_INFINITY, 2.0], Level::P95).unwrap();
        assert_eq!((open.low, open.high), (f64::NEG_INFINITY, 2.0));
        assert_eq!(percentile_interval(Vec::new(), Level::P95), None);
    }
}
