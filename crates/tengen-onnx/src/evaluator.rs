//! The evaluator: from leaves to planes, and from logits to weights.

use super::model::Network;
use super::runner::{Runner, Work};
use std::sync::Arc;
use tengen_search::evaluator::{Batch, Evaluator, Leaf};

/// How far a value may be outside −1 to 1: the error of a quick tanh.
const SLACK: f32 = 1e-3;

/// Judges leaves by a network.
pub(super) struct Networked {
    network: Arc<Network>,
    /// None before the first batch: an evaluator is also made where a text is only read.
    runner: Option<Runner>,
    /// The buffers of the last batch.
    work: Work,
}

impl Networked {
    pub(super) fn new(network: Arc<Network>) -> Self {
        Self { network, runner: None, work: Work::default() }
    }
}

impl Evaluator for Networked {
    fn evaluate(&mut self, batch: Batch<'_>) -> Result<(), String> {
        let runner = match &self.runner {
            Some(runner) => runner,
            None => self.runner.insert(Runner::new(self.network.clone())?),
        };
        let size = batch.size;
        let mut work = std::mem::take(&mut self.work);
        work.board = [size.height(), size.width()];
        work.logits.clear();
        work.values.clear();
        let values = Leaf::plane_values(size);
        work.planes.resize(batch.leaves.len() * values, 0.0);
        for (leaf, planes) in batch.leaves.iter().zip(work.planes.chunks_exact_mut(values)) {
            leaf.write_planes(planes);
        }
        let work = runner.run(work)?;
        let moves = size.points() + 1;
        for (number, leaf) in batch.leaves.iter().enumerate() {
            batch.values[number] = result(work.values[number])?;
            let of_leaf = number * moves..(number + 1) * moves;
            let legal = leaf.legal.numbered(size);
            let is_legal = |number: usize| {
                number == size.points() || legal[number / 64] >> (number % 64) & 1 == 1
            };
            weigh(&work.logits[of_leaf.clone()], is_legal, &mut batch.priors[of_leaf])?;
        }
        self.work = work;
        Ok(())
    }
}

/// The expected result, 0 to 1, from a value of the network, −1 to 1.
fn result(value: f32) -> Result<f32, String> {
    if !(-1.0 - SLACK..=1.0 + SLACK).contains(&value) {
        return Err(format!("its value is {value}: expected -1 to 1, as tanh gives"));
    }
    Ok((0.5 * (value + 1.0)).clamp(0.0, 1.0))
}

/// Writes the weights of the moves with these `logits`: 1 for the greatest logit of a legal move,
/// and 0 for moves that are not legal.
fn weigh(
    logits: &[f32],
    is_legal: impl Fn(usize) -> bool,
    weights: &mut [f32],
) -> Result<(), String> {
    let legal = || logits.iter().enumerate().filter(|(number, _)| is_legal(*number));
    if let Some((_, wrong)) = legal().find(|(_, logit)| !logit.is_finite()) {
        return Err(format!("a logit of its policy is {wrong}: expected a finite number"));
    }
    let greatest = legal().map(|(_, logit)| *logit).fold(f32::NEG_INFINITY, f32::max);
    weights.fill(0.0);
    for (number, logit) in legal() {
        weights[number] = (logit - greatest).exp();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_weights_are_the_softmax_over_legal_moves() {
        let logits = [100.0, 3.0 + 2_f32.ln(), f32::NAN, 3.0];
        let mut weights = [9.0; 4];
        let legal = |number| number == 1 || number == 3;
        assert_eq!(weigh(&logits, legal, &mut weights), Ok(()));
        assert!((weights[3] - 0.5).abs() < 1e-6, "{weights:?}");
        assert_eq!((weights[0], weights[1], weights[2]), (0.0, 1.0, 0.0));
        let said = "a logit of its policy is NaN: expected a finite number";
        assert_eq!(weigh(&logits, |_| true, &mut weights), Err(said.to_owned()));
    }

    #[test]
    fn values_are_of_the_player_to_move() {
        assert_eq!(
            [-1.0, 0.0, 0.5, 1.0, 1.000_001].map(result),
            [0.0, 0.5, 0.75, 1.0, 1.0].map(Ok)
        );
        let said = "its value is 1.5: expected -1 to 1, as tanh gives";
        assert_eq!(result(1.5), Err(said.to_owned()));
        assert!(result(f32::NAN).is_err());
    }
}
