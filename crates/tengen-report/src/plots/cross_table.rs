//! Cross-tables: win rates of each bot against each other.

use super::drawing::{Anchor, Drawing, MARGIN, line_height, size};
use super::palette::{self, GREY, GRID, INK};
use super::{Heading, text};
use tengen_stats::percent;

/// The win rate of a row's bot against a column's bot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The win rate, 0 to 1.
    pub rate: f64,
    /// Number of games.
    pub games: u64,
}

/// A table of win rates, row bot against column bot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrossTable {
    /// Title and subtitle.
    pub heading: Heading,
    /// The bots, in the order of rows and columns.
    pub bots: Vec<String>,
    /// The cells, one row per bot and one column per opponent; `None` is a pairing
    /// without games and stays blank, as do cells missing at the end of a row.
    pub cells: Vec<Vec<Option<Cell>>>,
}

/// The widest that a line of a name gets.
const NAME_WIDTH: f64 = 330.0;
const GAP: f64 = 12.0;
const MIN_WIDTH: f64 = 640.0;

impl CrossTable {
    /// Draws the table: one coloured square per pairing, with a colour scale.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        let count = self.bots.len();
        let side = match count {
            0..=6 => 88.0,
            7..=12 => 64.0,
            _ => 50.0,
        };
        let heads = self.column_heads(side);
        let rows: Vec<Vec<String>> = (self.bots.iter().zip(1..))
            .map(|(name, i)| {
                let name = if heads.is_some() { name.clone() } else { format!("{i}  {name}") };
                let fitting = (side / line_height(size::SMALL)).floor();
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 3 to 5
                text::wrap(&name, size::SMALL, NAME_WIDTH, (fitting as usize).min(3))
            })
            .collect();
        let names = rows.iter().flatten().map(|line| text::width(line, size::SMALL));
        let left = MARGIN + names.fold(40.0, f64::max) + GAP;
        let table = side * count as f64;
        let width = (left + table + 100.0).max(MIN_WIDTH);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // some thousands
        let mut drawing = Drawing::new(width.ceil() as u32);
        let mut top = drawing.heading(&self.heading) + 12.0;
        if let Some(heads) = &heads {
            // Room for heads of several lines.
            let lines = heads.iter().map(Vec::len).max().unwrap_or(1);
            top += line_height(size::SMALL) * lines as f64 / 2.0;
        }
        for i in 0..count {
            let x = left + side * (i as f64 + 0.5);
            let number = vec![(i + 1).to_string()];
            let head = heads.as_ref().map_or(&number, |heads| &heads[i]);
            drawing.lines((x, top), head, size::SMALL, Anchor::Center);
        }
        let lines = heads.iter().flatten().map(Vec::len).max().unwrap_or(1);
        top += line_height(size::SMALL) * lines as f64 / 2.0 + 6.0;

        for (i, row) in rows.iter().enumerate() {
            let y = top + side * i as f64;
            drawing.lines((left - GAP, y + side / 2.0), row, size::SMALL, Anchor::Right);
            for j in 0..count {
                let cell = self.cells.get(i).and_then(|row| row.get(j)).copied().flatten();
                if let Some(cell) = cell {
                    drawing.cell((left + side * j as f64, y), side, cell);
                }
            }
        }
        for i in 0..=count {
            let at = side * i as f64;
            drawing.line((left, top + at), (left + table, top + at), 1.0, GRID);
            drawing.line((left + at, top), (left + at, top + table), 1.0, GRID);
        }
        let height = table.max(150.0);
        drawing.scale((left + table + 28.0, top), height.min(320.0));
        let note = "row bot's win rate against the column bot in %; blank: no games";
        let below = top + height + 18.0;
        drawing.text((MARGIN, below), note, size::SMALL, GREY, Anchor::Left);
        drawing.end_at(below)
    }

    /// The names over the columns, if all of them fit in two lines.
    fn column_heads(&self, side: f64) -> Option<Vec<Vec<String>>> {
        let room = side - 8.0;
        let fits = |name: &String| {
            let lines = text::wrap(name, size::SMALL, room, 2);
            let whole = lines.iter().map(|line| line.trim().len()).sum::<usize>();
            let wanted = name.split_whitespace().map(str::len).sum::<usize>();
            (whole >= wanted && !lines.iter().any(|line| line.ends_with('…'))).then_some(lines)
        };
        self.bots.iter().map(fits).collect()
    }
}

