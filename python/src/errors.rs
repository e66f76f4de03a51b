//! Exceptions, and the errors of Tengen as exceptions.

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::{PyErr, create_exception};
use std::fmt::Display;

create_exception!(
    tengen,
    IllegalMove,
    PyValueError,
    "A move that the rules forbid; the position is unchanged."
);
create_exception!(
    tengen,
    RunError,
    PyRuntimeError,
    "Work that could not be finished. What a run has written stays, and the run can be resumed."
);

/// The exception for a wrong argument, which `error` describes.
pub fn invalid(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
