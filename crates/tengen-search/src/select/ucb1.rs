//! The selection formula UCB1.

use super::Formula;

/// UCB1 (Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed
/// bandit problem", 2002, figure 1, with a free constant; Kocsis and Szepesvári,
/// "Bandit based Monte-Carlo planning", 2006, for trees):
///
/// ```text
/// m + c · √(ln N / n)
/// ```
///
/// Auer's own constant is c = √2.
pub(super) struct Ucb1 {
    pub c: f64,
    /// ln N.
    pub log: f64,
}

impl Formula for Ucb1 {
    #[inline]
    fn urgency(&self, mean: f64, visits: f64) -> f64 {
        let inverse = 1.0 / visits;
        mean + self.c * (self.log * inverse).sqrt()
    }

    #[inline]
    fn mean(reward: f64, visits: f64) -> f64 {
        reward * (1.0 / visits)
    }
}

#[cfg(test)]
mod tests {
    use crate::select::{Fpu, Selection, Selector, most_urgent, urgencies};

    const fn selector(exploration: f64, first_play: f64) -> Selector {
        Selector { selection: Selection::Ucb1, exploration, first_play: Fpu::Constant(first_play) }
    }

    fn best(visits: &[u32], rewards: &[f64], n: u32, exploration: f64, first_play: f64) -> usize {
        most_urgent(&urgencies(selector(exploration, first_play), n, visits, rewards)).0
    }

    #[test]
    fn computed_by_hand() {
        // N = 100, ln N = 4.60517.
        // a: 30 of 50: 0.6 + c·0.303485; b: 12 of 30: 0.4 + c·0.391797;
        // c: 7 of 20: 0.35 + c·0.479853.
        let (visits, rewards) = ([50, 30, 20], [30.0, 12.0, 7.0]);
        let found = urgencies(selector(1.0, 0.0), 100, &visits, &rewards);
        for (urgency, expected) in found.iter().zip([0.903_485, 0.791_798, 0.829_853]) {
            assert!((urgency - expected).abs() < 1e-6, "{urgency}");
        }
        assert_eq!(best(&visits, &rewards, 100, 0.0, 0.0), 0);
        assert_eq!(best(&visits, &rewards, 100, 1.5, 0.0), 2);
        // a and c change places at c = 0.25 / (0.479853 - 0.303485) = 1.41750.
        assert_eq!(best(&visits, &rewards, 100, 1.4174, 0.0), 0);
        assert_eq!(best(&visits, &rewards, 100, 1.4176, 0.0), 2);
    }

    #[test]
    fn a_jigo_is_half_a_win() {
        // 3 wins and 2 jigos of 5 against 4 wins and 1 loss of 5: equal.
        assert_eq!(best(&[5, 5], &[4.0, 4.0], 10, 0.5, 0.0), 0);
        assert_eq!(best(&[5, 5], &[3.5, 4.0], 10, 0.5, 0.0), 1);
    }

    #[test]
    fn first_play_urgency() {
        // Visited: 0.5 + 0.5·√(ln 10 / 10) = 0.7399.
        assert_eq!(best(&[10, 0], &[5.0, 0.0], 10, 0.5, f64::INFINITY), 1);
        assert_eq!(best(&[10, 0], &[5.0, 0.0], 10, 0.5, 0.7398), 0);
        assert_eq!(best(&[10, 0], &[5.0, 0.0], 10, 0.5, 0.7400), 1);
    }

    #[test]
    fn ties_go_to_the_lowest_index() {
        assert_eq!(best(&[0, 0, 0], &[0.0; 3], 0, 0.5, f64::INFINITY), 0);
        assert_eq!(best(&[3, 4, 4], &[1.0, 2.0, 2.0], 11, 0.0, 0.0), 1);
    }
}
