//! A search that is stopped at any moment, or runs in slices, is the search of a budget of as
//! many simulations: no visit of it is without a result.

use super::common::*;
use super::evaluators;
use super::in_flight::{KINDS, PLAYOUTS, assert_same, config, small_games};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::sync::atomic::{AtomicU64, Ordering};
use tengen::bots::{BotConfig, LiveMove, LiveSearch, MoveAnswer, genmove_with_trees};
use tengen::go::{Color, Game};
use tengen::playout::scalar;
use tengen::search::RootMove;
use tengen::search::report;
use tengen::search::shared::SharedSearch;
use tengen::search::tree::Tree;
use tengen::search::uct::UctSearch;
use tengen::search::{
    AnySearch, Request, ScoreSum, Search, SearchControl, SearchResult, SearchView, UctConfig,
    driver,
};

fn begin(game: &Game, config: &UctConfig, budget: u64, seed: u64) -> AnySearch {
    let tree = Tree::new(config.extras());
    AnySearch::new::<1>(Box::new(UctSearch::new(game, config, budget, seed, tree)))
}

/// The search of a budget of `budget` simulations.
fn of_budget(game: &Game, config: &UctConfig, budget: u64, seed: u64) -> SearchResult {
    let searches = vec![begin(game, config, budget, seed)];
    driver::run(game.size(), searches).unwrap().remove(0)
}

/// Simulations, sum of depths, and of each move its visits, rewards and scores.
type Seen = (u64, u64, Vec<(String, u64, f64, ScoreSum)>);

/// What is seen of the moves, but for proofs: a view tells those that are in the tree.
fn seen(view: &SearchView<'_>) -> Seen {
    let told = |seen: &RootMove| (seen.mv.to_string(), seen.visits, seen.reward, seen.scores);
    (view.counts.simulations, view.counts.depth_sum, view.moves.iter().map(told).collect())
}

/// Calls `check` for each kind of settings with leaves in flight and several playouts each.
fn with_settings(mut check: impl FnMut(&UctConfig, &str)) {
    for (name, kind) in KINDS {
        for (in_flight, leaf_playouts) in [(1, 1), (1, 5), (16, 1), (16, 3), (200, 1)] {
            let config = config(kind, in_flight, leaf_playouts);
            check(&config, &format!("{name}, {in_flight} leaves of {leaf_playouts}"));
        }
    }
}

/// A hook that lets a driver go on for `times` more questions.
fn after(times: u64) -> impl Fn() -> bool + Sync {
    let left = AtomicU64::new(times);
    move || {
        let before = left.load(Ordering::Relaxed);
        left.store(before.saturating_sub(1), Ordering::Relaxed);
        before == 0
    }
}

/// Every visit below the root is one of a simulation, and no reward is without a visit.
fn assert_counts_of_root(found: &SearchResult, name: &str) {
    assert_eq!(u64::from(found.tree.visits(Tree::ROOT)), found.counts.simulations, "{name}");
    for node in found.tree.nodes() {
        let visits = f64::from(found.tree.visits(node));
        assert!((0.0..=visits).contains(&found.tree.reward(node)), "{name}, node {node}");
    }
}

#[test]
fn slices_change_nothing_and_show_what_a_budget_finds() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let game = &small_games()[1];
    let mut check = |config: &UctConfig, name: &str| {
        let whole = of_budget(game, config, PLAYOUTS, 7);
        // A smaller budget would end earlier.
        let until = UctConfig { smart_pruning: 0.0, sure_win: 1.0, ..config.clone() };
        let mut search = begin(game, config, PLAYOUTS, 7);
        while !search.is_done() {
            let stop = after(random.next_u64() % 8);
            let begun = search.simulations();
            search.suspend_after(begun + 1 + random.next_u64() % 150);
            search = driver::advance(game.size(), vec![search], &stop).unwrap().remove(0);
            let view = search.view();
            let wanted = of_budget(game, &until, view.counts.simulations, 7);
            assert_eq!(seen(&view), seen(&wanted.view()), "{name}");
        }
        assert_same(&search.report(), &whole, name);
    };
    with_settings(&mut check);
    for in_flight in [1, 8, 64] {
        let (config, name) = (evaluators::config(16, in_flight), format!("evaluated, {in_flight}"));
        check(&config, &name);
        // Stopped by a clock: no pending evaluation is counted as a loss.
        let search = begin(game, &config, 100_000, 7);
        let stopped = driver::advance(game.size(), vec![search], &after(3)).unwrap().remove(0);
        let stopped = stopped.report();
        assert!((1..100_000).contains(&stopped.counts.simulations), "{name}");
        assert_same(&stopped, &of_budget(game, &config, stopped.counts.simulations, 7), &name);
    }
}

