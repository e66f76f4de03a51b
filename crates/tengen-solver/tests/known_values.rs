//! The solver against tables of exact values that other programs computed.

mod common;

use common::{data, exact, game, solve, solver};
use tengen_go::{Color, Ko, Size};
use tengen_solver::Bounds;

fn value(text: &str) -> Bounds {
    exact(text.parse().unwrap())
}

/// Solves the rows of a table that `chosen` picks by number.
fn check_rows(file: &str, with_superko: bool, chosen: impl Fn(usize) -> bool) {
    let text = data(file);
    let mut solvers = [Ko::Simple, Ko::Psk, Ko::Ssk].map(|ko| (ko, None));
    let mut checked = 0;
    for (number, line) in text.lines().skip(1).enumerate().filter(|(number, _)| chosen(*number)) {
        let fields: Vec<&str> = line.split(',').collect();
        let color = if fields[1] == "b" { Color::Black } else { Color::White };
        for (ko, solver_of_rule) in &mut solvers {
            if *ko != Ko::Simple && !with_superko {
                continue;
            }
            let game = game(fields[0], color, *ko);
            let solver = solver_of_rule.get_or_insert_with(|| solver(game.size()));
            let answer = solve(solver, &game);
            let (worst, best) = match ko {
                Ko::Simple => (fields[2], fields[3]),
                Ko::Psk => (fields[4], fields[4]),
                _ => (fields[5], fields[5]),
            };
            assert_eq!(answer.worst, value(worst), "{file} row {number} {line} {ko:?}");
            assert_eq!(answer.best, value(best), "{file} row {number} {line} {ko:?}");
        }
        checked += 1;
    }
    assert!(checked > 0);
}

/// Checks the values of empty boards, of at most so many points under simple ko and superko.
fn check_empty_boards(simple: usize, superko: usize) {
    for line in data("small_board_values.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let size: Size = fields[0].parse().unwrap();
        let rows = vec![".".repeat(size.width()); size.height()].join("/");
        if !fields[1].is_empty() && size.points() <= simple {
            let answer = solve(&mut solver(size), &game(&rows, Color::Black, Ko::Simple));
            assert_eq!(answer.worst, value(fields[1]), "{line}");
            assert_eq!(answer.best, value(fields[2]), "{line}");
            assert_eq!(answer.draw(), value(fields[3]), "{line}");
        }
        for (ko, text) in [(Ko::Psk, fields[4]), (Ko::Ssk, fields[5])] {
            if !text.is_empty() && size.points() <= superko {
                let answer = solve(&mut solver(size), &game(&rows, Color::Black, ko));
                assert_eq!(answer.worst, value(text), "{line} {ko:?}");
                assert_eq!(answer.best, value(text), "{line} {ko:?}");
            }
        }
    }
}

#[test]
fn positions_have_their_values() {
    check_rows("exact_2x2.csv", true, |_| true);
    check_rows("exact_2x3.csv", true, |_| true);
    check_rows("exact_3x3.csv", true, |row| row % 37 == 5);
    check_rows("values_3x4.csv", false, |row| row % 67 == 3);
    check_rows("values_3x5.csv", false, |row| row % 331 == 7);
    check_rows("values_4x4.csv", false, |row| row % 331 == 11);
    check_empty_boards(9, 9);
}

#[test]
#[ignore = "takes minutes"]
fn every_position_has_its_values() {
    check_rows("exact_3x3.csv", true, |_| true);
    for file in ["values_3x4.csv", "values_3x5.csv", "values_4x4.csv"] {
        check_rows(file, false, |_| true);
    }
    check_empty_boards(16, 12);
}
