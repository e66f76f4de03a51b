//! Sharing against root parallelism, against counts by hand, and on any number of threads.

use super::{Borrowed, SharedSearch, UpperTree, search, sum};
use crate::root_parallel;
use crate::sharing::Sharing;
use crate::tree::Tree;
use crate::{SearchReport, UctConfig, driver};
use std::collections::BTreeSet;
use tengen_go::{Color, Game, Komi, Move, Preset, Rules, Size};

fn game() -> Game {
    let size = Size::square(5).unwrap();
    let mut game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
    for (color, mv) in [(Color::Black, "C3"), (Color::White, "D3")] {
        game.play(color, mv.parse().unwrap()).unwrap();
    }
    game
}

fn config(text: &str, workers: u32, playouts: u64) -> UctConfig {
    let sharing = text.parse().unwrap();
    UctConfig { sharing, workers, playouts: Some(playouts), ..UctConfig::default() }
}

fn untimed(report: &SearchReport) -> SearchReport {
    SearchReport { seconds: 0.0, bytes: 0, ..report.clone() }
}

fn play(text: &str) -> Move {
    text.parse().unwrap()
}

/// A tree of the root and its child C3, without visits.
fn small() -> Tree {
    let mut tree = Tree::default();
    tree.add_child(Tree::ROOT, play("C3"));
    tree
}

fn visit(tree: &mut Tree, count: u32, reward: f64) {
    for node in [Tree::ROOT, 1] {
        tree.visit(node, count);
        tree.reward_with(node, reward);
    }
}

#[test]
fn counts_by_hand() {
    let sharing: Sharing = "upper-tree:1:0.5:1".parse().unwrap();
    let mut trees = [small(), small()];
    let mut borrowed = [Borrowed::default(), Borrowed::default()];
    let mut published = [UpperTree::new(), UpperTree::new()];
    let mut exchange = |trees: &mut [Tree; 2], borrowed: &mut [Borrowed; 2], adds: [bool; 2]| {
        for worker in 0..2 {
            borrowed[worker].publish(&trees[worker], sharing, &mut published[worker]);
        }
        let all = sum(published.iter());
        for worker in (0..2).filter(|&worker| adds[worker]) {
            borrowed[worker].add::<1>(&mut trees[worker], &all, &published[worker]);
        }
    };
    let counts = |trees: &[Tree; 2]| trees.each_ref().map(|tree| (tree.visits(1), tree.reward(1)));
    visit(&mut trees[0], 30, 10.0);
    visit(&mut trees[1], 20, 15.0);
    // Worker 1 misses the first exchange, and makes up for it in the second.
    exchange(&mut trees, &mut borrowed, [true, false]);
    assert_eq!(counts(&trees), [(50, 25.0), (20, 15.0)]);
    visit(&mut trees[0], 25, 5.0);
    visit(&mut trees[1], 10, 2.5);
    exchange(&mut trees, &mut borrowed, [true, true]);
    assert_eq!(counts(&trees), [(85, 32.5); 2]);
    for (worker, tree) in trees.iter_mut().enumerate() {
        borrowed[worker].clone().withdraw(tree);
    }
    assert_eq!(counts(&trees), [(55, 15.0), (30, 17.5)]);
}

#[test]
fn only_the_upper_tree_is_shared() {
    let mut tree = Tree::default();
    tree.expand(Tree::ROOT, &[play("C3"), play("A1")]);
    let (below, seldom) = (tree.add_child(1, play("B2")), 2);
    visit(&mut tree, 100, 50.0);
    tree.visit(below, 60);
    tree.visit(seldom, 4);
    let shared = |text: &str| -> Vec<usize> {
        let mut published = UpperTree::new();
        Borrowed::default().publish(&tree, text.parse().unwrap(), &mut published);
        published.keys().map(Vec::len).collect()
    };
    assert_eq!(shared("upper-tree:1:0.05:1"), [0, 1]);
    assert_eq!(shared("upper-tree:1:0.05:2"), [0, 1, 2]);
    assert_eq!(shared("upper-tree:1:0.04:1"), [0, 1, 1]);
    assert_eq!(shared("upper-tree:1:0.7:2"), [0, 1]);
}

