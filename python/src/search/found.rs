//! What a search of a position has found, and the arrays of many.

use super::nodes::{Nodes, proof};
use crate::arguments::{count, number};
use numpy::ndarray::Array2;
use numpy::{Element, IntoPyArray};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use tengen::bots::{Decision, decision};
use tengen::go::{Game, Size};
use tengen::search::tree::Tree;
use tengen::search::{SearchView, UctConfig, report};

/// What a search of a position has found; each `Vec` over moves has points + 1 places or, where the search has
/// nothing of the kind, none.
#[derive(Debug, Default)]
pub struct Found {
    visits: Vec<i64>,
    values: Vec<f64>,
    scores: Vec<f64>,
    priors: Vec<f64>,
    amaf_visits: Vec<f64>,
    amaf_values: Vec<f64>,
    proofs: Vec<i8>,
    /// The number of the move that the bot plays, or -1 without a search.
    best: i64,
    variation: Vec<usize>,
    simulations: u64,
    mean_depth: f64,
    max_depth: usize,
    nodes: usize,
    was_full: bool,
    trees: Vec<Nodes>,
}

impl Found {
    /// Nothing: there was no search.
    pub fn nothing() -> Self {
        Self { best: -1, mean_depth: f64::NAN, ..Self::default() }
    }

    /// What the `workers` of a search of `game` by `config` with the search seed `seed` have found so far; their trees
    /// only if `with_trees`.
    pub fn of(
        game: &Game,
        config: &UctConfig,
        seed: u64,
        workers: &[SearchView<'_>],
        with_trees: bool,
    ) -> Self {
        let size = game.size();
        let report = report::report(game, workers, 0.0);
        // Resigning is for games: the move is that of a bot which does not.
        let config = UctConfig { resign: 0.0, ..config.clone() };
        let best = match decision(&config, seed, game, &report) {
            _ if report.moves.is_empty() => -1,
            Decision::Move(mv) => i64::try_from(number(mv, size)).unwrap_or(-1),
            Decision::Resign => -1,
        };
        let mut found = Self {
            visits: vec![0; size.points() + 1],
            values: vec![f64::NAN; size.points() + 1],
            scores: vec![f64::NAN; size.points() + 1],
            proofs: vec![0; size.points() + 1],
            best,
            variation: report.variation.iter().map(|&mv| number(mv, size)).collect(),
            simulations: report.simulations,
            mean_depth: report.mean_depth,
            max_depth: report.max_depth,
            nodes: report.nodes,
            was_full: report.was_full,
            ..Self::default()
        };
        for root_move in &report.moves {
            let place = number(root_move.mv, size);
            found.visits[place] = i64::try_from(root_move.visits).unwrap_or(i64::MAX);
            found.values[place] = root_move.value().unwrap_or(f64::NAN);
            found.scores[place] = root_move.scores.mean().unwrap_or(f64::NAN);
            found.proofs[place] = proof(root_move.proof);
        }
        let trees = || workers.iter().map(|worker| worker.tree);
        found.add_amaf(trees(), size);
        if let Some(tree) = trees().next() {
            found.add_priors(tree, size);
        }
        if with_trees {
            found.trees = trees().map(|tree| Nodes::of(tree, size)).collect();
        }
        found
    }

    fn add_amaf<'a>(&mut self, trees: impl Iterator<Item = &'a Tree>, size: Size) {
        for tree in trees.filter(|tree| tree.extras().amaf) {
            self.amaf_visits.resize(size.points() + 1, 0.0);
            self.amaf_values.resize(size.points() + 1, 0.0);
            for (mv, visits, rewards) in tree.amaf().counted(Tree::ROOT) {
                let place = number(mv, size);
                self.amaf_visits[place] += f64::from(visits);
                self.amaf_values[place] += f64::from(rewards);
            }
        }
        for (value, &visits) in self.amaf_values.iter_mut().zip(&self.amaf_visits) {
            *value = if visits > 0.0 { *value / visits } else { f64::NAN };
        }
    }

    fn add_priors(&mut self, tree: &Tree, size: Size) {
        if !tree.extras().priors {
            return;
        }
        self.priors = match tree.untried_priors(Tree::ROOT, size) {
            Some(row) => row
                .iter()
                .map(|&prior| if prior >= 0.0 { prior.into() } else { f64::NAN })
                .collect(),
            None => vec![f64::NAN; size.points() + 1],
        };
        let children = tree.children(Tree::ROOT);
        for (child, &prior) in children.clone().zip(tree.columns(children).priors) {
            self.priors[number(tree.mv(child), size)] = prior.into();
        }
    }
}

/// The arrays of `all` by name, those of a position in the place of its row; without the first axis if there `is_one`
/// position only.
pub fn arrays<'py>(
    py: Python<'py>,
    size: Size,
    all: Vec<Found>,
    is_one: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let arrays = PyDict::new(py);
    let set = |name: &str, array: Bound<'py, PyAny>| {
        arrays.set_item(name, if is_one { array.get_item(0)? } else { array })
    };
    let moves = size.points() + 1;
    set("visits", rows(py, &all, moves, 0, |found| &found.visits))?;
    set("values", rows(py, &all, moves, f64::NAN, |found| &found.values))?;
    set("scores", rows(py, &all, moves, f64::NAN, |found| &found.scores))?;
    set("priors", rows(py, &all, moves, f64::NAN, |found| &found.priors))?;
    set("amaf_visits", rows(py, &all, moves, f64::NAN, |found| &found.amaf_visits))?;
    set("amaf_values", rows(py, &all, moves, f64::NAN, |found| &found.amaf_values))?;
    set("proofs", rows(py, &all, moves, 0, |found| &found.proofs))?;
    set("best", column(py, &all, |found| found.best))?;
    let simulations = |found: &Found| i64::try_from(found.simulations).unwrap_or(i64::MAX);
    set("simulations", column(py, &all, simulations))?;
    set("mean_depths", column(py, &all, |found| found.mean_depth))?;
    set("max_depths", column(py, &all, |found| count(found.max_depth)))?;
    set("nodes", column(py, &all, |found| count(found.nodes)))?;
    set("were_full", column(py, &all, |found| found.was_full))?;
    let variations = all.iter().map(|found| found.variation.clone());
    set("principal_variations", PyList::new(py, variations.collect::<Vec<_>>())?.into_any())?;
    let trees = PyList::empty(py);
    for found in all {
        let of_workers = PyList::empty(py);
        for nodes in found.trees {
            of_workers.append(nodes.into_dict(py)?)?;
        }
        trees.append(of_workers)?;
    }
    arrays.set_item("trees", trees)?;
    Ok(arrays)
}

/// An array of one row for each of `all`, of `none` where it has nothing.
fn rows<'py, T: Element + Copy>(
    py: Python<'py>,
    all: &[Found],
    moves: usize,
    none: T,
    of: impl Fn(&Found) -> &Vec<T>,
) -> Bound<'py, PyAny> {
    let mut array = Array2::from_elem((all.len(), moves), none);
    for (mut row, found) in array.outer_iter_mut().zip(all) {
        row.iter_mut().zip(of(found)).for_each(|(place, &number)| *place = number);
    }
    array.into_pyarray(py).into_any()
}

fn column<'py, T: Element>(
    py: Python<'py>,
    all: &[Found],
    of: impl Fn(&Found) -> T,
) -> Bound<'py, PyAny> {
    all.iter().map(of).collect::<Vec<T>>().into_pyarray(py).into_any()
}
