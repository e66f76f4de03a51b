//! The Python package `tengen`: boards, playouts, searches and runs as Python objects and numpy arrays.
//!
//! Code that needs Rust's speed or Rust's library is here, in the module `tengen._tengen`; the rest
//! is Python in the folder `tengen`. The docstrings of public classes are copied to the stub,
//! `tengen/_tengen.pyi`.

// Docstrings of Python, and arguments that Python hands over by value.
#![allow(clippy::doc_markdown, clippy::needless_pass_by_value)]

mod arguments;
mod arrays;
mod blocks;
mod ending;
mod errors;
mod interrupt;
mod player;
mod playouts;
mod position;
mod raised;
mod register;
mod runs;
mod search;
mod stats;
mod table;
mod vector_env;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use std::sync::OnceLock;

macro_rules! add_functions {
    ($module:ident, $($function:path),+ $(,)?) => {
        $($module.add_function(wrap_pyfunction!($function, $module)?)?;)+
    };
}

/// The compiled part of the package `tengen`.
#[pymodule]
fn _tengen(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    refuse_second_interpreter(py)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("IllegalMove", py.get_type::<errors::IllegalMove>())?;
    module.add("RunError", py.get_type::<errors::RunError>())?;
    module.add_class::<position::Position>()?;
    module.add_class::<player::Player>()?;
    module.add_class::<blocks::Answers>()?;
    module.add_class::<stats::Sprt>()?;
    module.add_class::<vector_env::VectorEnv>()?;
    module.add_class::<vector_env::Step>()?;
    module.add_class::<search::Searches>()?;
    add_functions!(
        module,
        playouts::playouts,
        blocks::make_block,
        runs::call,
        runs::suite_text,
        runs::main,
        runs::options,
        runs::parse_toml,
        runs::answer,
        runs::card,
        runs::conditions,
        runs::experiments,
        runs::kind,
        table::read_table,
        stats::wilson_intervals,
        stats::elos,
        stats::scores,
        stats::speedups,
        stats::counts::summary,
        stats::plan::pair_kind,
        stats::plan::pilot,
        stats::plan::plan,
        stats::plan::courses,
        stats::ratings::ratings,
        search::search,
        search::found::figures,
        search::genmove::genmove,
        register::unregister,
        register::evaluator::register_evaluator,
        register::bot::register_bot,
        register::selection::register_selection,
        register::rules::register_prior,
        register::rules::register_policy,
        register::rules::register_back_up,
        register::rules::register_final_move,
    );
    search::register_callable()?;
    ending::register(py)?;
    // The public names are those of the package.
    module.delattr("__all__")
}

/// Refuses the import by a second interpreter of the process: objects of one must not be used by another.
fn refuse_second_interpreter(py: Python<'_>) -> PyResult<()> {
    /// The address of the module `sys`, of which each interpreter has its own.
    static FIRST: OnceLock<usize> = OnceLock::new();
    let own = py.import("sys")?.as_ptr() as usize;
    if *FIRST.get_or_init(|| own) == own {
        return Ok(());
    }
    Err(PyImportError::new_err(
        "tengen is imported by another interpreter of this process, and subinterpreters are not supported: use processes",
    ))
}
