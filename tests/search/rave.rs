//! Trees that all-moves-as-first grows.

use super::common::*;
use tengen::go::{Color, Game, Ko};
use tengen::search::UctConfig;
use tengen::search::config::Expansion;
use tengen::search::tree::Tree;

fn configs() -> Vec<UctConfig> {
    let rave = |text: &str| UctConfig { rave: text.parse().unwrap(), ..uct(2_000) };
    let cells = UctConfig { exploration: 0.0, ..rave("equivalence:300") };
    vec![
        cells.clone(),
        UctConfig { first_play: "0.6".parse().unwrap(), ..cells.clone() },
        UctConfig { in_flight: 8, expansion: 3, ..cells.clone() },
        UctConfig { exploration: 0.3, ..cells.clone() },
        UctConfig { exploration: 0.1, in_flight: 5, ..rave("min-mse:0.02") },
        UctConfig { proofs: true, ..cells.clone() },
        UctConfig { prior: "heuristic:10".parse().unwrap(), ..cells },
    ]
}

/// The moves in a tree are legal, no node has one twice, and visits add up.
#[test]
fn every_way_to_grow_keeps_the_rules_and_counts() {
    let games = [
        empty(5, "2.5"),
        drawn(SEND_TWO, Color::White, Ko::Psk, "0.5"),
        drawn(TRIPLE_KO, Color::Black, Ko::Ssk, "0.5"),
        drawn(ETERNAL_LIFE, Color::Black, Ko::Simple, "0.5"),
    ];
    for config in configs() {
        assert_eq!(config.growth(), Expansion::ByAmaf);
        for (number, game) in games.iter().enumerate() {
            let tree = tree_of(game, &config, 3);
            if !config.proofs {
                assert_counts(&tree, 2_000, config.expansion);
            }
            let mut legal = 0;
            walk(&tree, Tree::ROOT, &mut game.clone(), &mut |_, _| legal += 1);
            assert_eq!(legal, tree.len(), "{config:?}, game {number}");
            assert_eq!(rows(&tree), rows(&tree_of(game, &config, 3)));
        }
    }
}

#[test]
fn a_full_tree_stays_within_its_bounds() {
    for config in configs() {
        let config = UctConfig { max_nodes: 1_000, ..config };
        let tree = tree_of(&empty(5, "2.5"), &config, 3);
        assert_eq!(tree.visits(Tree::ROOT), 2_000, "{config:?}");
        // The root gets its children whatever there is: blocks of up to 32.
        assert!(tree.len() <= 1_000 + 63, "{config:?}: {} nodes", tree.len());
        assert!(tree.len() > 300, "{config:?}: {} nodes", tree.len());
    }
}

/// Few bytes for each move that a node of the tree might make.
#[test]
fn memory() {
    let config = &configs()[0];
    let game: Game = empty(9, "7.5");
    let tree = tree_of(&game, &UctConfig { simulations: Some(4_000), ..config.clone() }, 3);
    let mut moves = 0;
    walk(&tree, Tree::ROOT, &mut game.clone(), &mut |node, game| {
        let selects = !tree.children(node).is_empty();
        moves += if selects { game.sensible_points().count() as usize + 1 } else { 0 };
    });
    let bytes = tree.below(Tree::ROOT).bytes();
    assert!(bytes < 14 * moves, "{bytes} bytes for {moves} moves");
}