/// A driver may drop what is in the air: those simulations are taken back.
#[test]
fn results_that_never_come_leave_no_visits() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    with_settings(|config, name| {
        let game = &small_games()[1];
        let tree = Tree::new(config.extras());
        let mut search = UctSearch::<1>::new(game, config, PLAYOUTS, 5, tree);
        let (mut out, mut asked) = (Vec::new(), 0);
        let most = 50 + random.next_u64() % 300;
        while asked < most {
            match search.select() {
                Request::Playout { simulation, job } => {
                    out.push((simulation, job));
                    asked += 1;
                }
                Request::Wait => {
                    let (simulation, job) = out.swap_remove(below(&mut random, out.len()));
                    search.update(simulation, &scalar::play(&job));
                }
                Request::Pause | Request::Evaluation { .. } => {}
                Request::Done => break,
            }
        }
        let missing = out.len() as u64;
        let (begun, view) = (search.simulations(), seen(&search.view()));
        let unasked = begun - view.0 - missing;
        assert!(unasked < u64::from(config.leaf_playouts), "{name}");
        let found = Box::new(search).report();
        assert_counts_of_root(&found, name);
        assert_eq!(seen(&found.view()), view, "{name}");
    });
}

fn nine_lines(text: &str) -> (Game, UctConfig) {
    let mut game = empty(9, "7.5");
    play_all(&mut game, "E5 C3");
    let Some(config) = text.parse::<BotConfig>().unwrap().uct().cloned() else { panic!("{text}") };
    (game, config)
}

/// The page and `lz-analyze` look at a search every few milliseconds.
#[test]
fn an_analysis_in_slices_shows_the_tree_of_the_bot() {
    for (text, simulations) in [
        ("uct:in_flight=16", 1_000),
        ("uct:in_flight=256,workers=3", 3_001),
        ("uct:in_flight=8,leaf_playouts=4,workers=2", 1_600),
        ("uct:rave=none,prior=none,selection=ucb1,expansion=1", 500),
    ] {
        let (game, config) = nine_lines(text);
        let bot = BotConfig::from(config.clone());
        let seed = 11;
        let mut search = LiveSearch::analysis(&bot, seed, &game, None).unwrap();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        let mut slices = 0;
        while search.simulations() < simulations {
            search.advance(Some(simulations), &after(1 + random.next_u64() % 4)).unwrap();
            slices += 1;
        }
        assert!(slices > 3, "{text}: {slices}");
        let mut live = search.report().unwrap();
        let budget = UctConfig { simulations: Some(simulations), seconds: None, ..config };
        let (answer, trees) = genmove_with_trees(&budget, seed, None, &game).unwrap();
        let mut played = answer.report.unwrap();
        played.add_details(game.size(), trees.iter());
        if text.contains("in_flight") {
            // Statistics of all moves as first are backed up with the last leaves of the search.
            for report in [&mut live, &mut played] {
                report.moves.iter_mut().for_each(|root_move| root_move.amaf = None);
                report.unvisited.clear();
                report.bytes = 0;
            }
        }
        assert_eq!(without_seconds(&live), without_seconds(&played), "{text}");
        for root_move in &played.moves {
            assert_eq!(root_move.variation[0], root_move.mv);
        }
    }
}

