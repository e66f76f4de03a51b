//! Compares sharing with root parallelism, and with counts by hand.

use super::{Borrowed, search, sum};
use crate::sharing::Sharing;
use crate::tree::Tree;
use crate::{SearchReport, UctConfig};
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
    UctConfig { sharing, workers, simulations: Some(playouts), ..UctConfig::default() }
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

/// Two workers that exchange what they have counted.
struct Pair {
    trees: [Tree; 2],
    borrowed: [Borrowed; 2],
    sharing: Sharing,
}

impl Pair {
    fn new(sharing: &str) -> Self {
        let borrowed = [Borrowed::default(), Borrowed::default()];
        Self { trees: [small(), small()], borrowed, sharing: sharing.parse().unwrap() }
    }

    /// An exchange whose result only the workers of `receivers` get.
    fn exchange(&mut self, receivers: &[usize]) {
        let publish =
            |worker: usize| self.borrowed[worker].publish(&self.trees[worker], self.sharing);
        let all = sum(&[publish(0), publish(1)]);
        for &worker in receivers {
            self.borrowed[worker].add(&mut self.trees[worker], 2, &all);
        }
    }

    /// Visits and rewards of C3 in the two trees.
    fn counts(&self) -> [(u32, f64); 2] {
        self.trees.each_ref().map(|tree| (tree.visits(1), tree.reward(1)))
    }
}

#[test]
fn counts_by_hand() {
    let mut pair = Pair::new("upper-tree:1:0.5:1");
    visit(&mut pair.trees[0], 30, 10.0);
    visit(&mut pair.trees[1], 20, 15.0);
    // The nodes are named first, then counted.
    pair.exchange(&[0, 1]);
    assert_eq!(pair.counts(), [(30, 10.0), (20, 15.0)]);
    // Worker 1 misses the second exchange, and makes up for it in the third. No worker has
    // fewer visits than it made itself.
    pair.exchange(&[0]);
    assert_eq!(pair.counts(), [(30, 15.0), (20, 15.0)]);
    visit(&mut pair.trees[0], 24, 5.0);
    visit(&mut pair.trees[1], 46, 2.5);
    pair.exchange(&[0, 1]);
    assert_eq!(pair.counts(), [(60, 16.25), (66, 17.875)]);
    let Pair { mut trees, borrowed, .. } = pair;
    for (tree, borrowed) in trees.iter_mut().zip(borrowed) {
        borrowed.withdraw(tree);
    }
    assert_eq!(
        trees.each_ref().map(|tree| (tree.visits(1), tree.reward(1))),
        [(54, 15.0), (66, 17.5)]
    );
}

/// A worker whose first simulations of a move lose leaves the move. If it did not publish these
/// losses, the other workers would overrate the move.
#[test]
fn a_worker_that_leaves_a_node_still_publishes_its_counts() {
    let mut pair = Pair::new("upper-tree:1:0.5:1");
    visit(&mut pair.trees[0], 10, 9.0);
    visit(&mut pair.trees[1], 4, 0.0);
    // Less than half of the worker's visits go to C3.
    pair.trees[1].visit(Tree::ROOT, 6);
    pair.exchange(&[0, 1]);
    pair.exchange(&[0, 1]);
    let [lucky, unlucky] =
        pair.trees.each_ref().map(|tree| tree.reward(1) / f64::from(tree.visits(1)));
    assert!((lucky - 9.0 / 14.0).abs() < 1e-3, "{lucky}");
    assert!((unlucky - 9.0 / 14.0).abs() < 1e-3, "{unlucky}");
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
        let published = Borrowed::default().publish(&tree, text.parse().unwrap());
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
        let (one, trees) = search(&game, &shared, 7, Vec::new(), None).unwrap();
        let (other, others) = search(&game, &root, 7, Vec::new(), None).unwrap();
        assert_eq!(untimed(&one), untimed(&other), "{workers} workers");
        assert_eq!(trees.len(), others.len());
    }
}
