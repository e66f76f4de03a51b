//! The variance of ratings from games in pairs.

use super::fit::{Model, Parts, along, sigma};
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

/// How far the results of the pairs of a pairing spread around the predictions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spread {
    pairs: f64,
    /// The parts of the logits of the two games.
    parts: [Parts; 2],
    /// The sums of the squares of the residuals of the first mover in each game, and of their
    /// product.
    found: [f64; 3],
    /// The variances of these residuals that the model expects, per pair.
    expected: [f64; 2],
}

/// The variance of a figure that comes from games in pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PairedVariance {
    /// According to the model, for independent games.
    pub expected: f64,
    /// According to the spread of the results.
    pub found: f64,
    /// The sum over pairings of the squares of their parts of `found`, divided by the degrees of
    /// freedom.
    pub uncertain: f64,
}

impl Spread {
    /// The spreads at the parameters `x`. A player against itself says nothing of ratings.
    pub fn all(model: Model, pairs: &[PairRecord], x: &[f64]) -> Vec<Self> {
        let differ = |record: &&PairRecord| record.player != record.opponent && record.count() > 0;
        pairs.iter().filter(differ).map(|record| Self::new(model, record, x)).collect()
    }

    fn new(model: Model, record: &PairRecord, x: &[f64]) -> Self {
        let PairRecord { player, opponent, cells } = *record;
        let parts = [model.parts(player, opponent), model.parts(opponent, player)];
        let [p, q] = [0, 1].map(|game| sigma(along(&parts[game], x)));
        let expected = [p * (1.0 - p), q * (1.0 - q)];
        let mut found = [0.0; 3];
        for (one, row) in cells.iter().enumerate() {
            for (other, &count) in row.iter().enumerate() {
                // The opponent moves first in the second game, and its result is the reverse.
                let [first, second] = [one as f64 / 2.0 - p, 1.0 - other as f64 / 2.0 - q];
                let squares = [first * first, second * second, first * second];
                found.iter_mut().zip(squares).for_each(|(sum, more)| *sum += count as f64 * more);
            }
        }
        Self { pairs: record.count() as f64, parts, found, expected }
    }

    /// The variance of a figure whose change by a game is the game's residual times `direction`
    /// along its parts.
    ///
    /// Few pairs, or pairs of which hardly any is lost, estimate a variance badly. So the variance
    /// that the model expects of a pairing is multiplied by the ratio of found to expected variance,
    /// both with the variance of the pseudo-pairs of even players.
    pub fn variance(spreads: &[Self], direction: &[f64]) -> PairedVariance {
        let pseudo = PSEUDO_PAIRS.count() as f64;
        let mut sum = PairedVariance::default();
        for Self { pairs, parts, found, expected } in spreads {
            let [a, b] = [0, 1].map(|game| along(&parts[game], direction));
            let even = pseudo * (a * a + b * b) / 4.0;
            // The direction does not touch this pairing.
            if even == 0.0 {
                continue;
            }
            let expected = pairs * (a * a * expected[0] + b * b * expected[1]);
            let found = a * a * found[0] + b * b * found[1] + 2.0 * a * b * found[2];
            let found = expected * (found + even) / (expected + even);
            sum.expected += expected;
            sum.found += found;
            sum.uncertain += found * found / (pairs + pseudo - 1.0);
        }
        sum
    }
}
