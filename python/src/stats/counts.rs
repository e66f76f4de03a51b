//! Counts of games and of pairs, and their statistics.

use super::read_level;
use crate::errors::invalid;
use numpy::PyReadonlyArray2;
use numpy::ndarray::ArrayView1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tengen::stats::{Elo, Games, Pairs};

/// The greatest count: sums of it stay exact.
const MOST: i64 = 1_000_000_000_000;

/// The count `value`.
pub fn count(value: i64, name: &str) -> PyResult<u64> {
    u64::try_from(value)
        .ok()
        .filter(|_| value <= MOST)
        .ok_or_else(|| invalid(format!("{name} has the count {value}: expected 0 to {MOST}")))
}

/// A match in pairs for each row of five counts: LL, LD, WL or DD, WD, WW.
pub fn pairs(rows: &PyReadonlyArray2<'_, i64>, name: &str) -> PyResult<Vec<Pairs>> {
    rows.as_array().outer_iter().map(|row| pairs_of(row, name)).collect()
}

fn pairs_of(row: ArrayView1<'_, i64>, name: &str) -> PyResult<Pairs> {
    let mut cells = [0; 5];
    if row.len() != cells.len() {
        return Err(invalid(format!("{name} has {} counts a match: expected 5", row.len())));
    }
    for (cell, &value) in cells.iter_mut().zip(row) {
        *cell = count(value, name)?;
    }
    Ok(Pairs::from_cells(cells))
}

/// The statistics of counts by score: three of games (lost, drawn, won), or five of pairs (LL, LD, WL
/// or DD, WD, WW). NaN stands for undefined values.
#[pyfunction]
pub fn summary(py: Python<'_>, cells: Vec<i64>, level: f64) -> PyResult<Bound<'_, PyDict>> {
    let level = read_level(level)?;
    let (moments, effective_games, interval, normalized_interval) =
        if let [losses, draws, wins] = cells[..] {
            let cell = |value| count(value, "games");
            let games = Games { losses: cell(losses)?, draws: cell(draws)?, wins: cell(wins)? };
            let interval = games.interval(level);
            let normalized = games.normalized_elo_interval(level);
            (games.moments(), games.effective_games(), interval, normalized)
        } else {
            let pairs = pairs_of(ArrayView1::from(&cells[..]), "pairs")?;
            let interval = pairs.interval(level);
            let normalized = pairs.normalized_elo_interval(level);
            (pairs.moments(), pairs.effective_games(), interval, normalized)
        };
    let number = |value: Option<f64>| value.unwrap_or(f64::NAN);
    let ends = |interval: Option<(f64, f64)>| interval.unwrap_or((f64::NAN, f64::NAN));
    let score = moments.map(|moments| moments.mean);
    let elo_interval = interval.map(|interval| Elo::interval(interval).map(|elo| elo.0));
    let normalized = moments.and_then(|moments| moments.normalized_elo());
    let found = PyDict::new(py);
    found.set_item("score", number(score))?;
    found.set_item("standard_error", number(moments.map(|moments| moments.standard_error())))?;
    found.set_item("effective_games", number(effective_games))?;
    found.set_item("interval", ends(interval.map(|i| (i.low, i.high))))?;
    found.set_item("elo", number(score.map(|score| Elo::from_score(score).0)))?;
    found.set_item("elo_interval", ends(elo_interval.map(|i| (i.low, i.high))))?;
    found.set_item("normalized_elo", number(normalized.map(|elo| elo.0)))?;
    found.set_item(
        "normalized_elo_interval",
        ends(normalized_interval.map(|i| (i.low.0, i.high.0))),
    )?;
    found.set_item("los", number(moments.and_then(|moments| moments.los())))?;
    Ok(found)
}
