//! What a run adds to a game beside the bots: its row, its record, the journal
//! and `games.csv`. To be compared with the time of the game, which
//! `search/uct` tells: 80 searches of 1,000 playouts.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use std::sync::atomic::AtomicBool;
use tengen::results::RunLock;
use tengen::tournament::{LOCK, Session, Settings, play};

fn session(criterion: &mut Criterion) {
    let text = "size = '9x9'\npairs = 50\nbot = ['random', 'two-ply']";
    let settings: Settings = toml::from_str(text).expect("settings");
    let tournament = settings.resolve().expect("a tournament");
    let plan = tournament.schedule().plan(0);
    // The bots of this game cost little: most of its time is what they do.
    criterion.bench_function("game/random-two-ply/9x9", |b| {
        b.iter(|| assert!(play(&tournament, &plan).unwrap().row.plies > 40));
    });
    let folder = std::env::temp_dir().join(format!("tengen-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let lock = RunLock::take(&folder, LOCK).expect("the lock");
    {
        let mut session = Session::open(&tournament, None, &lock).expect("a session");
        session.play(1, &AtomicBool::new(false), |_, _| {}).expect("100 games");
    }
    // Opening reads 100 games from the journal, checks them against the
    // schedule and writes games.csv: what one game costs, a hundred times.
    criterion.bench_function("session/100-games/9x9", |b| {
        b.iter_batched(
            || (),
            |()| {
                let session = Session::open(&tournament, None, &lock).expect("a session");
                assert_eq!(session.rows().len(), 100);
            },
            BatchSize::PerIteration,
        );
    });
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

criterion_group!(benches, session);
criterion_main!(benches);
