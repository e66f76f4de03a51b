//! The Python package `tengen`: boards, playouts, searches and runs as Python objects and numpy arrays.
//!
//! What needs Rust's speed or Rust's code is here, in the module `tengen._tengen`; the rest is the Python of the folder
//! `tengen`. The docstrings of classes and public functions are those of the stubs, `tengen/_tengen.pyi`.

// Docstrings of Python, and arguments that Python hands over by value.
#![allow(clippy::doc_markdown, clippy::needless_pass_by_value)]

mod arguments;
mod errors;
mod interrupt;
mod playouts;
mod position;

use pyo3::prelude::*;

/// The compiled part of the package `tengen`.
#[pymodule]
fn _tengen(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("IllegalMove", py.get_type::<errors::IllegalMove>())?;
    module.add("RunError", py.get_type::<errors::RunError>())?;
    module.add_class::<position::Position>()?;
    playouts::add(module)?;
    // The public names are those of the package.
    module.delattr("__all__")
}
