//! New numpy arrays that are filled in place.

use crate::ending::Inside;
use numpy::ndarray::{Dimension, IntoDimension};
use numpy::{
    Element, IntoPyArray, PyArray, PyArray2, PyArrayMethods, PyUntypedArray, get_array_module,
};
use numpy::{PyArrayDescrMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tengen::go::{Bits, Size};

/// An array that Python has not seen yet.
pub struct NewArray<'py, T, D>(Bound<'py, PyArray<T, D>>);

impl<'py, T: Element, D: Dimension> NewArray<'py, T, D> {
    /// The array of zeros of this shape.
    pub fn zeros(py: Python<'py>, shape: impl IntoDimension<Dim = D>) -> Self {
        // Numpy releases the lock while it makes a large one.
        let _inside = Inside::attached(py);
        Self(PyArray::zeros(py, shape, false))
    }

    /// Its values, the last axis first.
    pub fn values(&mut self) -> &mut [T] {
        // SAFETY: the array is contiguous and initialised, and nobody else refers to it before `done`.
        unsafe { self.0.as_slice_mut() }.unwrap_or_default()
    }

    pub fn done(self) -> Bound<'py, PyArray<T, D>> {
        self.0
    }
}

/// Writes the lowest bits of `words` as truth values, as many as `values` has room for.
#[inline]
pub fn write_bools(words: [u64; 6], values: &mut [bool]) {
    /// By the number of the eight bits.
    const EIGHT: [[bool; 8]; 256] = {
        let mut all = [[false; 8]; 256];
        let mut bit = 0;
        while bit < 8 * 256 {
            all[bit / 8][bit % 8] = (bit / 8) >> (bit % 8) & 1 == 1;
            bit += 1;
        }
        all
    };
    let eight = |number: usize| &EIGHT[(words[number / 8] >> (number % 8 * 8) & 255) as usize];
    let (groups, rest) = values.as_chunks_mut::<8>();
    let full = groups.len();
    for (number, group) in groups.iter_mut().enumerate() {
        *group = *eight(number);
    }
    if !rest.is_empty() {
        rest.copy_from_slice(&eight(full)[..rest.len()]);
    }
}

/// Writes 1 on the points of the first set and -1 on those of the second, in the order of
/// `Size::number`.
pub fn write_signs<const W: usize>(size: Size, sets: [Bits<W>; 2], values: &mut [i8]) {
    for (set, sign) in sets.into_iter().zip([1, -1]) {
        for vertex in set.iter().map(Bits::<W>::vertex) {
            values[size.number(vertex)] = sign;
        }
    }
}

/// 1 on the points of the first set, -1 on those of the second, else 0: int8 [H, W].
pub fn signs<const W: usize>(
    py: Python<'_>,
    size: Size,
    sets: [Bits<W>; 2],
) -> Bound<'_, PyArray2<i8>> {
    let mut signs = NewArray::zeros(py, [size.height(), size.width()]);
    write_signs(size, sets, signs.values());
    signs.done()
}

/// `value`, or what numpy makes of it, as an array with so many `axes` whose type has one of numpy's
/// `kinds`. Otherwise the error says that `name` is something else than `expected`.
pub fn array_of<'py>(
    value: &Bound<'py, PyAny>,
    axes: usize,
    kinds: &[u8],
    name: &str,
    expected: &str,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let array = get_array_module(value.py())?.call_method1("asarray", (value,))?;
    let array = array.cast_into::<PyUntypedArray>()?;
    if array.ndim() == axes && kinds.contains(&array.dtype().kind()) {
        return Ok(array);
    }
    let (kind, shape) = (array.dtype(), array.getattr("shape")?);
    Err(PyTypeError::new_err(format!("{name} of {kind} with shape {shape}: expected {expected}")))
}

/// The array of this `shape` with these `values`, the last axis first.
pub fn shaped<'py, T: Element>(
    py: Python<'py>,
    values: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    Ok(values.into_pyarray(py).reshape(shape)?.into_any())
}
