//! Heat maps: numbers of visits on the crossings of a grid.

use super::drawing::{Anchor, Drawing, MARGIN, size};
use super::palette::{self, GREY, GRID, INK, PAPER};
use super::{Heading, text};

/// A grid with stones on some crossings and numbers of visits on others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatMap {
    /// Title and subtitle.
    pub heading: Heading,
    /// Labels of the columns, from the left.
    pub columns: Vec<String>,
    /// Labels of the rows, from the bottom.
    pub rows: Vec<String>,
    /// The stones.
    pub stones: Vec<(Crossing, Stone)>,
    /// The visits of crossings; one that is left out was not visited.
    pub visits: Vec<(Crossing, u64)>,
    /// The visits of the pass, which has no crossing; `None` if it was not
    /// visited.
    pub pass: Option<u64>,
}

/// A crossing of a column and a row of a [`HeatMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// Number of the column, from 0 at the left.
    pub column: usize,
    /// Number of the row, from 0 at the bottom.
    pub row: usize,
}

/// The colour of a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stone {
    /// A dark disc.
    Black,
    /// A light disc with a dark edge.
    White,
}

const MIN_WIDTH: f64 = 560.0;
/// Room for the numbers and letters beside the board.
const LABELS: f64 = 34.0;
/// Smallest share of the visits that is shown: smaller ones would be written as 0.0.
const LEAST_SHARE: f64 = 0.0005;

impl HeatMap {
    /// Draws the map: a square on each visited crossing, the darker the larger its
    /// share of all visits, with that share in percent. The most visited crossing has
    /// a frame.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        let (columns, rows) = (self.columns.len(), self.rows.len());
        let side = match columns.max(rows) {
            0..=7 => 66.0,
            8..=11 => 56.0,
            _ => 42.0,
        };
        let visits = || self.visits.iter().map(|&(_, visits)| visits).chain(self.pass);
        let all = visits().sum::<u64>().max(1) as f64;
        let most = visits().max().unwrap_or(0);
        let top_share = (most as f64 / all).max(1e-9);
        let board_width = side * columns as f64;
        let height = side * rows as f64;
        let left = MARGIN + LABELS;
        let width = (left + board_width + 28.0 + 70.0 + MARGIN).max(MIN_WIDTH);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // some thousands
        let mut drawing = Drawing::new(width.ceil() as u32);
        let top = drawing.heading(&self.heading) + 8.0;
        let middle = |crossing: Crossing| {
            let x = left + side * (crossing.column as f64 + 0.5);
            (x, top + height - side * (crossing.row as f64 + 0.5))
        };
        let (right, bottom) = (left + board_width - side / 2.0, top + height - side / 2.0);
        for col in 0..columns {
            let x = left + side * (col as f64 + 0.5);
            drawing.line((x, top + side / 2.0), (x, bottom), 1.0, GREY);
        }
        for row in 0..rows {
            let y = top + side * (row as f64 + 0.5);
            drawing.line((left + side / 2.0, y), (right, y), 1.0, GREY);
        }
        for &(crossing, visits) in &self.visits {
            let share = visits as f64 / all;
            if share >= LEAST_SHARE {
                let is_best = visits == most;
                drawing.heat(middle(crossing), side, share, share / top_share, is_best);
            }
        }
        for &(crossing, stone) in &self.stones {
            drawing.stone(middle(crossing), 0.44 * side, stone);
        }
        for (column, label) in self.columns.iter().enumerate() {
            let at = (middle(Crossing { column, row: 0 }).0, top + height + 14.0);
            drawing.text(at, label, size::SMALL, INK, Anchor::Center);
        }
        for (row, label) in self.rows.iter().enumerate() {
            let at = (left - 8.0, middle(Crossing { column: 0, row }).1);
            drawing.text(at, label, size::SMALL, INK, Anchor::Right);
        }
        let scale = height.min(280.0);
        drawing.heat_scale(
            (left + board_width + 28.0, top + (height - scale) / 2.0),
            scale,
            top_share,
        );
        let pass = match self.pass.map(|visits| visits as f64 / all) {
            None => "no visits of the pass".to_owned(),
            Some(share) if share >= LEAST_SHARE => format!("pass {}", percent(share)),
            Some(_) => "pass below 0.05 %".to_owned(),
        };
        let note =
            format!("shares of {} visits in %; {pass}; none shown below 0.05 %", text::number(all));
        let mut below = top + height + 44.0;
        for line in text::wrap(&note, size::SMALL, width - 2.0 * MARGIN, 3) {
            drawing.text((MARGIN, below), line, size::SMALL, GREY, Anchor::Left);
            below += 18.0;
        }
        drawing.end_at(below - 18.0)
    }
}

/// A share in percent, with the percent sign: 12 %, 3.4 %.
fn percent(share: f64) -> String {
    format!("{} %", digits(share))
}

