//! The events that are due, in order of time.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Events with their times. Events of one time come in the order in which they were added,
/// so that nothing depends on the heap.
#[derive(Debug)]
pub struct Agenda<E> {
    due: BinaryHeap<Reverse<Due<E>>>,
    added: u64,
}

#[derive(Debug)]
struct Due<E> {
    time: f64,
    number: u64,
    event: E,
}

impl<E> Default for Agenda<E> {
    fn default() -> Self {
        Self { due: BinaryHeap::new(), added: 0 }
    }
}

impl<E> Agenda<E> {
    /// Adds an event that is due at `time`.
    pub fn add(&mut self, time: f64, event: E) {
        self.due.push(Reverse(Due { time, number: self.added, event }));
        self.added += 1;
    }

    /// Removes the earliest event and returns it with its time.
    pub fn next(&mut self) -> Option<(f64, E)> {
        self.due.pop().map(|Reverse(due)| (due.time, due.event))
    }
}

impl<E> Ord for Due<E> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time.total_cmp(&other.time).then(self.number.cmp(&other.number))
    }
}

impl<E> PartialOrd for Due<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> PartialEq for Due<E> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<E> Eq for Due<E> {}

#[cfg(test)]
mod tests {
    use super::Agenda;

    #[test]
    fn events_come_in_order() {
        let mut agenda = Agenda::default();
        for (time, event) in [(2.0, 'c'), (1.0, 'a'), (2.0, 'd'), (1.5, 'b')] {
            agenda.add(time, event);
        }
        let order: Vec<char> = std::iter::from_fn(|| agenda.next()).map(|(_, e)| e).collect();
        assert_eq!(order, ['a', 'b', 'c', 'd']);
    }
}
