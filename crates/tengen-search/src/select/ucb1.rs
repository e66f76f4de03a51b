//! UCB1.

use super::log_visits;

/// Fills `urgencies` with those of UCB1 (Auer, Cesa-Bianchi and Fischer,
/// "Finite-time analysis of the multiarmed bandit problem", 2002, figure 1,
/// with a free constant; Kocsis and Szepesvári, "Bandit based Monte-Carlo
/// planning", 2006, for trees):
///
/// ```text
/// m + c · √(ln N / n)
/// ```
///
/// Auer's own constant is c = √2. A child without visits has the value
/// `first_play` and no term of exploration.
#[inline]
pub fn ucb1(
    visits: &[u32],
    rewards: &[f64],
    parent_visits: u32,
    exploration: f64,
    first_play: f64,
    urgencies: &mut [f64],
) {
    let log = log_visits(parent_visits);
    let children = visits.iter().zip(rewards).zip(urgencies);
    for ((&visits, &reward), urgency) in children {
        // Visits stay below 2³¹, and signed numbers convert in one instruction.
        let inverse = 1.0 / f64::from(visits.cast_signed());
        let value = reward * inverse + exploration * (log * inverse).sqrt();
        *urgency = if visits == 0 { first_play } else { value };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::most_urgent;

    fn best(
        visits: &[u32],
        rewards: &[f64],
        parent_visits: u32,
        exploration: f64,
        first_play: f64,
    ) -> usize {
        let mut urgencies = vec![0.0; visits.len()];
        ucb1(visits, rewards, parent_visits, exploration, first_play, &mut urgencies);
        most_urgent(&urgencies).0
    }

    #[test]
    fn computed_by_hand() {
        // N = 100, ln N = 4.60517.
        // a: 30 of 50: 0.6 + c·0.303485; b: 12 of 30: 0.4 + c·0.391797;
        // c: 7 of 20: 0.35 + c·0.479853.
        let (visits, rewards) = ([50, 30, 20], [30.0, 12.0, 7.0]);
        let mut urgencies = [0.0; 3];
        ucb1(&visits, &rewards, 100, 1.0, 0.0, &mut urgencies);
        for (urgency, expected) in urgencies.iter().zip([0.903_485, 0.791_798, 0.829_853]) {
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
