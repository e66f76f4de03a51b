//! How a search ends and what comes of it: resignation, the final move, and leaves of
//! several playouts.

use super::*;
use std::collections::HashSet;
use tengen::bots::Decision;
use tengen::go::{Color, Ko, Move};
use tengen::search::RootMove;
use tengen::search::tree::Tree;
use tengen::search::uct::UctSearch;
use tengen::search::{Request, Search};
use tengen::seed::mix;

fn with_playouts(playouts: u64, text: &str) -> UctConfig {
    UctConfig { playouts: Some(playouts), ..config(text) }
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
