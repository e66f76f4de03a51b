//! A round: the row with its results, and its files.

use crate::run::Row;
use serde::{Deserialize, Serialize};

/// The file with the weights of a round, and of the run.
pub const WEIGHTS: &str = "weights.txt";

/// Results of a round: a row of `rounds.csv`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RoundRow {
    /// Number of the round, from 1.
    pub round: usize,
    /// Number of games to learn from, held-out games included.
    pub games: u64,
    /// Number of positions that the weights were fitted to.
    pub positions: usize,
    /// Number of features with a weight.
    pub features: usize,
    /// Hash of the weights file.
    pub weights: String,
    /// The mean of −ln P of the teacher's move in held-out positions.
    pub log_loss: Option<f64>,
    /// Share of the held-out positions where the weights rank the teacher's move first.
    pub top_1: Option<f64>,
    /// Share of the held-out positions where they rank the teacher's move among the first five.
    pub top_5: Option<f64>,
    /// Opponent of the student in the match: `given` for the student as it was given, or the round
    /// of the last accepted weights; none without a match.
    pub opponent: Option<String>,
    /// Pairs of games that the student with these weights won; none without a match.
    pub won: Option<u64>,
    /// Pairs of games that the student split.
    pub split: Option<u64>,
    /// Pairs of games that the student lost.
    pub lost: Option<u64>,
    /// Whether the weights are accepted.
    pub accepted: bool,
    /// Pairs of games that the student won against the opponent `watch`.
    pub watch_won: Option<u64>,
    /// Pairs that the student split with the opponent `watch`.
    pub watch_split: Option<u64>,
    /// Pairs that the student lost to the opponent `watch`.
    pub watch_lost: Option<u64>,
    /// Seconds that the games of the teacher and the fit took; after a stop, only those since the
    /// last start.
    pub seconds: f64,
}

impl Row for RoundRow {
    fn unit(&self) -> usize {
        self.round.saturating_sub(1)
    }

    fn example() -> Self {
        Self::default()
    }

    fn contradiction(&self) -> Option<String> {
        let shares = [self.top_1, self.top_5];
        if !shares.into_iter().flatten().all(|share| (0.0..=1.0).contains(&share)) {
            return Some("invalid share of positions: expected 0 to 1".to_owned());
        }
        let numbers = [self.log_loss, Some(self.seconds)];
        if !numbers.into_iter().flatten().all(|number| number >= 0.0 && number.is_finite()) {
            return Some("invalid log_loss or seconds: expected a number from 0".to_owned());
        }
        let is_match = self.opponent.is_some();
        [self.won, self.split, self.lost]
            .iter()
            .any(|pairs| pairs.is_some() != is_match)
            .then(|| "a match has an opponent and its pairs won, split and lost".to_owned())
    }
}
