//! A sequential test of a match.

use super::counts;
use crate::errors::invalid;
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use tengen::stats::sprt::{Model, Settings};
use tengen::stats::{Games, Outcome, Pairs, State};

/// The units that a test counts.
#[derive(Clone, Copy)]
enum Counts {
    Games(Games),
    Pairs(Pairs),
}

/// A sequential probability ratio test: see tengen.stats.Sprt.
#[derive(Clone)]
#[pyclass(module = "tengen._tengen")]
pub struct Sprt {
    test: tengen::stats::Sprt,
    counts: Counts,
}

#[pymethods]
impl Sprt {
    #[new]
    #[pyo3(signature = (elo0, elo1, alpha, beta, model, pairs))]
    fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: &str,
        pairs: bool,
    ) -> PyResult<Self> {
        let model: Model = model.parse().map_err(|_| {
            invalid(format!("invalid model `{model}`: expected wald, logistic or normalized"))
        })?;
        let settings = Settings { elo0, elo1, alpha, beta, model };
        let test = tengen::stats::Sprt::try_from(settings).map_err(invalid)?;
        let counts =
            if pairs { Counts::Pairs(Pairs::default()) } else { Counts::Games(Games::default()) };
        Ok(Self { test, counts })
    }

    /// Another test with the same counts.
    fn copy(&self) -> Self {
        self.clone()
    }

    /// Adds results until the test decides, and returns how many counted: in each row one result of
    /// a game, or both of a pair.
    fn add(&mut self, results: PyReadonlyArray2<'_, f64>) -> PyResult<usize> {
        let results = results.as_array();
        let rows =
            results.outer_iter().map(|row| row.iter().map(|&result| outcome(result)).collect());
        let rows = rows.collect::<PyResult<Vec<Vec<Outcome>>>>()?;
        let mut counted = 0;
        for row in rows {
            if self.decision()?.is_some() {
                break;
            }
            match (&mut self.counts, &row[..]) {
                (Counts::Games(games), &[result]) => games.record(result),
                (Counts::Pairs(pairs), &[one, other]) => pairs.record(one, other),
                (_, row) => return Err(invalid(format!("{} results in a row", row.len()))),
            }
            counted += 1;
        }
        Ok(counted)
    }

    /// Replaces the counts: three of games, five of pairs.
    fn set_counts(&mut self, cells: Vec<i64>) -> PyResult<()> {
        let cells = cells.into_iter().map(|cell| counts::count(cell, "counts"));
        let cells = cells.collect::<PyResult<Vec<_>>>()?;
        self.counts = match (self.counts, &cells[..]) {
            (Counts::Games(_), &[losses, draws, wins]) => {
                Counts::Games(Games { losses, draws, wins })
            }
            (Counts::Pairs(_), &[ll, ld, split, wd, ww]) => {
                Counts::Pairs(Pairs::from_cells([ll, ld, split, wd, ww]))
            }
            (counts, cells) => {
                let expected = match counts {
                    Counts::Games(_) => "3 of games: lost, drawn, won",
                    Counts::Pairs(_) => "5 of pairs: LL, LD, WL or DD, WD, WW",
                };
                return Err(invalid(format!("{} counts: expected {expected}", cells.len())));
            }
        };
        Ok(())
    }

    /// The counts by score.
    #[getter]
    fn counts(&self) -> Vec<u64> {
        match self.counts {
            Counts::Games(games) => games.cells().to_vec(),
            Counts::Pairs(pairs) => pairs.cells().to_vec(),
        }
    }

    /// The log-likelihood ratio so far: positive for H1.
    #[getter]
    fn llr(&self) -> PyResult<f64> {
        let llr = match self.counts {
            Counts::Games(games) => self.test.llr_of_games(&games),
            Counts::Pairs(pairs) => self.test.llr(&pairs),
        };
        llr.ok_or_else(|| {
            invalid(format!(
                "the {} model cannot be fitted to counts this large: expected at most 10^9 games or \
                 pairs, or model=\"logistic\"",
                self.test.settings().model
            ))
        })
    }

    /// The log-likelihood ratios at which H0 and H1 are accepted.
    #[getter]
    fn bounds(&self) -> (f64, f64) {
        let bounds = self.test.bounds();
        (bounds.lower, bounds.upper)
    }

    /// The accepted hypothesis, "H0" or "H1"; None while the test goes on.
    #[getter]
    fn decision(&self) -> PyResult<Option<&'static str>> {
        Ok(match self.test.state(self.llr()?) {
            State::Continue => None,
            State::AcceptH0 => Some("H0"),
            State::AcceptH1 => Some("H1"),
        })
    }

    fn __repr__(&self) -> String {
        let counts = self.counts();
        let llr = self.llr().map_or_else(|_| "none".to_owned(), |llr| format!("{llr:.2}"));
        format!("<Sprt {}: counts {counts:?}, llr {llr}>", self.test)
    }
}

fn outcome(result: f64) -> PyResult<Outcome> {
    match result {
        0.0 => Ok(Outcome::Loss),
        0.5 => Ok(Outcome::Draw),
        1.0 => Ok(Outcome::Win),
        other => {
            Err(invalid(format!("invalid result {other}: expected 1 (won), 0.5 (drawn) or 0")))
        }
    }
}
