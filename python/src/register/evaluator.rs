//! Evaluators: callables on the leaves of a batch.

use super::Registered;
use crate::arguments::check_positive;
use crate::errors::invalid;
use crate::search::{CALLABLE, Callable, Inputs, Names};
use pyo3::prelude::*;
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
    check_positive("batch", batch, "1 leaf")?;
    if version.is_empty() {
        return Err(invalid(format!(
            "the evaluator `{name}` cannot be registered: its version is empty"
        )));
    }
    let (f, version) = (Registered::new(f, "evaluator", name)?, version.to_owned());
    let make = move |parameters: &str| {
        let (f, seen) = (f.without(parameters)?, inputs.clone());
        // Without Python: a thread that has Python's lock may wait for that of the registry.
        let make = move || {
            let (f, inputs) = (f.clone(), seen.clone());
            let evaluator = OfCallable { f, inputs, callable: None, batch };
            Ok(Box::new(evaluator) as Box<dyn Evaluator>)
        };
        let named = inputs.of(NamedEvaluator::new("", version.clone(), make));
        Ok(if priors { named } else { named.without_priors() })
    };
    register_named(name, make).map_err(invalid)
}

struct OfCallable {
    f: Registered,
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
        self.f.try_ask(|f| {
            let callable = match self.callable.take() {
                Some(callable) => callable,
                None => Callable::new(f, self.inputs.clone())?,
            };
            self.callable.insert(callable).ask(f.py(), batch)
        })
    }
}
