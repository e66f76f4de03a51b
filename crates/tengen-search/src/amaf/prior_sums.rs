//! The all-moves-as-first sums that a prior value begins with.

/// The all-moves-as-first sums of a cell, those of its prior included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// The number of visits.
    pub visits: f32,
    /// The sum of the rewards.
    pub rewards: f32,
}

/// The visits and rewards of priors: each prior value counts as the same number of
/// visits, whose mean reward it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PriorSums {
    visits: f32,
    /// The reward per percent of the prior value in two parts. The product of the first
    /// with a number up to 127 is exact, so that the sum of both products is rounded once.
    reward_per_percent: [f32; 2],
}

/// The bits of single precision that a factor up to 127 shifts out.
const LOW_BITS: u32 = 0x7f;

impl PriorSums {
    /// The sums where each prior counts as `visits` visits.
    #[allow(clippy::cast_possible_truncation)] // in single precision
    pub fn new(visits: f64) -> Self {
        let per_percent = visits / 100.0;
        let high = f32::from_bits((per_percent as f32).to_bits() & !LOW_BITS);
        let low = (per_percent - f64::from(high)) as f32;
        Self { visits: visits as f32, reward_per_percent: [high, low] }
    }

    /// The sums of a cell with a prior value of `percent`, 0 for none, that has counted
    /// `visits` visits and `halves` / 2 rewards.
    #[allow(clippy::inline_always)] // in vector code
    #[inline(always)]
    pub fn and(self, percent: u8, visits: u8, halves: u8) -> Sums {
        let [high, low] = self.reward_per_percent.map(|part| part * f32::from(percent));
        let of_prior = if percent > 0 { self.visits } else { 0.0 };
        Sums {
            visits: of_prior + f32::from(visits),
            rewards: (high + low) + 0.5 * f32::from(halves),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reward_of_a_prior_is_rounded_once() {
        for tenths in 0..3_000 {
            let visits = f64::from(tenths) / 10.0;
            let prior_sums = PriorSums::new(visits);
            for percent in 1..=127 {
                let sums = prior_sums.and(percent, 0, 0);
                let exact = visits * f64::from(percent) / 100.0;
                assert_eq!(sums, Sums { visits: visits as f32, rewards: exact as f32 });
            }
        }
        assert_eq!(PriorSums::new(20.0).and(0, 3, 5), Sums { visits: 3.0, rewards: 2.5 });
    }

    /// Compact blocks add to a prior at once what wide ones add one by one.
    #[test]
    fn twenty_visits_and_rewards_of_one_round_alike_in_any_block() {
        let prior_sums = PriorSums::new(20.0);
        for percent in 5..=95 {
            let mut one_by_one = prior_sums.and(percent, 0, 0).rewards;
            for wins in 1..=127 {
                one_by_one += 1.0;
                assert_eq!(prior_sums.and(percent, wins, 2 * wins).rewards, one_by_one);
            }
        }
    }
}
