//! Checks every number of an opened node against its parts, and against the next simulation.

use super::*;
use crate::driver;
use crate::prior::Prior;
use crate::root_parallel::begin_one;
use crate::search::AnySearch;
use crate::select::{Fpu, Rave, Selection};
use crate::trace::{Outcome, TracedSimulation};
use crate::{UctConfig, signature};
use tengen_go::{Game, Komi, Move, Preset, Rules, Score, Size};

/// Configurations each of which uses another part of selection.
fn configs() -> Vec<UctConfig> {
    let rave = UctConfig::default;
    let plain = || UctConfig { expansion: 2, ..UctConfig::plain() };
    let alone = || UctConfig { prior_exploration: 0.0, exploration: 0.1, ..rave() };
    let priors = || UctConfig { rave: Rave::None, ..alone() };
    let puct =
        || UctConfig { selection: Selection::built_in("puct"), exploration: 1.0, ..priors() };
    let noise = "0.3:0.25".parse().unwrap();
    let by_priors = || UctConfig { prior_exploration: 0.3, ..alone() };
    vec![
        rave(),
        UctConfig { exploration: 0.0, ..alone() },
        UctConfig { prior: Prior::default(), rave: Rave::Equivalence(50.0), ..alone() },
        UctConfig { rave: Rave::MinMse(0.03), ..rave() },
        UctConfig { rave: Rave::MinMse(0.5), exploration: 0.0, in_flight: 3, ..alone() },
        plain(),
        UctConfig { first_play: Fpu::Constant(1.1), expansion: 1, ..plain() },
        UctConfig { first_play: Fpu::Parent(-0.1), ..plain() },
        UctConfig { selection: Selection::built_in("ucb1-tuned"), exploration: 0.7, ..priors() },
        UctConfig { selection: Selection::built_in("kl-ucb"), ..plain() },
        UctConfig { selection: Selection::built_in("thompson"), ..plain() },
        UctConfig { first_play: Fpu::Parent(-0.1), ..puct() },
        UctConfig { first_play: Fpu::Constant(0.4), root_noise: noise, ..puct() },
        UctConfig {
            selection: Selection::built_in("gumbel"),
            first_play: Fpu::Parent(-0.1),
            ..puct()
        },
        UctConfig { transpositions: true, ..plain() },
        UctConfig { transpositions: true, proofs: true, expansion: 1, ..rave() },
        UctConfig { in_flight: 4, leaf_playouts: 2, expansion: 4, ..rave() },
        by_priors(),
        UctConfig { exploration: 0.0, expansion: 1, ..by_priors() },
        UctConfig { rave: Rave::MinMse(0.03), proofs: true, in_flight: 3, ..by_priors() },
    ]
}

fn game(moves: &str) -> Game {
    let size = Size::square(5).unwrap();
    let rules = Rules::new(Preset::Tengen, size, Komi::from_half_points(5).unwrap());
    let mut game = Game::new(size, rules);
    for mv in moves.split_whitespace() {
        game.play(game.to_play(), mv.parse().unwrap()).unwrap();
    }
    game
}

fn begin(game: &Game, config: &UctConfig) -> AnySearch {
    begin_one(game, config, u64::MAX, 1, Tree::new(config.extras()))
}

fn advance(search: AnySearch, size: Size, simulations: u64) -> AnySearch {
    let mut search = search;
    search.suspend_after(simulations);
    driver::advance(size, vec![search], &|| false).unwrap().remove(0)
}

/// Makes the next simulation, and returns what it did.
fn next(search: AnySearch, size: Size, config: &UctConfig) -> (AnySearch, TracedSimulation) {
    let mut search = search;
    let number = search.simulations();
    search.trace(number);
    let last = number + u64::from(config.in_flight * config.leaf_playouts);
    let mut search = advance(search, size, last);
    let traced = search.traced().expect("a simulation that is backed up");
    assert_eq!(traced.number, number);
    (search, traced)
}

fn near(one: f64, other: f64) -> bool {
    one == other || (one - other).abs() < 3e-6 * one.abs().max(1.0)
}

