//! Games of bots with evaluators, none of which is lost where an evaluator hangs, and drawn moves. That the
//! games are the same whatever the threads, tests/fuzz says.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tengen::search::ResourceFault;
use tengen::search::evaluator::{Batch, Evaluator, NamedEvaluator, register_named};
use tengen::seed::mix;
use tengen::tournament::{GameRow, Tournament, play_games};

/// Values that it draws by the seed of the leaf.
struct Drawn {
    /// The number of leaves after which it hangs.
    left: Arc<AtomicU64>,
}

impl Evaluator for Drawn {
    fn batch(&self) -> usize {
        13
    }

    fn evaluate(&mut self, batch: Batch<'_>) -> Result<(), String> {
        for (leaf, value) in batch.leaves.iter().zip(batch.values) {
            while self
                .left
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
                .is_err()
            {
                std::thread::park();
            }
            *value = (mix(leaf.seed, 1) % 100) as f32 / 100.0;
        }
        Ok(())
    }
}

fn drawn(name: &str, leaves: u64) -> NamedEvaluator {
    let left = Arc::new(AtomicU64::new(leaves));
    NamedEvaluator::new(name, "1", move || Ok(Box::new(Drawn { left: Arc::clone(&left) }) as _))
}

fn games(tournament: &Tournament) -> Result<Vec<GameRow>, (Vec<GameRow>, String)> {
    let mut rows = Vec::new();
    let due: Vec<usize> = (0..tournament.schedule().games()).collect();
    let stop = AtomicBool::new(false);
    let done = play_games(tournament, 1, &due[..], &stop, |played| {
        rows.push(played.row.without_times());
        Ok::<(), ResourceFault>(())
    });
    rows.sort_by_key(|row| row.game);
    match done {
        Ok(()) => Ok(rows),
        Err(fault) => Err((rows, fault.to_string())),
    }
}

fn register(named: NamedEvaluator) {
    register_named(named.name().to_owned(), move |_| Ok(named.clone())).unwrap();
}

#[test]
fn an_evaluator_that_hangs_loses_no_finished_game() {
    let limited = |name, leaves| drawn(name, leaves).with_timeout(Duration::from_secs(3));
    let tournament = |name: &str| -> Tournament {
        let bot = format!("a=uct:evaluator={name},simulations=20");
        format!("bot = ['{bot}', 'random']\nsize = 3\npairs = 200\n").parse().unwrap()
    };
    register(limited("patient", u64::MAX));
    let all = games(&tournament("patient")).unwrap();
    register(limited("hanging", 15_000));
    let (rows, said) = games(&tournament("hanging")).unwrap_err();
    assert!(said.contains("evaluator `hanging`: no answer in 3 s"), "{said}");
    assert!((1..all.len()).contains(&rows.len()), "{}", rows.len());
    for row in rows {
        let moves = |row: &GameRow| (row.game, row.moves.clone());
        assert_eq!(moves(&row), moves(&all[row.game]));
    }
}

#[test]
fn games_of_one_opening_differ_by_drawn_moves_only() {
    let rows = |temperature: &str| {
        let bot = format!("uct:simulations=30,temperature={temperature}");
        let text = format!(
            "bot = ['a={bot}', 'b={bot},exploration=0.2']\nsize = 5\npairs = 4\nopening_plies = 4"
        );
        games(&text.parse().unwrap()).unwrap()
    };
    let (plain, drawn) = (rows("none"), rows("1:10"));
    // The plies of an opening count.
    assert_eq!(rows("1:4"), plain);
    assert_ne!(drawn, plain);
    assert_eq!(drawn, rows("1:10"));
}