/// A move that is looked at is the move of the bot, with kept trees and workers that share too.
#[test]
fn a_move_in_slices_is_the_move_of_the_bot() {
    for text in [
        "uct:simulations=600,in_flight=16",
        "uct:simulations=600,workers=3,reuse=true",
        "uct:simulations=300,workers=2,sharing=upper-tree:20:0.05:3",
        "two-ply",
    ] {
        let mut game = empty(5, "2.5");
        let config: BotConfig = text.parse().unwrap();
        let mut whole = config.build(9, None);
        let mut sliced = config.build(9, None);
        for ply in 0..6 {
            let wanted = whole.genmove(&game).unwrap();
            let answer = match LiveMove::begin(sliced, &config, &game, None).unwrap() {
                LiveMove::Decided(answer, bot) => {
                    sliced = bot;
                    answer
                }
                LiveMove::Searching(mut search) => {
                    let shares = text.contains("sharing");
                    while !search.is_over() {
                        let most = search.simulations() + 37;
                        search.advance(Some(most), &|| false).unwrap();
                        assert_eq!(search.report().is_none(), shares, "{text}");
                    }
                    let (answer, bot) = search.finish();
                    sliced = bot;
                    answer.unwrap()
                }
            };
            assert_eq!(answer.decision, wanted.decision, "{text}, ply {ply}");
            let told = |answer: &MoveAnswer| answer.report.as_ref().map(without_seconds);
            assert_eq!(told(&answer), told(&wanted), "{text}, ply {ply}");
            let Some(mv) = wanted.mv() else { break };
            game.play(game.to_play(), mv).unwrap();
        }
    }
}

/// Workers on several threads that the clock ends: what is told of them is what they found.
#[test]
fn the_clock_ends_no_search_with_losses_that_nobody_suffered() {
    let text = "uct:in_flight=256,workers=64,rave=none,prior=none,resign=0.05";
    let (game, config) = nine_lines(text);
    let config = UctConfig { simulations: None, seconds: Some(1e-6), ..config };
    let turn = BotConfig::from(config).build(1, None).genmove(&game).unwrap();
    let report = turn.report.as_ref().unwrap();
    let visits: u64 = report.moves.iter().map(|root_move| root_move.visits).sum();
    assert_eq!(visits, report.counts.simulations);
    assert!(turn.mv().is_some(), "it resigns: {report}");
}

/// A move's mean score is that of the playouts through it.
#[test]
fn scores_are_those_of_the_playouts() {
    let game = &small_games()[1];
    let config = config("", 1, 1);
    let tree = Tree::new(config.extras());
    let mut search = UctSearch::<1>::new(game, &config, PLAYOUTS, 5, tree);
    let (mut points, mut playouts) = (0.0, 0.0);
    while let Request::Playout { simulation, job } = search.select() {
        let playout = scalar::play(&job);
        points += (playout.score - game.rules().komi).points();
        playouts += 1.0;
        search.update(simulation, &playout);
    }
    let view = search.view();
    let told = report::report(game, &[view], 0.0);
    assert!((told.scores().mean().unwrap() - points / playouts).abs() < 1e-9, "{told}");
    // Who wins more of a move leads by more there.
    let lead = |place: usize| told.moves[place].scores.mean().unwrap();
    let sign = if game.to_play() == Color::Black { 1.0 } else { -1.0 };
    assert!(sign * lead(0) > sign * lead(told.moves.len() - 1), "{told}");
}

/// Workers that share counts give back what they hold of others when they are stopped in the
/// middle of a round.
#[test]
fn a_stopped_round_of_workers_that_share_leaves_their_own_counts() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    for leaf_playouts in [1, 3] {
        let text = format!(
            "uct:simulations=900,workers=3,sharing=upper-tree:40:0.05:3,leaf_playouts={leaf_playouts}"
        );
        let (game, config) = nine_lines(&text);
        for _ in 0..20 {
            let mut rounds = SharedSearch::new(&config, 3, Vec::new());
            let mut left = 1 + random.next_u64() % 6;
            while let Some(searches) = rounds.next_round(&game) {
                left -= 1;
                let stop = after(if left == 0 { random.next_u64() % 3 } else { u64::MAX });
                let searches = driver::advance(game.size(), searches, &stop).unwrap();
                rounds.end_round(searches.into_iter().map(AnySearch::report).collect());
                if left == 0 {
                    break;
                }
            }
            for result in rounds.into_results() {
                assert_counts_of_root(&result, &text);
            }
        }
    }
}
