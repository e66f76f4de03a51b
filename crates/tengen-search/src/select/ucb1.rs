//! The selection formula UCB1.

use super::{Child, Formula, SelectingNode};
use rand_xoshiro::Xoshiro256PlusPlus;

/// UCB1 (Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed
/// bandit problem", 2002, figure 1, with a free constant; Kocsis and Szepesvári,
/// "Bandit based Monte-Carlo planning", 2006, for trees):
///
/// ```text
/// m + c · √(ln N / n)
/// ```
///
/// Auer's own constant is c = √2.
pub(super) struct Ucb1;

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
