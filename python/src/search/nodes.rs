//! The nodes of a tree as arrays.

use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tengen::go::Size;
use tengen::search::tree::{Proof, Tree};

/// A column for each attribute of a node; nodes are in breadth-first order.
#[derive(Debug, Default)]
pub struct Nodes {
    parent: Vec<i32>,
    mv: Vec<i32>,
    depth: Vec<i32>,
    visits: Vec<i64>,
    value: Vec<f64>,
    prior: Vec<f64>,
    amaf_visits: Vec<f64>,
    amaf_value: Vec<f64>,
    proof: Vec<i8>,
    first_child: Vec<i32>,
    children: Vec<i32>,
}

/// The number of a node as an int32 for numpy.
fn index(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

impl Nodes {
    /// The nodes of `tree`, whose boards have this `size`.
    pub fn of(tree: &Tree, size: Size) -> Self {
        let mut all = Self { parent: vec![-1], mv: vec![-1], depth: vec![0], ..Self::default() };
        all.amaf_visits.push(f64::NAN);
        all.amaf_value.push(f64::NAN);
        let extras = tree.extras();
        let mut next = 1;
        // By the number of the move; of the node whose children are listed.
        let mut amaf = vec![(0.0, 0.0); size.points() + 1];
        for (place, node) in tree.nodes().enumerate() {
            let visits = tree.visits(node);
            all.visits.push(visits.into());
            all.value.push(if visits > 0 {
                tree.reward(node) / f64::from(visits)
            } else {
                f64::NAN
            });
            let has_prior = extras.priors && node != Tree::ROOT;
            let prior = has_prior.then(|| tree.columns(node..node + 1).priors[0].into());
            all.prior.push(prior.unwrap_or(f64::NAN));
            all.proof.push(tree.proof(node).map_or(0, Proof::sign));
            let children = tree.children(node);
            all.first_child.push(index(next));
            all.children.push(index(children.len()));
            next += children.len();
            if extras.amaf && !children.is_empty() {
                amaf.fill((0.0, 0.0));
                for (mv, visits, rewards) in tree.amaf().counted(node) {
                    amaf[size.move_number(mv)] = (f64::from(visits), f64::from(rewards));
                }
            }
            for child in children {
                let mv = size.move_number(tree.mv(child));
                all.parent.push(index(place));
                all.mv.push(index(mv));
                all.depth.push(all.depth[place] + 1);
                let (visits, rewards) = if extras.amaf { amaf[mv] } else { (f64::NAN, f64::NAN) };
                all.amaf_visits.push(visits);
                all.amaf_value.push(if visits > 0.0 { rewards / visits } else { f64::NAN });
            }
        }
        all
    }

    pub fn into_dict(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let columns = PyDict::new(py);
        columns.set_item("parents", self.parent.into_pyarray(py))?;
        columns.set_item("moves", self.mv.into_pyarray(py))?;
        columns.set_item("depths", self.depth.into_pyarray(py))?;
        columns.set_item("visits", self.visits.into_pyarray(py))?;
        columns.set_item("values", self.value.into_pyarray(py))?;
        columns.set_item("priors", self.prior.into_pyarray(py))?;
        columns.set_item("amaf_visits", self.amaf_visits.into_pyarray(py))?;
        columns.set_item("amaf_values", self.amaf_value.into_pyarray(py))?;
        columns.set_item("proofs", self.proof.into_pyarray(py))?;
        columns.set_item("first_children", self.first_child.into_pyarray(py))?;
        columns.set_item("children", self.children.into_pyarray(py))?;
        Ok(columns)
    }
}
