//! The selection formula PUCT.

use crate::tree::Columns;

/// Fills `urgencies` with those of PUCT as Silver et al. write it ("Mastering
/// the game of Go without human knowledge", 2017, methods; after Rosin,
/// "Multi-armed bandits with episode context", 2011):
///
/// ```text
/// m + c · P · √N / (1 + n)
/// ```
///
/// P is the child's share of the priors of all children, the same for all
/// where there are no priors. A child without visits has m = `first_play`,
/// which must be finite.
pub(super) fn puct(
    columns: &Columns<'_>,
    parent_visits: u32,
    exploration: f64,
    first_play: f64,
    urgencies: &mut [f64],
) {
    let Columns { visits, rewards, priors, .. } = *columns;
    let sum: f64 = priors.iter().map(|&prior| f64::from(prior)).sum();
    let uniform = 1.0 / visits.len() as f64;
    let root = exploration * f64::from(parent_visits).sqrt();
    for (child, urgency) in urgencies.iter_mut().enumerate() {
        let share = if sum > 0.0 { f64::from(priors[child]) / sum } else { uniform };
        let n = f64::from(visits[child]);
        let mean = if visits[child] == 0 { first_play } else { rewards[child] / n };
        *urgency = mean + root * share / (1.0 + n);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computed_by_hand() {
        let mut urgencies = [0.0; 4];
        // √100 = 10, P = ¼: 0.6 + 2·10/4/51; 0.4 + 5/31; 0.35 + 5/21; 0.3 + 5.
        let children =
            |visits, rewards, priors| Columns { visits, rewards, priors, positions: &[] };
        let four = children(&[50, 30, 20, 0], &[30.0, 12.0, 7.0, 0.0], &[]);
        puct(&four, 100, 2.0, 0.3, &mut urgencies);
        for (urgency, expected) in urgencies.iter().zip([0.698_039, 0.561_290, 0.588_095, 5.3]) {
            assert!((urgency - expected).abs() < 1e-6, "{urgency}");
        }
        // Priors 1 and 3: P = ¼ and ¾.
        let mut two = [0.0; 2];
        puct(&children(&[4, 0], &[2.0, 0.0], &[1.0, 3.0]), 4, 1.0, 0.5, &mut two);
        assert!((two[0] - 0.6).abs() < 1e-9 && (two[1] - 2.0).abs() < 1e-9, "{two:?}");
    }
}
