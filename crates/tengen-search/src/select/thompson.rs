//! Thompson sampling as a selection formula.

use super::{Child, Formula, Properties, SelectingNode};
use rand::RngExt;
use rand_distr::Beta;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Thompson sampling for Bernoulli rewards (Thompson 1933; Agrawal and Goyal, "Analysis
/// of Thompson sampling for the multi-armed bandit problem", 2012, algorithm 1): a draw
/// from
///
/// ```text
/// Beta(1 + w, 1 + n − w)
/// ```
///
/// where w is the sum of the child's rewards. A child without visits gets a draw too. The formula
/// has no constant.
pub(super) struct Thompson;

impl Formula for Thompson {
    const PROPERTIES: Properties = Properties { ranks_unvisited: true, ..Properties::NONE };

    type AtNode = ();

    fn at(&self, _: &SelectingNode<'_>) {}

    fn beta(&self, visits: f64, reward: f64) -> Option<[f64; 2]> {
        Some(parameters(visits, reward))
    }

    fn urgency(&self, (): &(), child: &Child, random: &mut Xoshiro256PlusPlus) -> f64 {
        let [a, b] = parameters(child.visits, child.reward);
        Beta::new(a, b).map_or(0.5, |distribution| random.sample(distribution))
    }
}

/// The parameters of the distribution of a child: both are at least 1, so that it exists.
fn parameters(visits: f64, reward: f64) -> [f64; 2] {
    [1.0 + reward.max(0.0), 1.0 + (visits - reward).max(0.0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::rand_core::SeedableRng;

    /// The mean and the variance of the draws against those of the
    /// distribution: (1 + w) / (2 + n), and p (1 − p) / (3 + n).
    #[test]
    fn draws_follow_the_distribution() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for (visits, reward) in [(0.0, 0.0), (10.0, 7.0), (100.0, 3.5), (5.0, 5.0)] {
            let child = Child { visits, reward, mean: 0.5, prior: 0.0 };
            let draws: Vec<f64> =
                (0..20_000).map(|_| Thompson.urgency(&(), &child, &mut random)).collect();
            let mean = draws.iter().sum::<f64>() / 20_000.0;
            let square = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 20_000.0;
            let expected = (1.0 + reward) / (2.0 + visits);
            let variance = expected * (1.0 - expected) / (3.0 + visits);
            assert!((mean - expected).abs() < 5.0 * (variance / 20_000.0).sqrt(), "{visits}");
            assert!((square / variance - 1.0).abs() < 0.1, "{visits}: {square} {variance}");
        }
    }
}
