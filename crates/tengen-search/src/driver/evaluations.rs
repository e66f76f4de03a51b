//! Evaluations: the leaves of the searches of a queue, in batches.
//!
//! ```text
//! until no search of the queue requests an evaluation:
//!     take leaves from the searches in turn, until the batch is full or none has another
//!     call the evaluator once, and play the playouts of the leaves where searches need them
//!     hand each search its results
//! ```

use super::{Driven, Driver, Host, SIMULATIONS};
use crate::evaluator::{Batch, Evaluator, EvaluatorError, Leaf, NamedEvaluator};
use crate::leaf_playouts::LeafPlayouts;
use crate::search::Request;
use crate::spent::{self, Part};
use tengen_go::{RegisteredPanic, Size};
use tengen_playout::{Playout, PlayoutConfig};

/// An evaluator of a thread, with its batches.
pub struct Evaluations<const W: usize> {
    evaluator: Box<dyn Evaluator>,
    leaves: LeafBatch<W>,
}

impl<const W: usize> Evaluations<W> {
    /// The evaluator `named` for this thread, with playouts by `playouts`, if any, on boards of
    /// `size`.
    pub fn new(
        named: &NamedEvaluator,
        size: Size,
        playouts: Option<PlayoutConfig>,
    ) -> Result<Self, EvaluatorError> {
        let leaves = LeafBatch::new(named.clone(), size, playouts);
        Ok(Self { evaluator: named.make()?, leaves })
    }

    /// Judges each leaf of the batch by itself, with new evaluators, after the evaluator ended by
    /// `panic` on the batch. Exactly the searches whose leaves it cannot judge fail, whatever the
    /// other leaves are.
    fn judge_each(&mut self, panic: &RegisteredPanic) -> Result<(), EvaluatorError> {
        let Self { evaluator, leaves } = self;
        let LeafBatch { named, leaves, values, weights, panicked, .. } = leaves;
        let each = weights.len() / leaves.len().max(1);
        let (mut value, mut its_weights) = (Vec::new(), Vec::new());
        *evaluator = named.make()?;
        for (place, leaf) in leaves.iter().enumerate() {
            let leaf = std::slice::from_ref(leaf);
            match named.judge(&mut **evaluator, leaf, &mut value, &mut its_weights)? {
                Ok(()) => {
                    values[place] = value[0];
                    weights[place * each..][..each].copy_from_slice(&its_weights);
                }
                Err(panic) => {
                    panicked.push((place, panic));
                    *evaluator = named.make()?;
                }
            }
        }
        if panicked.is_empty() { Err(named.panicked(panic)) } else { Ok(()) }
    }
}

/// The leaves of a batch, and the places of their results.
pub struct LeafBatch<const W: usize> {
    named: NamedEvaluator,
    leaves: Vec<Leaf>,
    /// The search of each leaf, and the number of its simulation.
    requests: Vec<(usize, u64)>,
    values: Vec<f32>,
    weights: Vec<f32>,
    playouts: Option<LeafPlayouts<W>>,
    /// The playouts of the leaves, if searches need any.
    played: Vec<Option<Playout<W>>>,
    /// The leaves, by their places in the batch, in which registered code panicked.
    panicked: Vec<(usize, RegisteredPanic)>,
}

impl<const W: usize> LeafBatch<W> {
    /// An empty batch for searches with the evaluator `named`, on boards of `size`, with playouts
    /// by `playouts`, if any.
    pub fn new(named: NamedEvaluator, size: Size, playouts: Option<PlayoutConfig>) -> Self {
        Self {
            named,
            leaves: Vec::new(),
            requests: Vec::new(),
            values: Vec::new(),
            weights: Vec::new(),
            playouts: playouts.map(|playouts| LeafPlayouts::new(size, playouts)),
            played: Vec::new(),
            panicked: Vec::new(),
        }
    }

    pub const fn is_empty(&self) -> bool {
        self.leaves.is_empty()
    }

