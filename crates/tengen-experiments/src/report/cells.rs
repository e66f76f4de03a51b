//! Tables whose columns differ from version to version: cells are found by column name.

use crate::report::files::{Files, text};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;

/// A row of a table: the cells by the names of their columns.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Cells(HashMap<String, String>);

impl Cells {
    /// The cell in the column `name`; empty if there is none.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// The number in the column `name`; none if there is no finite one.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<f64> {
        self.text(name).parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// The share in the column `name`, in percent with one decimal; none if there is none.
    #[must_use]
    pub fn percent(&self, name: &str) -> Option<String> {
        self.number(name).map(|share| format!("{:.1}", 100.0 * share))
    }
}

/// The rows of the CSV `text`, the contents of the file `name`.
pub(crate) fn parse<R: DeserializeOwned>(name: &str, text: &str) -> Result<Vec<R>, String> {
    let rows: Result<Vec<R>, csv::Error> =
        csv::Reader::from_reader(text.as_bytes()).deserialize().collect();
    rows.map_err(|fault| format!("{name}: {fault}"))
}

/// What is wrong with the CSV `text`, the contents of the file `name`; none if all lines have the
/// same number of cells.
#[must_use]
pub fn refuse_table(name: &str, text: &str) -> Option<String> {
    parse::<Cells>(name, text).err()
}

/// The rows of the file `name`; none if the file does not exist. They are [`Cells`], or rows of this
/// version's form.
pub(crate) fn read<R: DeserializeOwned>(files: &dyn Files, name: &str) -> Result<Vec<R>, String> {
    text(files, name)?.map_or(Ok(Vec::new()), |text| parse(name, &text))
}
