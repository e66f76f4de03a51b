//! The queues in which searches wait to be asked for a playout or an evaluation.

use crate::search::Work;
use std::collections::VecDeque;

/// One queue of searches per kind of work. **A search is in its queue at most once**: when it is
/// done, no second entry is left in the queue.
#[derive(Default)]
pub struct Queues {
    queues: Vec<Queue>,
    is_waiting: Vec<bool>,
}

struct Queue {
    work: Work,
    waiting: VecDeque<usize>,
    /// The number of searches of this queue: those that wait, and those with playouts in
    /// flight.
    searches: usize,
}

impl Queues {
    /// Makes room for `searches` searches.
    pub fn grow(&mut self, searches: usize) {
        self.is_waiting.resize(searches, false);
    }

    /// Counts a new search that requests `work`, and returns the number of its queue.
    pub fn join(&mut self, work: Work) -> usize {
        let known = self.queues.iter().position(|queue| queue.work == work);
        let queue = known.unwrap_or_else(|| {
            self.queues.push(Queue { work, waiting: VecDeque::new(), searches: 0 });
            self.queues.len() - 1
        });
        self.queues[queue].searches += 1;
        queue
    }

    /// Notes that a search of the queue is done.
    pub fn leave(&mut self, queue: usize) {
        self.queues[queue].searches -= 1;
    }

    /// Adds a search to its queue, unless it waits there already.
    pub fn push(&mut self, queue: usize, search: usize) {
        if !self.is_waiting[search] {
            self.is_waiting[search] = true;
            self.queues[queue].waiting.push_back(search);
        }
    }

    /// Removes the search that has waited longest, and returns it.
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

    pub fn work(&self, queue: usize) -> &Work {
        &self.queues[queue].work
    }

    pub fn searches(&self, queue: usize) -> usize {
        self.queues[queue].searches
    }
}
