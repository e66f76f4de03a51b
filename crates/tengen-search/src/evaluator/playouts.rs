//! The evaluator `playouts`: the value of a leaf is the result of a uniform playout from there.

use super::{Batch, Evaluator, Leaf, NamedEvaluator};
use crate::leaf_playouts::LeafPlayouts;
use tengen_go::{Size, with_words};
use tengen_playout::PlayoutConfig;

/// The name of the evaluator.
pub(super) const NAME: &str = "playouts";

/// The evaluator `playouts`. Its version must change if uniform playouts ever change.
pub(super) fn named() -> NamedEvaluator {
    let evaluator = || Ok(Box::new(Playouts { boards: None }) as _);
    NamedEvaluator::new(NAME, "1", evaluator).without_priors()
}

struct Playouts {
    /// The playouts on boards of the size of the last batch.
    boards: Option<(Size, Box<Judge>)>,
}

/// Judges leaves on boards of some size: writes the value of each.
type Judge = dyn FnMut(&[Leaf], &mut [f32]) + Send;

fn judge<const W: usize>(size: Size) -> Box<Judge> {
    let mut playouts = LeafPlayouts::<W>::new(size, PlayoutConfig::default());
    Box::new(move |leaves, values| {
        playouts.play(leaves, |number, playout| {
            // Uniform playouts do not panic.
            if let Ok(playout) = playout {
                values[number] = leaves[number].result(playout.score);
            }
        });
    })
}

impl Evaluator for Playouts {
    /// As many leaves as there may be lanes.
    fn batch(&self) -> usize {
        256
    }

    fn evaluate(&mut self, batch: Batch<'_>) -> Result<(), String> {
        let known = self.boards.take().filter(|(size, _)| *size == batch.size);
        let new = || (batch.size, with_words!(batch.size, W => judge::<W>(batch.size)));
        let (_, judge) = self.boards.insert(known.unwrap_or_else(new));
        judge(batch.leaves, batch.values);
        Ok(())
    }
}
