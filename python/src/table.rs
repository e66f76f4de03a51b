//! Files of rows as columns.

use crate::ending::detach;
use crate::errors::{invalid, of_run};
use csv::StringRecord;
use numpy::{Element, IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use tengen::commands::verify_rows;
use tengen::run::rows;

/// Columns that are text, even if all their cells look like numbers.
const TEXTS: [&str; 11] = [
    "run",
    "black",
    "white",
    "bot",
    "opponent",
    "config",
    "moves",
    "comments",
    "reason",
    "note",
    "fingerprint",
];

/// Number of texts of a column that are shared by its cells.
const SHARED: usize = 256;

/// Makes the array of a column, once Python is attached.
type ToArray = Box<dyn FnOnce(Python<'_>) -> Py<PyAny> + Send>;

/// Names and columns of the file `name` in `folder`, or of `name`.xz if that is there instead;
/// None if neither is.
#[pyfunction]
#[allow(clippy::type_complexity)] // as Python sees it
pub fn read_table(
    py: Python<'_>,
    folder: PathBuf,
    name: &str,
) -> PyResult<Option<Vec<(String, Py<PyAny>)>>> {
    let Some(path) = rows::find(&folder, name) else { return Ok(None) };
    let columns = detach(py, || read(&path))?;
    Ok(Some(columns.into_iter().map(|(name, to_array)| (name, to_array(py))).collect()))
}

fn read(path: &Path) -> PyResult<Vec<(String, ToArray)>> {
    let bytes = rows::read_text(path).map_err(|error| of_run(&error))?;
    verify_rows(&bytes, path).map_err(|error| of_run(&error))?;
    let fault = |error: csv::Error| invalid(format!("{}: {error}", path.display()));
    let mut reader = csv::Reader::from_reader(&bytes[..]);
    let names: Vec<String> = reader.headers().map_err(fault)?.iter().map(str::to_owned).collect();
    // The cells of each column, one after the other.
    let mut columns = vec![StringRecord::new(); names.len()];
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).map_err(fault)? {
        columns.iter_mut().zip(&record).for_each(|(column, cell)| column.push_field(cell));
    }
    // What guards the lines of the file says nothing of the rows.
    let shown = names.into_iter().zip(columns).filter(|(name, _)| name != rows::CHECK);
    Ok(shown
        .map(|(name, cells)| {
            let to_array = typed(&name, cells);
            (name, to_array)
        })
        .collect())
}

/// The array of `cells`: whole numbers, truth values, numbers (an empty cell is NaN) or text.
fn typed(name: &str, cells: StringRecord) -> ToArray {
    fn array<T: Element + 'static>(values: Vec<T>) -> ToArray {
        Box::new(|py| values.into_pyarray(py).into_any().unbind())
    }
    fn all<T>(cells: &StringRecord, parse: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
        cells.iter().map(parse).collect()
    }
    let numbers = || {
        (all(&cells, |cell| cell.parse().ok()).map(array::<i64>))
            .or_else(|| all(&cells, |cell| cell.parse().ok()).map(array::<u64>))
            .or_else(|| all(&cells, |cell| cell.parse().ok()).map(array::<bool>))
            .or_else(|| all(&cells, number).map(array::<f64>))
    };
    let numbers = if TEXTS.contains(&name) { None } else { numbers() };
    numbers.unwrap_or_else(|| {
        Box::new(move |py| PyArray1::from_vec(py, objects(py, &cells)).into_any().unbind())
    })
}

fn number(cell: &str) -> Option<f64> {
    if cell.is_empty() { Some(f64::NAN) } else { cell.parse().ok() }
}

/// The cells as texts of Python. Most columns repeat a few texts: equal cells then share one
/// object.
fn objects(py: Python<'_>, cells: &StringRecord) -> Vec<Py<PyAny>> {
    let mut known: HashMap<&str, Py<PyAny>> = HashMap::new();
    let object = |text| PyString::new(py, text).into_any().unbind();
    let shared = |text| {
        if known.len() >= SHARED {
            return object(text);
        }
        known.entry(text).or_insert_with(|| object(text)).clone_ref(py)
    };
    cells.iter().map(shared).collect()
}
