//! Selection formulas: callables on the statistics of all children of a node.

use super::Registered;
use crate::errors::invalid;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use tengen::rand_xoshiro::Xoshiro256PlusPlus;
use tengen::search::select::{
    Child, ForAllChildren, FormulaOfAllChildren, Properties, SelectingNode, register_for_all,
};

/// Registers a callable as a selection formula.
#[pyfunction]
pub fn register_selection(
    name: &str,
    f: &Bound<'_, PyAny>,
    version: &str,
    unvisited: bool,
    priors: bool,
) -> PyResult<()> {
    let formula = Registered::new(f, "selection formula", name)?;
    register_for_all(name, version, move |parameters| {
        let formula = OfCallable { formula: formula.without(parameters)?, unvisited, priors };
        Ok(Box::new(formula) as Box<FormulaOfAllChildren>)
    })
    .map_err(invalid)
}

struct OfCallable {
    formula: Registered,
    unvisited: bool,
    priors: bool,
}

struct Children {
    visits: Vec<f64>,
    values: Vec<f64>,
    priors: Vec<f64>,
}

impl OfCallable {
    /// The urgencies of `children` of `node`. An exception of the callable unwinds.
    fn urgencies(&self, node: &SelectingNode<'_>, children: Children) -> Vec<f64> {
        let Children { visits, values, priors } = children;
        let is_visited: Vec<bool> = visits.iter().map(|&visits| visits > 0.0).collect();
        let count = is_visited.len();
        let needs = |(told, visited): (&f64, bool)| told.is_nan() && (visited || self.unvisited);
        self.formula.ask(|f| {
            let py = f.py();
            let array = |values| PyArray1::<f64>::from_vec(py, values);
            let arguments =
                (array(visits), array(values), array(priors), node.visits, node.exploration);
            let told = f.call1(arguments)?;
            let told = py.import("numpy")?.call_method1("asarray", (told, "f8"))?;
            let wrong = || invalid(format!("the urgencies are not an array of {count} numbers"));
            let told = told.cast_into::<PyArray1<f64>>().map_err(|_| wrong())?;
            let told = told.to_vec()?;
            if told.len() != count {
                return Err(wrong());
            }
            if told.iter().zip(is_visited).any(needs) {
                return Err(invalid("an urgency is nan: expected a number"));
            }
            Ok(told)
        })
    }
}

impl ForAllChildren for OfCallable {
    fn properties(&self) -> Properties {
        let (ranks_unvisited, reads_priors) = (self.unvisited, self.priors);
        Properties { ranks_unvisited, reads_priors, ..Properties::NONE }
    }

    fn of(&self, node: &SelectingNode<'_>, child: &Child, _: &mut Xoshiro256PlusPlus) -> f64 {
        let Child { visits, mean, prior, .. } = *child;
        let children = Children { visits: vec![visits], values: vec![mean], priors: vec![prior] };
        self.urgencies(node, children).first().copied().unwrap_or(f64::NEG_INFINITY)
    }

    fn fill(
        &self,
        node: &SelectingNode<'_>,
        means: Option<&[f64]>,
        _: &mut Xoshiro256PlusPlus,
        urgencies: &mut [f64],
    ) {
        let columns = node.children;
        if columns.visits.is_empty() {
            return;
        }
        let visits: Vec<f64> = columns.visits.iter().map(|&visits| visits.into()).collect();
        let own = |(&reward, &visits): (&f64, &f64)| {
            if visits > 0.0 { reward / visits } else { node.first_play }
        };
        let values: Vec<f64> = match means {
            Some(means) => means.to_vec(),
            None => columns.rewards.iter().zip(&visits).map(own).collect(),
        };
        let prior = |place| columns.priors.get(place).map_or(0.0, |&prior| f64::from(prior));
        let priors = (0..visits.len()).map(prior).collect();
        let first: Vec<Option<f64>> = visits
            .iter()
            .zip(&values)
            .map(|(&visits, &value)| (visits == 0.0 && !self.unvisited).then_some(value))
            .collect();
        let told = self.urgencies(node, Children { visits, values, priors });
        for ((place, told), first) in urgencies.iter_mut().zip(told).zip(first) {
            *place = first.unwrap_or(told);
        }
    }
}
