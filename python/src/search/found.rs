//! The results of a search of a position, and the arrays of many results.

use super::nodes::Nodes;
use crate::arguments::count;
use numpy::ndarray::Array2;
use numpy::{Element, IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use tengen::bots::{BotConfig, Decision, decision};
use tengen::go::{Game, Move, Size};
use tengen::search::{Figure, FigureValue, RootMove, SearchReport, SearchView, UctConfig, report};

/// The results of a search of a position.
#[derive(Debug)]
pub struct Found {
    /// None if there was no search.
    report: Option<SearchReport>,
    /// The move that the bot plays; none without a search.
    best: Option<Move>,
    trees: Vec<Nodes>,
}

impl Found {
    pub const fn nothing() -> Self {
        Self { report: None, best: None, trees: Vec::new() }
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
        let trees = || workers.iter().map(|worker| worker.tree);
        let mut report = report::report(game, workers, 0.0);
        report.add_details(game.size(), trees());
        // Resigning is for games: the move is that of a bot which does not.
        let config = UctConfig { resign: 0.0, ..config.clone() };
        let best = match decision(&config, seed, game, &report) {
            Decision::Move(mv) if report.counts.simulations > 0 => Some(mv),
            _ => None,
        };
        let nodes = |tree| Nodes::of(tree, game.size());
        let trees = if with_trees { trees().map(nodes).collect() } else { Vec::new() };
        Self { report: Some(report), best, trees }
    }

    /// The moves at the root of which something is known.
    fn moves(&self) -> impl Iterator<Item = &RootMove> {
        let report = self.report.as_ref();
        report.into_iter().flat_map(|report| report.moves.iter().chain(&report.unvisited))
    }

    fn variation(&self) -> &[Move] {
        self.report.as_ref().map_or(&[], SearchReport::variation)
    }
}

/// The arrays of `all` by name, each position in the row of its number; without the first axis if
/// there `is_one` position only. With the `seeds` of the bots, and the whole text of the bot.
pub fn arrays<'py>(
    py: Python<'py>,
    size: Size,
    all: Vec<Found>,
    is_one: bool,
    seeds: &[u64],
    config: &UctConfig,
) -> PyResult<Bound<'py, PyDict>> {
    let arrays = PyDict::new(py);
    let set = |name: &str, array: Bound<'py, PyAny>| {
        arrays.set_item(name, if is_one { array.get_item(0)? } else { array })
    };
    for figure in RootMove::FIGURES {
        set(figure.plural, of_moves(py, size, &all, figure))?;
    }
    for figure in SearchReport::FIGURES {
        set(figure.plural, of_searches(py, &all, figure))?;
    }
    let number = |mv: Move| size.move_number(mv);
    let best = |found: &Found| found.best.map_or(-1, |mv| count(number(mv)));
    set("best", column(py, &all, best))?;
    set("seeds", PyArray1::from_slice(py, seeds).into_any())?;
    let variation = |found: &Found| found.variation().iter().map(|&mv| number(mv)).collect();
    let variations: Vec<Vec<usize>> = all.iter().map(variation).collect();
    set("principal_variations", PyList::new(py, variations)?.into_any())?;
    let trees = PyList::empty(py);
    for found in all {
        let of_workers = PyList::empty(py);
        for nodes in found.trees {
            of_workers.append(nodes.into_dict(py)?)?;
        }
        trees.append(of_workers)?;
    }
    arrays.set_item("trees", trees)?;
    arrays.set_item("bot", BotConfig::from(config.clone()).to_string())?;
    Ok(arrays)
}

/// The arrays of the figures of moves, then of searches: the name, the meaning and the shape of each.
#[pyfunction]
pub fn figures() -> Vec<[&'static str; 3]> {
    let of_moves = RootMove::FIGURES.iter().map(|it| [it.plural, it.meaning, "[N, P + 1]"]);
    let of_searches = SearchReport::FIGURES.iter().map(|it| [it.plural, it.meaning, "[N]"]);
    of_moves.chain(of_searches).collect()
}

/// A count, a flag or a proof as an integer: 1 for a proven win, -1 for a proven loss, else 0.
fn whole(value: FigureValue) -> i64 {
    match value {
        FigureValue::Count(number) => count(number),
        FigureValue::Flag(flag) => flag.into(),
        FigureValue::Proof(Some(proof)) => proof.sign().into(),
        FigureValue::Real(_) | FigureValue::Proof(None) => 0,
    }
}

fn real(value: FigureValue) -> f64 {
    if let FigureValue::Real(Some(real)) = value { real } else { f64::NAN }
}

/// The array of a `figure` of moves, [positions, points + 1].
fn of_moves<'py>(
    py: Python<'py>,
    size: Size,
    all: &[Found],
    figure: &Figure<RootMove>,
) -> Bound<'py, PyAny> {
    fn rows<'py, T: Element + Copy>(
        py: Python<'py>,
        size: Size,
        all: &[Found],
        none: T,
        of: impl Fn(&RootMove) -> T,
    ) -> Bound<'py, PyAny> {
        let mut array = Array2::from_elem((all.len(), size.points() + 1), none);
        for (mut row, found) in array.outer_iter_mut().zip(all) {
            found.moves().for_each(|it| row[size.move_number(it.mv)] = of(it));
        }
        array.into_pyarray(py).into_any()
    }
    // The kind of a figure is that of its value of any move.
    match (figure.of)(&RootMove::new(Move::Pass)) {
        FigureValue::Real(_) => rows(py, size, all, f64::NAN, |it| real((figure.of)(it))),
        #[allow(clippy::cast_possible_truncation)] // -1 to 1
        FigureValue::Proof(_) => rows(py, size, all, 0, |it| whole((figure.of)(it)) as i8),
        FigureValue::Count(_) | FigureValue::Flag(_) => {
            rows(py, size, all, 0, |it| whole((figure.of)(it)))
        }
    }
}

/// The array of a `figure` of searches, [positions].
fn of_searches<'py>(
    py: Python<'py>,
    all: &[Found],
    figure: &Figure<SearchReport>,
) -> Bound<'py, PyAny> {
    let nothing = SearchReport::nothing(tengen::go::Color::Black);
    let value = |found: &Found| (figure.of)(found.report.as_ref().unwrap_or(&nothing));
    match (figure.of)(&nothing) {
        FigureValue::Real(_) => column(py, all, |found| real(value(found))),
        FigureValue::Flag(_) => column(py, all, |found| value(found) == FigureValue::Flag(true)),
        FigureValue::Count(_) | FigureValue::Proof(_) => {
            column(py, all, |found| whole(value(found)))
        }
    }
}

fn column<'py, T: Element>(
    py: Python<'py>,
    all: &[Found],
    of: impl Fn(&Found) -> T,
) -> Bound<'py, PyAny> {
    all.iter().map(of).collect::<Vec<T>>().into_pyarray(py).into_any()
}
