//! `VectorEnv`: many games side by side, stepped by arrays of moves.

mod one;
mod step;
mod table;

use crate::arguments::{first, positions};
use crate::arrays::{NewArray, array_of};
use crate::ending::{Inside, detach};
use crate::errors::{IllegalMove, invalid};
use crate::position::Position;
use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use one::Refusal;
use pyo3::prelude::*;
pub use step::Step;
use table::{Deed, Settings, Table, table};
use tengen::go::Game;

/// The most games of an environment.
const MOST_GAMES: i64 = 1 << 20;

/// Games of Go side by side, stepped by arrays of moves, one ply each. tengen.vector_env makes one,
/// and describes it.
#[pyclass(module = "tengen")]
pub struct VectorEnv {
    /// The position at which the first game begins.
    first: Game,
    settings: Settings,
    table: Box<dyn Table>,
}

impl VectorEnv {
    fn act(&mut self, py: Python<'_>, deed: Deed<'_>) -> PyResult<Step> {
        let Self { first, settings, table } = self;
        Step::new(py, table.len(), first.size(), settings.observations, |views| {
            detach(py, || table.act(deed, *settings, views))
        })
    }
}

#[pymethods]
impl VectorEnv {
    /// An environment whose games begin, and begin again, at `positions` with their rules and
    /// moves, `copies` games at each.
    #[staticmethod]
    #[pyo3(signature = (positions, *, copies = 1, own_eyes = true, auto_reset = true, observations = true, threads = 1))]
    fn from_positions(
        positions: &Bound<'_, PyAny>,
        copies: i64,
        own_eyes: bool,
        auto_reset: bool,
        observations: bool,
        threads: i64,
    ) -> PyResult<Self> {
        let (positions, _) = self::positions(positions)?;
        let first = first(&positions)?.game().clone();
        let games: Vec<Game> = positions.iter().map(|position| position.game().clone()).collect();
        if let Some(over) = games.iter().position(|game| game.end().is_some()) {
            return Err(invalid(format!("position {over} is over: expected games that go on")));
        }
        #[allow(clippy::cast_possible_wrap)] // a number of games in memory
        let all = (games.len() as i64).saturating_mul(copies);
        let (Some(copies), 1..=MOST_GAMES) = (usize::try_from(copies).ok(), all) else {
            return Err(invalid(format!(
                "invalid number of games {all}: expected 1 to {MOST_GAMES}"
            )));
        };
        let Some(threads) = usize::try_from(threads).ok().filter(|&threads| threads > 0) else {
            return Err(invalid(format!("invalid threads {threads}: expected 1 or more")));
        };
        let settings = Settings { own_eyes, auto_reset, observations, threads };
        let table = table(first.size(), &games, copies, own_eyes);
        Ok(Self { first, settings, table })
    }

    /// Begin all games again, or those for which `which`, bool [N], is true, and return the new
    /// state of all games.
    #[pyo3(signature = (which = None))]
    fn reset(&mut self, py: Python<'_>, which: Option<&Bound<'_, PyAny>>) -> PyResult<Step> {
        let which = which.map(bools).transpose()?;
        if let Some(which) = &which {
            self.check_length("which", which.len())?;
        }
        self.act(py, Deed::Reset(which.as_deref()))
    }

    /// Play one of `actions`, integers [N], in each game.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<Step> {
        let actions = integers(actions)?;
        self.check_length("actions", actions.len())?;
        if let Some((game, color, refusal)) = self.table.refused(&actions) {
            return Err(match refusal {
                Refusal::Illegal(mv, reason) => {
                    IllegalMove::new_err(format!("game {game}: {color} {mv}: {reason}"))
                }
                Refusal::OwnEye(mv) => IllegalMove::new_err(format!(
                    "game {game}: {color} {mv}: an own eye; make the environment with own_eyes=True to allow it"
                )),
                Refusal::NoMove => invalid(format!(
                    "game {game}: invalid move {}: expected 0 to {} (the pass) on {}",
                    actions[game],
                    self.first.size().points(),
                    self.first.size()
                )),
            });
        }
        self.act(py, Deed::Step(&actions))
    }

    /// A move for each game: a legal point that fills no own eye, drawn uniformly, or the pass if there is none: int64 [N].
    /// It is a function of `seed`, of the number of the game, of how often the game was begun again, and of its ply.
    #[pyo3(signature = (seed = 0))]
    fn sample<'py>(&self, py: Python<'py>, seed: u64) -> Bound<'py, PyArray1<i64>> {
        let mut actions = NewArray::zeros(py, [self.table.len()]);
        self.table.sample(seed, actions.values());
        actions.done()
    }

    /// Copies of the games, with their moves.
    fn positions(&self) -> Vec<Position> {
        self.table.positions()
    }

    /// The number of games, N.
    #[getter]
    fn n(&self) -> usize {
        self.table.len()
    }

    fn __len__(&self) -> usize {
        self.table.len()
    }

    /// Width and height of the board.
    #[getter]
    fn size(&self) -> (usize, usize) {
        (self.first.size().width(), self.first.size().height())
    }

    /// The number of points, which is also the number of the pass.
    #[getter]
    fn points(&self) -> usize {
        self.first.size().points()
    }

    /// The number of plies made in each game: int64 [N].
    #[getter]
    fn plies<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.table.plies().into_pyarray(py)
    }

    /// Whether points that fill an own eye are among the legal moves.
    #[getter]
    fn own_eyes(&self) -> bool {
        self.settings.own_eyes
    }

    /// Whether games that end begin again at once.
    #[getter]
    fn auto_reset(&self) -> bool {
        self.settings.auto_reset
    }

    fn __repr__(&self) -> String {
        format!("<VectorEnv of {} games on {}>", self.table.len(), self.first.size())
    }
}

impl VectorEnv {
    fn check_length(&self, name: &str, length: usize) -> PyResult<()> {
        let games = self.table.len();
        if length == games {
            return Ok(());
        }
        Err(invalid(format!("{name} has {length} values: expected {games}, one for each game")))
    }
}

/// Actions: an array of integers, or a sequence.
fn integers(value: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    if let Ok(array) = value.cast::<PyArray1<i64>>() {
        return Ok(array.readonly().as_array().to_vec());
    }
    let _inside = Inside::attached(value.py());
    let array = array_of(value, 1, b"iu", "an array", "actions, integers of shape (games,)")?;
    let array = array.call_method1("astype", ("int64",))?;
    Ok(array.cast::<PyArray1<i64>>()?.readonly().as_array().to_vec())
}

/// Truth values: an array, or a sequence.
fn bools(value: &Bound<'_, PyAny>) -> PyResult<Vec<bool>> {
    let _inside = Inside::attached(value.py());
    let array = array_of(value, 1, b"b", "an array", "truth values of shape (games,)")?;
    Ok(array.cast::<PyArray1<bool>>()?.readonly().as_array().to_vec())
}
