//! Selection formulas: functions over the columns of a node's children.

/// The child that UCB1 visits next, as an index into the columns (Auer,
/// Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit
/// problem", 2002, with a free constant; Kocsis and Szepesvári, "Bandit based
/// Monte-Carlo planning", 2006, for trees):
///
/// ```text
/// w / n + c · √(ln N / n)
/// ```
///
/// where n are the child's visits, w its wins (a jigo is half of one) for the
/// player who chooses, so that a reward lies in [0, 1], N the visits of the
/// parent and ln the natural logarithm. Auer's own constant is c = √2. A child
/// without visits has the value `first_play` and no exploration term: infinity
/// tries every child once first. The highest value wins; ties go to the lowest
/// index, and since a node's children are shuffled at its expansion the lowest
/// index is a random one.
///
/// # Panics
/// If there is no child.
#[inline]
#[must_use]
pub fn ucb1(
    visits: &[u32],
    half_wins: &[u32],
    parent_visits: u32,
    exploration: f64,
    first_play: f64,
) -> usize {
    assert!(!visits.is_empty(), "a node that selects has children");
    // The logarithm of the pure-Rust libm is the same on every machine.
    let log = libm::log(f64::from(parent_visits.max(1)));
    let mut best = (0, f64::NEG_INFINITY);
    for (child, (&n, &half_wins)) in visits.iter().zip(half_wins).enumerate() {
        let value = if n == 0 {
            first_play
        } else {
            let n = f64::from(n);
            f64::from(half_wins) / (2.0 * n) + exploration * (log / n).sqrt()
        };
        if value == f64::INFINITY {
            return child;
        }
        if value > best.1 {
            best = (child, value);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computed_by_hand() {
        // N = 100, ln N = 4.60517.
        // a: 30 of 50: 0.6 + c·0.303485; b: 12 of 30: 0.4 + c·0.391797;
        // c: 7 of 20: 0.35 + c·0.479853.
        let (visits, half_wins) = ([50, 30, 20], [60, 24, 14]);
        // At c = 1: 0.903, 0.792, 0.830. At c = 1.5: 1.055, 0.988, 1.0698.
        assert_eq!(ucb1(&visits, &half_wins, 100, 0.0, 0.0), 0);
        assert_eq!(ucb1(&visits, &half_wins, 100, 1.0, 0.0), 0);
        assert_eq!(ucb1(&visits, &half_wins, 100, 1.5, 0.0), 2);
        // a and c change places at c = 0.25 / (0.479853 - 0.303485) = 1.41750.
        assert_eq!(ucb1(&visits, &half_wins, 100, 1.4174, 0.0), 0);
        assert_eq!(ucb1(&visits, &half_wins, 100, 1.4176, 0.0), 2);
    }

    #[test]
    fn a_jigo_is_half_a_win() {
        // 3 wins and 2 jigos of 5 against 4 wins and 1 loss of 5: equal.
        assert_eq!(ucb1(&[5, 5], &[8, 8], 10, 0.5, 0.0), 0);
        assert_eq!(ucb1(&[5, 5], &[7, 8], 10, 0.5, 0.0), 1);
    }

    #[test]
    fn first_play_urgency() {
        // Visited: 0.5 + 0.5·√(ln 10 / 10) = 0.7399.
        assert_eq!(ucb1(&[10, 0], &[10, 0], 10, 0.5, f64::INFINITY), 1);
        assert_eq!(ucb1(&[10, 0], &[10, 0], 10, 0.5, 0.7398), 0);
        assert_eq!(ucb1(&[10, 0], &[10, 0], 10, 0.5, 0.7400), 1);
    }

    #[test]
    fn ties_go_to_the_lowest_index() {
        assert_eq!(ucb1(&[0, 0, 0], &[0, 0, 0], 0, 0.5, f64::INFINITY), 0);
        assert_eq!(ucb1(&[3, 4, 4], &[2, 4, 4], 11, 0.0, 0.0), 1);
    }
}
