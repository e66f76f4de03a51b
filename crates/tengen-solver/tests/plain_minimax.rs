//! The solver against plain minimax on the board of `tengen-go`, without
//! pruning, table or bounds: fixed points over every state of a small board.

mod common;

use common::{rules, solve, solver};
use std::collections::HashMap;
use tengen_go::{Board, Color, Game, Ko, Move, Size, Vertex};
use tengen_solver::{Bounds, Limits, ScoreClaim};

type Position = Board<1>;

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

fn score(board: &Position) -> i8 {
    (board.area_score().half_points() / 2).try_into().unwrap()
}

fn successors(board: &Position) -> impl Iterator<Item = Position> {
    let rules = rules(board.size(), Ko::Simple);
    let moves = Vertex::all(board.size()).map(Move::Play).chain([Move::Pass]);
    let board = *board;
    moves.filter_map(move |mv| {
        let mut after = board;
        after.play(mv, rules).ok().map(|()| after)
    })
}

/// Every state of a board, its successors, and its two values.
struct Truth {
    states: Vec<Position>,
    values: [Vec<i8>; 2],
}

impl Truth {
    /// All states that follow from any arrangement of stones.
    fn of(size: Size) -> Self {
        let vertices: Vec<Vertex> = Vertex::all(size).collect();
        let mut states = Vec::new();
        let mut numbers = HashMap::new();
        let mut add = |board: Position, states: &mut Vec<Position>| {
            *numbers.entry(board).or_insert_with(|| {
                states.push(board);
                u32::try_from(states.len() - 1).unwrap()
            })
        };
        for code in 0..3_usize.pow(u32::try_from(vertices.len()).unwrap()) {
            let mut stones = [Vec::new(), Vec::new(), Vec::new()];
            let mut rest = code;
            for &vertex in &vertices {
                stones[rest % 3].push(vertex);
                rest /= 3;
            }
            for color in Color::BOTH {
                if let Ok(board) = Board::set_up(size, &stones[1], &stones[2], color) {
                    add(board, &mut states);
                }
            }
        }
        let mut links: Vec<Vec<u32>> = Vec::new();
        while links.len() < states.len() {
            let board = states[links.len()];
            let after: Vec<Position> =
                if board.is_over() { Vec::new() } else { successors(&board).collect() };
            links.push(after.into_iter().map(|after| add(after, &mut states)).collect());
        }
        let points = i8::try_from(size.points()).unwrap();
        let values = [-points, points].map(|endless| fixed_point(&states, &links, endless));
        Self { states, values }
    }

    fn check(&self, number: usize, bounds: [Bounds; 2]) {
        for (values, bounds) in self.values.iter().zip(bounds) {
            let value = values[number];
            assert!(
                bounds.lower <= value && value <= bounds.upper,
                "{bounds:?} does not hold {value}: {:?}",
                self.states[number]
            );
        }
    }
}

/// The values if an endless game is worth `endless`: all begin there and change until each is the
/// minimax of its successors.
fn fixed_point(states: &[Position], links: &[Vec<u32>], endless: i8) -> Vec<i8> {
    let mut values: Vec<i8> =
        states.iter().map(|board| if board.is_over() { score(board) } else { endless }).collect();
    loop {
        let mut changed = false;
        for number in 0..states.len() {
            let after = links[number].iter().map(|&after| values[after as usize]);
            let value = match states[number].to_play() {
                Color::Black => after.max(),
                Color::White => after.min(),
            };
            if let Some(value) = value
                && value != values[number]
            {
                values[number] = value;
                changed = true;
            }
        }
        if !changed {
            return values;
        }
    }
}

fn as_game(board: &Position) -> Game {
    Game::from_position(board.repacked(), rules(board.size(), Ko::Simple))
}

/// Solves the states that `chosen` picks, and compares both values.
fn compare(text: &str, mut chosen: impl FnMut(&Position) -> bool) {
    let truth = Truth::of(size(text));
    let mut solver = solver(size(text));
    let mut compared = 0;
    for (number, board) in truth.states.iter().enumerate() {
        if chosen(board) {
            let answer = solve(&mut solver, &as_game(board));
            truth.check(number, [answer.worst, answer.best]);
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
    eprintln!("{text}: {compared} of {} states", truth.states.len());
}

/// Bounds of stopped searches hold, and their moves are legal.
fn check_limits(text: &str, limits: &[u64], share: usize) {
    let truth = Truth::of(size(text));
    for &nodes in limits {
        let mut solver = solver(size(text));
        for (number, board) in truth.states.iter().enumerate().step_by(share) {
            let game = as_game(board);
            let limits = Limits { nodes: Some(nodes), time: None };
            let answer = solver.solve(&game, limits, &mut ()).unwrap();
            truth.check(number, [answer.worst, answer.best]);
            if let Some(mv) = answer.best_move {
                game.check(game.to_play(), mv).unwrap();
            }
            assert!(answer.nodes <= nodes + 40, "{} of {nodes} nodes", answer.nodes);
        }
    }
}

/// Compares every `share`th state with at most four empty points.
fn compare_late(text: &str, share: usize) {
    let mut seen = 0;
    compare(text, |board| {
        let late = board.empty().count() <= 4;
        seen += usize::from(late);
        late && seen % share == 0
    });
}

#[test]
fn states_agree() {
    compare("2x3", |_| true);
    compare("5x1", |_| true);
    compare_late("3x3", 5);
}

#[test]
fn tiny_limits_prove_nothing_false() {
    check_limits("2x3", &[1, 5, 20, 100], 1);
    check_limits("3x3", &[1, 20, 200], 3);
}

/// Every claim about a state of a small board: what is proved is true, and what is
/// true without endless games is proved.
#[test]
fn claims_are_proved_where_they_are_true() {
    let truth = Truth::of(size("2x3"));
    let mut solver = solver(size("2x3"));
    for (number, board) in truth.states.iter().enumerate().step_by(5) {
        let game = as_game(board);
        let [worst, best] = [truth.values[0][number], truth.values[1][number]];
        for score in -6..=6 {
            for (claim, holds) in [
                (ScoreClaim::AtLeast(score), worst >= score),
                (ScoreClaim::AtMost(score), best <= score),
            ] {
                let answer = solver.prove(&game, claim, Limits::default(), &mut ()).unwrap();
                assert_eq!(answer.proves(claim), holds, "{claim}: {board:?}");
                truth.check(number, [answer.worst, answer.best]);
                if let Some(mv) = answer.best_move {
                    let mut after = game.clone();
                    after.play(game.to_play(), mv).unwrap();
                    let left = solver.prove(&after, claim, Limits::default(), &mut ()).unwrap();
                    assert!(left.proves(claim), "{mv} gives up {claim}: {board:?}");
                }
            }
        }
    }
}

#[test]
#[ignore = "takes minutes and a gigabyte"]
fn more_states_agree() {
    compare("3x3", |_| true);
    compare_late("3x4", 29);
    check_limits("3x4", &[1, 15, 100], 1);
    check_limits("2x6", &[15], 1);
}
