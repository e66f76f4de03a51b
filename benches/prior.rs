//! The priors of all moves of a position: the heuristic and the learned ones.

use criterion::{Criterion, criterion_group, criterion_main};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::hint::black_box;
use tengen::go::{Bits, Board, Move, Size, with_words};
use tengen::playout::scalar;
use tengen::search::prior::{Prior, Recent};

const SIDES: [u8; 4] = [5, 9, 13, 19];

/// A position after half as many plies as the board has points, and the last two moves.
fn opening<const W: usize>(size: Size) -> (Board<W>, Recent) {
    let mut board = Board::new(size);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut recent = Recent::default();
    for _ in 0..size.points() / 2 {
        let played = scalar::play_one(&mut board, &mut random);
        if !played.is_empty() {
            let last = Some(Move::Play(Bits::<W>::vertex(played.nth(0))));
            recent = Recent { last, before: recent.last };
        }
    }
    (board, recent)
}

fn priors(criterion: &mut Criterion) {
    for side in SIDES {
        let size = Size::square(side).expect("a size");
        with_words!(size, W => {
            let (board, recent) = opening::<W>(size);
            let candidates = board.empty() - board.eyes();
            for text in ["heuristic:20", "learned:40:300"] {
                let prior: Prior = text.parse().expect("a prior");
                let name = text.split(':').next().unwrap_or_default();
                criterion.bench_function(&format!("{name}/{size}"), |b| {
                    b.iter(|| {
                        let priors = prior.of(black_box(&board), recent, candidates);
                        assert!(priors.expect("priors").value(Move::Pass) > 0.0);
                    });
                });
            }
        });
    }
}

criterion_group!(benches, priors);
criterion_main!(benches);
