//! The files of a run's folder, and what a kind of run declares of them.

use crate::report::cells::Cells;
use crate::report::plots::Plots;
use crate::run::{Experiment, Row, RunError, rows};
use std::path::Path;
use toml::{Table, Value};

/// The files of a run's folder.
pub trait Files {
    /// The contents of the file `name`, or of `name.xz`, unpacked; none if neither exists. An error
    /// says why the file cannot be read.
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, String>;

    /// The names of the stored plots: the SVG files in the folder `plots`.
    fn plots(&self) -> Vec<String>;
}

/// The names and files of a kind of run, and its card.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// Its name on the page, which no other kind has.
    pub name: &'static str,
    /// Its names: values of the key `kind` of `config.toml`, or the command of a run that has no such
    /// key. None if no command makes such runs.
    pub keys: &'static [&'static str],
    /// The most telling table of a run, written during the run or at its end.
    pub table: &'static str,
    /// A table that no other kind has, by which a run without the key `kind` in its settings is told.
    pub own_table: Option<&'static str>,
    /// The file of rows from which all results follow, if there is one.
    pub rows: Option<RowsFile>,
    /// Answer and plots, from the settings and the files. An error says what cannot be read.
    pub card: fn(&Table, &dyn Files) -> Result<Found, String>,
    /// The answer in a few words, from the rows and the text of `table`; of a run whose folder lacks that
    /// file, those of `summary.csv`.
    pub brief: fn(&[Cells], &str) -> Option<String>,
}

/// A file of rows from which all results of a run follow.
#[derive(Clone, Copy, Debug)]
pub struct RowsFile {
    /// Its name.
    pub name: &'static str,
    /// What a unit of the run is called, such as `game`.
    pub unit: &'static str,
    /// Reads all rows of its text; an error names the line that is wrong.
    pub check: fn(&[u8]) -> Result<(), RunError>,
    /// How much the run makes, from its settings and files; none if they do not tell.
    pub extent: fn(&Table, &dyn Files) -> Option<Extent>,
}

impl RowsFile {
    /// The file of the rows of `E`; `extent` says how much a run makes.
    pub const fn of<E: Experiment>(extent: fn(&Table, &dyn Files) -> Option<Extent>) -> Self {
        let check = |text: &[u8]| {
            rows::parse::<E::Row>(rows::whole_lines(text), Path::new(E::ROWS)).map(drop)
        };
        Self { name: E::ROWS, unit: E::UNIT, check, extent }
    }
}

/// How much a run makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Number of units.
    pub units: usize,
    /// Number of rows of each unit.
    pub rows_per_unit: usize,
}

impl Extent {
    /// As many units of one row as the setting `key` says, or the first of its numbers.
    #[must_use]
    pub fn of_setting(config: &Table, key: &str) -> Option<Self> {
        let value = config.get(key)?;
        let first = value.as_array().map_or(Some(value), |all| all.first())?;
        Some(Self { units: first.as_integer()?.try_into().ok()?, rows_per_unit: 1 })
    }
}

/// The answer in sentences, and plots with the names of their files.
pub type Found = (Vec<String>, Plots);

/// The text of the file `name`.
pub(crate) fn text(files: &dyn Files, name: &str) -> Result<Option<String>, String> {
    let bytes = files.read(name)?;
    bytes
        .map(|bytes| String::from_utf8(bytes).map_err(|_| format!("{name} is not UTF-8")))
        .transpose()
}

/// The rows of the file `name`; none if the file does not exist. An error says what is wrong with the file.
pub fn rows_of<R: Row>(files: &dyn Files, name: &str) -> Result<Vec<R>, String> {
    let Some(bytes) = files.read(name)? else { return Ok(Vec::new()) };
    let parsed = rows::parse::<R>(rows::whole_lines(&bytes), Path::new(name));
    let rows = parsed.map_err(|fault| fault.to_string())?;
    Ok(rows.into_iter().map(|signed| signed.row).collect())
}

/// A value as it is written on the command line.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().map(plain).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}