impl Drawing {
    /// One filled square with its rate, and its games where there is room.
    fn cell(&mut self, (x, y): (f64, f64), side: f64, cell: Cell) {
        let background = palette::diverging(cell.rate);
        let ink = palette::ink_on(background);
        self.rectangle((x, y), (x + side, y + side), background);
        let middle = (x + side / 2.0, y + side / 2.0);
        if side > 60.0 {
            let rate = percent(cell.rate);
            let games = format!("n = {}", text::number(cell.games as f64));
            self.text((middle.0, middle.1 - 9.0), rate, 18.0, ink, Anchor::Center);
            self.text((middle.0, middle.1 + 12.0), games, 13.0, ink, Anchor::Center);
        } else {
            self.text(middle, format!("{:.0}", 100.0 * cell.rate), 17.0, ink, Anchor::Center);
        }
    }

    /// The colour scale.
    fn scale(&mut self, (x, y): (f64, f64), height: f64) {
        const STEPS: u32 = 50;
        let at = |rate: f64| y + height * (1.0 - rate);
        for i in 0..STEPS {
            let (from, to) = (f64::from(i) / 50.0, f64::from(i + 1) / 50.0);
            let color = palette::diverging(f64::midpoint(from, to));
            self.rectangle((x, at(to)), (x + 16.0, at(from)), color);
        }
        for percent in [0, 25, 50, 75, 100] {
            let y = at(f64::from(percent) / 100.0);
            self.line((x + 16.0, y), (x + 20.0, y), 1.0, INK);
            self.text((x + 25.0, y), percent.to_string(), size::SMALL, INK, Anchor::Left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{heading, names};
    use super::*;

    /// A table in which the better bot has the higher number.
    fn plot(bots: Vec<String>) -> CrossTable {
        let count = bots.len();
        let cell = |i: usize, j: usize| {
            let rate = 0.5 + (i as f64 - j as f64) / (2.0 * (count as f64 - 1.0));
            let games = if i + j == 3 { 0 } else { 1_000 };
            (i != j && games > 0).then_some(Cell { rate, games })
        };
        let cells = (0..count).map(|i| (0..count).map(|j| cell(i, j)).collect()).collect();
        CrossTable { heading: heading(), bots, cells }
    }

    #[test]
    fn two_to_twenty_bots_are_legible() {
        for count in 2..=20 {
            plot(names(count)).draw().assert_legible();
            plot((0..count).map(|i| format!("bot-{i}")).collect()).draw().assert_legible();
        }
        CrossTable::default().draw().assert_legible();
    }

    #[test]
    fn rates_are_written_and_missing_cells_are_blank() {
        let svg = plot(names(5)).draw().to_svg().expect("drawn");
        for label in ["Win rates", "62.5", "n = 1,000", "0.0", "100.0", "blank: no games"] {
            assert!(svg.contains(label), "{label}");
        }
        // 5 · 4 cells without the four on the blank diagonal.
        assert_eq!(svg.matches("n = 1,000").count(), 16);
    }

    #[test]
    fn short_rows_are_blank_at_the_end() {
        let mut short = plot(names(4));
        short.cells.truncate(2);
        short.cells[0].clear();
        short.draw().assert_legible();
    }

    #[test]
    #[ignore = "writes pictures to look at into target/plots"]
    fn gallery() {
        for count in [2, 6, 20] {
            let long = plot(names(count)).draw();
            super::super::tests::save(&long, &format!("cross-table-{count}"));
        }
        let short = plot(["random", "two-ply", "uct-100", "uct-1000"].map(String::from).into());
        super::super::tests::save(&short.draw(), "cross-table-short");
    }
}
