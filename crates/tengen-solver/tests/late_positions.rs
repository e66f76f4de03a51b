//! Late positions of 5×5, of the kinds on which solvers are tried.

mod common;

use common::{exact, game, rules, solve, solver};
use tengen_go::{Board, Color, Game, Ko, Move};
use tengen_solver::Limits;

#[track_caller]
fn assert_value(rows: &str, to_play: Color, value: i8) -> Option<Move> {
    let game = game(rows, to_play, Ko::Simple);
    let answer = solve(&mut solver(game.size()), &game);
    assert_eq!((answer.worst, answer.best), (exact(value), exact(value)));
    answer.best_move
}

/// The border is closed but for the corners at A1 and E5.
#[test]
fn two_corners_remain() {
    let rows = "
        . X X . .
        X . X X .
        X X X O O
        . X O O .
        . . O . O";
    assert_value(rows, Color::Black, 5);
    assert_value(rows, Color::White, 5);
    let game = game(rows, Color::Black, Ko::Simple);
    let mut solver = solver(game.size());
    let moves = solver.solve_moves(&game, Limits::default(), &mut ()).unwrap();
    let lost: Vec<String> = moves
        .iter()
        .filter(|(_, answer)| answer.worst == exact(3))
        .map(|(mv, _)| mv.to_string())
        .collect();
    assert_eq!(lost, ["A1", "E5", "pass"]);
}

/// White lives with three points in a row unless Black plays the middle one.
#[test]
fn one_point_decides_the_life_of_a_large_group() {
    let rows = "
        O O O O X
        . . . O X
        O O O O X
        X X X X X
        . X . X .";
    let vital = "B4".parse().ok();
    assert_eq!(assert_value(rows, Color::Black, 25), vital);
    assert_eq!(assert_value(rows, Color::White, 1), vital);
    let game = game(rows, Color::Black, Ko::Simple);
    let mut solver = solver(game.size());
    for (mv, answer) in solver.solve_moves(&game, Limits::default(), &mut ()).unwrap() {
        assert_eq!(answer.worst, exact(if Some(mv) == vital { 25 } else { 1 }), "{mv}");
    }
}

/// Nothing lives yet, and White to move can capture all of Black. A search of small depth cannot
/// see it, and must not claim otherwise.
#[test]
fn all_of_black_can_be_captured() {
    let rows = "
        . . X . .
        . X O X X
        . O O O X
        . . X . O
        . . . . .";
    let game = game(rows, Color::White, Ko::Simple);
    for nodes in [1, 10, 100, 1000, 10_000, 100_000] {
        let limits = Limits { nodes: Some(nodes), time: None };
        let answer = solver(game.size()).solve(&game, limits, &mut ()).unwrap();
        assert_eq!((answer.worst.lower, answer.best.lower), (-25, -25), "{nodes} nodes");
    }
    assert_value(rows, Color::White, -25);
}

/// The solver finds the same values in symmetric images of a position and with the colours swapped.
#[test]
fn values_do_not_depend_on_the_corner_or_the_colour() {
    let rows = ["OOOOX", "...OX", "OOOOX", "XXXXX", ".X.X."];
    let mirrored: Vec<String> = rows.iter().map(|row| row.chars().rev().collect()).collect();
    assert_value(&mirrored.join("/"), Color::Black, 25);
    let turned = rows.join("/").replace('X', "x").replace('O', "X").replace('x', "O");
    assert_value(&turned, Color::White, -25);
}

/// Two passes end the game at once, dead stones and all.
#[test]
fn a_position_after_a_pass_may_end_as_it_stands() {
    let board = Board::from_diagram("../XX/O.", Color::Black).unwrap();
    let mut game = Game::from_position(board, rules(board.size(), Ko::Simple));
    game.play(Color::Black, Move::Pass).unwrap();
    let answer = solve(&mut solver(game.size()), &game);
    assert_eq!((answer.worst, answer.best), (exact(3), exact(3)));
    assert_eq!(answer.best_move, Some(Move::Pass));
}
