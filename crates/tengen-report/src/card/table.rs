//! Tables whose columns differ from version to version: cells are found by column name.

use super::{Files, text};
use std::collections::HashMap;

/// A row of a table: the cells by the names of their columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cells(HashMap<String, String>);

impl Cells {
    /// The cell in the column `name`; empty if there is none.
    pub(super) fn text(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// The number in the column `name`.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.text(name).parse().ok().filter(|number: &f64| number.is_finite())
    }
}

/// The names of the columns, and the rows, of the CSV `text`, the contents of the file `name`.
pub(super) fn parse(name: &str, text: &str) -> Result<(Vec<String>, Vec<Cells>), String> {
    let fault = |fault: csv::Error| format!("{name}: {fault}");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names: Vec<String> = reader.headers().map_err(fault)?.iter().map(str::to_owned).collect();
    let cells = |record: csv::StringRecord| {
        Cells(names.iter().cloned().zip(record.iter().map(str::to_owned)).collect())
    };
    let rows: Result<Vec<Cells>, csv::Error> = reader.records().map(|row| row.map(cells)).collect();
    let rows = rows.map_err(fault)?;
    Ok((names, rows))
}

/// What is wrong with the CSV `text`, the contents of the file `name`; none if all lines have the
/// same number of cells.
#[must_use]
pub fn refuse_table(name: &str, text: &str) -> Option<String> {
    parse(name, text).err()
}

/// The rows of the file `name`; none if the file does not exist.
pub(super) fn read(files: &impl Files, name: &str) -> Result<Vec<Cells>, String> {
    text(files, name)?.map_or(Ok(Vec::new()), |text| Ok(parse(name, &text)?.1))
}

/// The rows of the file `name` in this version's form; none if the file does not exist.
pub(super) fn typed<R: serde::de::DeserializeOwned>(
    files: &impl Files,
    name: &str,
) -> Result<Vec<R>, String> {
    let Some(text) = text(files, name)? else { return Ok(Vec::new()) };
    let rows: Result<Vec<R>, csv::Error> =
        csv::Reader::from_reader(text.as_bytes()).deserialize().collect();
    rows.map_err(|fault| format!("{name}: {fault}"))
}
