//! Greedy selection: the highest mean.

use super::Formula;

/// The mean m. The search explores only by the value of first plays.
pub(super) struct Greedy;

impl Formula for Greedy {
    #[inline]
    fn urgency(&self, mean: f64, _: f64) -> f64 {
        mean
    }
}

#[cfg(test)]
mod tests {
    use crate::select::{Fpu, Selection, Selector, urgencies};

    #[test]
    fn computed_by_hand() {
        let first_play = Fpu::Constant(0.55);
        let greedy = Selector { selection: Selection::Greedy, exploration: 1.0, first_play };
        let found = urgencies(greedy, 54, &[50, 4, 0], &[30.0, 1.0, 0.0]);
        assert_eq!(found, [0.6, 0.25, 0.55]);
    }
}
