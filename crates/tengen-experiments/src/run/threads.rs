//! Units of an experiment that are made one by one, on threads.

use super::{Done, RunError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use tengen_search::on_threads;

/// Makes each of the `units` by `make` on `threads` threads, and passes its rows to `done`, until
/// `stop` is true. `make` returns none if `stop` ended it. The first error of `make` or `done` sets
/// `stop`, and is returned.
pub fn each_unit<R>(
    units: impl Iterator<Item = usize> + Send,
    threads: usize,
    stop: &AtomicBool,
    done: Done<'_, R>,
    make: impl Fn(usize) -> Result<Option<Vec<R>>, RunError> + Sync,
) -> Result<(), RunError> {
    let (units, done) = (Mutex::new(units), Mutex::new(done));
    let work = |_| -> Result<(), RunError> {
        loop {
            let next = units.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(unit) = next.filter(|_| !stop.load(Ordering::Relaxed)) else {
                return Ok(());
            };
            let kept = match make(unit) {
                Ok(None) => return Ok(()),
                Ok(Some(rows)) => (done.lock().unwrap_or_else(PoisonError::into_inner))(&rows),
                Err(fault) => Err(fault),
            };
            if kept.is_err() {
                stop.store(true, Ordering::Relaxed);
                return kept;
            }
        }
    };
    let worked = on_threads(threads, work)?;
    worked.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_made_once_and_an_error_ends_all_threads() {
        let mut made = Vec::new();
        let mut done = |rows: &[usize]| {
            made.extend_from_slice(rows);
            Ok(())
        };
        let stop = AtomicBool::new(false);
        each_unit(0..20, 3, &stop, &mut done, |unit| Ok(Some(vec![unit]))).unwrap();
        made.sort_unstable();
        assert_eq!(made, (0..20).collect::<Vec<_>>());
        let fails = |_| Err(RunError::Input("no".to_owned()));
        each_unit(0..20, 3, &stop, &mut |_: &[usize]| Ok(()), fails).unwrap_err();
        assert!(stop.load(Ordering::Relaxed));
    }
}
