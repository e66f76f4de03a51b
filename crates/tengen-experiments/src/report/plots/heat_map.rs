//! Heat maps: numbers of visits on a board.

use super::drawing::{Anchor, Drawing, MARGIN, Shape, size};
use super::palette::{self, GREY, INK, PAPER};
use super::{Heading, text};
use tengen_go::{Board, Color, Move, Vertex};

/// A board with its stones, and numbers of visits on empty points.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// Title and subtitle.
    pub heading: Heading,
    /// The board.
    pub board: Board<6>,
    /// The visits of moves; a missing move was not visited.
    pub visits: Vec<(Move, u64)>,
}

const MIN_WIDTH: f64 = 560.0;
/// Room for the numbers and letters beside the board.
const LABELS: f64 = 34.0;
/// Smallest share of the visits that is shown: a smaller share would print as 0.0.
const LEAST_SHARE: f64 = 0.0005;

impl HeatMap {
    /// Draws the map: on each visited point a square with its share of all visits in
    /// percent, darker for a larger share. The most visited point has a frame.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        let board = self.board.size();
        let side = match board.longer_side() {
            0..=7 => 66.0,
            8..=11 => 56.0,
            _ => 42.0,
        };
        let all = self.visits.iter().map(|&(_, visits)| visits).sum::<u64>().max(1) as f64;
        let most = self.visits.iter().map(|&(_, visits)| visits).max().unwrap_or(0);
        let top_share = (most as f64 / all).max(1e-9);
        let (board_width, height) = (side * board.width() as f64, side * board.height() as f64);
        let left = MARGIN + LABELS;
        let width = (left + board_width + 28.0 + 70.0 + MARGIN).max(MIN_WIDTH);
        let mut drawing = Drawing::new(width);
        let top = drawing.heading(&self.heading) + 8.0;
        let across = |col: u8| left + side * (f64::from(col) + 0.5);
        let up = |row: u8| top + height - side * (f64::from(row) + 0.5);
        let (right, bottom) = (left + board_width - side / 2.0, top + height - side / 2.0);
        let edge = |is_edge: fn(&Vertex) -> bool| Vertex::all(board).filter(is_edge);
        for Vertex { col, .. } in edge(|vertex| vertex.row == 0) {
            drawing.line((across(col), top + side / 2.0), (across(col), bottom), 1.0, GREY);
        }
        for Vertex { row, .. } in edge(|vertex| vertex.col == 0) {
            drawing.line((left + side / 2.0, up(row)), (right, up(row)), 1.0, GREY);
        }
        for &(mv, visits) in &self.visits {
            let share = visits as f64 / all;
            if let (Move::Play(Vertex { col, row }), true) = (mv, share >= LEAST_SHARE) {
                let color = palette::sequential(share / top_share);
                let (from, to) = ((across(col), up(row)), 0.4 * side);
                let [from, to] = [-to, to].map(|half| (from.0 + half, from.1 + half));
                drawing.rectangle(from, to, color);
                if visits == most {
                    let points = vec![from, (to.0, from.1), to, (from.0, to.1), from];
                    drawing.shapes.push(Shape::Path { points, width: 2.5, color: INK });
                }
                let (at, font) = ((across(col), up(row)), if side > 50.0 { 16.0 } else { 13.0 });
                drawing.text(at, digits(share), font, palette::ink_on(color), Anchor::Center);
            }
        }
        for vertex in Vertex::all(board) {
            let Some(stone) = self.board.at(vertex) else { continue };
            let (center, radius) = ((across(vertex.col), up(vertex.row)), 0.44 * side);
            drawing.shapes.push(Shape::Disc { center, radius, color: INK });
            if stone == Color::White {
                let radius = radius - 1.5;
                drawing.shapes.push(Shape::Disc { center, radius, color: PAPER });
            }
        }
        // The labels of column and row are the two parts of a vertex: C and 3 of `C3`.
        for vertex in edge(|vertex| vertex.row == 0) {
            let at = (across(vertex.col), top + height + 14.0);
            drawing.text(at, &vertex.to_string()[..1], size::SMALL, INK, Anchor::Center);
        }
        for vertex in edge(|vertex| vertex.col == 0) {
            let at = (left - 8.0, up(vertex.row));
            drawing.text(at, &vertex.to_string()[1..], size::SMALL, INK, Anchor::Right);
        }
        let scale = height.min(280.0);
        let at = (left + board_width + 28.0, top + (height - scale) / 2.0);
        let labels = [0.5, 1.0].map(|warmth| (warmth, percent(warmth * top_share)));
        let labels = [(0.0, "0 %".to_owned())].into_iter().chain(labels);
        drawing.color_scale(at, (scale, 50), palette::sequential, labels);
        let pass = self.visits.iter().find(|(mv, _)| *mv == Move::Pass);
        let pass = match pass.map(|&(_, visits)| visits as f64 / all) {
            None => "no visits of the pass".to_owned(),
            Some(share) if share >= LEAST_SHARE => format!("pass {}", percent(share)),
            Some(_) => "pass below 0.05 %".to_owned(),
        };
        let all = text::number(all);
        let note = format!("shares of {all} visits in %; {pass}; none shown below 0.05 %");
        let room = (width - 2.0 * MARGIN, 3);
        let below = drawing.note((MARGIN, top + height + 44.0), &note, room, GREY);
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

#[cfg(test)]
mod tests {
    use super::super::tests::heading;
    use super::*;

    fn map(size: &str, visits: Vec<(Move, u64)>) -> HeatMap {
        HeatMap { heading: heading(), board: Board::new(size.parse().unwrap()), visits }
    }

    #[test]
    fn every_size_is_legible() {
        for size in ["1x1", "2x2", "5x5", "9x9", "13x9", "3x19", "19x2", "19x19"] {
            let all = Vertex::all(size.parse().unwrap()).map(Move::Play);
            let visits = all.zip(1_u64..).map(|(mv, n)| (mv, 1 + 4_000 / (n * n))).collect();
            map(size, visits).draw().assert_legible();
        }
        let none = map("9x9", Vec::new()).draw();
        none.assert_legible();
        assert!(none.to_svg().contains("no visits of the pass"));
    }

    #[test]
    fn shares_are_written_in_percent() {
        let visits = [("B2", 750), ("A1", 200), ("C3", 46), ("pass", 4)];
        let visits = visits.map(|(mv, visits)| (mv.parse().unwrap(), visits)).into();
        let svg = map("3x3", visits).draw().to_svg();
        for label in ["75\n", "20\n", "4.6\n", "pass 0.4 %", "1,000 visits", "38 %"] {
            assert!(svg.contains(label), "{label} is not in {svg}");
        }
    }
}
