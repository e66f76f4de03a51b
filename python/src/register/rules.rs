//! Priors, playout policies, rules of back-up and of the final move: callables on a few arrays or numbers.

use super::Registered;
use crate::arguments::count;
use crate::arrays::signs;
use crate::errors::invalid;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use tengen::go::{Bits, Board, Color, Move};
use tengen::playout::policy::{self, PlayoutPolicy, Turn};
use tengen::search::back_up::{self, BackedUp};
use tengen::search::prior::{self, MovePrior};
use tengen::search::{RootMove, SearchReport, final_move};

/// The result `told` as exactly `count` numbers.
fn numbers(told: &Bound<'_, PyAny>, what: &str, count: usize) -> PyResult<Vec<f64>> {
    let array = told.py().import("numpy")?.call_method1("asarray", (told, "f8"))?;
    let array = array.call_method0("ravel")?.cast_into::<PyArray1<f64>>()?.to_vec()?;
    if array.len() != count {
        return Err(invalid(format!("{} {what}: expected {count}", array.len())));
    }
    Ok(array)
}

fn number_of(told: &Bound<'_, PyAny>) -> PyResult<f64> {
    let number: f64 = told.extract()?;
    if number.is_nan() { Err(invalid("it returned nan: expected a number")) } else { Ok(number) }
}

/// The stones of the player to move as 1, those of the opponent as -1: int8 [H, W].
fn own_stones<'py, const W: usize>(py: Python<'py>, board: &Board<W>) -> Bound<'py, PyArray2<i8>> {
    let own = board.to_play();
    signs(py, board.size(), [board.stones(own), board.stones(!own)])
}

/// Registers a callable as a prior.
#[pyfunction]
pub fn register_prior(name: &str, f: &Bound<'_, PyAny>, version: &str) -> PyResult<()> {
    struct OfCallable(Registered);

    impl MovePrior for OfCallable {
        fn values(&self, board: &Board<6>, last: Option<Move>, values: &mut [f32]) {
            let size = board.size();
            let last = last.map(|mv| size.move_number(mv));
            let told = self.0.ask(|f| {
                let told = f.call1((own_stones(f.py(), board), last))?;
                let told = numbers(&told, "values of moves", values.len())?;
                let stones = Color::BOTH.into_iter().flat_map(|color| board.stones(color).iter());
                let mut is_read = vec![true; told.len()];
                stones.for_each(|at| is_read[size.number(Bits::<6>::vertex(at))] = false);
                let is_wrong =
                    |&number: &usize| is_read[number] && !(0.0..=1.0).contains(&told[number]);
                if let Some(number) = (0..told.len()).find(is_wrong) {
                    let (mv, value) = (size.move_of(number), told[number]);
                    return Err(invalid(format!("the value of {mv} is {value}: expected 0 to 1")));
                }
                Ok(told)
            });
            for (value, told) in values.iter_mut().zip(told) {
                #[allow(clippy::cast_possible_truncation)] // rounded to whole percent
                let told = told as f32;
                *value = told;
            }
        }
    }

    let rule = Registered::new(f, "prior", name)?;
    let make = move |parameters: &str| rule.without(parameters).map(OfCallable);
    prior::register(name, version, make).map_err(invalid)
}

/// Registers a callable as a playout policy.
#[pyfunction]
pub fn register_policy(name: &str, f: &Bound<'_, PyAny>, version: &str) -> PyResult<()> {
    struct OfCallable(Registered);

    impl PlayoutPolicy for OfCallable {
        fn draw<const W: usize>(&self, turn: &Turn<W>) -> usize {
            let size = turn.board.size();
            let index = |vertex| size.number(vertex);
            let candidates: Vec<i64> =
                turn.candidates.iter().map(|at| count(index(Bits::<W>::vertex(at)))).collect();
            let last = turn.last.iter().next().map(|at| index(Bits::<W>::vertex(at)));
            let weights = self.0.ask(|f| {
                let py = f.py();
                let length = candidates.len();
                let arguments = (own_stones(py, &turn.board), candidates.into_pyarray(py), last);
                let weights = numbers(&f.call1(arguments)?, "weights", length)?;
                match weights.iter().find(|weight| !(0.0..=f64::MAX).contains(*weight)) {
                    Some(wrong) => {
                        Err(invalid(format!("a weight is {wrong}: expected a number from 0")))
                    }
                    None => Ok(weights),
                }
            });
            let places: Vec<usize> = turn.candidates.iter().collect();
            turn.weighted(|at| places.binary_search(&at).map_or(0.0, |place| weights[place]))
        }
    }

    let rule = Registered::new(f, "playout policy", name)?;
    let make = move |parameters: &str| rule.without(parameters).map(OfCallable);
    policy::register(name, version, make).map_err(invalid)
}

/// Registers a callable as a rule of back-up.
#[pyfunction]
pub fn register_back_up(name: &str, f: &Bound<'_, PyAny>, version: &str) -> PyResult<()> {
    let rule = Registered::new(f, "back-up rule", name)?;
    let make = move |parameters: &str| {
        let rule = rule.without(parameters)?;
        Ok(move |node: &BackedUp<'_>| {
            let (visits, values): (Vec<f64>, Vec<f64>) =
                node.visited().map(|(visits, value)| (f64::from(visits), value)).unzip();
            rule.ask(|f| {
                let array = |values| PyArray1::<f64>::from_vec(f.py(), values);
                let told = f.call1((node.mean(), node.visits, array(visits), array(values)))?;
                match number_of(&told)? {
                    value if (0.0..=1.0).contains(&value) => Ok(value),
                    other => Err(invalid(format!("it returned {other}: expected 0 to 1"))),
                }
            })
        })
    };
    back_up::register(name, version, make).map_err(invalid)
}

/// Registers a callable as a rule for the final move.
#[pyfunction]
pub fn register_final_move(name: &str, f: &Bound<'_, PyAny>, version: &str) -> PyResult<()> {
    let rule = Registered::new(f, "rule for the final move", name)?;
    let make = move |parameters: &str| {
        let rule = rule.without(parameters)?;
        Ok(move |root_move: &RootMove, report: &SearchReport| {
            let value = root_move.value().unwrap_or(f64::NAN);
            rule.ask(|f| {
                number_of(&f.call1((root_move.visits, value, report.counts.simulations))?)
            })
        })
    };
    final_move::register(name, version, make).map_err(invalid)
}
