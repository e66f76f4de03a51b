//! Evaluations: the leaves of the searches of a queue, in batches.
//!
//! ```text
//! until no search of the queue requests an evaluation:
//!     take leaves from the searches in turn, until the batch is full or none has another
//!     call the evaluator once, and play the playouts of the leaves where searches need them
//!     hand each search its results
//! ```

use super::{Driver, SIMULATIONS};
use crate::evaluator::{Evaluator, EvaluatorError, Leaf, NamedEvaluator};
use crate::leaf_playouts::LeafPlayouts;
use crate::search::Request;
use tengen_go::Size;
use tengen_playout::{Playout, PlayoutConfig};

/// An evaluator of a thread, with the buffers of its batches.
pub struct Evaluations<const W: usize> {
    named: NamedEvaluator,
    evaluator: Box<dyn Evaluator>,
    leaves: Vec<Leaf>,
    /// The search of each leaf, and the number of its simulation.
    requests: Vec<(usize, u64)>,
    values: Vec<f32>,
    weights: Vec<f32>,
    playouts: Option<LeafPlayouts<W>>,
    /// The playouts of the leaves, where there are any.
    played: Vec<Option<Playout<W>>>,
}

impl<const W: usize> Evaluations<W> {
    /// The evaluator `named` of this thread, and on boards of `size` playouts by `playouts`.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new(
        named: &NamedEvaluator,
        size: Size,
        playouts: Option<PlayoutConfig>,
    ) -> Result<Self, EvaluatorError> {
        Ok(Self {
            named: named.clone(),
            evaluator: named.make()?,
            leaves: Vec::new(),
            requests: Vec::new(),
            values: Vec::new(),
            weights: Vec::new(),
            playouts: playouts.map(|playouts| LeafPlayouts::new(size, playouts)),
            played: Vec::new(),
        })
    }
}

impl<const W: usize> Driver<'_, W> {
    /// Evaluates the leaves of the searches of `queue`, a batch after the other, until none has
    /// another leaf.
    ///
    /// # Errors
    /// If the evaluator fails.
    pub(super) fn evaluate(
        &mut self,
        queue: usize,
        by: &mut Evaluations<W>,
    ) -> Result<(), EvaluatorError> {
        loop {
            by.leaves.clear();
            by.requests.clear();
            self.clock.begin_step();
            while by.leaves.len() < by.evaluator.batch()
                && let Some((index, request)) = self.select(queue)
            {
                let (Request::Evaluation { simulation }, Some(driven)) =
                    (request, &self.searches[index])
                else {
                    continue;
                };
                by.leaves.push(driven.search.leaf());
                by.requests.push((index, simulation));
            }
            self.clock.end_selection();
            if by.leaves.is_empty() {
                return Ok(());
            }
            let Evaluations { named, evaluator, leaves, requests, values, weights, .. } = by;
            named.evaluate(&mut **evaluator, leaves, values, weights)?;
            if let Some(playouts) = &mut by.playouts {
                by.played.clear();
                by.played.resize(leaves.len(), None);
                playouts.play(leaves, |number, playout| by.played[number] = Some(playout));
            }
            self.clock.begin_step();
            let each = weights.len() / leaves.len();
            let results = requests.iter().zip(values.iter()).enumerate();
            for (place, (&(index, simulation), &value)) in results {
                let weights = &weights[place * each..][..each];
                debug_assert!(simulation < SIMULATIONS);
                self.playouts += 1;
                if let Some(driven) = &mut self.searches[index] {
                    let playout = by.played.get(place).and_then(Option::as_ref);
                    driven.search.take_evaluation(simulation, value, weights, playout);
                    self.queues.push(driven.queue, index);
                }
            }
            self.clock.end_update();
            self.is_stopped |= self.host.should_stop();
            if self.is_stopped {
                return Ok(());
            }
        }
    }
}
