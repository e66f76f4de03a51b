//! Helpers that the tests of the solver share.
#![allow(dead_code)] // each test program uses a part

use tengen_go::{Board, Color, Game, Ko, Preset, Rules, Size, default_komi};
use tengen_solver::{Answer, Bounds, Limits, SolveEnd, Solver};

/// A file of reference data.
pub fn data(name: &str) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/");
    std::fs::read_to_string(format!("{path}{name}")).unwrap()
}

pub fn exact(value: i8) -> Bounds {
    Bounds { lower: value, upper: value }
}

pub fn rules(size: Size, ko: Ko) -> Rules {
    Rules { ko, ..Rules::new(Preset::Simple, size, default_komi(size)) }
}

/// A game that begins at the position of a diagram.
pub fn game(rows: &str, to_play: Color, ko: Ko) -> Game {
    let board = Board::from_diagram(rows, to_play).unwrap();
    Game::from_position(board, rules(board.size(), ko))
}

pub fn solver(size: Size) -> Solver {
    Solver::new(size, 128).unwrap()
}

/// The answer without limits, which must be complete.
pub fn solve(solver: &mut Solver, game: &Game) -> Answer {
    let answer = solver.solve(game, Limits::default(), &mut ()).unwrap();
    assert_eq!(answer.end, SolveEnd::Solved, "{}", game.board().to_rows());
    assert!(answer.is_solved());
    answer
}
