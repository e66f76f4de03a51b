//! The board: copy, play and legality. Each benchmark checks its answer while it times.

use criterion::{Criterion, criterion_group, criterion_main};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::hint::black_box;
use tengen::go::{Board, Komi, Preset, Rules, Size, with_words};
use tengen::playout::scalar;

const SIDES: [u8; 5] = [5, 7, 9, 13, 19];

/// A position in the middle of a random game.
fn middle_game<const W: usize>(size: Size) -> Board<W> {
    let mut board = Board::new(size);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..size.points() {
        scalar::play_one(&mut board, &mut random);
    }
    board
}

fn board(criterion: &mut Criterion) {
    for side in SIDES {
        let size = Size::square(side).expect("a size");
        let rules = Rules::new(Preset::Tengen, size, Komi::default());
        with_words!(size, W => {
            let board: Board<W> = middle_game(size);
            let legal = board.legal_points(rules);
            let count = legal.count();
            assert!(count > 0, "a middle game has legal plays");
            let id = |name| format!("{name}/{size}");
            criterion.bench_function(&id("copy"), |b| {
                b.iter(|| *black_box(&board));
            });
            criterion.bench_function(&id("legal_points"), |b| {
                b.iter(|| assert_eq!(black_box(&board).legal_points(rules).count(), count));
            });
            criterion.bench_function(&id("copy_and_play_each"), |b| {
                b.iter(|| {
                    for index in legal.iter() {
                        let mut after = *black_box(&board);
                        after.play_at(index);
                        assert_ne!(after.hash(), board.hash());
                    }
                });
            });
            let score = board.area_score();
            criterion.bench_function(&id("area_score"), |b| {
                b.iter(|| assert_eq!(black_box(&board).area_score(), score));
            });
        });
    }
}

criterion_group!(benches, board);
criterion_main!(benches);