    /// The search of each leaf.
    pub fn searches(&self) -> impl Iterator<Item = usize> {
        self.requests.iter().map(|&(index, _)| index)
    }

    /// Clears the places of the results.
    pub fn clear_results(&mut self) {
        let _ = self.named.batch(&self.leaves, &mut self.values, &mut self.weights);
    }

    /// The leaves, and the places of their results.
    pub fn batch(&mut self) -> Option<Batch<'_>> {
        let Self { leaves, values, weights, .. } = self;
        let size = leaves.first()?.board.size();
        Some(Batch { size, leaves, values, priors: weights })
    }

    /// Whether the results written in their places can be used.
    pub fn check(&self) -> Result<(), EvaluatorError> {
        self.named.check(&self.values, &self.weights)
    }
}

impl<H: Host, const W: usize> Driver<H, W> {
    /// Evaluates the leaves of the searches of `queue`, one batch after the other, until no search
    /// has another leaf.
    pub(super) fn evaluate(
        &mut self,
        queue: usize,
        by: &mut Evaluations<W>,
    ) -> Result<(), EvaluatorError> {
        loop {
            let Evaluations { evaluator, leaves } = by;
            let most = leaves.named.most_leaves(&**evaluator);
            self.gather(queue, most, leaves);
            if leaves.is_empty() {
                return Ok(());
            }
            let LeafBatch { named, leaves: judged, values, weights, .. } = leaves;
            if let Err(panic) = named.judge(&mut **evaluator, judged, values, weights)? {
                by.judge_each(&panic)?;
            }
            self.hand_back(&mut by.leaves);
            self.is_stopped |= self.host.should_stop();
            if self.is_stopped {
                return Ok(());
            }
        }
    }

    /// Fills the empty `leaves` with up to `most` leaves of the searches of `queue`.
    #[allow(clippy::inline_always)] // batches of one leaf are frequent
    #[inline(always)]
    pub(super) fn gather(&mut self, queue: usize, most: usize, leaves: &mut LeafBatch<W>) {
        let _within = spent::enter(Part::Selection);
        while leaves.leaves.len() < most
            && let Some((index, request)) = self.select(queue)
        {
            let (Request::Evaluation { simulation }, Some(driven)) =
                (request, &self.searches[index])
            else {
                continue;
            };
            leaves.leaves.push(driven.search.leaf());
            leaves.requests.push((index, simulation));
        }
    }

    /// Plays the playouts of `leaves`, where searches need them, hands each search its results, and
    /// removes the leaves.
    #[allow(clippy::inline_always)] // as above
    #[inline(always)]
    pub(super) fn hand_back(&mut self, by: &mut LeafBatch<W>) {
        let LeafBatch { leaves, requests, values, weights, playouts, played, panicked, .. } = by;
        if let Some(playouts) = playouts {
            played.clear();
            played.resize(leaves.len(), None);
            playouts.play(leaves, |number, playout| match playout {
                Ok(playout) => played[number] = Some(playout),
                Err(panic) => panicked.push((number, panic)),
            });
        }
        let _within = spent::enter(Part::Update);
        let each = weights.len() / leaves.len().max(1);
        let results = requests.iter().zip(values.iter()).enumerate();
        for (place, (&(index, simulation), &value)) in results {
            let weights = &weights[place * each..][..each];
            debug_assert!(simulation < SIMULATIONS);
            self.playouts += 1;
            if let Some(driven) = &mut self.searches[index] {
                let playout = played.get(place).and_then(Option::as_ref);
                if let Some((_, panic)) = panicked.iter().find(|(number, _)| *number == place) {
                    driven.search.fail(simulation, panic.clone());
                } else {
                    let Driven { search, queue, account, .. } = driven;
                    self.cpu_times.work(*queue, account, 1);
                    let timed = self.cpu_times.begin_step();
                    search.take_evaluation(simulation, value, weights, playout);
                    self.cpu_times.end_step(*queue, account, timed);
                }
                self.queues.push(driven.queue, index);
            }
        }
        leaves.clear();
        requests.clear();
        panicked.clear();
    }
}
