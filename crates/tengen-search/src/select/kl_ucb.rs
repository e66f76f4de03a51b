//! The selection formula KL-UCB.

use super::{Child, Formula, SelectingNode};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The most steps of Newton's method: seven reach the last bits.
const STEPS: usize = 12;

/// The step of Newton's method below which the bound is exact enough.
const EXACT: f64 = 1e-9;

/// KL-UCB (Garivier and Cappé, "The KL-UCB algorithm for bounded stochastic
/// bandits and beyond", 2011, algorithm 1 with c = 0 there): the greatest q in
/// [m, 1] with
///
/// ```text
/// n · d(m, q) ≤ c · ln N    d(p, q) = p ln(p / q) + (1 − p) ln((1 − p) / (1 − q))
/// ```
///
/// The paper's bound has the factor c = 1. The formula is slower than the other built-in ones: it
/// takes about ten logarithms per child.
pub(super) struct KlUcb;

impl Formula for KlUcb {
    /// c · ln N.
    type AtNode = f64;

    fn at(&self, node: &SelectingNode<'_>) -> f64 {
        node.exploration * node.log_visits()
    }

    fn urgency(&self, bound: &f64, child: &Child, _: &mut Xoshiro256PlusPlus) -> f64 {
        let Child { visits, mean, .. } = *child;
        // The result for 0 visits is not used: this saves the steps.
        if visits == 0.0 { mean } else { upper_bound(mean, bound / visits) }
    }
}

/// The greatest q from `mean` to 1 whose divergence from `mean` is at most `most`.
///
/// The divergence is convex in q: from any q above the bound, Newton's steps descend to the bound.
/// Two such q are known. One follows from Pinsker's inequality d ≥ 2(q − m)². The other follows
/// from omitting the positive term −m ln q: d ≥ −h − (1 − m) ln(1 − q) with the entropy h = −m ln m
/// − (1 − m) ln(1 − m). It is exact at m = 0 and close where q is near 1.
fn upper_bound(mean: f64, most: f64) -> f64 {
    let rest = 1.0 - mean;
    if rest <= 0.0 || most <= 0.0 {
        return mean.clamp(0.0, 1.0);
    }
    let entropy = -product_of_log(mean) - product_of_log(rest);
    let by_pinsker = mean + (most / 2.0).sqrt();
    let near_one = -libm::expm1(-(most + entropy) / rest);
    let mut bound = by_pinsker.min(near_one);
    // The steps divide by the distance from the mean.
    if bound <= mean {
        return mean;
    }
    for _ in 0..STEPS {
        let left = 1.0 - bound;
        if left <= 0.0 {
            return 1.0;
        }
        let divergence = -entropy - mean * libm::log(bound) - rest * libm::log(left);
        let step = (divergence - most) * bound * left / (bound - mean);
        let next = (bound - step).clamp(mean, 1.0);
        let is_exact = bound - next < EXACT;
        bound = next;
        if is_exact {
            break;
        }
    }
    bound
}

/// p ln p, which is 0 at 0.
fn product_of_log(p: f64) -> f64 {
    if p <= 0.0 { 0.0 } else { p * libm::log(p) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The Kullback–Leibler divergence by its definition.
    fn divergence(p: f64, q: f64) -> f64 {
        let part = |p: f64, q: f64| if p <= 0.0 { 0.0 } else { p * (p / q).ln() };
        part(p, q) + part(1.0 - p, 1.0 - q)
    }

    #[test]
    fn the_divergence_of_the_bound_is_that_which_is_allowed() {
        // 0.5 ln(0.5/0.8) + 0.5 ln(0.5/0.2) = 0.2231436, and of p = 0 -ln(1 - q) = ln 2 at one half.
        assert!((upper_bound(0.5, 0.223_143_6) - 0.8).abs() < 1e-6);
        assert!((upper_bound(0.0, std::f64::consts::LN_2) - 0.5).abs() < 1e-9);
        for mean in [0.0, 1e-6, 0.01, 0.2, 0.5, 0.77, 0.99, 1.0 - 1e-6] {
            for most in [1e-7, 1e-4, 0.003, 0.1, 1.0, 4.0, 20.0] {
                let bound = upper_bound(mean, most);
                // Bisection finds the same bound.
                let (mut low, mut high) = (mean, 1.0);
                for _ in 0..60 {
                    let middle = f64::midpoint(low, high);
                    let is_above = divergence(mean, middle) > most;
                    *(if is_above { &mut high } else { &mut low }) = middle;
                }
                assert!((bound - low).abs() < 1e-8, "{mean}, {most}: {bound} and {low}");
            }
        }
    }

    #[test]
    fn bounds_at_the_ends() {
        assert_eq!((upper_bound(1.0, 0.3), upper_bound(0.4, 0.0)), (1.0, 0.4));
        assert_eq!(upper_bound(0.0, 1e9), 1.0);
    }
}
