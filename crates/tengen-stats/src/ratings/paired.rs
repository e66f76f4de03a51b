//! The covariance of ratings from games in pairs.

use super::{logit, parts};
use crate::pairs::PSEUDO_PAIRS;
use crate::tally::Outcome;

/// The results of pairs of games between two players: in each pair each player moved first once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairRecord {
    /// The index of the player whose results they are.
    pub player: usize,
    /// The index of the opponent.
    pub opponent: usize,
    /// Numbers of pairs by the results of `player`, in halves of a win: where it moved first, then
    /// where it moved second.
    cells: [[u64; 3]; 3],
}

impl PairRecord {
    /// No pairs of `player` and `opponent`.
    #[must_use]
    pub const fn new(player: usize, opponent: usize) -> Self {
        Self { player, opponent, cells: [[0; 3]; 3] }
    }

    /// Adds a pair, with the results of the player: where it moved first, and where it moved
    /// second.
    pub fn record(&mut self, first: Outcome, second: Outcome) {
        self.cells[usize::from(first.halves())][usize::from(second.halves())] += 1;
    }

    /// The number of pairs.
    fn count(&self) -> u64 {
        self.cells.iter().flatten().sum()
    }
}

/// The covariance `H⁻¹MH⁻¹` of the parameters `x` in logits, where `inverse` is H⁻¹.
///
/// Without pairs the variance M of the gradient is the information H. The N pairs of a pairing
/// contribute N times the information I of a pair to H; M has `(B + kI)·N/(N+k)` in place of this
/// part, where B is the sum of the squares of their gradients, and k the number of pseudo-pairs.
pub fn covariance(pairs: &[PairRecord], x: &[f64], inverse: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let places = 0..x.len();
    let mut spread = vec![vec![0.0; x.len()]; x.len()];
    let differ = |record: &&PairRecord| record.player != record.opponent && record.count() > 0;
    for record in pairs.iter().filter(differ) {
        let added = added_variance(record, x);
        let count = record.count() as f64;
        let weight = count / (count + PSEUDO_PAIRS.count() as f64);
        for (i, row) in &added {
            for (j, value) in row {
                spread[*i][*j] += weight * value;
            }
        }
    }
    let product = |one: &[Vec<f64>], other: &[Vec<f64>]| -> Vec<Vec<f64>> {
        let entry = |i: usize, j: usize| places.clone().map(|k| one[i][k] * other[k][j]).sum();
        places.clone().map(|i| places.clone().map(|j| entry(i, j)).collect()).collect()
    };
    let added = product(&product(&inverse, &spread), &inverse);
    let rows = inverse.into_iter().zip(added);
    rows.map(|(row, more)| row.iter().zip(more).map(|(value, more)| value + more).collect())
        .collect()
}

/// `B - N·I` of the pairs of `record`, by the parameters of its likelihood.
fn added_variance(record: &PairRecord, x: &[f64]) -> Vec<(usize, Vec<(usize, f64)>)> {
    let PairRecord { player, opponent, cells } = record;
    let last = x.len() - 1;
    let (first, second) = (parts(*player, *opponent, last), parts(*opponent, *player, last));
    let sigma = |logit: f64| 1.0 / (1.0 + (-logit).exp());
    // The expected result of the first mover: if it is the player, and if it is the opponent.
    let (p, q) = (sigma(logit(&first, x)), sigma(logit(&second, x)));
    let parameters = [*player, *opponent, last];
    let sign = |of: &super::Parts, parameter: usize| -> f64 {
        of.iter().flatten().filter(|(i, _)| *i == parameter).map(|(_, sign)| sign).sum()
    };
    let signs = parameters.map(|parameter| [sign(&first, parameter), sign(&second, parameter)]);
    let mut found = [[0.0; 3]; 3];
    for (one, row) in cells.iter().enumerate() {
        for (other, &count) in row.iter().enumerate() {
            // The opponent moves first in the second game, and its result is the reverse.
            let residuals = [one as f64 / 2.0 - p, 1.0 - other as f64 / 2.0 - q];
            let gradient = signs.map(|[a, b]| a * residuals[0] + b * residuals[1]);
            let count = count as f64;
            for i in 0..3 {
                for j in 0..3 {
                    let information = signs[i][0] * signs[j][0] * p * (1.0 - p)
                        + signs[i][1] * signs[j][1] * q * (1.0 - q);
                    found[i][j] += count * (gradient[i] * gradient[j] - information);
                }
            }
        }
    }
    let row = |i: usize| (0..3).map(|j| (parameters[j], found[i][j])).collect();
    (0..3).map(|i| (parameters[i], row(i))).collect()
}
