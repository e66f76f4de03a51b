//! Thompson sampling as a selection formula.

use crate::tree::Columns;
use rand::RngExt;
use rand_distr::Beta;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Fills `urgencies` with those of Thompson sampling for Bernoulli rewards
/// (Thompson 1933; Agrawal and Goyal, "Analysis of Thompson sampling for the
/// multi-armed bandit problem", 2012, algorithm 1): a draw from
///
/// ```text
/// Beta(1 + w, 1 + n − w)
/// ```
///
/// where w are the child's rewards added up, for each child, those without
/// visits included. There is no constant. The draws come from the search's own
/// stream, so that a seed decides them.
pub(super) fn thompson(
    columns: &Columns<'_>,
    random: &mut Xoshiro256PlusPlus,
    urgencies: &mut [f64],
) {
    let children = columns.visits.iter().zip(columns.rewards).zip(urgencies);
    for ((&visits, &reward), urgency) in children {
        let losses = (f64::from(visits) - reward).max(0.0);
        // Both parameters are at least 1, so that the distribution exists.
        *urgency = Beta::new(1.0 + reward.max(0.0), 1.0 + losses)
            .map_or(0.5, |distribution| random.sample(distribution));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::rand_core::SeedableRng;

    const fn children<'a>(visits: &'a [u32], rewards: &'a [f64]) -> Columns<'a> {
        Columns { visits, rewards, priors: &[], positions: &[] }
    }

    /// The mean and the variance of the draws against those of the
    /// distribution: (1 + w) / (2 + n), and p (1 − p) / (3 + n).
    #[test]
    fn draws_follow_the_distribution() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for (visits, reward) in [(0_u32, 0.0), (10, 7.0), (100, 3.5), (5, 5.0)] {
            let draws: Vec<f64> = (0..20_000)
                .map(|_| {
                    let mut urgencies = [0.0];
                    thompson(&children(&[visits], &[reward]), &mut random, &mut urgencies);
                    urgencies[0]
                })
                .collect();
            let mean = draws.iter().sum::<f64>() / 20_000.0;
            let square = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 20_000.0;
            let expected = (1.0 + reward) / (2.0 + f64::from(visits));
            let variance = expected * (1.0 - expected) / (3.0 + f64::from(visits));
            assert!((mean - expected).abs() < 5.0 * (variance / 20_000.0).sqrt(), "{visits}");
            assert!((square / variance - 1.0).abs() < 0.1, "{visits}: {square} {variance}");
        }
    }
}
