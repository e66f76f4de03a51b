//! The arrays of all games that Python sees after a step.

use super::table::{Ended, Views};
use crate::arrays::NewArray;
use crate::errors::check_room;
use numpy::IntoPyArray;
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

impl Step {
    /// The step of `games` games on boards of `size`: `act` makes it, and writes its arrays.
    pub fn new(
        py: Python<'_>,
        games: usize,
        size: Size,
        has_observations: bool,
        act: impl FnOnce(Views<'_>) -> Ended,
    ) -> PyResult<Self> {
        let planes = |games| [games, PLANES, size.height(), size.width()];
        // All games may end.
        let numbers = if has_observations { 2 * PLANES * size.points() } else { 0 };
        check_room(games * (numbers * size_of::<f32>() + size.points() + 64))?;
        let mut observations = has_observations.then(|| NewArray::zeros(py, planes(games)));
        let mut legal = NewArray::zeros(py, [games, size.points() + 1]);
        let mut rewards = NewArray::zeros(py, [games, 2]);
        let [mut terminated, mut truncated] = [(); 2].map(|()| NewArray::zeros(py, [games]));
        let mut to_play = NewArray::zeros(py, [games]);
        let mut scores = NewArray::zeros(py, [games]);
        let ended = act(Views {
            observations: observations.as_mut().map_or(&mut [], NewArray::values),
            legal: legal.values(),
            rewards: rewards.values(),
            terminated: terminated.values(),
            truncated: truncated.values(),
            to_play: to_play.values(),
            scores: scores.values(),
        });
        let shape = planes(ended.games.len());
        let final_observations = match observations {
            Some(_) => Some(ended.observations.into_pyarray(py).reshape(shape)?.unbind()),
            None => None,
        };
        Ok(Self {
            observations: observations.map(|planes| planes.done().unbind()),
            legal: legal.done().unbind(),
            rewards: rewards.done().unbind(),
            terminated: terminated.done().unbind(),
            truncated: truncated.done().unbind(),
            to_play: to_play.done().unbind(),
            scores: scores.done().unbind(),
            ended: ended.games.into_pyarray(py).unbind(),
            final_observations,
        })
    }
}
