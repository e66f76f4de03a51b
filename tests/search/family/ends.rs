//! How a search ends and what comes of it: early stop, resignation, the final
//! move, merged roots, full trees and leaves of several playouts.

use super::*;
use std::collections::HashSet;
use tengen::bots::Decision;
use tengen::go::{Color, Ko, Move};
use tengen::playout::scalar;
use tengen::search::RootMove;
use tengen::search::shared;
use tengen::search::tree::Tree;
use tengen::search::uct::UctSearch;
use tengen::search::{Request, Search};
use tengen::seed::mix;

fn with_playouts(playouts: u64, text: &str) -> UctConfig {
    UctConfig { playouts: Some(playouts), ..config(text) }
}

#[test]
fn an_early_stop_makes_the_same_move_with_fewer_playouts() {
    let (mut fewer, mut searches) = (0, 0);
    let behind = drawn("..O../.OO../OO.../...../X....", Color::Black, Ko::Psk, "2.5");
    for game in [empty(5, "2.5"), empty(3, "0.5"), behind] {
        for text in ["exploration = 0.1", "exploration = 0.5", "rave = 'equivalence:300'"] {
            for seed in 0..12 {
                let whole = with_playouts(600, text);
                let short = UctConfig { early_stop: true, ..whole.clone() };
                let [whole, short] = [whole, short].map(|c| bot(&c, seed).genmove(&game).unwrap());
                assert_eq!(whole.mv(), short.mv(), "{text}, seed {seed}");
                assert_eq!(whole.playouts, Some(600));
                searches += 1;
                let mv = short.playouts.unwrap();
                if mv < 600 {
                    fewer += 1;
                    // The lead is more than what is left.
                    let moves = short.report.unwrap().moves;
                    let second = moves.get(1).map_or(0, |second| second.visits);
                    assert!(moves[0].visits - second > 600 - mv);
                }
            }
        }
    }
    assert!(3 * fewer > searches, "{fewer} of {searches} searches ended early");
}

#[test]
fn resigns_below_the_threshold_only() {
    // White will own the board, which is not proved yet.
    let lost = drawn(".OOO./...../OOOOO/...../..X..", Color::Black, Ko::Psk, "2.5");
    for (resign, resigns) in [("0.0", false), ("0.1", true)] {
        let turn =
            bot(&with_playouts(300, &format!("resign = {resign}")), 1).genmove(&lost).unwrap();
        let value = turn.report.as_ref().unwrap().moves[0].value().unwrap();
        assert!(value < 0.1, "{value}");
        assert_eq!(turn.decision == Decision::Resign, resigns, "{resign}: {value}");
    }
    for seed in 0..10 {
        let config = with_playouts(100, "resign = 0.5");
        let turn = bot(&config, seed).genmove(&empty(5, "2.5")).unwrap();
        let value = turn.report.as_ref().unwrap().moves[0].value().unwrap();
        assert_eq!(turn.decision == Decision::Resign, value < 0.5, "seed {seed}: {value}");
    }
}

/// Wilson's interval as its paper writes it.
fn lower_end(root_move: &RootMove) -> f64 {
    let (n, z) = (root_move.visits as f64, 1.959_963_984_540_054);
    let p = root_move.reward / n;
    let spread = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    (p + z * z / (2.0 * n) - spread) / (1.0 + z * z / n)
}

