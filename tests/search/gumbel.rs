//! The selection formulas `gumbel` and `gumbel-unscaled`: whole searches against a slow twin, which is written after
//! mctx: an array over all legal moves at each node.

use super::common::*;
use super::evaluators::{TwinNode as Node, argmax, children, config};
use rand::distr::{Distribution, Open01};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::collections::BTreeMap;
use tengen::go::{Bits, Game, Move, Preset, Size};
use tengen::search::tree::Tree;
use tengen::search::{FinalMove, SearchReport, UctConfig, final_move, root_parallel};
use tengen::seed::mix;

/// A search by the twin.
struct Twin {
    moves: usize,
    visits: f64,
    scale: f64,
    is_rescaled: bool,
    /// Visits of the considered moves by the number of the selection at the root.
    considered: Vec<u32>,
    /// For each child of the root.
    draws: Vec<f64>,
}

fn softmax(logits: &[f64]) -> Vec<f64> {
    let powers: Vec<f64> = logits.iter().map(|logit| logit.exp()).collect();
    let sum: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

impl Twin {
    /// σ of the completed values of the children of `node`.
    fn completed(&self, node: &Node) -> Vec<f64> {
        let children = node.children.as_deref().unwrap();
        let visited = || children.iter().filter(|(.., child)| child.visits > 0);
        let all: f64 = visited().map(|(.., child)| f64::from(child.visits)).sum();
        let priors: f64 = visited().map(|(_, prior, _)| f64::from(*prior)).sum();
        let mean = |child: &Node| child.rewards / f64::from(child.visits);
        let of_priors: f64 =
            visited().map(|(_, prior, child)| f64::from(*prior) * mean(child) / priors).sum();
        let mixed = (node.value + all * of_priors) / (all + 1.0);
        let mut completed: Vec<f64> = children
            .iter()
            .map(|(.., child)| if child.visits > 0 { mean(child) } else { mixed })
            .collect();
        if self.is_rescaled {
            let least = completed.iter().copied().fold(f64::INFINITY, f64::min);
            let most = completed.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            for value in &mut completed {
                *value = (*value - least) / (most - least).max(1e-8);
            }
        }
        let most = children.iter().map(|(.., child)| child.visits).max().unwrap();
        let scale = (self.visits + f64::from(most)) * self.scale;
        completed.into_iter().map(|value| scale * value).collect()
    }

    fn logits(&self, node: &Node) -> Vec<f64> {
        let children = node.children.as_deref().unwrap();
        let completed = self.completed(node).into_iter();
        completed
            .zip(children)
            .map(|(value, (_, prior, _))| f64::from(*prior).ln() + value)
            .collect()
    }

    fn select(&self, node: &Node, is_root: bool) -> usize {
        let children = node.children.as_deref().unwrap();
        let visits: Vec<u32> = children.iter().map(|(.., child)| child.visits).collect();
        let all: u32 = visits.iter().sum();
        let logits = self.logits(node);
        let urgency = |place: usize| {
            if !is_root {
                return softmax(&logits)[place] - f64::from(visits[place]) / f64::from(1 + all);
            }
            let considered = self.considered[all as usize];
            let is_considered = visits[place] == considered;
            if is_considered { logits[place] + self.draws[place] } else { f64::NEG_INFINITY }
        };
        argmax(&(0..children.len()).map(urgency).collect::<Vec<_>>())
    }
}

/// The visits of the considered moves, as mctx lists them.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a few rounds
fn considered(moves: usize, simulations: usize) -> Vec<u32> {
    if moves <= 1 {
        return (0..).take(simulations).collect();
    }
    let rounds = (moves as f64).log2().ceil() as usize;
    let (mut listed, mut visits, mut considered) = (Vec::new(), vec![0; moves], moves);
    while listed.len() < simulations {
        for _ in 0..(simulations / (rounds * considered)).max(1) {
            listed.extend_from_slice(&visits[..considered]);
            visits[..considered].iter_mut().for_each(|visits| *visits += 1);
        }
        considered = (considered / 2).max(2);
    }
    listed.truncate(simulations);
    listed
}

/// A search by the bot of these settings, and its report with all moves.
fn search(game: &Game, settings: &str, seed: u64) -> (SearchReport, Vec<Tree>) {
    let config = gumbel(settings);
    let searches = vec![root_parallel::begin_one(
        game,
        &config,
        config.simulations.unwrap(),
        seed,
        Tree::new(config.extras()),
    )];
    let results = tengen::search::driver::run(game.size(), searches).unwrap();
    let (mut report, trees) = root_parallel::report(game, results, 0.0);
    report.add_details(game.size(), trees.iter());
    (report, trees)
}

/// A search by the evaluator of the twin with these settings in place of its own.
fn gumbel(settings: &str) -> UctConfig {
    let mut config = config(16, 1);
    for setting in settings.split(',') {
        match setting.split_once('=').unwrap() {
            ("selection", formula) => config.selection = formula.parse().unwrap(),
            ("simulations", count) => config.simulations = Some(count.parse().unwrap()),
            ("in_flight", count) => config.in_flight = count.parse().unwrap(),
            (key, _) => panic!("{key}"),
        }
    }
    config.validate().unwrap();
    config
}

#[test]
#[allow(clippy::cast_possible_truncation)] // small numbers
fn a_thousand_searches_equal_their_slow_twins() {
    let (mut lines, mut halved) = (0, 0);
    for seed in 0..1_000 {
        let draw = |number: u64, below: u64| mix(seed, number) % below;
        let (width, height) = [(2, 2), (3, 2), (3, 3), (4, 3), (4, 4)][draw(0, 5) as usize];
        let size = Size::new(width, height).unwrap();
        let preset = if draw(1, 2) == 0 { Preset::Tengen } else { Preset::TrompTaylor };
        let mut game = Game::new(size, rules(preset, size, "0.5"));
        for ply in 0..draw(2, 4) {
            let points: Vec<usize> = game.sensible_points().iter().collect();
            let Some(&index) = points.get(draw(10 + ply, 16) as usize) else { break };
            game.play(game.to_play(), Move::Play(Bits::<6>::vertex(index))).unwrap();
        }
        let (moves, simulations) = (1 + draw(3, 17) as usize, 2 + draw(4, 60) as usize);
        let (is_rescaled, scale) = (draw(5, 2) == 0, [0.05, 0.1, 1.0][draw(6, 3) as usize]);
        let noise = [0.0, 0.5, 1.0][draw(7, 3) as usize];
        let name = if is_rescaled { "gumbel" } else { "gumbel-unscaled" };
        let what = format!(
            "selection={name}:{moves}:50:{scale}:{noise},simulations={simulations},in_flight=1"
        );
        let (report, trees) = search(&game, &what, seed);

        let count = children(&game).len();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(mix(seed, u64::MAX - 2));
        let mut gumbel = || -> f64 {
            let uniform: f64 = Open01.sample(&mut random);
            -(-uniform.ln()).ln() * noise
        };
        let mut twin = Twin {
            moves: moves.min(count),
            visits: 50.0,
            scale,
            is_rescaled,
            considered: Vec::new(),
            draws: (0..count).map(|_| gumbel()).collect(),
        };
        twin.considered = considered(twin.moves, simulations - 1);
        let mut root = Node::default();
        for _ in 0..simulations {
            root.simulate(&game, true, &|node, is_root| twin.select(node, is_root));
        }
        lines += root.assert_equal(&trees[0], &format!("{seed}: {what}"));
        let policy = softmax(&twin.logits(&root));
        let all = root.children.as_deref().unwrap();
        let known: BTreeMap<Move, f64> = report
            .moves
            .iter()
            .chain(&report.unvisited)
            .map(|it| (it.mv, it.improved.unwrap().policy))
            .collect();
        assert_eq!(known.len(), all.len(), "{seed}: {what}");
        for ((mv, ..), expected) in all.iter().zip(policy) {
            assert!((known[mv] - expected).abs() < 1e-5, "{seed}: {what}: {mv}");
        }
        let most = all.iter().map(|(.., child)| child.visits).max().unwrap();
        let logits = twin.logits(&root);
        let worth = |place: usize| {
            let is_most = all[place].2.visits == most;
            if is_most { logits[place] + twin.draws[place] } else { f64::NEG_INFINITY }
        };
        let best = argmax(&(0..all.len()).map(worth).collect::<Vec<_>>());
        assert_eq!(report.moves[0].mv, all[best].0, "{seed}: {what}");
        halved += usize::from(twin.moves > 2 && simulations > 2 * twin.moves);
    }
    assert!(lines > 15_000 && halved > 300, "{lines} nodes, {halved} searches with later rounds");
}

/// With as many simulations as moves each of the best is visited once, and the best by its value too is played.
#[test]
fn the_move_that_is_played_is_the_best_of_those_visited_most() {
    // Black is ahead, so that the pass may be played.
    let game = empty(3, "-0.5");
    let mut by_value = 0;
    for seed in 0..50 {
        let (report, _) = search(&game, "selection=gumbel:4:50:0.1:1,simulations=5", seed);
        let visits: Vec<u64> = report.moves.iter().map(|it| it.visits).collect();
        assert_eq!(visits, [1; 4]);
        let worths: Vec<f64> = report.moves.iter().map(|it| it.improved.unwrap().worth).collect();
        assert!(worths.is_sorted_by(|one, other| one >= other), "{worths:?}");
        assert_eq!(final_move::choose(&game, &report, FinalMove::default()), report.moves[0].mv);
        let value = |place: usize| report.moves[place].value();
        by_value += u32::from(value(0) < value(1));
    }
    assert!((5..45).contains(&by_value), "the noise decides too: {by_value}");
}

/// Leaves in flight are visits that are lost until they are answered; the plan counts them.
#[test]
fn with_leaves_in_flight_each_round_visits_its_moves_equally() {
    let game = empty(4, "0.5");
    for seed in 0..20 {
        // The first four judge the root.
        let settings = "selection=gumbel:8:50:0.1:1,simulations=52,in_flight=4";
        let (report, _) = search(&game, settings, seed);
        let visits: Vec<u64> = report.moves.iter().map(|it| it.visits).collect();
        // 48 simulations in 3 rounds: 8 moves twice, 4 of them 4 times more, 2 of these 8 times more.
        assert_eq!(visits, [14, 14, 6, 6, 2, 2, 2, 2], "seed {seed}");
    }
}

/// All simulations judge the root: what is played is the move of the highest prior, and no pass.
#[test]
fn a_search_that_visits_no_move_plays_by_the_priors() {
    for settings in ["simulations=1,in_flight=1", "simulations=8,in_flight=8"] {
        for komi in ["0.5", "-0.5"] {
            let game = empty(4, komi);
            let (report, _) = search(&game, settings, 1);
            assert!(report.moves.is_empty());
            let children = children(&game);
            let may_pass = komi == "-0.5";
            let best = children.iter().find(|(mv, ..)| may_pass || *mv != Move::Pass).unwrap().0;
            assert_eq!(final_move::choose(&game, &report, FinalMove::default()), best);
            assert_eq!(final_move::draw(&game, &report, 1.0, 7), best);
        }
    }
}
