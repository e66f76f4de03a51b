//! Exceptions of Python callables that travel through Rust code which cannot return them.
//!
//! A callable that Tengen calls in the middle of a search may raise. If the Rust code around it can
//! return an error, as for evaluators and bots, that code returns a line of text, and the exception
//! is kept until an exception is made of the text ([`keep`], [`with_cause`]). Elsewhere, as in a
//! formula, the exception unwinds the stack as the payload of a panic without a message
//! ([`unwind`], [`caught`]).

use crate::errors::RunError;
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};
use tengen::go::RegisteredPanic;

struct Raised(PyErr);

/// Exceptions that a returned text reports, the newest last.
static KEPT: Mutex<Vec<(String, PyErr)>> = Mutex::new(Vec::new());

/// The most exceptions that are kept.
const MOST: usize = 16;

/// Unwinds the stack to the next [`caught`], which returns `error` with a note that names the
/// callable.
pub fn unwind(py: Python<'_>, error: PyErr, name: &str) -> ! {
    note(py, &error, name);
    resume_unwind(Box::new(Raised(error)))
}

/// Notes in the traceback of `error` that the callable `name` raised it.
fn note(py: Python<'_>, error: &PyErr, name: &str) {
    let note = format!("raised in the {name}, which Tengen called");
    // Python 3.10 has no notes.
    let _ = error.value(py).call_method1("add_note", (note,));
}

/// The result of `work`; the exception if one unwinds. `RunError` stands for a panic of Tengen.
pub fn caught<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(of_payload)
}

/// The exception of a panic's `payload`.
pub fn of_payload(payload: Box<dyn Any + Send>) -> PyErr {
    match payload.downcast::<Raised>() {
        Ok(raised) => raised.0,
        Err(payload) => match payload.downcast::<RegisteredPanic>() {
            Ok(panic) => RunError::new_err(panic.to_string()),
            Err(_) => RunError::new_err("Tengen panicked: this is a fault of Tengen"),
        },
    }
}

/// Keeps `error`, and returns a text that reports it: the callable `name` raised it.
pub fn keep(py: Python<'_>, error: PyErr, name: &str) -> String {
    let kind = error.get_type(py).name().map_or_else(|_| "?".to_owned(), |it| it.to_string());
    let said = error.value(py).to_string();
    // One line, whatever the exception says.
    let said = said.lines().next().unwrap_or_default().to_owned();
    let text = if said.is_empty() { kind } else { format!("{kind}: {said}") };
    let text = format!("the {name} raised {text}");
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let oldest = (kept.len() == MOST).then(|| kept.remove(0));
    kept.push((text.clone(), error));
    drop(kept);
    // Without the lock: what an exception holds may call Tengen when it is dropped, or let another thread have Python.
    drop(oldest);
    text
}

/// `RunError` of `text`, whose cause is the kept exception that the text reports, if any. An
/// exception that ends programs, such as `KeyboardInterrupt`, replaces the `RunError`.
pub fn with_cause(py: Python<'_>, text: &str) -> PyErr {
    let (cause, same) = {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().rposition(|(told, _)| text.contains(told));
        let cause = place.map(|place| kept.remove(place).1);
        // Other threads of the run have told the same.
        let same: Vec<_> = kept.extract_if(.., |(told, _)| text.contains(&**told)).collect();
        (cause, same)
    };
    // Without the lock, as in `keep`.
    drop(same);
    let error = RunError::new_err(text.to_owned());
    match cause {
        Some(cause) if !cause.is_instance_of::<pyo3::exceptions::PyException>(py) => cause,
        Some(cause) => {
            error.set_cause(py, Some(cause));
            error
        }
        None => error,
    }
}
