//! Games in the order of the schedule, from games in order of completion.

use std::collections::BTreeMap;

/// A reorder buffer: takes numbered items in any order and returns them in the order
/// of their numbers, each as soon as all before it have come.
///
/// Whatever is decided from a run, such as the end of a sequential test, is
/// decided from the longest complete prefix of the schedule: the games that happen
/// to end early are not a fair sample.
#[derive(Clone, Debug)]
pub struct Prefix<T> {
    early: BTreeMap<usize, T>,
    due: usize,
}

impl<T> Default for Prefix<T> {
    fn default() -> Self {
        Self { early: BTreeMap::new(), due: 0 }
    }
}

impl<T> Prefix<T> {
    /// Adds the item with this `number`. A second item of the same number replaces
    /// the first if that has not been returned yet, and is dropped otherwise.
    pub fn insert(&mut self, number: usize, thing: T) {
        if number >= self.due {
            self.early.insert(number, thing);
        }
    }

    /// Takes the next item in order; none if it has not come yet.
    pub fn next_due(&mut self) -> Option<T> {
        let thing = self.early.remove(&self.due)?;
        self.due += 1;
        Some(thing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_on_in_order() {
        let mut prefix = Prefix::default();
        let mut due = |number| {
            prefix.insert(number, number);
            std::iter::from_fn(|| prefix.next_due()).collect::<Vec<_>>()
        };
        assert!(due(2).is_empty());
        assert_eq!(due(0), [0]);
        assert!(due(0).is_empty());
        assert_eq!(due(1), [1, 2]);
        assert!(due(4).is_empty());
        assert_eq!(due(3), [3, 4]);
    }
}
