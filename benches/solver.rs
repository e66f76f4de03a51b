//! The solver: positions examined per second, and time to solve small boards.
//! Each benchmark checks its answer while it times.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tengen::go::{Board, Color, Game, Komi, Preset, Rules};
use tengen::solver::{Limits, ScoreClaim, Solver};

const MEBIBYTES: usize = 256;

fn game(rows: &str, to_play: Color) -> Game {
    let board = Board::from_diagram(rows, to_play).expect("a diagram");
    Game::from_position(board, Rules::new(Preset::Simple, board.size(), Komi::default()))
}

/// Begins each solution with an empty table.
fn solve(game: &Game, nodes: Option<u64>) -> tengen::solver::Answer {
    let mut solver = Solver::new(game.size(), MEBIBYTES).expect("a small board");
    let limits = Limits { nodes, time: None };
    solver.solve(game, limits, &mut ()).expect("rules that it knows")
}

fn proofs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("proof");
    group.sample_size(10);
    for (name, rows, value) in [
        ("3x4", "..../..../....", 4),
        ("3x5", "...../...../.....", 15),
        ("4x4", "..../..../..../....", 1),
    ] {
        let game = game(rows, Color::Black);
        group.bench_function(name, |b| {
            b.iter(|| {
                let answer = solve(&game, None);
                assert_eq!(answer.draw().lower, value);
                assert!(answer.is_solved());
            });
        });
    }
    group.finish();
}

/// One claim each: 4x4 from the empty board, 4x5 after the first move.
fn claims(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("claim");
    group.sample_size(10);
    for (name, rows, score, to_play) in [
        ("4x4_at_least_1", "..../..../..../....", 1, Color::Black),
        ("4x5_after_C2_at_least_20", "...../...../..X../.....", 20, Color::White),
    ] {
        let game = game(rows, to_play);
        let claim = ScoreClaim::AtLeast(score);
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut solver = Solver::new(game.size(), MEBIBYTES).expect("a small board");
                let answer = solver.prove(&game, claim, Limits::default(), &mut ());
                assert!(answer.expect("rules that it knows").proves(claim));
            });
        });
    }
    group.finish();
}

fn speed(criterion: &mut Criterion) {
    const NODES: u64 = 1_000_000;
    let mut group = criterion.benchmark_group("nodes");
    group.sample_size(10);
    group.throughput(Throughput::Elements(NODES));
    for (name, rows, most) in [
        ("4x4", "..../..../..../....", 16),
        ("4x5", "...../...../...../.....", 20),
        ("5x5_after_the_centre", "...../...../..X../...../.....", 25),
    ] {
        let to_play = if rows.contains('X') { Color::White } else { Color::Black };
        let game = game(rows, to_play);
        group.bench_function(name, |b| {
            b.iter(|| {
                let answer = solve(&game, Some(NODES));
                assert!(answer.worst.upper <= most && answer.worst.lower < most);
                assert_eq!(answer.nodes, NODES, "the limit was reached");
            });
        });
    }
    group.finish();
}

criterion_group!(benches, proofs, claims, speed);
criterion_main!(benches);
