//! Evaluators: callables on the leaves of a batch.

use super::no_parameters;
use crate::ending::attach;
use crate::errors::invalid;
use crate::raised;
use crate::search::{CALLABLE, Callable, Inputs, Names};
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
    planes: Option<Names>,
    boards: usize,
) -> PyResult<()> {
    let inputs = Inputs::new(planes, boards)?;
    Callable::new(f, inputs.clone())?;
    if name == CALLABLE {
        return Err(invalid(format!(
            "the evaluator `{name}` cannot be registered: Tengen has one of this name"
        )));
    }
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
        let (own, f, seen) = (own.clone(), f.clone(), inputs.clone());
        // Without Python: a thread that has Python's lock may wait for that of the registry.
        let make = move || {
            let (name, f, inputs) = (own.clone(), f.clone(), seen.clone());
            let evaluator = OfCallable { name, f, inputs, callable: None, batch };
            Ok(Box::new(evaluator) as Box<dyn Evaluator>)
        };
        let named = inputs.of(NamedEvaluator::new("", version.clone(), make));
        Ok(if priors { named } else { named.without_priors() })
    };
    register_named(name, make).map_err(invalid)
}

struct OfCallable {
    name: String,
    f: Arc<Py<PyAny>>,
    inputs: Inputs,
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
                None => Callable::new(self.f.bind(py), self.inputs.clone()),
            };
            let asked = callable.and_then(|callable| self.callable.insert(callable).ask(py, batch));
            let name = format!("evaluator `{}`", self.name);
            asked.map_err(|error| raised::keep(py, error, &name))
        })
    }
}
