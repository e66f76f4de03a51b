//! Registered code that panics in one of many searches: that search has no result, and the others are as they
//! would be by themselves.

use super::common::*;
use super::fragile;
use super::judged_by_playouts::{some_games, uct};
use tengen::bots::{BotConfig, BotFailure, FailureKind, LiveSearch};
use tengen::go::{Game, RegisteredPanic, catch_registered_panic};
use tengen::search::driver;
use tengen::search::evaluator::{Batch, Evaluator, NamedEvaluator};
use tengen::search::tree::Tree;
use tengen::search::{AnySearch, SearchResult, UctConfig, root_parallel, signature};

/// What a search comes to: the signature of its tree, or its panic.
type Outcome = Result<u64, RegisteredPanic>;

fn outcome(search: AnySearch) -> Outcome {
    let report = catch_registered_panic(|| search.report());
    report.map(|SearchResult { tree, .. }| signature::of(&[tree]))
}

const BUDGET: u64 = 150;
const SEEDS: u64 = 8;

fn searches(games: &[Game], config: &UctConfig) -> Vec<AnySearch> {
    let seeds = (0..SEEDS).flat_map(|seed| games.iter().map(move |game| (seed, game)));
    let begin = |(seed, game)| {
        root_parallel::begin_one(game, config, BUDGET, seed, Tree::new(config.extras()))
    };
    seeds.map(begin).collect()
}

/// What `searches` come to, each in a slot of its own, as those of many games are.
fn driven(games: &[Game], searches: Vec<AnySearch>) -> Vec<Outcome> {
    let slots = searches.len();
    in_slots(games[0].size(), searches, slots).into_iter().map(outcome).collect()
}

/// The settings, the code that panics in them, and about how many of a hundred searches it ends.
const CASES: [(&str, &str); 12] = [
    ("selection=fragile:1000,prior=none,rave=none", "selection formula `fragile:1000`"),
    ("selection=fragile:1000,prior=none,rave=none,in_flight=7", "selection formula"),
    ("selection=fragile:200,prior=none,rave=none,leaf_playouts=3", "selection formula"),
    ("prior=fragile:20:10", "prior `fragile:20:10`"),
    ("prior=fragile:100:10,in_flight=3,expansion=1", "prior"),
    ("policy=fragile:5000", "playout policy `fragile:5000`"),
    ("policy=fragile:5000,in_flight=9,rave=none", "playout policy"),
    ("policy=fragile:9000,leaf_playouts=5", "playout policy"),
    ("back_up=fragile:1000,prior=none,rave=none", "back-up `fragile:1000`"),
    ("evaluator=fragile:300", "evaluator `fragile:300`"),
    ("evaluator=fragile:300,in_flight=6", "evaluator"),
    ("evaluator=playouts,playout_share=0.5,policy=fragile:5000,in_flight=4", "playout policy"),
];

#[test]
fn a_panic_ends_its_own_search_alone() {
    fragile::register().unwrap();
    let games = some_games(5);
    for (settings, what) in CASES {
        let config = uct(&format!("uct:{settings}"));
        let alone: Vec<Outcome> = searches(&games, &config)
            .into_iter()
            .map(|search| driven(&games, vec![search]).remove(0))
            .collect();
        let panics: Vec<_> = alone.iter().filter_map(|outcome| outcome.as_ref().err()).collect();
        let (failed, all) = (panics.len(), alone.len());
        assert!(failed > 0 && failed < all, "{settings}: {failed} of {all}");
        for panic in panics {
            assert!(panic.what.starts_with(what), "{settings}: {panic}");
            let said = panic.message.contains(" is too much (") && panic.message.contains(".rs:");
            assert!(said, "{panic}");
        }
        assert_eq!(driven(&games, searches(&games, &config)), alone, "{settings}");
    }
}

/// The evaluator of a thread is made anew after a panic, since its state is half done.
#[test]
fn an_evaluator_that_panicked_is_not_asked_again() {
    #[derive(Default)]
    struct Once {
        is_broken: bool,
    }
    impl Evaluator for Once {
        fn evaluate(&mut self, batch: Batch<'_>) -> Result<(), String> {
            if self.is_broken {
                return Err("asked again".to_owned());
            }
            for (leaf, value) in batch.leaves.iter().zip(batch.values) {
                self.is_broken = leaf.board.hash() % 300 == 7;
                assert!(!self.is_broken, "broken");
                *value = 0.5;
            }
            Ok(())
        }
    }
    let evaluator = NamedEvaluator::new("once", "1", || Ok(Box::<Once>::default()));
    let limited = evaluator.clone().with_timeout(std::time::Duration::from_secs(60));
    let games = some_games(5);
    let of = |evaluator| driven(&games, searches(&games, &UctConfig::with_evaluator(evaluator)));
    let outcomes = of(evaluator);
    let failed = outcomes.iter().filter(|outcome| outcome.is_err()).count();
    assert!(failed > 0 && failed < outcomes.len(), "{failed} of {}", outcomes.len());
    assert_eq!(of(limited), outcomes);
}

