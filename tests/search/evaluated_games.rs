//! Games of bots with evaluators: the same whatever the threads, and none lost where an evaluator
//! hangs.

use super::own::register_twins;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tengen::bots::BotConfig;
use tengen::search::ResourceFault;
use tengen::search::evaluator::{Batch, Evaluator, NamedEvaluator, register_named};
use tengen::seed::mix;
use tengen::tournament::{GameRow, Tournament, play_games};

fn noise(seed: u64, number: u64) -> f32 {
    (mix(seed, number) >> 40) as f32 / (1_u64 << 24) as f32
}

/// Values that it draws by the seed of the leaf, and priors of the position.
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
            *value = noise(leaf.seed, 1);
        }
        for (leaf, priors) in
            batch.leaves.iter().zip(batch.priors.chunks_mut(batch.size.points() + 1))
        {
            for (number, prior) in (0..).zip(priors) {
                *prior = noise(leaf.board.hash(), number);
            }
        }
        Ok(())
    }
}

fn drawn(name: &str, leaves: u64) -> NamedEvaluator {
    let left = Arc::new(AtomicU64::new(leaves));
    NamedEvaluator::new(name, "1", move || Ok(Box::new(Drawn { left: Arc::clone(&left) }) as _))
}

fn games(tournament: &Tournament, threads: usize) -> Result<Vec<GameRow>, (Vec<GameRow>, String)> {
    let mut rows = Vec::new();
    let due: Vec<usize> = (0..tournament.schedule().games()).collect();
    let stop = AtomicBool::new(false);
    let done = play_games(tournament, threads, &due[..], &stop, |played| {
        let mut row = played.row;
        (row.black_seconds, row.white_seconds) = (0.0, 0.0);
        rows.push(row);
        Ok::<(), ResourceFault>(())
    });
    rows.sort_by_key(|row| row.game);
    match done {
        Ok(()) => Ok(rows),
        Err(fault) => Err((rows, fault.to_string())),
    }
}

/// A bot with random settings, among them evaluators and registered strategies; none if they do not go together.
fn random_bot(random: &mut Xoshiro256PlusPlus) -> Option<BotConfig> {
    let settings = [
        ("in_flight", &["1", "3", "16"][..]),
        ("workers", &["1", "1", "3"]),
        ("selection", &["puct", "puct", "ucb1", "kl-ucb", "thompson", "twin-ucb1", "twin-puct"]),
        ("exploration", &["0", "0.5", "1.25"]),
        ("first_play", &["parent-0.2", "0.5", "1"]),
        ("expansion", &["1", "1", "2", "8"]),
        ("prior", &["none", "none", "heuristic:10", "learned:14:60", "twin-heuristic:10"]),
        ("back_up", &["mean", "twin-mean"]),
        ("final_move", &["visits", "most"]),
        ("rave", &["none", "none", "equivalence:100"]),
        ("playout_share", &["0", "0.5", "1"]),
        ("root_noise", &["none", "0.03:0.25", "1:1"]),
        ("temperature", &["none", "1:8", "0.2:1000"]),
        ("own_eyes", &["false", "true"]),
        ("transpositions", &["false", "false", "true"]),
        ("solver", &["false", "true"]),
        ("reuse", &["false", "true"]),
        ("resign", &["0", "0.1"]),
        ("max_nodes", &["1000", "5000"]),
        ("policy", &["uniform", "capture-escape:0.5", "mogo:0.5:0.9", "twin-capture"]),
        ("stop", &["none", "mercy:3"]),
    ];
    let evaluators = ["evaluator=crossed,", "evaluator=crossed-plain,", "evaluator=playouts,", ""];
    let evaluator = evaluators.choose(random)?;
    let mut text = format!("uct:{evaluator}simulations={}", random.random_range(1..60));
    for (key, values) in settings {
        if random.random_ratio(1, 3) {
            text = format!("{text},{key}={}", values.choose(random)?);
        }
    }
    let bot: BotConfig = text.parse().ok()?;
    assert_eq!(bot.to_string().parse(), Ok(bot.clone()), "{text}");
    Some(bot)
}

fn register(named: NamedEvaluator) {
    register_named(named.name().to_owned(), move |_| Ok(named.clone())).unwrap();
}

#[test]
fn settings_of_evaluators_go_together_and_with_threads() {
    register_twins();
    register(drawn("crossed", u64::MAX));
    register(drawn("crossed-plain", u64::MAX).without_priors());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    for number in 0..60 {
        let mut two = std::iter::repeat_with(|| random_bot(&mut random)).flatten();
        let bots: Vec<BotConfig> = two.by_ref().take(2).collect();
        let text = format!(
            "bot = ['a={}', 'b={}']\nsize = {}\npairs = 3\nopening_plies = 2\nseed = {number}",
            bots[0],
            bots[1],
            if number % 3 == 0 { 5 } else { 3 }
        );
        let tournament: Tournament = text.parse().unwrap();
        let one = games(&tournament, 1).unwrap();
        assert_eq!(one.len(), 6, "{text}");
        assert_eq!(games(&tournament, 2).unwrap(), one, "{text}");
    }
}

#[test]
fn an_evaluator_that_hangs_loses_no_finished_game() {
    let limited = |name, leaves| drawn(name, leaves).with_timeout(Duration::from_secs(3));
    let tournament = |name: &str| -> Tournament {
        let bot = format!("a=uct:evaluator={name},simulations=20");
        format!("bot = ['{bot}', 'random']\nsize = 3\npairs = 200\n").parse().unwrap()
    };
    register(limited("patient", u64::MAX));
    let all = games(&tournament("patient"), 1).unwrap();
    register(limited("hanging", 15_000));
    let (rows, said) = games(&tournament("hanging"), 1).unwrap_err();
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
        games(&text.parse().unwrap(), 1).unwrap()
    };
    let (plain, drawn) = (rows("none"), rows("1:10"));
    // The plies of an opening count.
    assert_eq!(rows("1:4"), plain);
    assert_ne!(drawn, plain);
    assert_eq!(drawn, rows("1:10"));
}