#[test]
fn the_final_move_may_be_that_of_the_highest_lower_bound() {
    let game = empty(5, "2.5");
    let mut differ = [0, 0];
    for seed in 0..40 {
        let find = |rule: &str| {
            let text = format!("final_move = '{rule}'\nexploration = 0.3");
            let turn = bot(&with_playouts(60, &text), seed).genmove(&game).unwrap();
            (turn.mv().unwrap(), turn.report.unwrap())
        };
        let (mv, report) = find("lower-bound");
        // The empty board is behind by the komi: a pass would lose.
        let best = report
            .moves
            .iter()
            .filter(|root_move| root_move.mv != Move::Pass)
            .max_by(|a, b| lower_end(a).total_cmp(&lower_end(b)).then(b.visits.cmp(&a.visits)));
        let of = |mv| report.moves.iter().find(|m| m.mv == mv).unwrap();
        assert!((lower_end(of(mv)) - lower_end(best.unwrap())).abs() < 1e-9, "seed {seed}");
        differ[0] += u32::from(find("visits").0 != mv);
        differ[1] += u32::from(find("value").0 != mv);
    }
    assert!(differ.iter().all(|&count| count > 0), "the rules never differ: {differ:?}");
}

#[test]
fn a_robust_move_has_most_visits_and_the_highest_value() {
    let game = empty(5, "2.5");
    let (mut longer, mut capped) = (0, 0);
    for seed in 0..40 {
        let config = with_playouts(200, "final_move = 'robust'\nexploration = 0.7");
        let tree = {
            let mut search = UctSearch::<1>::new(&game, &config, 200, seed, Tree::default());
            run(&mut search);
            search.into_tree()
        };
        let mv = tree.visits(Tree::ROOT);
        assert!((200..=300).contains(&mv), "{mv} simulations");
        longer += u32::from(mv > 200);
        let value = |child| tree.reward(child) / f64::from(tree.visits(child));
        let most = tree.children(Tree::ROOT).map(|child| tree.visits(child)).max().unwrap();
        let is_rival = |&child: &usize| tree.visits(child) > most / 10;
        let rivals = || tree.children(Tree::ROOT).filter(is_rival);
        let best = rivals().map(value).fold(0.0, f64::max);
        let robust = rivals().any(|child| tree.visits(child) == most && value(child) == best);
        capped += u32::from(!robust);
        assert!(robust || mv == 300, "seed {seed}: {mv}");
        let turn = bot(&config, seed).genmove(&game).unwrap();
        let report = turn.report.as_ref().unwrap();
        assert_eq!(turn.mv(), Some(report.moves[0].mv));
    }
    assert!(longer > capped, "{longer} searches went on, {capped} to the end");
}

#[test]
fn roots_merge_by_visits_or_by_value() {
    let game = empty(5, "2.5");
    let search = |merge: &str| {
        let text = format!("workers = 4\nmerge = '{merge}'");
        shared::search(&game, &with_playouts(400, &text), 3, Vec::new(), None).unwrap()
    };
    let ((by_visits, trees), (by_value, same)) = (search("visits"), search("value"));
    for (tree, other) in trees.iter().zip(&same) {
        assert_eq!(rows(tree), rows(other));
    }
    let mut differ = 0;
    for root_move in &by_value.moves {
        let of = |tree: &Tree| {
            let child = tree.child(Tree::ROOT, root_move.mv)?;
            let visits = tree.visits(child);
            (visits > 0).then(|| (visits, tree.reward(child)))
        };
        let seen: Vec<(u32, f64)> = trees.iter().filter_map(of).collect();
        let values = seen.iter().map(|&(n, w)| w / f64::from(n));
        let mean = values.sum::<f64>() / seen.len() as f64;
        assert!((root_move.value().unwrap() - mean).abs() < 1e-9);
        let other = by_visits.moves.iter().find(|m| m.mv == root_move.mv).unwrap();
        assert_eq!(other.visits, root_move.visits);
        assert_eq!(other.reward, seen.iter().map(|&(_, w)| w).sum::<f64>());
        differ += u32::from((other.reward - root_move.reward).abs() > 1e-9);
    }
    assert!(differ > 0, "both ways are one");
}

