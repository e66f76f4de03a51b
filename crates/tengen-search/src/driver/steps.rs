//! The driver of searches by evaluations, one batch at a time, for callers that own the loop and
//! answer the leaves.

use super::evaluations::LeafBatch;
use super::{Driver, Host};
use crate::evaluator::{Batch, EvaluatorError};
use crate::resource::{Resource, ResourceFault};
use crate::result::SearchView;
use crate::search::Work;
use tengen_go::{Size, with_words};

/// The result of [`Stepwise::gather`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gathered {
    /// A batch of leaves, which waits for its answer.
    Leaves,
    /// No leaf yet: [`Host::should_stop`] returned true. The next call continues.
    Paused,
    /// No leaf: no search requests an evaluation, and the host has no other search.
    Nothing,
}

/// Searches by evaluations that hand out their leaves in batches for the caller to answer, whatever
/// evaluator their settings name. The results equal those of [`drive`](super::drive) with an
/// evaluator that gives the same answers.
///
/// # Examples
/// ```
/// use tengen_go::{Game, Komi, Preset, Rules, Size};
/// use tengen_search::driver::{self, Ended, Gathered, Host};
/// use tengen_search::evaluator::{Batch, NamedEvaluator};
/// use tengen_search::{AnySearch, SearchResult, UctConfig, root_parallel};
///
/// #[derive(Default)]
/// struct One {
///     search: Option<Vec<AnySearch>>,
///     results: Vec<SearchResult>,
/// }
///
/// impl Host for One {
///     fn next(&mut self, _: usize, ended: Option<Ended>) -> Option<Vec<AnySearch>> {
///         self.results.extend(ended.into_iter().flat_map(|it| it.results().unwrap_or_default()));
///         self.search.take()
///     }
/// }
///
/// let size = Size::square(5)?;
/// let game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
/// let unused = |_: Batch<'_>| Err("the caller answers".to_owned());
/// let evaluator = NamedEvaluator::new("unused", "1", move || Ok(Box::new(unused)));
/// let config = UctConfig::with_evaluator(evaluator);
/// let search = Some(root_parallel::begin(&game, &config, 1, Vec::new()));
/// let mut steps = driver::steps(size, 1, One { search, ..One::default() });
/// while steps.gather(64)? == Gathered::Leaves {
///     let batch = steps.batch().ok_or("a batch")?;
///     batch.values.fill(0.5); // its priors are all 1
///     steps.hand_back()?;
/// }
/// assert_eq!(steps.end().results[0].counts.simulations, 1_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Steps<'host, H> = Box<dyn Stepwise<H> + Send + 'host>;

/// The [`Steps`] of `host`, whose first searches in `slots` slots are taken, on boards of `size`; slots
/// without searches stay empty.
#[must_use]
pub fn steps<'host, H: Host + Send + 'host>(size: Size, slots: usize, host: H) -> Steps<'host, H> {
    with_words!(size, W => {
        let mut driver = Driver::<H, W>::new(size, host);
        driver.open(slots);
        Box::new(OfWords { driver, by_queue: Vec::new(), waiting: None })
    })
}

/// What [`Steps`] do.
pub trait Stepwise<H> {
    /// Gathers a batch of up to `most` leaves, unless a batch waits for its answer. Refuses
    /// searches that playouts judge. After any error the searches are lost.
    fn gather(&mut self, most: usize) -> Result<Gathered, ResourceFault>;

    /// The batch that waits for its answer; none if none waits.
    fn batch(&mut self) -> Option<Batch<'_>>;

    /// The slot of the search of each leaf of the batch that waits.
    fn slots(&self) -> Vec<usize>;

    /// Hands the searches the results written in the batch that waits; does nothing if none waits.
    /// A value outside 0 to 1, or a weight that is negative or not finite, is an error: the batch
    /// then still waits.
    fn hand_back(&mut self) -> Result<(), EvaluatorError>;

    /// The host.
    fn host(&self) -> &H;

    /// The host, to be changed.
    fn host_mut(&mut self) -> &mut H;

