//! Exceptions, and the errors of Tengen as exceptions.

use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::{PyErr, PyResult, create_exception};
use std::fmt::Display;
use tengen::run;

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

/// The exception for a run that cannot be read: `OSError` where the system refuses a file.
pub fn of_run(error: &run::RunError) -> PyErr {
    match error {
        run::RunError::File(fault) => PyOSError::new_err((fault.code, fault.said.clone())),
        error => RunError::new_err(error.to_string()),
    }
}

/// `MemoryError` if arrays of so many `bytes` cannot be allocated: failing while they are made
/// would end the process.
pub fn check_room(bytes: usize) -> PyResult<()> {
    let room = Vec::<u8>::new().try_reserve_exact(bytes);
    room.map_err(|_| {
        let gibibytes = bytes as f64 / f64::from(1 << 30);
        PyMemoryError::new_err(format!(
            "the arrays need {gibibytes:.1} GiB, more than there is: ask for less in one call"
        ))
    })
}
