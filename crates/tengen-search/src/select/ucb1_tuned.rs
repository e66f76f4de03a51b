//! UCB1-tuned.

use super::log_visits;

/// Fills `urgencies` with those of UCB1-tuned (Auer, Cesa-Bianchi and Fischer
/// 2002, section 4, with a free factor c, there 1):
///
/// ```text
/// m + c · √(ln N / n · min(¼, V))    V = s² + √(2 ln N / n)
/// ```
///
/// The variance s² is taken as m − m², which it is where every reward is 0 or
/// 1, and no less than it is where there are others between.
/// A child without visits has the value `first_play`.
#[inline]
pub fn ucb1_tuned(
    visits: &[u32],
    rewards: &[f64],
    parent_visits: u32,
    exploration: f64,
    first_play: f64,
    urgencies: &mut [f64],
) {
    let log = log_visits(parent_visits);
    for ((&visits, &reward), urgency) in visits.iter().zip(rewards).zip(urgencies) {
        let inverse = 1.0 / f64::from(visits.cast_signed());
        let mean = reward * inverse;
        let bound = mean - mean * mean + (2.0 * log * inverse).sqrt();
        let width = if bound < 0.25 { bound } else { 0.25 };
        let value = mean + exploration * (log * inverse * width).sqrt();
        *urgency = if visits == 0 { first_play } else { value };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computed_by_hand() {
        let mut urgencies = [0.0; 3];
        // N = 1000, ln N = 6.907755.
        // 30 of 50: V = 0.24 + √0.276310 = 0.765: ¼; 0.6 + √(0.0345388) = 0.785846.
        // 980 of 990: V = 0.009999 + √0.0139551 = 0.128131;
        //   0.989899 + √(0.00697753·0.128131) = 1.019799.
        ucb1_tuned(&[50, 990, 0], &[30.0, 980.0, 0.0], 1_000, 1.0, 7.0, &mut urgencies);
        for (urgency, expected) in urgencies.iter().zip([0.785_846, 1.019_799, 7.0]) {
            assert!((urgency - expected).abs() < 2e-6, "{urgency} is not {expected}");
        }
        let mut half = [0.0; 1];
        ucb1_tuned(&[50], &[30.0], 1_000, 0.5, 7.0, &mut half);
        assert!((half[0] - 0.692_923).abs() < 2e-6, "{}", half[0]);
    }
}