    /// Views of the searches that the driver holds now, each with its slot.
    fn views(&self) -> Vec<(usize, SearchView<'_>)>;

    /// Suspends each search that the driver holds after `simulations` more simulations than it has
    /// begun.
    fn suspend_after(&mut self, simulations: u64);

    /// Gives the host the searches that the driver holds, and returns the host. Simulations whose
    /// leaves have no answer are taken back when these searches are reported.
    #[must_use]
    fn end(self: Box<Self>) -> H;
}

struct OfWords<H, const W: usize> {
    driver: Driver<H, W>,
    by_queue: Vec<Option<LeafBatch<W>>>,
    /// The queue whose leaves wait for their answer.
    waiting: Option<usize>,
}

impl<H, const W: usize> OfWords<H, W> {
    /// The leaves that wait for their answer.
    fn leaves(&self) -> Option<&LeafBatch<W>> {
        self.by_queue.get(self.waiting?)?.as_ref()
    }
}

impl<H: Host, const W: usize> Stepwise<H> for OfWords<H, W> {
    fn gather(&mut self, most: usize) -> Result<Gathered, ResourceFault> {
        let Self { driver, by_queue, waiting } = self;
        if waiting.is_some() {
            return Ok(Gathered::Leaves);
        }
        driver.is_stopped = driver.failure.is_some();
        while !driver.is_stopped {
            let Some(queue) = driver.queues.longest() else {
                match driver.host.wake(true) {
                    Some(slot) => driver.go_on(slot, None),
                    None => return Ok(Gathered::Nothing),
                }
                continue;
            };
            let Work::Evaluations(named, playouts) = driver.queues.work(queue).clone() else {
                let reason = "a search is judged by playouts and has no leaves to answer";
                driver.failure =
                    Some(ResourceFault::because(Resource::Evaluator, reason.to_owned()));
                break;
            };
            by_queue.resize_with(by_queue.len().max(queue + 1), || None);
            let size = driver.size;
            let leaves =
                by_queue[queue].get_or_insert_with(|| LeafBatch::new(named, size, playouts));
            driver.gather(queue, most.max(1), leaves);
            if !leaves.is_empty() {
                leaves.clear_results();
                *waiting = Some(queue);
                break;
            }
        }
        match (&driver.failure, waiting) {
            (Some(failure), _) => Err(failure.clone()),
            (None, Some(_)) => Ok(Gathered::Leaves),
            (None, None) => Ok(Gathered::Paused),
        }
    }

    fn batch(&mut self) -> Option<Batch<'_>> {
        self.by_queue.get_mut(self.waiting?)?.as_mut()?.batch()
    }

    fn slots(&self) -> Vec<usize> {
        let slot = |index: usize| self.driver.searches[index].as_ref().map(|driven| driven.slot);
        self.leaves().into_iter().flat_map(LeafBatch::searches).filter_map(slot).collect()
    }

    fn hand_back(&mut self) -> Result<(), EvaluatorError> {
        let Self { driver, by_queue, waiting } = self;
        let leaves = waiting.and_then(|queue| by_queue.get_mut(queue)?.as_mut());
        let Some(leaves) = leaves else { return Ok(()) };
        leaves.check()?;
        *waiting = None;
        driver.hand_back(leaves);
        Ok(())
    }

    fn host(&self) -> &H {
        &self.driver.host
    }

    fn host_mut(&mut self) -> &mut H {
        &mut self.driver.host
    }

    fn views(&self) -> Vec<(usize, SearchView<'_>)> {
        let driven = self.driver.searches.iter().flatten();
        driven.map(|driven| (driven.slot, driven.search.view())).collect()
    }

    fn suspend_after(&mut self, simulations: u64) {
        for driven in self.driver.searches.iter_mut().flatten() {
            let begun = driven.search.simulations();
            driven.search.suspend_after(begun.saturating_add(simulations));
        }
    }

    fn end(mut self: Box<Self>) -> H {
        self.driver.end_all();
        self.driver.host
    }
}

#[cfg(test)]
mod tests;