/// A batch that makes the evaluator panic, of which no leaf does: nobody can be blamed.
#[test]
fn a_panic_by_the_size_of_the_batch_is_an_error() {
    struct Small;
    impl Evaluator for Small {
        fn evaluate(&mut self, batch: Batch<'_>) -> Result<(), String> {
            assert!(batch.leaves.len() < 3, "no room");
            batch.values.fill(0.5);
            Ok(())
        }
    }
    let games = some_games(5);
    let evaluator = NamedEvaluator::new("small", "1", || Ok(Box::new(Small)));
    let config = UctConfig::with_evaluator(evaluator);
    let error = driver::run(games[0].size(), searches(&games, &config)).unwrap_err();
    assert!(error.to_string().starts_with("evaluator `small`: it panicked: no room"), "{error}");
}

/// A policy in the lanes panics for all of their games: each is played again by itself, and fails if it panics there.
#[test]
fn a_policy_of_sets_panics_in_the_lanes() {
    use std::sync::atomic::{AtomicU32, Ordering};
    use tengen::playout::policy::{DrawBy, Points, SetForm, SetPolicy, TurnSets};
    /// Near the last stone, but for this many calls that panic.
    struct Panics(AtomicU32);
    impl SetPolicy<1> for Panics {
        fn draw_by(&self) -> DrawBy<1> {
            DrawBy::FirstOf([0.5])
        }
        fn sets<S: SetForm>(&self, turn: &TurnSets<S>) -> [Points<S>; 1] {
            let left =
                self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
            assert!(left.is_err(), "out of order");
            [turn.last.square()]
        }
    }
    tengen::register::policy_of_sets("panics", "1", |text| {
        text.parse()
            .map(|calls| Panics(AtomicU32::new(calls)))
            .map_err(|_| "panics:CALLS".to_owned())
    })
    .unwrap();
    let games = some_games(5);
    let outcomes = |settings: &str| driven(&games, searches(&games, &uct(settings)));
    for more in ["", ",in_flight=5,rave=none", ",leaf_playouts=3"] {
        let settled = outcomes(&format!("uct:policy=panics:0{more}"));
        assert!(settled.iter().all(Result::is_ok));
        assert_eq!(outcomes(&format!("uct:policy=panics:1{more}")), settled, "{more}");
    }
    for outcome in outcomes("uct:policy=panics:4000000000") {
        let panic = outcome.unwrap_err().to_string();
        assert!(
            panic.starts_with("playout policy `panics:4000000000` panicked: out of order (tests"),
            "{panic}"
        );
    }
}

#[test]
fn a_player_fails_and_can_be_asked_again() {
    fragile::register().unwrap();
    let game = empty(5, "0.5");
    for (bot, named) in [
        ("fragile:every=1,place=build", "bot `fragile` panicked: "),
        ("fragile:every=1,place=move", "bot `fragile` panicked: "),
        ("fragile:every=1,place=end", "bot `fragile` panicked: "),
        (
            "uct:selection=fragile:1,prior=none,rave=none",
            "selection formula `fragile:1` panicked: ",
        ),
        ("uct:policy=fragile:1,workers=3", "playout policy `fragile:1` panicked: "),
        ("uct:final_move=fragile:1", "rule for the final move `fragile:1` panicked: "),
        ("uct:evaluator=fragile:1", "evaluator `fragile:1` panicked: "),
    ] {
        let config: BotConfig = bot.parse().unwrap();
        let pool = tengen::rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        for pool in [None, Some(&pool)] {
            let mut player = config.build(1, pool);
            for _ in 0..2 {
                let failure = player.genmove(&game).unwrap_err();
                let BotFailure::Forfeit { kind: FailureKind::Panic, reason } = failure else {
                    panic!("{bot}: {failure:?}")
                };
                assert!(reason.starts_with(named) && !reason.contains('\n'), "{reason}");
            }
        }
        // An analysis too.
        if !bot.contains("final_move") && !bot.contains("place=end") {
            let analysis = LiveSearch::analysis(&config, 1, &game, None);
            let failure = analysis.map(|mut search| search.advance(Some(64), &|| false));
            let said = match failure {
                Err(failure) => failure.to_string(),
                Ok(advanced) => advanced.unwrap_err().to_string(),
            };
            assert!(said.starts_with(named), "{said}");
        }
    }
}
