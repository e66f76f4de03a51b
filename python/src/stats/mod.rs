//! The statistics of Tengen on numbers that Python gives; `tengen.stats` describes them.

pub mod counts;
pub mod plan;
pub mod ratings;
mod sprt;

pub use sprt::Sprt;

use crate::ending::detach;
use crate::errors::invalid;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use tengen::scaling::DoublingCurve;
use tengen::seed::mix;
use tengen::stats::{Crossing, Elo, Level, wilson};

fn read_level(probability: f64) -> PyResult<Level> {
    Level::new(probability).ok_or_else(|| {
        invalid(format!("invalid level {probability}: expected a number above 0 and below 1"))
    })
}

/// Wilson intervals of scores over n games: float64 [2, N]; NaN where there is none.
#[pyfunction]
pub fn wilson_intervals<'py>(
    py: Python<'py>,
    scores: PyReadonlyArray1<'_, f64>,
    n: PyReadonlyArray1<'_, f64>,
    level: f64,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let level = read_level(level)?;
    let both = scores.as_array().into_iter().zip(n.as_array()).map(|(&score, &n)| {
        wilson(score, n, level).map_or([f64::NAN; 2], |interval| [interval.low, interval.high])
    });
    let (lows, highs) = both.map(|[low, high]| (low, high)).unzip();
    PyArray2::from_vec2(py, &[lows, highs]).map_err(invalid)
}

/// The rating differences that predict these scores.
#[pyfunction]
pub fn elos<'py>(py: Python<'py>, scores: PyReadonlyArray1<'_, f64>) -> Bound<'py, PyArray1<f64>> {
    let elo = |&score: &f64| Elo::from_score(score).0;
    scores.as_array().iter().map(elo).collect::<Vec<_>>().into_pyarray(py)
}

/// The scores that these rating differences predict.
#[pyfunction]
pub fn scores<'py>(py: Python<'py>, elos: PyReadonlyArray1<'_, f64>) -> Bound<'py, PyArray1<f64>> {
    let score = |&elo: &f64| Elo(elo).score();
    elos.as_array().iter().map(score).collect::<Vec<_>>().into_pyarray(py)
}

/// Strength-speedups: their factors with the ends of their intervals, float64 [M, 3], and the doubling curve, float64 [K, 2].
/// `factors` and `opponent` are logarithms to base 2.
#[pyfunction]
pub fn speedups<'py>(
    py: Python<'py>,
    factors: PyReadonlyArray1<'_, f64>,
    sequential: PyReadonlyArray2<'_, i64>,
    searches: PyReadonlyArray2<'_, i64>,
    opponent: Option<f64>,
    seed: u64,
) -> PyResult<[Bound<'py, PyArray2<f64>>; 2]> {
    let sequential = counts::pairs(&sequential, "sequential")?;
    let searches = counts::pairs(&searches, "searches")?;
    if let Some(many) = sequential.iter().chain(&searches).find(|pairs| pairs.count() > 1_000_000) {
        return Err(invalid(format!(
            "a match of {} pairs: expected at most 1000000, which the bootstrap draws again",
            many.count()
        )));
    }
    let sequential = factors.as_array().iter().copied().zip(sequential).collect();
    let curve = DoublingCurve { sequential, opponent };
    let found: Vec<[f64; 3]> = detach(py, || {
        let all = (0..).zip(&searches).map(|(number, pairs)| {
            let speedup = (pairs.count() > 0).then(|| curve.speedup(pairs, mix(seed, number)));
            speedup.flatten().map_or([f64::NAN; 3], |speedup| {
                let factor = match speedup.log2 {
                    Crossing::At(log2) => log2.exp2(),
                    Crossing::Below | Crossing::Above | Crossing::Anywhere => f64::NAN,
                };
                [factor, speedup.interval.low.exp2(), speedup.interval.high.exp2()]
            })
        });
        all.collect()
    });
    let points: Vec<[f64; 2]> =
        curve.fit().points().iter().map(|&(factor, elo)| [factor.exp2(), elo]).collect();
    // Not of rows: without a row there would be no columns either.
    Ok([Array2::from(found).into_pyarray(py), Array2::from(points).into_pyarray(py)])
}
