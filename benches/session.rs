//! The overhead of a run per game: its row and the file of rows. Compare it with the time of the
//! game, 80 searches of 1,000 playouts, from `search/uct`.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use std::sync::atomic::AtomicBool;
use tengen::commands::build;
use tengen::run::{Experiment, Run, Session};
use tengen::tournament::{Tournament, play};

fn session(criterion: &mut Criterion) {
    let text = "size = '9x9'\npairs = 50\nbot = ['random', 'two-ply']";
    let tournament: Tournament = text.parse().expect("a tournament");
    let plan = tournament.schedule().plan(0);
    // The cheap bots of this game still take most of its time.
    criterion.bench_function("game/random-two-ply/9x9", |b| {
        b.iter(|| assert!(play(&tournament, &plan).unwrap().plies > 40));
    });
    let folder = std::env::temp_dir().join(format!("tengen-bench-{}", std::process::id()));
    let provenance = tournament.provenance().expect("bots that play");
    let mut run = Run::begin(&tournament, &folder).expect("a folder");
    {
        let mut session =
            Session::open(&tournament, &mut run, &provenance, &build()).expect("a session");
        session.play(build(), 1.into(), &AtomicBool::new(false), |_| {}).expect("100 games");
    }
    // Opening reads 100 games and checks them against the schedule: a hundred times the cost of
    // one game.
    criterion.bench_function("session/100-games/9x9", |b| {
        b.iter_batched(
            || (),
            |()| {
                let session =
                    Session::open(&tournament, &mut run, &provenance, &build()).expect("a session");
                assert_eq!(session.rows().len(), 100);
            },
            BatchSize::PerIteration,
        );
    });
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

criterion_group!(benches, session);
criterion_main!(benches);
