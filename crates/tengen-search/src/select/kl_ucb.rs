//! The selection formula KL-UCB.

use super::{Child, Formula, SelectingNode};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Steps of bisection: the bound is exact to 2⁻³⁰.
const STEPS: usize = 30;

/// KL-UCB (Garivier and Cappé, "The KL-UCB algorithm for bounded stochastic
/// bandits and beyond", 2011, algorithm 1 with c = 0 there): the greatest q in
/// [m, 1] with
///
/// ```text
/// n · d(m, q) ≤ c · ln N    d(p, q) = p ln(p / q) + (1 − p) ln((1 − p) / (1 − q))
/// ```
///
/// The paper's bound has the factor c = 1. The formula is a hundred times slower than
/// the others: it takes thirty divergences per child.
pub(super) struct KlUcb;

impl Formula for KlUcb {
    /// c · ln N.
    type AtNode = f64;

    fn at(&self, node: &SelectingNode<'_>) -> f64 {
        node.exploration * node.log_visits()
    }

    fn urgency(&self, bound: &f64, child: &Child, _: &mut Xoshiro256PlusPlus) -> f64 {
        let Child { visits, mean, .. } = *child;
        // The result for 0 visits is not used: this saves the thirty steps.
        if visits == 0.0 { mean } else { upper_bound(mean, bound / visits) }
    }
}

/// The greatest q from `mean` on whose divergence from it is `most`.
fn upper_bound(mean: f64, most: f64) -> f64 {
    let (mut low, mut high) = (mean, 1.0);
    for _ in 0..STEPS {
        let middle = f64::midpoint(low, high);
        if bernoulli_divergence(mean, middle) > most {
            high = middle;
        } else {
            low = middle;
        }
    }
    low
}

/// The Kullback–Leibler divergence d(p, q) of two Bernoulli distributions, in
/// nats; infinite where q excludes what p allows.
fn bernoulli_divergence(p: f64, q: f64) -> f64 {
    let part = |p: f64, q: f64| if p <= 0.0 { 0.0 } else { p * libm::log(p / q) };
    part(p, q) + part(1.0 - p, 1.0 - q)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divergence_computed_by_hand() {
        // 0.5 ln(0.5/0.8) + 0.5 ln(0.5/0.2) = 0.2231436.
        assert!((bernoulli_divergence(0.5, 0.8) - 0.223_143_6).abs() < 1e-6);
        assert!(bernoulli_divergence(0.3, 0.3).abs() < 1e-12);
        // Of p = 0: -ln(1 - q) = ln 2 at one half.
        assert!((bernoulli_divergence(0.0, 0.5) - std::f64::consts::LN_2).abs() < 1e-12);
        assert_eq!(bernoulli_divergence(0.5, 1.0), f64::INFINITY);
    }
}