/// A share in percent, without decimals from 10 % on, else with one.
fn digits(share: f64) -> String {
    let percent = 100.0 * share;
    if percent >= 9.95 { format!("{percent:.0}") } else { format!("{percent:.1}") }
}

impl Drawing {
    /// Draws a visited crossing; `warmth` is its share divided by the largest share.
    fn heat(&mut self, (x, y): (f64, f64), side: f64, share: f64, warmth: f64, is_best: bool) {
        let color = palette::sequential(warmth);
        let half = 0.4 * side;
        let (from, to) = ((x - half, y - half), (x + half, y + half));
        self.rectangle(from, to, color);
        if is_best {
            for (one, other) in [
                (from, (to.0, from.1)),
                ((to.0, from.1), to),
                (to, (from.0, to.1)),
                ((from.0, to.1), from),
            ] {
                self.line(one, other, 2.5, INK);
            }
        }
        let font = if side > 50.0 { 16.0 } else { 13.0 };
        self.text((x, y), digits(share), font, palette::ink_on(color), Anchor::Center);
    }

    fn stone(&mut self, center: (f64, f64), radius: f64, stone: Stone) {
        use super::Shape::Disc;
        self.shapes.push(Disc { center, radius, color: INK });
        if stone == Stone::White {
            self.shapes.push(Disc { center, radius: radius - 1.5, color: PAPER });
        }
    }

    /// The colour scale.
    fn heat_scale(&mut self, (x, y): (f64, f64), height: f64, top_share: f64) {
        const STEPS: u32 = 50;
        let at = |warmth: f64| y + height * (1.0 - warmth);
        for i in 0..STEPS {
            let (from, to) = (f64::from(i) / 50.0, f64::from(i + 1) / 50.0);
            let color = palette::sequential(f64::midpoint(from, to));
            self.rectangle((x, at(to)), (x + 16.0, at(from)), color);
        }
        for corner in [x, x + 16.0] {
            self.line((corner, at(0.0)), (corner, at(1.0)), 1.0, GRID);
        }
        for warmth in [0.0, 0.5, 1.0] {
            let y = at(warmth);
            self.line((x + 16.0, y), (x + 20.0, y), 1.0, INK);
            let label = if warmth == 0.0 { "0 %".to_owned() } else { percent(warmth * top_share) };
            self.text((x + 25.0, y), label, size::SMALL, INK, Anchor::Left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{heading, save};
    use super::*;

    fn grid(columns: usize, rows: usize) -> HeatMap {
        let letters = ('A'..='T').filter(|letter| *letter != 'I');
        HeatMap {
            heading: heading(),
            columns: letters.take(columns).map(String::from).collect(),
            rows: (1..=rows).map(|row| row.to_string()).collect(),
            ..HeatMap::default()
        }
    }

    /// Visits that fall from the first crossing of a grid to its last.
    fn plot(columns: usize, rows: usize, stones: &[(usize, usize)]) -> HeatMap {
        let crossing = |column, row| Crossing { column, row };
        let colors = [Stone::Black, Stone::White].into_iter().cycle();
        let stones: Vec<(Crossing, Stone)> =
            stones.iter().map(|&(column, row)| crossing(column, row)).zip(colors).collect();
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| crossing(column, row)));
        let free = all.filter(|crossing| !stones.iter().any(|(taken, _)| taken == crossing));
        let visits = free.zip(1_u64..).map(|(at, n)| (at, 1 + 4_000 / (n * n))).collect();
        HeatMap { stones, visits, pass: Some(12), ..grid(columns, rows) }
    }

    #[test]
    fn every_size_is_legible() {
        for (width, height) in [(1, 1), (2, 2), (5, 5), (9, 9), (13, 9), (3, 19), (19, 2), (19, 19)]
        {
            plot(width, height, &[]).draw().assert_legible();
        }
        let none = grid(9, 9);
        none.draw().assert_legible();
        assert!(none.draw().to_svg().unwrap().contains("no visits of the pass"));
    }

    #[test]
    fn shares_are_written_in_percent() {
        let visits = [(1, 750), (0, 200), (2, 46)];
        let visits = visits.map(|(at, visits)| (Crossing { column: at, row: at }, visits)).into();
        let svg = HeatMap { visits, pass: Some(4), ..grid(3, 3) }.draw().to_svg().unwrap();
        for label in ["75\n", "20\n", "4.6\n", "pass 0.4 %", "1,000 visits", "38 %"] {
            assert!(svg.contains(label), "{label} is not in {svg}");
        }
    }

    #[test]
    #[ignore = "writes pictures to look at into target/plots"]
    fn gallery() {
        let stones = [(4, 4), (2, 2), (2, 6), (6, 5)];
        save(&plot(9, 9, &stones).draw(), "heat-map-9");
        save(&plot(19, 19, &stones).draw(), "heat-map-19");
    }
}
