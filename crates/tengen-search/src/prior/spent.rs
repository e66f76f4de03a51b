//! The time that a thread spends computing priors, while it is measured.

use crate::clock::Instant;
use std::cell::Cell;
use std::time::Duration;

thread_local! {
    /// None while nothing is measured.
    static SPENT: Cell<Option<Spent>> = const { Cell::new(None) };
}

/// The time spent computing the priors of positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    /// All of it, with about one reading of the clock per position.
    pub time: Duration,
    /// Number of positions; the clock was read twice for each.
    pub positions: u32,
}

/// From now on the time is measured on this thread.
pub fn begin() {
    SPENT.set(Some(Spent::default()));
}

/// The time since [`begin`] was called on this thread; from now on it is measured no longer.
pub fn end() -> Spent {
    SPENT.take().unwrap_or_default()
}

/// Computes the priors of a position, and measures how long that takes if the thread does so.
#[inline]
pub fn measured<T>(compute: impl FnOnce() -> T) -> T {
    let Some(spent) = SPENT.get() else { return compute() };
    let began = Instant::now();
    let priors = compute();
    let time = spent.time + began.elapsed();
    SPENT.set(Some(Spent { time, positions: spent.positions + 1 }));
    priors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_between_begin_and_end_is_measured() {
        let waits = || measured(|| std::thread::sleep(Duration::from_millis(2)));
        waits();
        begin();
        waits();
        waits();
        let spent = end();
        waits();
        assert_eq!(spent.positions, 2);
        assert!(spent.time >= Duration::from_millis(4), "{spent:?}");
        assert_eq!(end().positions, 0);
    }
}
