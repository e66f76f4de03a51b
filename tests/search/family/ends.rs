//! Leaves of several playouts.

use super::*;
use std::collections::HashSet;
use tengen::search::tree::Tree;
use tengen::search::uct::UctSearch;
use tengen::search::{Request, Search};
use tengen::seed::mix;

fn with_playouts(playouts: u64, text: &str) -> UctConfig {
    UctConfig { simulations: Some(playouts), ..config(text) }
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