/// The mean of a move that the formula reads, by the definitions of RAVE and priors.
fn blended(config: &UctConfig, node: &OpenedNode, one: &OpenedMove, first_play: f64) -> f64 {
    let visits = f64::from(one.visits);
    let own = (one.visits > 0).then(|| one.reward / visits);
    let VirtualVisits { visits: weight, rewards: won } = one.prior_visits.unwrap_or_default();
    if let Some([rave_visits, rave_rewards]) = one.rave {
        let all = rave_visits + weight;
        let beta = match config.rave {
            Rave::Equivalence(k) => {
                let beta = (k / (3.0 * f64::from(node.visits) + k)).sqrt();
                assert!(near(beta, node.rave_weight.unwrap()));
                beta
            }
            Rave::MinMse(bias) => {
                assert_eq!(node.rave_weight, None);
                all / (visits + all + 4.0 * visits * all * bias.powi(2))
            }
            Rave::None => panic!("no RAVE"),
        };
        let amaf = (all > 0.0).then(|| (rave_rewards + won) / all);
        return match (own, amaf) {
            (Some(own), Some(amaf)) => (1.0 - beta) * own + beta * amaf,
            (own, amaf) => own.or(amaf).unwrap_or(first_play),
        };
    }
    let all = visits + weight;
    if all > 0.0 { (one.reward + won) / all } else { first_play }
}

/// What the formula, by its paper, and the setting `prior_exploration` add to the mean `m`.
fn explores(config: &UctConfig, node: &OpenedNode, one: &OpenedMove, m: f64) -> Option<f64> {
    let (n, all) = (f64::from(one.visits), f64::from(node.visits));
    let prior = one.prior.filter(|_| one.mv != Move::Pass).unwrap_or(0.0);
    let by_prior = config.prior_exploration * prior * all.sqrt() / (1.0 + n);
    let (c, width) = (config.exploration, all.max(1.0).ln() / n);
    let by_formula = match config.selection.text() {
        "ucb1" if n > 0.0 => c * width.sqrt(),
        "ucb1" => 0.0,
        "ucb1-tuned" if n > 0.0 => {
            let variance = (m - m * m + (2.0 * width).sqrt()).min(0.25);
            c * (width * variance).sqrt()
        }
        "puct" => c * one.prior? * all.sqrt() / (1.0 + n),
        _ => return None,
    };
    Some(by_formula + by_prior)
}

/// Recomputes every number of `node` from its parts.
fn check(config: &UctConfig, node: &OpenedNode) {
    // Gumbel's urgencies are shares less visits, not means plus exploration.
    let adds_to_mean = !config.selection.properties().plans_root;
    let virtual_mean = node.win_rate.map_or(0.5, |rate| {
        // The node's losses in flight are wins of its player to move.
        let results = f64::from(node.visits - node.pending);
        (rate * results + f64::from(node.pending)) / f64::from(node.visits)
    });
    let first_play = config.first_play.value(virtual_mean);
    let mut most = f64::NEG_INFINITY;
    for one in &node.moves {
        assert!(one.is_in_tree || one.visits == 0);
        if let Some(value) = one.urgency.value() {
            most = most.max(value);
        }
        let Urgency::Terms { value, terms } = one.urgency else { continue };
        assert!(near(terms.sum(), value), "{one:?}: {}", terms.sum());
        if one.visits > one.pending {
            let factor = terms.win_rate / one.win_rate.unwrap().max(1e-9);
            assert!((-1e-9..=1.0 + 1e-9).contains(&factor), "{one:?}");
        }
        assert!(one.pending == 0 || terms.virtual_loss <= 0.0, "{one:?}");
        if config.transpositions {
            continue;
        }
        assert_eq!(terms.transpositions, 0.0);
        let mean = blended(config, node, one, first_play);
        assert!(near(terms.mean(), mean), "{one:?}: {mean}");
        match explores(config, node, one, mean) {
            Some(more) if mean.is_finite() => {
                assert!(near(terms.exploration, more), "{one:?}: {more}");
            }
            _ => assert!(one.visits == 0 || !adds_to_mean || terms.exploration >= -1e-9),
        }
    }
    for one in &node.moves {
        let is_most = one.urgency.value().is_some_and(|value| near(value, most));
        assert!(is_most || !one.is_most_urgent, "{one:?}");
    }
}

