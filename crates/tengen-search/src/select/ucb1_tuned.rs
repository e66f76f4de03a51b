//! The selection formula UCB1-tuned.

use super::{Child, Formula, SelectingNode};
use rand_xoshiro::Xoshiro256PlusPlus;

/// UCB1-tuned (Auer, Cesa-Bianchi and Fischer 2002, section 4, with a free factor c, 1 in the
/// paper):
///
/// ```text
/// m + c · √(ln N / n · min(¼, V))    V = s² + √(2 ln N / n)
/// ```
///
/// As variance s² the formula takes m − m²: the exact variance if every reward is 0 or 1, and more
/// than the variance if some rewards lie between 0 and 1.
pub(super) struct Ucb1Tuned;

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
