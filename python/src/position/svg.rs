//! A board as a picture for notebooks.

use std::fmt::Write;
use tengen::go::{Color, Game, Move, Size, Vertex};

/// Distance between two lines, in pixels.
const STEP: usize = 28;
/// Distance of the first line from the border, with room for the coordinates.
const MARGIN: usize = 30;

/// The position of `game` as SVG, with coordinates and a mark on the last move.
pub fn board_svg(game: &Game) -> String {
    let (size, board) = (game.size(), game.board());
    let (width, height) =
        (2 * MARGIN + STEP * (size.width() - 1), 2 * MARGIN + STEP * (size.height() - 1));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\" \
         text-anchor=\"middle\"><rect width=\"100%\" height=\"100%\" rx=\"4\" fill=\"#e3b96b\"/>"
    );
    let (right, bottom) = (width - MARGIN, height - MARGIN);
    // Writing to a string does not fail.
    for col in 0..size.width() {
        let x = MARGIN + STEP * col;
        let _ = write!(svg, "<path d=\"M{x} {MARGIN}V{bottom}\" stroke=\"#5b4420\"/>");
        let letter = Vertex::new(column(col), 0).to_string().replace('1', "");
        let _ =
            write!(svg, "<text x=\"{x}\" y=\"{}\" fill=\"#5b4420\">{letter}</text>", height - 6);
    }
    for row in 0..size.height() {
        let y = height - MARGIN - STEP * row;
        let _ = write!(svg, "<path d=\"M{MARGIN} {y}H{right}\" stroke=\"#5b4420\"/>");
        let _ = write!(svg, "<text x=\"9\" y=\"{}\" fill=\"#5b4420\">{}</text>", y + 4, row + 1);
    }
    let at = |vertex: Vertex| {
        (MARGIN + STEP * usize::from(vertex.col), height - MARGIN - STEP * usize::from(vertex.row))
    };
    for vertex in star_points(size) {
        let (x, y) = at(vertex);
        let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"#5b4420\"/>");
    }
    for vertex in Vertex::all(size) {
        let Some(color) = board.at(vertex) else { continue };
        let ((x, y), fill) = (at(vertex), fill(color));
        let _ =
            write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"13\" fill=\"{fill}\" stroke=\"#222\"/>");
    }
    if let Some((color, Move::Play(vertex))) = game.moves().next_back() {
        let ((x, y), fill) = (at(vertex), fill(!color));
        let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"{fill}\"/>");
    }
    svg.push_str("</svg>");
    svg
}

const fn fill(color: Color) -> &'static str {
    match color {
        Color::Black => "#111",
        Color::White => "#fff",
    }
}

#[allow(clippy::cast_possible_truncation)] // a side is at most 19
const fn column(col: usize) -> u8 {
    col as u8
}

/// The points that are marked on a board: its centre if it has one, and those on the third or fourth lines
/// of larger boards.
fn star_points(size: Size) -> Vec<Vertex> {
    let lines = |side: usize| -> Vec<usize> {
        let edge = if side < 12 { 2 } else { 3 };
        let mut lines = if side >= 7 { vec![edge, side - 1 - edge] } else { Vec::new() };
        if side % 2 == 1 && !(7..13).contains(&side) {
            lines.push(side / 2);
        }
        lines
    };
    let mut points = Vec::new();
    for col in lines(size.width()) {
        points.extend(
            lines(size.height()).into_iter().map(|row| Vertex::new(column(col), column(row))),
        );
    }
    if size.width() % 2 == 1 && size.height() % 2 == 1 {
        points.push(Vertex::new(column(size.width() / 2), column(size.height() / 2)));
    }
    points
}