#[test]
fn every_number_follows_from_its_parts_and_the_most_urgent_is_next() {
    for config in configs() {
        for moves in ["", "C3 B2 pass D4"] {
            let game = game(moves);
            let mut search = begin(&game, &config);
            for simulations in [1, 2, 9, 60, 61, 500] {
                search = advance(search, game.size(), simulations);
                let root = search.open(&[]).unwrap();
                check(&config, &root);
                assert_eq!(root.to_play, game.to_play());
                assert_eq!(u64::from(root.visits), search.simulations());
                let mut path = Vec::new();
                for &mv in &root.variation.clone() {
                    path.push(mv);
                    let node = search.open(&path).unwrap();
                    assert_eq!(node.path, path);
                    check(&config, &node);
                }
                let (advanced, traced) = next(search, game.size(), &config);
                search = advanced;
                check_trace(&config, &game, &traced);
                let first = &traced.selections[0];
                if !root.moves.is_empty() && first.moves.len() == root.moves.len() {
                    let chosen = root.moves.iter().find(|one| one.mv == traced.path[0]).unwrap();
                    assert!(chosen.is_most_urgent, "{config:?}: {chosen:?} of {root:#?}");
                }
            }
        }
    }
}

/// Checks that the parts of a simulation agree with each other.
fn check_trace(config: &UctConfig, game: &Game, traced: &TracedSimulation) {
    let has_leaf = traced.selections.len() == traced.path.len();
    assert!(has_leaf, "{traced:?}");
    let mut board = *game.board();
    for (place, (node, &mv)) in traced.selections.iter().zip(&traced.path).enumerate() {
        assert_eq!(node.path, traced.path[..place]);
        assert_eq!(node.to_play, board.to_play());
        check(config, node);
        let chosen = node.moves.iter().find(|one| one.mv == mv).unwrap();
        assert!(chosen.is_most_urgent, "{chosen:?} of {node:#?}");
        board.play_unchecked(mv);
    }
    if let Outcome::Playout(playout) = &traced.outcome {
        assert_eq!(playout.moves.len(), playout.plies as usize);
        assert_eq!(playout.to_play, board.to_play());
        playout.moves.iter().for_each(|&mv| board.play_unchecked(mv));
        assert_eq!(board.area_score(), playout.score);
        if traced.count == 1 {
            let lead = playout.score - game.rules().komi;
            let reward = f64::from(u8::from(lead.winner() == Some(game.to_play())));
            assert_eq!((lead == Score::default(), traced.reward), (false, reward));
        }
    }
    let mut own = traced.path.len().is_multiple_of(2);
    for node in &traced.back_up {
        assert_eq!(node.after.visits, node.before.visits + traced.count);
        // Nodes of even depth are those of the opponent's moves.
        let reward = if own { f64::from(traced.count) - traced.reward } else { traced.reward };
        assert!(near(node.after.reward - node.before.reward, reward), "{traced:?}");
        own = !own;
    }
    assert_eq!(traced.back_up.len(), traced.path.len() + 1);
}

/// Neither opening nodes nor tracing simulations changes a search.
#[test]
fn who_looks_changes_nothing() {
    for config in configs() {
        let game = game("C3");
        let mut seen = begin(&game, &config);
        for simulations in [1, 30, 200] {
            seen = advance(seen, game.size(), simulations);
            let root = seen.open(&[]).unwrap();
            for one in root.moves.iter().take(6) {
                let _ = seen.open(&[one.mv]);
            }
            seen = next(seen, game.size(), &config).0;
        }
        let total = seen.simulations();
        let unseen = advance(begin(&game, &config), game.size(), total);
        let trees = [seen, unseen].map(|search| signature::of(&[search.report().tree]));
        assert_eq!(trees[0], trees[1], "{config:?}");
    }
}

#[test]
fn what_is_not_in_the_tree_cannot_be_opened() {
    let (config, game) = (UctConfig::default(), game(""));
    let mut search = advance(begin(&game, &config), game.size(), 20);
    let all: Vec<Move> = search.open(&[]).unwrap().moves.iter().map(|one| one.mv).collect();
    assert_eq!(all.len(), 26, "{all:?}");
    let absent = search.open(&[]).unwrap().moves.iter().find(|one| !one.is_in_tree).unwrap().mv;
    assert_eq!(search.open(&[absent]), None);
    assert!(search.open(&["C3".parse().unwrap(), "C3".parse().unwrap()]).is_none());
}