#[test]
fn one_round_is_root_parallel_search() {
    let game = game();
    for workers in [1, 3] {
        let shared = config("upper-tree:1000000:0.05:3", workers, 500);
        let root = UctConfig { sharing: Sharing::None, ..shared.clone() };
        let (one, trees) = search(&game, &shared, 7, None).unwrap();
        let (other, others) = root_parallel::search(&game, &root, 7, Vec::new(), None).unwrap();
        assert_eq!(untimed(&one), untimed(&other), "{workers} workers");
        assert_eq!(trees.len(), others.len());
    }
}

#[test]
fn threads_never_change_a_result() {
    let game = game();
    let more = [
        config("upper-tree:20:0.05:3", 5, 1_003),
        UctConfig { solver: true, ..config("upper-tree:7:0:2", 4, 600) },
        UctConfig { leaf_playouts: 3, ..config("upper-tree:20:0.1:5", 3, 500) },
        UctConfig {
            sharing: "upper-tree:20:0.05:3".parse().unwrap(),
            workers: 4,
            ..UctConfig::plain()
        },
    ];
    for config in more {
        let (alone, _) = search(&game, &config, 11, None).unwrap();
        assert_eq!(Some(alone.simulations), config.playouts);
        // Each counts its own simulations alone at the end.
        assert_eq!(alone.moves.iter().map(|mv| mv.visits).sum::<u64>(), alone.simulations);
        for threads in [1, 2, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (report, _) = search(&game, &config, 11, Some(&pool)).unwrap();
            assert_eq!(untimed(&report), untimed(&alone), "{threads} threads");
        }
        let root = UctConfig { sharing: Sharing::None, ..config };
        let (independent, _) = root_parallel::search(&game, &root, 11, Vec::new(), None).unwrap();
        assert_ne!(independent.moves, alone.moves, "sharing changes the search");
    }
}

#[test]
fn after_an_exchange_all_agree_on_what_they_share() {
    let (game, config) = (game(), config("upper-tree:50:0.05:2", 4, 1_000));
    let mut shared = SharedSearch::new(&config, 3);
    let mut agreed = 0;
    while let Some(jobs) = shared.next_round() {
        let searches = jobs.into_iter().map(|job| job.begin(&game, &config)).collect();
        let results = driver::run(game.size(), searches, None).unwrap();
        shared.end_round(&game, results);
        let all = sum(shared.workers.iter().map(|worker| &worker.published));
        for (path, total) in &all {
            let nodes = shared.workers.iter().filter_map(|worker| {
                let tree = &worker.result.tree;
                let node = path.iter().try_fold(Tree::ROOT, |node, &mv| tree.child(node, mv))?;
                // A worker that has not published the node counts visits of its own too.
                worker.published.contains_key(path).then(|| tree.visits(node))
            });
            let visits: BTreeSet<u32> = nodes.collect();
            if visits.len() == 1 && visits.contains(&total.visits) {
                agreed += 1;
            } else {
                // Nodes that fell below the share keep what was published last.
                assert!(visits.iter().all(|&visits| visits >= total.visits), "{path:?}");
            }
        }
    }
    assert!(agreed > 50, "{agreed} nodes agree");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let valid = config("upper-tree:20:0.05:3", 4, 100);
    assert_eq!(valid.validate(), Ok(()));
    for other in [
        UctConfig { in_flight: 2, ..valid.clone() },
        UctConfig { reuse: true, ..valid.clone() },
        UctConfig { transpositions: true, ..valid.clone() },
        UctConfig { when_full: crate::WhenFull::Prune, ..valid.clone() },
        UctConfig { final_move: crate::FinalMove::Robust, ..valid },
    ] {
        let fault = other.validate().unwrap_err().to_string();
        assert!(fault.starts_with("`sharing` is upper-tree:20:0.05:3: it must be none"), "{fault}");
    }
}
