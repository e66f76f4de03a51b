//! Visits of moves on the board.

use super::drawing::{Anchor, Drawing, MARGIN, size};
use super::palette::{self, GREY, GRID, INK, PAPER};
use super::{Heading, text};
use crate::go::{Board, Color, Move, Vertex};

/// A position with a heat on the points that were visited.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// What is said above.
    pub heading: Heading,
    /// The position.
    pub board: Board<6>,
    /// The moves and their visits; what is left out was not visited.
    pub visits: Vec<(Move, u64)>,
}

const MIN_WIDTH: f64 = 560.0;
/// Room for the numbers and letters beside the board.
const LABELS: f64 = 34.0;
/// Smaller shares would be written as 0.0 and look like none.
const LEAST_SHARE: f64 = 0.0005;

impl HeatMap {
    /// The picture: a square a point, the darker the more of all visits it has,
    /// with that share in percent; the point of most visits has a frame.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        let board_size = self.board.size();
        let (columns, rows) = (board_size.width(), board_size.height());
        let side = match board_size.longer_side() {
            0..=7 => 66.0,
            8..=11 => 56.0,
            _ => 42.0,
        };
        let all = self.visits.iter().map(|&(_, visits)| visits).sum::<u64>().max(1) as f64;
        let most = self.visits.iter().map(|&(_, visits)| visits).max().unwrap_or(0);
        let top_share = (most as f64 / all).max(1e-9);
        let board_width = side * columns as f64;
        let height = side * rows as f64;
        let left = MARGIN + LABELS;
        let width = (left + board_width + 28.0 + 70.0 + MARGIN).max(MIN_WIDTH);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // some thousands
        let mut drawing = Drawing::new(width.ceil() as u32);
        let top = drawing.heading(&self.heading) + 8.0;
        let middle = |vertex: Vertex| {
            let x = left + side * (f64::from(vertex.col) + 0.5);
            (x, top + height - side * (f64::from(vertex.row) + 0.5))
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
        for &(mv, visits) in &self.visits {
            let share = visits as f64 / all;
            if let Move::Play(vertex) = mv
                && share >= LEAST_SHARE
            {
                let is_best = visits == most;
                drawing.heat(middle(vertex), side, share, share / top_share, is_best);
            }
        }
        for vertex in Vertex::all(board_size) {
            if let Some(color) = self.board.at(vertex) {
                drawing.stone(middle(vertex), 0.44 * side, color);
            }
        }
        for vertex in Vertex::all(board_size) {
            let (x, y) = middle(vertex);
            let name = vertex.to_string();
            if vertex.row == 0 {
                let letter: String = name.chars().filter(char::is_ascii_alphabetic).collect();
                let at = (x, top + height + 14.0);
                drawing.text(at, letter, size::SMALL, INK, Anchor::Center);
            }
            if vertex.col == 0 {
                let number: String = name.chars().filter(char::is_ascii_digit).collect();
                drawing.text((left - 8.0, y), number, size::SMALL, INK, Anchor::Right);
            }
        }
        let scale = height.min(280.0);
        drawing.heat_scale(
            (left + board_width + 28.0, top + (height - scale) / 2.0),
            scale,
            top_share,
        );
        let passes = self.visits.iter().find(|(mv, _)| *mv == Move::Pass);
        let pass = passes.map_or("no visits of the pass".to_owned(), |&(_, visits)| {
            match visits as f64 / all {
                share if share >= LEAST_SHARE => format!("pass {}", percent(share)),
                _ => "hardly any of the pass".to_owned(),
            }
        });
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

/// A share with its sign: 12 %, 3.4 %.
fn percent(share: f64) -> String {
    format!("{} %", digits(share))
}

/// A share in percent, as many digits as say something.
fn digits(share: f64) -> String {
    let percent = 100.0 * share;
    if percent >= 9.95 { format!("{percent:.0}") } else { format!("{percent:.1}") }
}

impl Drawing {
    /// A visited point; `warmth` is its share of the greatest one.
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

    fn stone(&mut self, center: (f64, f64), radius: f64, color: Color) {
        use super::Shape::Disc;
        self.shapes.push(Disc { center, radius, color: INK });
        if color == Color::White {
            self.shapes.push(Disc { center, radius: radius - 1.5, color: PAPER });
        }
    }

    /// What the colours mean.
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
    use crate::go::Size;

    /// Visits that fall from the first point of a board to its last.
    fn plot(size: Size, stones: &[(u8, u8)]) -> HeatMap {
        let (black, white): (Vec<_>, Vec<_>) =
            stones.iter().enumerate().partition(|(place, _)| place % 2 == 0);
        let vertices = |stones: Vec<(usize, &(u8, u8))>| -> Vec<Vertex> {
            stones.into_iter().map(|(_, &(col, row))| Vertex::new(col, row)).collect()
        };
        let board = Board::set_up(size, &vertices(black), &vertices(white), Color::Black).unwrap();
        let free = Vertex::all(size).filter(|&vertex| board.at(vertex).is_none());
        let visits = free.zip(1_u64..).map(|(v, n)| (Move::Play(v), 1 + 4_000 / (n * n)));
        let visits = visits.chain([(Move::Pass, 12)]).collect();
        HeatMap { heading: heading(), board, visits }
    }

    #[test]
    fn every_size_is_legible() {
        for (width, height) in [(1, 1), (2, 2), (5, 5), (9, 9), (13, 9), (3, 19), (19, 2), (19, 19)]
        {
            plot(Size::new(width, height).unwrap(), &[]).draw().assert_legible();
        }
        let none = HeatMap { visits: Vec::new(), ..plot(Size::square(9).unwrap(), &[]) };
        none.draw().assert_legible();
        assert!(none.draw().to_svg().unwrap().contains("no visits of the pass"));
    }

    #[test]
    fn shares_are_written_in_percent() {
        let board = Board::new(Size::square(3).unwrap());
        let visits = [("B2", 750), ("A1", 200), ("C3", 46), ("pass", 4)];
        let visits = visits.map(|(mv, visits)| (mv.parse().unwrap(), visits)).into();
        let svg = HeatMap { heading: heading(), board, visits }.draw().to_svg().unwrap();
        for label in ["75\n", "20\n", "4.6\n", "pass 0.4 %", "1,000 visits", "38 %"] {
            assert!(svg.contains(label), "{label} is not in {svg}");
        }
    }

    #[test]
    #[ignore = "writes pictures to look at into target/plots"]
    fn gallery() {
        let stones = [(4, 4), (2, 2), (2, 6), (6, 5)];
        save(&plot(Size::square(9).unwrap(), &stones).draw(), "heat-map-9");
        save(&plot(Size::square(19).unwrap(), &stones).draw(), "heat-map-19");
    }
}
