//! Python callables in the registries of Tengen: their names are values of settings, in every text.
//!
//! They are called from the threads that search, one at a time. Their exceptions end the run: see [`crate::raised`].

pub mod bot;
pub mod evaluator;
pub mod rules;
pub mod selection;

use crate::errors::invalid;
use crate::search::CALLABLE;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tengen::playout::Policy;
use tengen::search::back_up::BackUp;
use tengen::search::prior::Prior;
use tengen::search::select::Selection;
use tengen::search::{FinalMove, evaluator as evaluators};

/// Removes the registered callable that the text of a setting, or of a bot, names.
#[pyfunction]
pub fn unregister(text: &str) -> PyResult<()> {
    let (setting, value) = text.split_once('=').unwrap_or(("", text));
    let name = value.split(':').next().unwrap_or_default();
    let was_registered = match setting {
        "" => tengen::bots::unregister(name),
        "evaluator" => name != CALLABLE && evaluators::unregister(name),
        "selection" => Selection::unregister(name),
        "prior" => Prior::unregister(name),
        "policy" => Policy::unregister(name),
        "back_up" => BackUp::unregister(name),
        "final_move" => FinalMove::unregister(name),
        _ => false,
    };
    if was_registered {
        return Ok(());
    }
    Err(invalid(format!(
        "`{text}` was not registered by this program: expected a text that a function of tengen.register \
         has returned"
    )))
}

/// Refuses an `f` that cannot be called; `what` says in the error what `f` is for.
fn check_callable(f: &Bound<'_, PyAny>, what: &str) -> PyResult<()> {
    if f.is_callable() {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!("a {what} is a function, not {}", f.get_type().name()?)))
}

/// Refuses a text with `parameters` after the name of a callable.
fn no_parameters(name: &str, parameters: &str) -> Result<(), String> {
    if parameters.is_empty() {
        return Ok(());
    }
    Err(format!("`{name}` is a Python callable and takes no parameters: write {name} alone"))
}
