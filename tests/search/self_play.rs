//! What makes games of self-play differ: noise at the root, and moves drawn by their visits.

use super::judged_by_playouts::{quarter, some_games, together, uct};
use tengen::go::Game;
use tengen::search::root_noise::RootNoise;
use tengen::search::tree::Tree;
use tengen::search::{SearchReport, UctConfig, shared, signature};
use tengen::seed::mix;

fn puct(settings: &str) -> UctConfig {
    uct(&format!(
        "uct:selection=puct,rave=none,expansion=1,first_play=0.5,exploration=1000,{settings}"
    ))
}

fn with_noise(config: &UctConfig, noise: &str) -> UctConfig {
    UctConfig { root_noise: noise.parse().unwrap(), ..config.clone() }
}

/// With a great constant the second simulation goes to the move of the highest prior, where that of
/// the first one counts half.
#[test]
fn selection_at_the_root_reads_priors_with_noise() {
    let evaluated = UctConfig {
        exploration: 1_000.0,
        first_play: "0.5".parse().unwrap(),
        ..UctConfig::with_evaluator(quarter())
    };
    for config in [puct("prior=none"), puct("prior=heuristic:10"), evaluated] {
        let mut moved = 0;
        for (game, seed) in some_games(5).iter().zip(0..) {
            let config = with_noise(&config, "0.3:0.9");
            let found = together(&vec![game.clone(); seed + 1], &config, 2).pop().unwrap();
            let children = found.tree.children(Tree::ROOT);
            let priors = found.tree.columns(children.clone()).priors;
            let noise = RootNoise::Dirichlet { alpha: 0.3, share: 0.9 };
            let mixed = noise.noisy(mix(seed as u64, u64::MAX - 1), priors, children.len());
            // The first simulation is the evaluation of the root, or goes to the first child.
            let met = |child: usize| child == 0 && config.evaluator.is_none();
            let worth = |child: usize| mixed[child] / if met(child) { 2.0 } else { 1.0 };
            let best = (0..children.len())
                .reduce(|best, child| if worth(child) > worth(best) { child } else { best });
            let best = best.unwrap();
            assert!(found.tree.visits(children.start + best) > 0, "{best}");
            moved += usize::from(best > 1);
        }
        assert!(moved > 0);
    }
}

fn search(
    game: &Game,
    config: &UctConfig,
    seed: u64,
    kept: Vec<Tree>,
) -> (SearchReport, Vec<Tree>) {
    shared::search(game, config, seed, kept, None).unwrap()
}

#[test]
fn noise_is_each_workers_own_and_that_of_a_kept_root_too() {
    let game = some_games(5).remove(1);
    for config in [puct("prior=none,simulations=200"), UctConfig::with_evaluator(quarter())] {
        let config = UctConfig { exploration: 1.0, simulations: Some(200), workers: 2, ..config };
        let noisy = with_noise(&config, "0.1:0.5");
        let visits = |tree: &Tree| -> Vec<u32> {
            tree.children(Tree::ROOT).map(|child| tree.visits(child)).collect()
        };
        let (_, trees) = search(&game, &noisy, 3, Vec::new());
        assert_ne!(visits(&trees[0]), visits(&trees[1]));
        let (_, again) = search(&game, &noisy, 3, Vec::new());
        assert_eq!(signature::of(&trees), signature::of(&again));
        let (_, plain) = search(&game, &config, 3, Vec::new());
        assert_ne!(signature::of(&trees), signature::of(&plain));

        // The tree has the priors without noise.
        let priors = |tree: &Tree| tree.columns(tree.children(Tree::ROOT)).priors.to_vec();
        assert_eq!(priors(&trees[0]), priors(&plain[0]));

        // The same tree is continued with noise and without.
        let kept = |trees: &[Tree]| trees.to_vec();
        let (_, one) = search(&game, &noisy, 4, kept(&plain));
        let (_, other) = search(&game, &noisy, 5, kept(&plain));
        let (_, without) = search(&game, &config, 4, kept(&plain));
        assert_ne!(visits(&one[0]), visits(&other[0]));
        assert_ne!(visits(&one[0]), visits(&without[0]));
    }
}
