//! How well probabilities predict the moves of a teacher.

use crate::feature::FEATURES;
use crate::fit::softmax;
use crate::samples::{Sample, Samples};
use crate::weights::Row;

/// How well the move that a teacher prefers is predicted, summed over positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prediction {
    /// Number of positions.
    pub positions: u64,
    /// The sum of −ln P of the preferred move.
    loss: f64,
    first: f64,
    among_five: f64,
}

impl Prediction {
    /// Counts a position whose moves have these `probabilities`. Moves of equal probability count
    /// as if they were in random order.
    pub fn count(&mut self, sample: &Sample<'_>, probabilities: &[f64]) {
        let move_ = sample.preferred();
        let probability = probabilities[move_];
        let higher = probabilities.iter().filter(|other| **other > probability).count();
        let equal = probabilities.iter().filter(|other| **other == probability).count();
        let among = |places: usize| (places.saturating_sub(higher) as f64 / equal as f64).min(1.0);
        self.positions += 1;
        self.loss -= probability.max(1e-12).ln();
        self.first += among(1);
        self.among_five += among(5);
    }

    /// The prediction by the weights of `rows`, for the positions of `samples` with these
    /// `numbers`.
    #[must_use]
    pub fn by_weights(rows: &[Row], samples: &Samples, numbers: &[usize]) -> Self {
        let mut weights = vec![0.0; FEATURES];
        for row in rows {
            weights[row.feature as usize] = f64::from(row.weight);
        }
        let (mut found, mut probabilities) = (Self::default(), Vec::new());
        for &number in numbers {
            let sample = samples.get(number);
            softmax(&sample, &weights, &mut probabilities);
            found.count(&sample, &probabilities);
        }
        found
    }

    fn mean(&self, sum: f64) -> Option<f64> {
        (self.positions > 0).then(|| sum / self.positions as f64)
    }

    /// The mean of −ln P of the move that the teacher prefers; none without positions.
    #[must_use]
    pub fn log_loss(&self) -> Option<f64> {
        self.mean(self.loss)
    }

    /// The share of positions in which the preferred move has the highest probability; none without
    /// positions.
    #[must_use]
    pub fn top_1(&self) -> Option<f64> {
        self.mean(self.first)
    }

    /// The share of positions in which the preferred move is among the five of the highest
    /// probability; none without positions.
    #[must_use]
    pub fn top_5(&self) -> Option<f64> {
        self.mean(self.among_five)
    }
}
