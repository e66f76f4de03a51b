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

#[cfg(test)]
mod tests {
    use crate::select::{Fpu, Selection, Selector, most_urgent, urgencies};

    fn ucb1(exploration: f64, n: u32, visits: &[u32], rewards: &[f64]) -> Vec<f64> {
        let first_play = Fpu::Constant(f64::INFINITY);
        let selector = Selector { selection: Selection::built_in("ucb1"), exploration, first_play };
        urgencies(selector, n, visits, rewards)
    }

    #[test]
    fn computed_by_hand() {
        // N = 100, ln N = 4.60517.
        // a: 30 of 50: 0.6 + c·0.303485; b: 12 of 30: 0.4 + c·0.391797;
        // c: 7 of 20: 0.35 + c·0.479853.
        let found = ucb1(1.0, 100, &[50, 30, 20], &[30.0, 12.0, 7.0]);
        for (urgency, expected) in found.iter().zip([0.903_485, 0.791_798, 0.829_853]) {
            assert!((urgency - expected).abs() < 1e-6, "{urgency}");
        }
    }

    #[test]
    fn ties_go_to_the_lowest_index() {
        let best = |visits: &[u32], rewards: &[f64]| most_urgent(&ucb1(0.5, 11, visits, rewards)).0;
        assert_eq!(best(&[0, 0, 0], &[0.0; 3]), 0);
        assert_eq!(best(&[3, 4, 4], &[1.0, 2.0, 2.0]), 1);
        // 3 wins and 2 jigos of 5 against 4 wins and 1 loss of 5, and against half a point more.
        assert_eq!(best(&[5, 5], &[4.0, 4.0]), 0);
        assert_eq!(best(&[5, 5], &[3.5, 4.0]), 1);
    }
}
