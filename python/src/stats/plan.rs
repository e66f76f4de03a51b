//! What a match that is not played yet can show.

use super::read_level;
use crate::ending::detach;
use crate::errors::invalid;
use crate::interrupt::interruptible;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use tengen::stats::{Claim, Course, Elo, FixedMatch, PairKind, Simulation};
use tengen::tournament::report::Pilot;

/// The most pairs of a simulated test, and the most tests.
const MOST: u64 = 1_000_000;

/// Correlation of the two games of a pair, share of jigo, and share of split pairs, of a share of split pairs or of a
/// correlation.
#[pyfunction]
pub fn pair_kind(split: Option<f64>, correlation: f64, jigo: f64) -> PyResult<(f64, f64, f64)> {
    let kind = PairKind::planned(split, correlation, jigo).map_err(invalid)?;
    Ok((kind.correlation(), kind.jigo(), kind.split()))
}

/// The differences of the argument `name`.
fn differences(name: &'static str, elos: Vec<f64>) -> PyResult<Vec<Elo>> {
    elos.into_iter().map(|elo| Elo::planned(name, elo)).collect::<Result<_, _>>().map_err(invalid)
}

/// Correlation, jigo and split pairs of the run at a path, as of `pair_kind`, and the seconds of one thread per game; NaN if
/// they are not known.
#[pyfunction]
pub fn pilot(py: Python<'_>, path: PathBuf) -> PyResult<(f64, f64, f64, f64)> {
    let Pilot { kind, seconds_per_game, .. } =
        detach(py, || Pilot::read(&path)).map_err(invalid)?;
    let seconds = seconds_per_game.unwrap_or(f64::NAN);
    Ok((kind.correlation(), kind.jigo(), kind.split(), seconds))
}

/// The pairs that show differences, and what numbers of pairs show: arrays by name. The claim is a difference above `margin`,
/// or one within `within`.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // the keywords of tengen.stats.plan
pub fn plan(
    py: Python<'_>,
    correlation: f64,
    jigo: f64,
    level: f64,
    power: f64,
    margin: f64,
    within: Option<f64>,
    elos: Vec<f64>,
    pairs: Vec<f64>,
) -> PyResult<Bound<'_, PyDict>> {
    if !(power > 0.0 && power < 1.0) {
        return Err(invalid(format!("power is {power}: expected a number above 0 and below 1")));
    }
    let elos = differences("elo", elos)?;
    let claim = Claim::planned(margin, within).map_err(invalid)?;
    if let Some(count) = pairs.iter().find(|count| !(**count >= 1.0 && **count <= 1e12)) {
        return Err(invalid(format!("{count} pairs: expected 1 to 10^12")));
    }
    let kind = PairKind::new(correlation, jigo).unwrap_or_default();
    let planned = FixedMatch { kind, level: read_level(level)?, claim };
    let needed = elos.iter().map(|&elo| planned.pairs(elo, power).map_or(f64::NAN, f64::ceil));
    let smallest = pairs
        .iter()
        .map(|&count| planned.smallest_difference(count, power).map_or(f64::NAN, |elo| elo.0));
    let widths = |in_elo: bool| {
        let width = move |&count: &f64| {
            planned.expected_interval(count, Elo(0.0)).map_or(f64::NAN, |interval| {
                let as_elo = |score| if in_elo { Elo::from_score(score).0 } else { score };
                interval.map(as_elo).half_width()
            })
        };
        pairs.iter().map(width).collect::<Vec<f64>>()
    };
    let found = PyDict::new(py);
    let vector = |values: Vec<f64>| values.into_pyarray(py);
    found.set_item("pairs_needed", vector(needed.collect()))?;
    found.set_item("half_widths", vector(widths(false)))?;
    found.set_item("half_widths_elo", vector(widths(true)))?;
    found.set_item("smallest_elo", vector(smallest.collect()))?;
    found.set_item(
        "power_at_equality",
        vector(pairs.iter().map(|&count| planned.power(count, Elo(0.0))).collect()),
    )?;
    Ok(found)
}

/// The courses of a sequential test, given as text, at each of the true differences, or at five of interest: arrays by name.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // the keywords of tengen.stats.plan
pub fn courses<'py>(
    py: Python<'py>,
    correlation: f64,
    jigo: f64,
    test: &str,
    truths: Option<Vec<f64>>,
    most: u64,
    tests: u64,
    seed: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let test: tengen::stats::Sprt = test.parse().map_err(invalid)?;
    for (name, count) in [("most_pairs", most), ("tests", tests)] {
        if !(1..=MOST).contains(&count) {
            return Err(invalid(format!("{name} is {count}: expected 1 to {MOST}")));
        }
    }
    let kind = PairKind::new(correlation, jigo).unwrap_or_default();
    let truths = match truths {
        Some(truths) => differences("truths", truths)?,
        None => test.truths(&kind).to_vec(),
    };
    let simulation = Simulation { pairs: most, tests, seed };
    let found: Vec<Course> = interruptible(py, |stop| {
        let course = |&truth| test.course(&kind, truth, &simulation, stop);
        truths.iter().filter_map(course).collect()
    })?;
    let vector = |value: &dyn Fn(&Course) -> f64| {
        found.iter().map(value).collect::<Vec<f64>>().into_pyarray(py)
    };
    let dict = PyDict::new(py);
    dict.set_item("truths", truths.iter().map(|elo| elo.0).collect::<Vec<f64>>().into_pyarray(py))?;
    dict.set_item("pairs", vector(&|course| course.pairs))?;
    dict.set_item("errors", vector(&|course| course.error))?;
    dict.set_item("nine_tenths", vector(&|course| course.nine_tenths as f64))?;
    dict.set_item("accepts_h0", vector(&|course| course.accepts_h0))?;
    dict.set_item("accepts_h1", vector(&|course| course.accepts_h1))?;
    dict.set_item("undecided", vector(&|course| course.undecided))?;
    dict.set_item("simulated", found.first().and_then(|course| course.simulated))?;
    dict.set_item("fixed_pairs", test.fixed_pairs(&kind))?;
    Ok(dict)
}
