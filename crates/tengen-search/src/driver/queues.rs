//! Queues of the searches that may request a playout.

use std::collections::VecDeque;
use tengen_playout::PlayoutConfig;

/// A queue of searches for each configuration of playouts. **A search waits in its
/// queue once at most**: one that left it, because it is done, is not called
/// again by an entry that stayed behind.
#[derive(Default)]
pub struct Queues {
    queues: Vec<Queue>,
    is_waiting: Vec<bool>,
}

struct Queue {
    playout_config: PlayoutConfig,
    waiting: VecDeque<usize>,
    /// Searches that wait here or have playouts out.
    searches: usize,
}

impl Queues {
    /// Room for so many searches.
    pub fn grow(&mut self, searches: usize) {
        self.is_waiting.resize(searches, false);
    }

    /// The queue of a search whose playouts are played by `playout_config`.
    pub fn join(&mut self, playout_config: PlayoutConfig) -> usize {
        let known = self.queues.iter().position(|queue| queue.playout_config == playout_config);
        let queue = known.unwrap_or_else(|| {
            self.queues.push(Queue { playout_config, waiting: VecDeque::new(), searches: 0 });
            self.queues.len() - 1
        });
        self.queues[queue].searches += 1;
        queue
    }

    /// A search of the queue is done.
    pub fn leave(&mut self, queue: usize) {
        self.queues[queue].searches -= 1;
    }

    /// Adds a search, unless it waits already.
    pub fn push(&mut self, queue: usize, search: usize) {
        if !self.is_waiting[search] {
            self.is_waiting[search] = true;
            self.queues[queue].waiting.push_back(search);
        }
    }

    /// The search that has waited longest.
    pub fn pop(&mut self, queue: usize) -> Option<usize> {
        let search = self.queues[queue].waiting.pop_front()?;
        self.is_waiting[search] = false;
        Some(search)
    }

    /// The queue in which most searches wait; none if none waits.
    pub fn longest(&self) -> Option<usize> {
        let lengths = self.queues.iter().map(|queue| queue.waiting.len()).enumerate();
        let longest = lengths.rev().max_by_key(|&(_, length)| length)?;
        (longest.1 > 0).then_some(longest.0)
    }

    pub fn playout_config(&self, queue: usize) -> PlayoutConfig {
        self.queues[queue].playout_config
    }

    pub fn searches(&self, queue: usize) -> usize {
        self.queues[queue].searches
    }
}
