//! Games per second of one thread, on 9×9 with 1,000 playouts per move: games
//! played alone, with one playout at a time, and many games together, whose
//! searches share the lanes. The benchmark checks that both ways play the same
//! games.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::sync::atomic::AtomicBool;
use tengen::tournament::{Tournament, play, play_games};

const GAMES: usize = 64;

/// Number of games that are also played alone.
const ALONE: usize = 2;

fn games(criterion: &mut Criterion) {
    let text = format!(
        "size = '9x9'\npairs = {}\nbot = ['a=plain:exploration=0.1', \
         'b=plain:exploration=0.2']",
        GAMES / 2
    );
    let tournament: Tournament = text.parse().expect("a tournament");
    let due: Vec<usize> = (0..GAMES).collect();
    let mut plies = vec![0; GAMES];
    let mut group = criterion.benchmark_group("tournament");
    group.sample_size(10);
    group.throughput(Throughput::Elements(GAMES as u64));
    group.bench_function("together/9x9", |b| {
        b.iter(|| {
            play_games(&tournament, 1, due.as_slice(), &AtomicBool::new(false), |played| {
                plies[played.row.game] = played.row.plies;
                Ok::<(), tengen::search::ResourceFault>(())
            })
            .expect("all games");
        });
    });
    group.throughput(Throughput::Elements(ALONE as u64));
    group.bench_function("alone/9x9", |b| {
        b.iter(|| {
            for (game, &plies) in plies.iter().enumerate().take(ALONE) {
                let played = play(&tournament, &tournament.schedule().plan(game)).unwrap();
                assert!(plies == 0 || plies == played.plies, "game {game}");
            }
        });
    });
    group.finish();
}

criterion_group!(benches, games);
criterion_main!(benches);
