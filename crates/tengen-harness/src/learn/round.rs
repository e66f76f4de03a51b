//! A round: the row that says what came of it, and its files.

use crate::run::Row;
use serde::{Deserialize, Serialize};

/// The file with the weights of a round, and of the run.
pub const WEIGHTS: &str = "weights.txt";

/// What came of a round: a row of `rounds.csv`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RoundRow {
    /// Number of the round, from 1.
    pub round: usize,
    /// Number of games of the rounds that the weights were fitted to.
    pub games: u64,
    /// Number of positions that the weights were fitted to.
    pub positions: usize,
    /// Number of features with a weight.
    pub features: usize,
    /// Hash of the weights file.
    pub weights: String,
    /// The mean of −ln P of the teacher's move in held-out positions.
    pub log_loss: Option<f64>,
    /// The share of these positions where that move is the first.
    pub top_1: Option<f64>,
    /// The share of these positions where it is among the first five.
    pub top_5: Option<f64>,
    /// Whom the student met: the student as it was given, or the weights of this earlier round; none
    /// without a match.
    pub opponent: Option<String>,
    /// Pairs of games that the student with these weights won; none without a match.
    pub won: Option<u64>,
    /// Pairs that it split.
    pub split: Option<u64>,
    /// Pairs that it lost.
    pub lost: Option<u64>,
    /// Whether the weights are accepted.
    pub accepted: bool,
    /// Pairs of games that it won against the other opponent.
    pub watch_won: Option<u64>,
    /// Pairs that it split.
    pub watch_split: Option<u64>,
    /// Pairs that it lost.
    pub watch_lost: Option<u64>,
    /// Seconds that the games of the teacher and the fit took; after a stop, those since the run was resumed.
    pub seconds: f64,
}

impl Row for RoundRow {
    fn unit(&self) -> usize {
        self.round.saturating_sub(1)
    }
}
