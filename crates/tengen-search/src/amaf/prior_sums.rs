//! The all-moves-as-first sums that a prior gives its cell.

/// The factor from a prior's byte to √P, for a prior that is a probability P: byte 255 is √1.
pub const ROOT_PER_BYTE: f64 = 1.0 / 255.0;

/// The all-moves-as-first sums of a cell, those of its prior included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// The number of visits.
    pub visits: f32,
    /// The sum of the rewards.
    pub rewards: f32,
}

/// The visits and rewards of priors, both linear in a prior's byte: a constant part, and a part per
/// unit of the byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PriorSums {
    visits: [f32; 2],
    reward: f32,
    /// The reward per unit in two parts. The product of the first with a byte is exact, so that the sum
    /// of both products is rounded once.
    reward_per_unit: [f32; 2],
}

/// Low bits of single precision; without them a product with a factor up to 255 is exact.
const LOW_BITS: u32 = 0xff;

impl PriorSums {
    /// The sums of priors that count as `visits` and `rewards`: the constant part, then that per
    /// unit.
    #[allow(clippy::cast_possible_truncation)] // in single precision
    pub fn new(visits: [f64; 2], rewards: [f64; 2]) -> Self {
        let high = f32::from_bits((rewards[1] as f32).to_bits() & !LOW_BITS);
        let low = (rewards[1] - f64::from(high)) as f32;
        Self {
            visits: visits.map(|part| part as f32),
            reward: rewards[0] as f32,
            reward_per_unit: [high, low],
        }
    }

    /// The sums of a cell with a prior of this `byte`, 0 for none, that has counted `visits` visits and
    /// `halves` / 2 rewards.
    #[allow(clippy::inline_always)] // in vector code
    #[inline(always)]
    pub fn and(self, byte: u8, visits: u8, halves: u8) -> Sums {
        let units = f32::from(byte);
        let [high, low] = self.reward_per_unit.map(|part| part * units);
        let has_prior = byte > 0;
        let of_prior = if has_prior { self.visits[0] } else { 0.0 } + self.visits[1] * units;
        let reward = if has_prior { self.reward } else { 0.0 };
        Sums {
            visits: of_prior + f32::from(visits),
            rewards: ((high + low) + reward) + 0.5 * f32::from(halves),
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
            let prior_sums = PriorSums::new([visits, 0.0], [0.0, visits / 100.0]);
            for percent in 1..=127 {
                let sums = prior_sums.and(percent, 0, 0);
                let exact = visits * f64::from(percent) / 100.0;
                assert_eq!(sums, Sums { visits: visits as f32, rewards: exact as f32 });
            }
        }
        assert_eq!(
            PriorSums::new([20.0, 0.0], [0.0, 0.2]).and(0, 3, 5),
            Sums { visits: 3.0, rewards: 2.5 }
        );
    }

    /// Compact blocks add rewards to a prior at once, wide blocks one by one.
    #[test]
    fn twenty_visits_and_rewards_of_one_round_alike_in_any_block() {
        let prior_sums = PriorSums::new([20.0, 0.0], [0.0, 0.2]);
        for percent in 5..=95 {
            let mut one_by_one = prior_sums.and(percent, 0, 0).rewards;
            for wins in 1..=127 {
                one_by_one += 1.0;
                assert_eq!(prior_sums.and(percent, wins, 2 * wins).rewards, one_by_one);
            }
        }
    }
}
