//! The selection formula UCB1-tuned.

use super::Formula;

/// UCB1-tuned (Auer, Cesa-Bianchi and Fischer 2002, section 4, with a free factor
/// c, there 1):
///
/// ```text
/// m + c · √(ln N / n · min(¼, V))    V = s² + √(2 ln N / n)
/// ```
///
/// As variance s² the formula takes m − m²: this is the variance if every reward is 0
/// or 1, and more than the variance if there are rewards between 0 and 1.
pub(super) struct Ucb1Tuned {
    pub c: f64,
    /// ln N.
    pub log: f64,
}

impl Formula for Ucb1Tuned {
    #[inline]
    fn urgency(&self, mean: f64, visits: f64) -> f64 {
        let inverse = 1.0 / visits;
        let bound = mean - mean * mean + (2.0 * self.log * inverse).sqrt();
        let width = if bound < 0.25 { bound } else { 0.25 };
        mean + self.c * (self.log * inverse * width).sqrt()
    }

    #[inline]
    fn mean(reward: f64, visits: f64) -> f64 {
        reward * (1.0 / visits)
    }
}

#[cfg(test)]
mod tests {
    use crate::select::{Fpu, Selection, Selector, urgencies};

    #[test]
    fn computed_by_hand() {
        let first_play = Fpu::Constant(7.0);
        let tuned =
            |exploration| Selector { selection: Selection::Ucb1Tuned, exploration, first_play };
        // N = 1000, ln N = 6.907755.
        // 30 of 50: V = 0.24 + √0.276310 = 0.765: ¼; 0.6 + √(0.0345388) = 0.785846.
        // 980 of 990: V = 0.009999 + √0.0139551 = 0.128131;
        //   0.989899 + √(0.00697753·0.128131) = 1.019799.
        let found = urgencies(tuned(1.0), 1_000, &[50, 990, 0], &[30.0, 980.0, 0.0]);
        for (urgency, expected) in found.iter().zip([0.785_846, 1.019_799, 7.0]) {
            assert!((urgency - expected).abs() < 2e-6, "{urgency} is not {expected}");
        }
        let half = urgencies(tuned(0.5), 1_000, &[50], &[30.0]);
        assert!((half[0] - 0.692_923).abs() < 2e-6, "{}", half[0]);
    }
}
