//! The highest mean.

/// Fills `urgencies` with the means m; a child without visits has the value
/// `first_play`, which alone makes the search explore.
pub fn greedy(visits: &[u32], rewards: &[f64], first_play: f64, urgencies: &mut [f64]) {
    for ((&visits, &reward), urgency) in visits.iter().zip(rewards).zip(urgencies) {
        *urgency = if visits == 0 { first_play } else { reward / f64::from(visits) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computed_by_hand() {
        let mut urgencies = [0.0; 3];
        greedy(&[50, 4, 0], &[30.0, 1.0, 0.0], 0.55, &mut urgencies);
        assert_eq!(urgencies, [0.6, 0.25, 0.55]);
    }
}