#[test]
fn a_full_tree_that_prunes_never_fails_and_keeps_its_root() {
    for (size, text) in [
        (5, ""),
        (5, "rave = 'equivalence:300'"),
        (5, "prior = 'heuristic:5'\nsolver = true\nin_flight = 8"),
        (5, "transpositions = true\nin_flight = 4\nleaf_playouts = 2"),
        (19, "exploration = 0.1"),
    ] {
        // The pool is tiny beside what the search would grow.
        let playouts = if size == 5 { 6_000 } else { 2_000 };
        let config =
            with_playouts(playouts, &format!("{text}\nwhen_full = 'prune'\nmax_nodes = 1000"));
        config.validate().unwrap();
        let game = empty(size, "2.5");
        let mut search =
            UctSearch::<6>::new(&game, &config, playouts, 1, Tree::new(config.extras()));
        let (mut prunings, mut places, mut out) = (0, 0, Vec::new());
        let (mut visited, mut root_visits) = (vec![], 0);
        loop {
            match search.select() {
                Request::Playout { simulation, job } => out.push((simulation, job)),
                Request::Wait => {
                    let (simulation, job) = out.remove(0);
                    search.update(simulation, &scalar::play(&job));
                }
                Request::Pause => {}
                Request::Done => break,
            }
            let tree = search.tree();
            // The root's own children, and blocks that they outgrew, may be more
            // than what is allowed.
            let most = if size == 5 { 1_000 } else { 1_400 };
            assert!(tree.len() <= most, "{text}: {} nodes", tree.len());
            let now: Vec<(Move, u32)> =
                tree.children(Tree::ROOT).map(|c| (tree.mv(c), tree.visits(c))).collect();
            if tree.len() < places {
                prunings += 1;
                // Each of the root's moves has what it had, and at most what
                // this call added: simulations may end in the tree.
                let gained = tree.visits(Tree::ROOT) - root_visits;
                for ((mv, visits), (same, before)) in now.iter().zip(&visited) {
                    assert_eq!(mv, same);
                    assert!(
                        (*before..=before + gained).contains(visits),
                        "{text}: {mv} had {before} visits, now {visits}"
                    );
                }
            }
            (places, visited) = (tree.len(), now);
            root_visits = tree.visits(Tree::ROOT);
        }
        assert!(prunings > 1, "{text}: {prunings} prunings");
        assert_eq!(search.simulations(), playouts);
        let visits: u32 = search.tree().children(0).map(|child| search.tree().visits(child)).sum();
        assert_eq!(u64::from(visits), playouts, "{text}");
    }
}

#[test]
fn a_leaf_has_several_playouts_and_all_of_them_count() {
    let game = empty(5, "2.5");
    let config = with_playouts(103, "leaf_playouts = 4");
    let mut search = UctSearch::<1>::new(&game, &config, 103, 9, Tree::default());
    let (mut starts, mut seeds) = (Vec::new(), HashSet::new());
    while let Request::Playout { simulation, job } = search.select() {
        assert_eq!(job.seed, mix(9, simulation));
        assert!(seeds.insert(job.seed));
        starts.push(job.start);
        // All four are out at once.
        let mut out = vec![simulation];
        while let Request::Playout { simulation, job } = search.select() {
            assert!(seeds.insert(job.seed));
            starts.push(job.start);
            out.push(simulation);
        }
        assert_eq!(out.len(), if simulation == 100 { 3 } else { 4 }, "the last leaf has the rest");
        let before = search.tree().reward(Tree::ROOT);
        for (place, &simulation) in out.iter().enumerate().rev() {
            // White wins the first and Black the others.
            search.update(simulation, &result(if place == 0 { -9 } else { 9 }));
        }
        assert_eq!(search.tree().reward(Tree::ROOT) - before, 1.0, "White's one win");
    }
    assert!(starts.chunks(4).all(|leaf| leaf.iter().all(|start| *start == leaf[0])));
    let tree = search.tree();
    assert_eq!(u64::from(tree.visits(Tree::ROOT)), 103);
    let odd = tree.children(Tree::ROOT).filter(|&child| tree.visits(child) % 4 != 0).count();
    assert_eq!(odd, 1);
}
