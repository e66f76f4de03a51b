//! Tables as text, as part of pages, and as CSV.

use crate::run::RunError;
pub use comfy_table::CellAlignment as Align;
use comfy_table::{Table, presets};
use maud::{Markup, html};
use serde_json::{Number, Value};
use std::fmt;
use tengen_stats::{Elo, Interval};

/// A table as plain text, without lines between its rows or columns: columns are two
/// spaces apart and as wide on a terminal as their widest cell, where a character of
/// a Chinese or Japanese name is two places wide.
#[derive(Clone, Debug)]
pub struct TextTable {
    columns: Vec<Align>,
    /// The headings and the rows.
    rows: Vec<Vec<String>>,
}

/// A column of a table of rows `R`: heading, alignment, and the cell of a row.
pub type Column<'a, R> = (&'a str, Align, &'a dyn Fn(&R) -> String);

impl TextTable {
    /// The table of `rows`.
    pub fn of<R>(rows: impl IntoIterator<Item = R>, columns: &[Column<'_, R>]) -> Self {
        let headings: Vec<_> = columns.iter().map(|(name, align, _)| (*name, *align)).collect();
        let mut table = Self::new(&headings);
        for row in rows {
            table.push(columns.iter().map(|(.., cell)| cell(&row)));
        }
        table
    }

    /// A table with these columns: heading and alignment.
    #[must_use]
    pub fn new(columns: &[(&str, Align)]) -> Self {
        let headings = columns.iter().map(|(heading, _)| (*heading).to_owned()).collect();
        Self { columns: columns.iter().map(|(_, align)| *align).collect(), rows: vec![headings] }
    }

    /// Adds a row, which has one cell per column.
    pub fn push(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The table as part of a page.
    pub(crate) fn to_html(&self) -> Markup {
        let row = |row: &[String]| -> Vec<(Option<&str>, String)> {
            let classes = self.columns.iter().map(|a| (*a == Align::Left).then_some("name"));
            classes.zip(row.iter().cloned()).collect()
        };
        html! {
            table {
                tr { @for (class, cell) in row(&self.rows[0]) { th class=[class] { (cell) } } }
                @for cells in &self.rows[1..] {
                    tr { @for (class, cell) in row(cells) { td class=[class] { (cell) } } }
                }
            }
        }
    }
}

impl fmt::Display for TextTable {
    /// Writes the heading and the rows, each ended by a newline and without spaces
    /// before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).add_rows(&self.rows);
        for (place, (align, column)) in self.columns.iter().zip(table.column_iter_mut()).enumerate()
        {
            column.set_padding((if place == 0 { 0 } else { 2 }, 0));
            column.set_cell_alignment(*align);
        }
        for line in table.lines() {
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// `words` as a sentence: with a capital letter and a full stop.
pub(crate) fn sentence_of(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map_or(String::new(), |letter| letter.to_uppercase().to_string());
    format!("{first}{}.", letters.as_str())
}

/// A row of a CSV file: the name and the cell of each column.
pub type CsvRow = Vec<(String, String)>;

/// The text of a CSV file; the first of `rows` gives the columns.
pub fn csv_text(rows: impl IntoIterator<Item = CsvRow>) -> Result<String, RunError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for (number, row) in rows.into_iter().enumerate() {
        if number == 0 {
            writer.write_record(row.iter().map(|(name, _)| name))?;
        }
        writer.write_record(row.iter().map(|(_, cell)| cell))?;
    }
    let text = writer.into_inner().map_err(|fault| RunError::Work(fault.to_string()))?;
    String::from_utf8(text).map_err(|fault| RunError::Work(fault.to_string()))
}

/// `rows` as an array of JSON objects: numbers are numbers, but for infinite ones, and an empty cell is
/// null.
#[must_use]
pub fn json_rows(rows: impl IntoIterator<Item = CsvRow>) -> Value {
    let value = |cell: String| match cell.parse::<Number>() {
        Ok(number) => number.into(),
        Err(_) if cell.is_empty() => Value::Null,
        Err(_) => cell.into(),
    };
    let object = |row: CsvRow| row.into_iter().map(|(name, cell)| (name, value(cell))).collect();
    Value::Array(rows.into_iter().map(object).collect())
}

/// An Elo difference in JSON: a number, or the text `inf` or `-inf`, as in tables.
#[must_use]
pub fn json_of_elo(Elo(elo): Elo) -> Value {
    if elo.is_finite() { elo.into() } else { elo.to_string().into() }
}

/// The cells of columns that hold texts and whole numbers.
pub(crate) fn cells<const N: usize>(cells: [(&str, &dyn fmt::Display); N]) -> CsvRow {
    cells.iter().map(|(name, cell)| ((*name).to_owned(), cell.to_string())).collect()
}

/// The cells of an estimate and the ends of its interval, in the columns `name`, `name`_low and
/// `name`_high, with `decimals` decimals; empty for a missing value.
pub(crate) fn estimate_cells<T: fmt::Display>(
    name: &str,
    estimate: Option<T>,
    interval: Option<Interval<T>>,
    decimals: usize,
) -> CsvRow {
    let (low, high) = interval.map(|Interval { low, high }| (low, high)).unzip();
    let cell =
        |value: Option<T>| value.map_or(String::new(), |value| format!("{value:.decimals$}"));
    [("", estimate), ("_low", low), ("_high", high)]
        .map(|(end, value)| (format!("{name}{end}"), cell(value)))
        .into()
}

/// An Elo difference and its interval, whose ends `to` joins, in whole numbers; empty if it is
/// missing.
#[must_use]
pub fn elo_texts(elo: Option<(Elo, Interval<Elo>)>, to: &str) -> [String; 2] {
    // What rounds to zero has the sign of zero.
    let whole = |elo: Elo| format!("{:+.0}", elo.0.round() + 0.0);
    elo.map_or_else(Default::default, |(elo, Interval { low, high })| {
        [whole(elo), format!("{} {to} {}", whole(low), whole(high))]
    })
}

/// A value to three figures.
#[must_use]
pub fn short_number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    #[allow(clippy::cast_possible_truncation)] // some hundreds at most
    let digits = (2 - value.abs().log10().floor() as i32).clamp(0, 300);
    let unit = 10_f64.powi(digits);
    ((value * unit).round() / unit).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_json_have_types() {
        let row = |score: &str| cells([("bot", &"a"), ("score", &score)]);
        let rows = json_rows([row("-1.5"), row(""), row("inf")]);
        let expected =
            r#"[{"bot":"a","score":-1.5},{"bot":"a","score":null},{"bot":"a","score":"inf"}]"#;
        assert_eq!(rows.to_string(), expected);
    }

    #[test]
    fn elo_near_zero_has_no_minus() {
        let interval = Interval { low: Elo(-20.4), high: Elo(f64::INFINITY) };
        assert_eq!(elo_texts(Some((Elo(-0.4), interval)), ".."), ["+0", "-20 .. +inf"]);
        assert_eq!(elo_texts(None, "to"), ["", ""]);
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table =
            TextTable::new(&[("bot", Align::Left), ("games", Align::Right), ("note", Align::Left)]);
        table.push(["uct".to_owned(), "12".to_owned(), String::new()]);
        table.push(["囲碁 a\u{e9}".to_owned(), "1000000".to_owned(), "two words".to_owned()]);
        assert_eq!(
            table.to_string(),
            "bot        games  note\n\
             uct           12\n\
             囲碁 aé  1000000  two words\n"
        );
    }
}
