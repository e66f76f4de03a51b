#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
//! Exact values of small boards.

mod answer;
mod geometry;
mod life;
mod position;
mod prover;
mod schedule;
mod solver;
mod superko;
mod table;

pub use answer::{Answer, Bounds, SolveEnd, Verdict};
pub use solver::{Limits, MIN_MEBIBYTES, Progress, SolveError, Solver, Watch};

/// Most points of a board that can be solved.
pub const MAX_POINTS: usize = 30;

#[doc(hidden)]
pub fn trial(rows: &str, prover: usize, target: i8, endless: bool, mib: usize) {
    use tengen_go::{Board, Color};
    let board: Board<6> = Board::from_diagram(
        rows,
        if std::env::var("WHITE").is_ok() { Color::White } else { Color::Black },
    )
    .unwrap();
    let geometry = geometry::Geometry::new(board.size());
    let mut table = table::Table::new(mib << 20);
    let position = position::Position::new(&geometry, &board);
    let stop = prover::Stop { nodes: u64::MAX, deadline: None, interrupted: &|| false };
    let mut prover_ = prover::Prover::new(&geometry, &mut table, &stop);
    let start = std::time::Instant::now();
    for budget in 1..200 {
        let got = prover_.search(&position, prover::Claim { prover, target, endless }, budget);
        let s = start.elapsed().as_secs_f64();
        println!(
            "budget {budget} nodes {} {s:.2}s {:.0} kn/s -> {got:?}",
            prover_.nodes,
            prover_.nodes as f64 / s / 1e3
        );
        if got.is_some() {
            break;
        }
    }
}
