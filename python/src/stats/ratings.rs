//! Ratings of the players of a tournament.

use super::{counts, read_level};
use crate::arrays::shaped;
use crate::ending::detach;
use crate::errors::invalid;
use numpy::{IntoPyArray, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tengen::stats::Games;
use tengen::stats::rate;
use tengen::stats::ratings::{Disconnected, Estimate, Record};

/// The most players: time grows with the third power of their number, and with its square times the
/// number of pairings.
const MOST_PLAYERS: usize = 1_000;

/// The ratings of players from tables of games: rows are players who move first, columns those who move second, counts
/// are those of the first.
#[pyfunction]
pub fn ratings<'py>(
    py: Python<'py>,
    wins: PyReadonlyArray2<'_, i64>,
    draws: PyReadonlyArray2<'_, i64>,
    losses: PyReadonlyArray2<'_, i64>,
    names: Vec<String>,
    level: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let level = read_level(level)?;
    let players = names.len();
    if players == 0 || players > MOST_PLAYERS {
        return Err(invalid(format!("{players} players: expected 1 to {MOST_PLAYERS}")));
    }
    let tables = [wins.as_array(), draws.as_array(), losses.as_array()];
    if let Some(table) = tables.iter().find(|table| table.shape() != [players, players]) {
        return Err(invalid(format!(
            "a table of shape {:?}: expected ({players}, {players})",
            table.shape()
        )));
    }
    let mut records = Vec::new();
    for first_mover in 0..players {
        for second_mover in 0..players {
            let cell = |number: usize, name| {
                counts::count(tables[number][(first_mover, second_mover)], name)
            };
            let (wins, draws, losses) = (cell(0, "wins")?, cell(1, "draws")?, cell(2, "losses")?);
            let games = Games { losses, draws, wins };
            if games.count() > 0 {
                records.push(Record { first_mover, second_mover, games });
            }
        }
    }
    let ends = |estimate: Estimate| {
        let interval = estimate.interval(level);
        [interval.low.0, interval.high.0]
    };
    let (rated, differences) = detach(py, || {
        let rated = rate(&names, &records)?;
        let any_two =
            (0..players).flat_map(|one| (one + 1..players).map(move |other| (one, other)));
        let differences: Vec<_> =
            any_two.map(|(one, other)| (one, other, rated.difference(one, other))).collect();
        Ok((rated, differences))
    })
    .map_err(|error: Disconnected| invalid(error))?;
    let all = || (0..players).map(|player| rated.rating(player));
    let mut z = vec![f64::NAN; players * players];
    for residual in rated.residuals(&records) {
        z[residual.player * players + residual.opponent] = residual.z();
        z[residual.opponent * players + residual.player] = -residual.z();
    }
    let found = PyDict::new(py);
    let vector = |values: Vec<f64>| values.into_pyarray(py);
    found.set_item("values", vector(all().map(|rating| rating.value.0).collect()))?;
    found.set_item(
        "standard_errors",
        vector(all().map(|rating| rating.standard_error.0).collect()),
    )?;
    let intervals = all().flat_map(ends).collect();
    found.set_item("intervals", shaped(py, intervals, &[players, 2])?)?;
    // A player does not differ from itself.
    let [mut values, mut errors] = [(); 2].map(|()| vec![0.0; players * players]);
    let mut intervals = vec![[0.0; 2]; players * players];
    for (one, other, difference) in differences {
        let [low, high] = ends(difference);
        let (there, back) = (one * players + other, other * players + one);
        (values[there], values[back]) = (difference.value.0, -difference.value.0);
        (intervals[there], intervals[back]) = ([low, high], [-high, -low]);
        (errors[there], errors[back]) = (difference.standard_error.0, difference.standard_error.0);
    }
    let table = |values: Vec<f64>| shaped(py, values, &[players, players]);
    found.set_item("differences", table(values)?)?;
    found.set_item("difference_errors", table(errors)?)?;
    let intervals = shaped(py, intervals.into_flattened(), &[players, players, 2])?;
    found.set_item("difference_intervals", intervals)?;
    let expected = |cell| rated.expected(cell / players, cell % players);
    found.set_item("expected", table((0..players * players).map(expected).collect())?)?;
    found.set_item("deviations", table(z)?)?;
    let advantage = rated.advantage();
    found.set_item("advantage", advantage.value.0)?;
    found.set_item("advantage_interval", <(f64, f64)>::from(ends(advantage)))?;
    Ok(found)
}
