//! The arrays of all games that Python sees after a step.

use super::table::{Ended, Views};
use crate::arrays::NewArray;
use crate::errors::check_room;
use numpy::IntoPyArray;
use numpy::ndarray::{Ix1, Ix2, Ix4};
use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use tengen::go::Size;
use tengen::search::evaluator::PLANES;

/// All games after a step or a reset.
#[pyclass(module = "tengen", frozen)]
pub struct Step {
    observations: Option<Py<PyArray4<f32>>>,
    #[pyo3(get)]
    /// The moves that step accepts: bool [N, points + 1], the pass last. All False if a game is
    /// over.
    legal: Py<PyArray2<bool>>,
    #[pyo3(get)]
    /// Rewards of Black, then White: float32 [N, 2]. 1 for the winner of a game that this step
    /// ended, -1 for the loser, else 0.
    rewards: Py<PyArray2<f32>>,
    #[pyo3(get)]
    /// Whether two passes ended the game: bool [N].
    terminated: Py<PyArray1<bool>>,
    #[pyo3(get)]
    /// Whether the limit of plies ended the game: bool [N].
    truncated: Py<PyArray1<bool>>,
    #[pyo3(get)]
    /// The player to move, 1 for Black or -1 for White: int8 [N].
    to_play: Py<PyArray1<i8>>,
    #[pyo3(get)]
    /// Area scores of the games that ended, in points: Black's minus White's minus komi; NaN of the others: float32 [N].
    scores: Py<PyArray1<f32>>,
    #[pyo3(get)]
    /// The numbers of the games that this step ended, ascending: int64 [K].
    ended: Py<PyArray1<i64>>,
    final_observations: Option<Py<PyArray4<f32>>>,
}

#[pymethods]
impl Step {
    /// Planes as of Position.planes, from the view of the player to move: float32 [N, 6, H, W]. The plane of legal points has those of
    /// `legal`: with own_eyes also points that fill an own eye, which `uct` does not consider by default. AttributeError without
    /// observations.
    #[getter]
    fn observations(&self, py: Python<'_>) -> PyResult<Py<PyArray4<f32>>> {
        asked(py, self.observations.as_ref())
    }

    /// Planes of the final positions of the games in `ended`: float32 [K, 6, H, W]. AttributeError
    /// without observations.
    #[getter]
    fn final_observations(&self, py: Python<'_>) -> PyResult<Py<PyArray4<f32>>> {
        asked(py, self.final_observations.as_ref())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let games = self.to_play.bind(py).len().unwrap_or(0);
        let ended = self.ended.bind(py).len().unwrap_or(0);
        format!("<Step of {games} games, {ended} ended>")
    }
}

/// The planes, if the environment makes any.
fn asked(py: Python<'_>, planes: Option<&Py<PyArray4<f32>>>) -> PyResult<Py<PyArray4<f32>>> {
    let planes = planes.map(|planes| planes.clone_ref(py));
    planes.ok_or_else(|| PyAttributeError::new_err("the environment has observations=False"))
}

/// The arrays of a [`Step`] before the games have written them.
pub struct NewStep<'py> {
    size: Size,
    observations: Option<NewArray<'py, f32, Ix4>>,
    legal: NewArray<'py, bool, Ix2>,
    rewards: NewArray<'py, f32, Ix2>,
    terminated: NewArray<'py, bool, Ix1>,
    truncated: NewArray<'py, bool, Ix1>,
    to_play: NewArray<'py, i8, Ix1>,
    scores: NewArray<'py, f32, Ix1>,
}

impl<'py> NewStep<'py> {
    /// The arrays of `games` games on boards of `size`.
    pub fn new(py: Python<'py>, games: usize, size: Size, observations: bool) -> PyResult<Self> {
        let planes = [games, PLANES, size.height(), size.width()];
        // All games may end.
        let numbers = if observations { 2 * PLANES * size.points() } else { 0 };
        check_room(games * (numbers * size_of::<f32>() + size.points() + 64))?;
        Ok(Self {
            size,
            observations: observations.then(|| NewArray::zeros(py, planes)),
            legal: NewArray::zeros(py, [games, size.points() + 1]),
            rewards: NewArray::zeros(py, [games, 2]),
            terminated: NewArray::zeros(py, [games]),
            truncated: NewArray::zeros(py, [games]),
            to_play: NewArray::zeros(py, [games]),
            scores: NewArray::zeros(py, [games]),
        })
    }

    /// The places where the games write.
    pub fn views(&mut self) -> Views<'_> {
        Views {
            observations: self.observations.as_mut().map_or(&mut [], NewArray::values),
            legal: self.legal.values(),
            rewards: self.rewards.values(),
            terminated: self.terminated.values(),
            truncated: self.truncated.values(),
            to_play: self.to_play.values(),
            scores: self.scores.values(),
        }
    }

    /// The step, in which the games `ended` ended.
    pub fn done(self, py: Python<'py>, ended: Ended) -> PyResult<Step> {
        let shape = [ended.games.len(), PLANES, self.size.height(), self.size.width()];
        let final_observations = match self.observations {
            Some(_) => Some(ended.observations.into_pyarray(py).reshape(shape)?.unbind()),
            None => None,
        };
        Ok(Step {
            observations: self.observations.map(|planes| planes.done().unbind()),
            legal: self.legal.done().unbind(),
            rewards: self.rewards.done().unbind(),
            terminated: self.terminated.done().unbind(),
            truncated: self.truncated.done().unbind(),
            to_play: self.to_play.done().unbind(),
            scores: self.scores.done().unbind(),
            ended: ended.games.into_pyarray(py).unbind(),
            final_observations,
        })
    }
}
