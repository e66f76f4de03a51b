//! Evaluators: callables on the leaves of a batch.

use super::no_parameters;
use crate::ending::attach;
use crate::errors::invalid;
use crate::raised;
use crate::search::Callable;
use pyo3::prelude::*;
use std::sync::Arc;
use tengen::search::evaluator::{Batch, Evaluator, NamedEvaluator, register_named};

/// Registers a callable as an evaluator.
#[pyfunction]
pub fn register_evaluator(
    name: &str,
    f: &Bound<'_, PyAny>,
    version: &str,
    batch: usize,
    priors: bool,
) -> PyResult<()> {
    Callable::new(f)?;
    if batch == 0 {
        return Err(invalid("invalid batch 0: expected 1 leaf or more"));
    }
    if version.is_empty() {
        return Err(invalid(format!(
            "the evaluator `{name}` cannot be registered: its version is empty"
        )));
    }
    let f = Arc::new(f.clone().unbind());
    let (own, version) = (name.to_owned(), version.to_owned());
    let make = move |parameters: &str| {
        no_parameters(&own, parameters)?;
        let (own, f) = (own.clone(), f.clone());
        // Without Python: a thread that has Python's lock may wait for that of the registry.
        let make = move || {
            let (name, f) = (own.clone(), f.clone());
            Ok(Box::new(OfCallable { name, f, callable: None, batch }) as Box<dyn Evaluator>)
        };
        let named = NamedEvaluator::new("", version.clone(), make);
        Ok(if priors { named } else { named.without_priors() })
    };
    register_named(name, make).map_err(invalid)
}

struct OfCallable {
    name: String,
    f: Arc<Py<PyAny>>,
    /// The callable, once it has been called.
    callable: Option<Callable>,
    batch: usize,
}

impl Evaluator for OfCallable {
    fn batch(&self) -> usize {
        self.batch
    }

    fn evaluate(&mut self, batch: Batch<'_>) -> Result<(), String> {
        attach(|py| {
            let callable = match self.callable.take() {
                Some(callable) => Ok(callable),
                None => Callable::new(self.f.bind(py)),
            };
            let asked = callable.and_then(|callable| self.callable.insert(callable).ask(py, batch));
            let name = format!("evaluator `{}`", self.name);
            asked.map_err(|error| raised::keep(py, error, &name))
        })
    }
}
