//! Tables as text.

use comfy_table::{CellAlignment, Table, presets};
use std::fmt;

/// The alignment of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// To the left, for names and sentences.
    Left,
    /// To the right, for numbers.
    Right,
}

/// A table as plain text, without lines between its rows or columns: columns are two
/// spaces apart and as wide on a terminal as their widest cell, where a character of
/// a Chinese or Japanese name is two places wide.
#[derive(Clone, Debug)]
pub struct TextTable {
    table: Table,
}

impl TextTable {
    /// A table with these columns: heading and alignment.
    #[must_use]
    pub fn new(columns: &[(&str, Align)]) -> Self {
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.add_row(columns.iter().map(|(heading, _)| *heading));
        for (place, ((_, align), column)) in columns.iter().zip(table.column_iter_mut()).enumerate()
        {
            column.set_padding((if place == 0 { 0 } else { 2 }, 0));
            column.set_cell_alignment(match align {
                Align::Left => CellAlignment::Left,
                Align::Right => CellAlignment::Right,
            });
        }
        Self { table }
    }

    /// Adds a row, which has one cell per column.
    pub fn push(&mut self, cells: impl IntoIterator<Item = String>) {
        self.table.add_row(cells);
    }
}

impl fmt::Display for TextTable {
    /// Writes the heading and the rows, each ended by a newline and without spaces
    /// before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.table.lines() {
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
