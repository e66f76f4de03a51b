//! Sums of the scores of playouts, for the mean score of a move.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;
use tengen_go::Score;

/// The sum of the scores of playouts, and their number.
///
/// # Examples
/// ```
/// use tengen_go::Score;
/// use tengen_search::ScoreSum;
///
/// let mut scores = ScoreSum::default();
/// assert_eq!(scores.mean(), None);
/// scores.add(Score::from_half_points(11), 3);
/// scores.add(Score::from_half_points(-9), 1);
/// assert_eq!(scores.mean(), Some(3.0));
/// scores += scores;
/// assert_eq!(scores.mean(), Some(3.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoreSum {
    half_points: i64,
    playouts: u64,
}

impl ScoreSum {
    /// Adds `playouts` playouts, each with `lead` as Black's lead after komi.
    #[inline]
    pub fn add(&mut self, lead: Score, playouts: u32) {
        self.half_points += i64::from(lead.half_points()) * i64::from(playouts);
        self.playouts += u64::from(playouts);
    }

    /// The mean of Black's lead after komi, in points; none without playouts.
    #[must_use]
    pub fn mean(self) -> Option<f64> {
        (self.playouts > 0).then(|| self.half_points as f64 / 2.0 / self.playouts as f64)
    }
}

impl AddAssign for ScoreSum {
    fn add_assign(&mut self, other: Self) {
        self.half_points += other.half_points;
        self.playouts += other.playouts;
    }
}
