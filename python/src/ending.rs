//! The end of the interpreter, while threads still work.
//!
//! Before 3.14, Python ends a thread that asks for its lock while the interpreter is ending. This
//! unwinds frames of Rust that cannot be unwound so: the process would abort. Threads are therefore
//! stopped for good before they ask, and the end waits for threads that have the lock, or will get
//! it, above frames of Rust.

use crate::errors::RunError;
use pyo3::prelude::*;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// How long the end waits for callables at most.
const LIMIT: Duration = Duration::from_secs(1);

static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// The thread that ends the interpreter.
static LAST: OnceLock<ThreadId> = OnceLock::new();

/// The number of living [`Inside`] values of all threads.
static ALL: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The number of living [`Inside`] values of this thread.
    static OWN: Cell<usize> = const { Cell::new(0) };
}

/// While it lives, the end of the interpreter waits for this thread.
pub struct Inside(());

impl Inside {
    /// For a thread without Python's lock, which it then may ask for. It does not return at the end.
    fn enter() -> Self {
        let inside = Self::count();
        if is_too_late() {
            stop();
        }
        inside
    }

    /// For a thread with Python's lock, before it calls what may release it. It does not return at the end.
    pub fn attached(py: Python<'_>) -> Self {
        let inside = Self::count();
        if is_too_late() {
            py.detach(|| stop());
        }
        inside
    }

    fn count() -> Self {
        ALL.fetch_add(1, Ordering::SeqCst);
        OWN.set(OWN.get() + 1);
        Self(())
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        OWN.set(OWN.get() - 1);
        ALL.fetch_sub(1, Ordering::SeqCst);
    }
}

fn is_too_late() -> bool {
    IS_ENDING.load(Ordering::SeqCst) && LAST.get() != Some(&thread::current().id())
}

/// Stops this thread until the process is over.
fn stop() -> ! {
    ALL.fetch_sub(OWN.take(), Ordering::SeqCst);
    loop {
        thread::park();
    }
}

/// `Python::detach`, for work that may go on when the interpreter ends.
pub fn detach<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    let (result, inside) = py.detach(|| (catch_unwind(AssertUnwindSafe(work)), Inside::enter()));
    drop(inside);
    result.unwrap_or_else(|payload| resume_unwind(payload))
}

/// `Python::attach`, for threads that may go on when the interpreter ends.
pub fn attach<T>(work: impl FnOnce(Python<'_>) -> T) -> T {
    let _inside = Inside::enter();
    Python::attach(work)
}

/// Fails if the interpreter is ending: the caller would wait for threads that never return.
pub fn check() -> PyResult<()> {
    if IS_ENDING.load(Ordering::SeqCst) {
        return Err(RunError::new_err("Python is ending: no work can be begun any more"));
    }
    Ok(())
}

/// Stops the threads that still work.
#[pyfunction]
fn end(py: Python<'_>) {
    let _ = LAST.set(thread::current().id());
    IS_ENDING.store(true, Ordering::SeqCst);
    let (own, since) = (OWN.get(), Instant::now());
    py.detach(|| {
        while ALL.load(Ordering::SeqCst) > own && since.elapsed() < LIMIT {
            thread::sleep(Duration::from_millis(1));
        }
    });
}

/// Has the interpreter call [`end`] once its other threads have been waited for.
pub fn register(py: Python<'_>) -> PyResult<()> {
    let end = wrap_pyfunction!(end, py)?;
    py.import("atexit")?.call_method1("register", (end,)).map(drop)
}
