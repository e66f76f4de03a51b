//! An evaluator in Python: a callable on arrays of a batch.

use crate::arguments::sign;
use crate::arrays::{write_bools, write_signs};
use crate::ending::Inside;
use crate::errors::invalid;
use numpy::ndarray::Dimension;
use numpy::{
    Element, PyArray, PyArray1, PyArray2, PyArray4, PyArrayDescrMethods, PyArrayDyn,
    PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tengen::go::Color;
use tengen::search::evaluator::{Batch, NamedEvaluator, PlaneSet, RECENT};

/// Names of planes: a list of texts, or one text.
#[derive(FromPyObject)]
pub enum Names {
    One(String),
    Several(Vec<String>),
}

impl Names {
    pub fn text(&self) -> String {
        match self {
            Self::One(text) => text.clone(),
            Self::Several(names) => names.join(","),
        }
    }
}

/// What an evaluator in Python sees of a leaf.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    planes: PlaneSet,
    /// The number of positions whose stones it sees; with 0 there is no third argument.
    positions: usize,
}

impl Inputs {
    /// The inputs with the named `planes`, or the usual ones without names.
    pub fn new(planes: Option<Names>, positions: usize) -> PyResult<Self> {
        if positions > RECENT {
            return Err(invalid(format!("boards is {positions}: expected 0 to {RECENT}")));
        }
        let planes = match planes {
            Some(names) => names.text().parse().map_err(invalid)?,
            None => PlaneSet::default(),
        };
        Ok(Self { planes, positions })
    }

    /// The names of the planes, and the number of positions.
    pub fn state(&self) -> (String, usize) {
        (self.planes.to_string(), self.positions)
    }

    /// `named` with these inputs.
    pub fn of(&self, named: NamedEvaluator) -> NamedEvaluator {
        named.with_positions(self.planes.positions().max(self.positions))
    }
}

/// `f(planes[N, C, H, W], legal[N, P + 1]) -> (policy[N, P + 1], value[N])`, with the arrays of its last call, which are used
/// again if nobody has kept them.
pub struct Callable {
    f: Py<PyAny>,
    inputs: Inputs,
    arrays: Option<Arrays>,
}

/// The first arguments of a call: float32 [N, C, H, W] and bool [N, P + 1].
type Arrays = (Py<PyArray4<f32>>, Py<PyArray2<bool>>);

impl Callable {
    /// Refuses an `f` that cannot be called.
    pub fn new(f: &Bound<'_, PyAny>, inputs: Inputs) -> PyResult<Self> {
        if !f.is_callable() {
            return Err(PyTypeError::new_err(format!(
                "an evaluator is a function of (planes, legal), not {}",
                f.get_type().name()?
            )));
        }
        Ok(Self { f: f.clone().unbind(), inputs, arrays: None })
    }

    /// Calls the callable with the leaves of `batch`, and writes what it returns.
    pub fn ask(&mut self, py: Python<'_>, batch: Batch<'_>) -> PyResult<()> {
        let _inside = Inside::attached(py);
        let mut arrays = self.arrays.take();
        let answer = {
            let (planes, legal) = filled(py, &batch, &self.inputs.planes, &mut arrays)?;
            match boards(py, &batch, self.inputs.positions)? {
                Some(boards) => self.f.bind(py).call1((planes, legal, boards))?,
                None => self.f.bind(py).call1((planes, legal))?,
            }
        };
        self.arrays = arrays;
        let Ok([policy, value]) = answer.extract::<[Bound<'_, PyAny>; 2]>() else {
            return Err(PyTypeError::new_err(format!(
                "the evaluator returned {}: expected a pair (policy, value)",
                answer.get_type().name()?
            )));
        };
        read(&policy, &value, batch)
    }
}

/// [`Arrays`] while Python is attached.
type Filled<'py> = (Bound<'py, PyArray4<f32>>, Bound<'py, PyArray2<bool>>);

/// Arrays of the leaves of `batch`: those of `kept` if they have its length and nobody else has them, else new ones,
/// which are kept.
fn filled<'py>(
    py: Python<'py>,
    batch: &Batch<'_>,
    set: &PlaneSet,
    kept: &mut Option<Arrays>,
) -> PyResult<Filled<'py>> {
    let (leaves, size) = (batch.leaves.len(), batch.size);
    let planes_shape = [leaves, set.count(), size.height(), size.width()];
    let legal_shape = [leaves, size.points() + 1];
    let is_free = |(planes, legal): &Arrays| {
        is_unshared(planes)
            && is_unshared(legal)
            && is_as_made(planes.bind(py), &planes_shape)
            && is_as_made(legal.bind(py), &legal_shape)
    };
    *kept = kept.take().filter(is_free);
    let (planes, legal) = kept.get_or_insert_with(|| {
        let planes = PyArray4::<f32>::zeros(py, planes_shape, false);
        let legal = PyArray2::<bool>::zeros(py, legal_shape, false);
        (planes.unbind(), legal.unbind())
    });
    let (planes, legal) = (planes.bind(py), legal.bind(py));
    let each = set.count() * size.points();
    for (leaf, planes) in
        batch.leaves.iter().zip(planes.try_readwrite()?.as_slice_mut()?.chunks_exact_mut(each))
    {
        set.write(leaf, planes);
    }
    for (leaf, legal) in batch
        .leaves
        .iter()
        .zip(legal.try_readwrite()?.as_slice_mut()?.chunks_exact_mut(size.points() + 1))
    {
        let (points, pass) = legal.split_at_mut(size.points());
        write_bools(leaf.legal.numbered(size), points);
        pass.fill(true);
    }
    Ok((planes.clone(), legal.clone()))
}

