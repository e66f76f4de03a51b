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
    boards: Option<(Size, Box<dyn Judge>)>,
}

/// Judges leaves on boards of some size.
trait Judge: Send {
    fn judge(&mut self, leaves: &[Leaf], values: &mut [f32]);
}

impl<const W: usize> Judge for LeafPlayouts<W> {
    fn judge(&mut self, leaves: &[Leaf], values: &mut [f32]) {
        self.play(leaves, |number, playout| {
            // Uniform playouts do not panic.
            if let Ok(playout) = playout {
                values[number] = leaves[number].result(playout.score);
            }
        });
    }
}

impl Evaluator for Playouts {
    /// As many leaves as there may be lanes.
    fn batch(&self) -> usize {
        256
    }

    fn evaluate(&mut self, batch: Batch<'_>) -> Result<(), String> {
        let new = |size: Size| -> Box<dyn Judge> {
            with_words!(size, W => Box::new(LeafPlayouts::<W>::new(size, PlayoutConfig::default())))
        };
        let (_, judge) = match self.boards.take().filter(|(size, _)| *size == batch.size) {
            Some(boards) => self.boards.insert(boards),
            None => self.boards.insert((batch.size, new(batch.size))),
        };
        judge.judge(batch.leaves, batch.values);
        Ok(())
    }
}
