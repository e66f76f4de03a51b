//! Long work that Ctrl-C interrupts: it runs on a thread of its own, and the calling thread watches for
//! signals, which Python sees on its main thread only.

use crate::ending::{self, attach, detach};
use crate::errors::RunError;
use crate::raised;
use pyo3::prelude::*;
use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use tengen::search::on_threads;

/// How often signals are looked for.
pub const EVERY: Duration = Duration::from_millis(20);

/// Calls `work` on a thread of its own with a flag that is set once a signal has arrived, and returns its
/// result. Meanwhile other threads of Python run. Raises the exception of the signal, such as
/// `KeyboardInterrupt`, once `work` has ended, or the one that unwinds out of `work`; `RunError` if it
/// panics, or no thread can be started.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    interruptible_by(py, &AtomicBool::new(false), work)
}

/// [`interruptible`] with a flag of the caller.
pub fn interruptible_by<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    ending::check()?;
    detach(py, || {
        let (done, told) = channel::<()>();
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().spawn_scoped(scope, move || {
                // Dropped at the end, by a panic too: that is what the calling thread waits for.
                let _done = done;
                work(stop)
            });
            let thread = thread
                .map_err(|error| RunError::new_err(format!("cannot start a thread: {error}")))?;
            let mut signal = Ok(());
            while told.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                if signal.is_ok() {
                    #[allow(clippy::redundant_closure_for_method_calls)] // for any lifetime
                    let now = attach(|py| py.check_signals());
                    signal = now;
                    stop.store(signal.is_err(), Ordering::Relaxed);
                }
            }
            let result = thread.join();
            signal?;
            result.map_err(raised::of_payload)
        })
    })
}

/// [`interruptible_by`] on so many `threads` at once, each with its number: their results in order.
/// Raises `RunError` for the first failure.
pub fn interruptible_on<T: Send, E: Display + Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    threads: usize,
    work: impl Fn(usize) -> Result<T, E> + Sync + Send,
) -> PyResult<Vec<T>> {
    let failed = |error: &dyn Display| raised::with_cause(py, &error.to_string());
    let results = interruptible_by(py, stop, |_| on_threads(threads, work))?;
    let results = results.map_err(|error| failed(&error))?.into_iter();
    results.map(|result| result.map_err(|error| failed(&error))).collect()
}