/// Whether this is the only reference to an array: no view of it is left either, which would hold another one.
fn is_unshared<T>(array: &Py<T>) -> bool {
    // SAFETY: the pointer is that of an object that `array` keeps alive, and the caller is attached to Python, as it has
    // bound the array.
    unsafe { pyo3::ffi::Py_REFCNT(array.as_ptr()) == 1 }
}

/// Whether an array still has the type and the flags that it was made with, and this shape: a callable can change all of them.
fn is_as_made<T: Element, D: Dimension>(array: &Bound<'_, PyArray<T, D>>, shape: &[usize]) -> bool {
    array.shape() == shape
        && array.dtype().is_equiv_to(&numpy::dtype::<T>(array.py()))
        && array.is_c_contiguous()
        && array.try_readwrite().is_ok()
}

/// The stones of so many `positions` of each leaf of `batch`; none for 0.
fn boards<'py>(
    py: Python<'py>,
    batch: &Batch<'_>,
    positions: usize,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if positions == 0 {
        return Ok(None);
    }
    let (size, leaves) = (batch.size, batch.leaves);
    let mut stones = vec![0_i8; leaves.len() * positions * size.points()];
    for (leaf, stones) in leaves.iter().zip(stones.chunks_exact_mut(positions * size.points())) {
        let boards = std::iter::once(&leaf.board).chain(&leaf.before);
        for (board, stones) in boards.zip(stones.chunks_exact_mut(size.points())) {
            write_signs(size, Color::BOTH.map(|color| board.stones(color)), stones);
        }
    }
    let shape = (leaves.len(), positions, size.height(), size.width());
    let stones = PyArray1::from_vec(py, stones).call_method1("reshape", (shape,))?;
    let hashes = leaves.iter().map(|leaf| leaf.board.hash()).collect();
    let to_play = leaves.iter().map(|leaf| sign(leaf.board.to_play())).collect();
    let (hashes, to_play) =
        (PyArray1::<u64>::from_vec(py, hashes), PyArray1::<i8>::from_vec(py, to_play));
    let class = py.import("tengen._search")?.getattr("Boards")?;
    class.call1((stones, hashes, to_play)).map(Some)
}

/// New arrays of the leaves of `batch`, which the receiver may keep, and their boards, or None.
pub fn arrays<'py>(
    py: Python<'py>,
    batch: &Batch<'_>,
    inputs: &Inputs,
) -> PyResult<(Filled<'py>, Option<Bound<'py, PyAny>>)> {
    let _inside = Inside::attached(py);
    Ok((filled(py, batch, &inputs.planes, &mut None)?, boards(py, batch, inputs.positions)?))
}

/// Writes `policy` [N, P + 1] and `value` [N] or [N, 1] into the places of `batch`.
pub fn read(policy: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>, batch: Batch<'_>) -> PyResult<()> {
    let _inside = Inside::attached(policy.py());
    let (leaves, moves) = (batch.leaves.len(), batch.size.points() + 1);
    if !batch.priors.is_empty() {
        let is_shape = |shape: &[usize]| *shape == [leaves, moves];
        let expected = format_args!("[{leaves}, {moves}]").to_string();
        copy(policy, "policy", batch.priors, is_shape, &expected)?;
    }
    let is_shape = |shape: &[usize]| *shape == [leaves] || *shape == [leaves, 1];
    copy(value, "value", batch.values, is_shape, &format!("[{leaves}]"))
}

/// Copies the numbers of an array, or of a value that numpy converts to one, to `places`.
fn copy(
    given: &Bound<'_, PyAny>,
    name: &str,
    places: &mut [f32],
    is_shape: impl Fn(&[usize]) -> bool,
    expected: &str,
) -> PyResult<()> {
    let py = given.py();
    let array = match given.cast::<PyUntypedArray>() {
        Ok(array) => array.clone(),
        Err(_) => py.import("numpy")?.call_method1("asarray", (given,))?.cast_into()?,
    };
    if !is_shape(array.shape()) {
        return Err(invalid(format!(
            "the {name} has the shape {:?}: expected {expected}",
            array.shape()
        )));
    }
    let kind = array.dtype().kind();
    if !b"fiub".contains(&kind) {
        return Err(PyTypeError::new_err(format!(
            "the {name} has the dtype {}: expected floats",
            array.dtype()
        )));
    }
    let is_single = array.dtype().is_equiv_to(&numpy::dtype::<f32>(py)) && array.is_c_contiguous();
    let flat = if is_single {
        array.into_any()
    } else {
        // In the order of rows, whatever the strides are.
        py.import("numpy")?.call_method1("ascontiguousarray", (array, "f4"))?
    };
    let flat = flat.cast_into::<PyArrayDyn<f32>>()?;
    places.copy_from_slice(flat.try_readonly()?.as_slice()?);
    Ok(())
}
