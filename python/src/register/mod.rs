//! Python callables in the registries of Tengen: their names are values of settings, in every text.
//!
//! They are called from the threads that search, one at a time. Their exceptions end the run: see [`crate::raised`].

pub mod bot;
pub mod evaluator;
pub mod rules;
pub mod selection;

use crate::ending::attach;
use crate::errors::invalid;
use crate::raised;
use crate::search::CALLABLE;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::Arc;
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

/// A callable and what it is, such as "prior `mine`". Clones need no lock of Python's.
#[derive(Clone)]
struct Registered {
    f: Arc<Py<PyAny>>,
    name: Arc<str>,
    kind: &'static str,
}

impl Registered {
    fn new(f: &Bound<'_, PyAny>, kind: &'static str, name: &str) -> PyResult<Self> {
        if !f.is_callable() {
            let given = f.get_type().name()?;
            return Err(PyTypeError::new_err(format!("a {kind} is a function, not {given}")));
        }
        Ok(Self { f: Arc::new(f.clone().unbind()), name: name.into(), kind })
    }

    /// This callable, for a text with these `parameters` after its name: there must be none.
    fn without(&self, parameters: &str) -> Result<Self, String> {
        if parameters.is_empty() {
            return Ok(self.clone());
        }
        let name = &self.name;
        Err(format!("`{name}` is a Python callable and takes no parameters: write {name} alone"))
    }

    /// Returns the result of `call` on the callable. An exception unwinds.
    fn ask<T>(&self, call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> T {
        attach(|py| {
            call(self.f.bind(py)).unwrap_or_else(|error| raised::unwind(py, error, &self.what()))
        })
    }

    /// Returns the result of `call` on the callable. An exception is kept, and told in a line.
    fn try_ask<T>(&self, call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> Result<T, String> {
        attach(|py| call(self.f.bind(py)).map_err(|error| raised::keep(py, error, &self.what())))
    }

    fn what(&self) -> String {
        format!("{} `{}`", self.kind, self.name)
    }
}
