//! The built-in selection formulas, each with its paper.

use super::gumbel::{self, Gumbel};
use super::{Child, Formula, FormulaOfAllChildren, Properties, SelectingNode};
use rand::RngExt;
use rand_distr::Beta;
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_go::{BuiltIn, Made};

/// The built-in selection formulas.
pub(super) const BUILT_IN: &[BuiltIn<FormulaOfAllChildren>] = &[
    BuiltIn::new("ucb1", "", |_| Made::only(Box::new(Ucb1))),
    BuiltIn::new("ucb1-tuned", "", |_| Made::only(Box::new(Ucb1Tuned))),
    BuiltIn::new("kl-ucb", "", |_| Made::only(Box::new(KlUcb))),
    BuiltIn::new("thompson", "", |_| Made::only(Box::new(Thompson))),
    BuiltIn::new("puct", "", |_| Made::only(Box::new(Puct))),
    BuiltIn::new("gumbel", gumbel::PARAMETERS, |given| made(given, true)),
    BuiltIn::new("gumbel-unscaled", gumbel::PARAMETERS, |given| made(given, false)),
];

/// A formula by [`Gumbel`].
fn made(given: &str, is_rescaled: bool) -> Result<Made<FormulaOfAllChildren>, String> {
    let (formula, parameters) = Gumbel::of(given, is_rescaled)?;
    Ok(Made::new(Box::new(formula), parameters))
}

/// UCB1 (Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed
/// bandit problem", 2002, figure 1, with a free constant; Kocsis and Szepesvári,
/// "Bandit based Monte-Carlo planning", 2006, for trees):
///
/// ```text
/// m + c · √(ln N / n)
/// ```
///
/// Auer's own constant is c = √2.
struct Ucb1;

impl Formula for Ucb1 {
    /// c and ln N.
    type AtNode = (f64, f64);

    #[inline]
    fn at(&self, node: &SelectingNode<'_>) -> (f64, f64) {
        (node.exploration, node.log_visits())
    }

    #[inline]
    fn urgency(&self, &(c, log): &(f64, f64), child: &Child, _: &mut Xoshiro256PlusPlus) -> f64 {
        let inverse = 1.0 / child.visits;
        child.mean + c * (log * inverse).sqrt()
    }

    #[inline]
    fn mean(reward: f64, visits: f64) -> f64 {
        reward * (1.0 / visits)
    }
}

/// UCB1-tuned (Auer, Cesa-Bianchi and Fischer 2002, section 4, with a free factor c, 1 in the
/// paper):
///
/// ```text
/// m + c · √(ln N / n · min(¼, V))    V = s² + √(2 ln N / n)
/// ```
///
/// As variance s² the formula takes m − m²: the exact variance if every reward is 0 or 1, and more
/// than the variance if some rewards lie between 0 and 1.
struct Ucb1Tuned;

impl Formula for Ucb1Tuned {
    /// c and ln N.
    type AtNode = (f64, f64);

    #[inline]
    fn at(&self, node: &SelectingNode<'_>) -> (f64, f64) {
        (node.exploration, node.log_visits())
    }

    #[inline]
    fn urgency(&self, &(c, log): &(f64, f64), child: &Child, _: &mut Xoshiro256PlusPlus) -> f64 {
        let (mean, inverse) = (child.mean, 1.0 / child.visits);
        let bound = mean - mean * mean + (2.0 * log * inverse).sqrt();
        let width = if bound < 0.25 { bound } else { 0.25 };
        mean + c * (log * inverse * width).sqrt()
    }

    #[inline]
    fn mean(reward: f64, visits: f64) -> f64 {
        reward * (1.0 / visits)
    }
}

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
struct KlUcb;

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

/// PUCT as Silver et al. write it ("Mastering the game of Go without human knowledge",
/// 2017, methods; after Rosin, "Multi-armed bandits with episode context", 2011):
///
/// ```text
/// m + c · P · √N / (1 + n)
/// ```
///
/// P is the child's share of the priors of all moves, which the tree holds; without priors all
/// children have equal shares. The value of a first play must be finite.
struct Puct;

/// The values that all children of a node share.
struct PuctAtNode {
    /// c · √N.
    root: f64,
    /// The equal share of each child without priors; none with priors.
    uniform: Option<f64>,
}

impl Formula for Puct {
    const PROPERTIES: Properties = Properties {
        ranks_unvisited: true,
        reads_priors: true,
        unvisited_follow_priors: true,
        plans_root: false,
    };

    type AtNode = PuctAtNode;

    fn at(&self, node: &SelectingNode<'_>) -> PuctAtNode {
        let has_none = node.children.priors.is_empty();
        PuctAtNode {
            root: node.exploration * f64::from(node.visits).sqrt(),
            uniform: has_none.then(|| 1.0 / node.children.visits.len() as f64),
        }
    }

    #[inline]
    fn urgency(&self, at: &PuctAtNode, child: &Child, _: &mut Xoshiro256PlusPlus) -> f64 {
        let share = at.uniform.unwrap_or(child.prior);
        child.mean + at.root * share / (1.0 + child.visits)
    }
}

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
struct Thompson;

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
