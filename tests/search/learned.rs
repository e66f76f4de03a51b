//! Probabilities of moves and learned priors against the lists of their features.

use super::common::*;
use super::features::{SIZES, of_random_games, tengen_rules};
use std::collections::BTreeSet;
use std::fs;
use tempfile::{TempDir, tempdir};
use tengen::features::feature::{self, Feature};
use tengen::features::{Row, Weights, WeightsFile};
use tengen::go::{Bits, Board, Game, Move, Size, with_words};
use tengen::search::prior::{Prior, Recent};
use tengen::search::tree::Tree;
use tengen::search::uct::UctSearch;
use tengen::search::{Request, Search, SearchControl, UctConfig};
use tengen::seed::mix;

/// A weight for every feature, from −2 to 2.
fn weights(seed: u64) -> Vec<Row> {
    let all = (0..feature::FEATURES).map(|number| Feature::try_from(number).unwrap());
    all.map(|feature| {
        let part = mix(seed, feature.into()) % 40_001;
        let weight = f32::from(u16::try_from(part).unwrap()) / 10_000.0 - 2.0;
        Row { feature, weight, seen: 1, chosen: 0.5 }
    })
    .collect()
}

/// Exp of the sums of the weights of the features of each move, divided by its sum: in f64, and by the
/// lists of features. The pass is the last.
fn softmax<const W: usize>(
    rows: &[Row],
    board: &Board<W>,
    recent: Recent,
    plays: Bits<W>,
) -> Vec<(Move, f64)> {
    let position = feature::Position::new(board, recent);
    let odds = |features: &[Feature]| -> f64 {
        features.iter().map(|&of| f64::from(rows[of as usize].weight)).sum::<f64>().exp()
    };
    let of_play = |at: usize| {
        let mut features = Vec::new();
        position.of_play(at, &mut features);
        (Move::Play(Bits::<W>::vertex(at)), odds(&features))
    };
    let mut all: Vec<(Move, f64)> = plays.iter().map(of_play).collect();
    let mut features = Vec::new();
    position.of_pass(plays.count(), &mut features);
    all.push((Move::Pass, odds(&features)));
    let sum: f64 = all.iter().map(|(_, odds)| odds).sum();
    all.into_iter().map(|(mv, odds)| (mv, odds / sum)).collect()
}

#[test]
fn probabilities_are_a_softmax_of_the_sums_of_weights() {
    let rows = weights(7);
    let weights = Weights::new(rows.clone());
    for (width, height) in SIZES {
        let size = Size::new(width, height).unwrap();
        let rules = tengen_rules(size);
        with_words!(size, W => of_random_games::<W>(size, 3, |board, _, recent| {
            // A point of simple ko is no candidate under any rule.
            let legal = board.legal_points(rules) - board.ko_set();
            let found = weights.probabilities(board, recent, board.empty());
            let mut all = f64::from(found.of_pass());
            for (mv, expected) in softmax(&rows, board, recent, legal) {
                let probability = f64::from(found.of(mv));
                let error = (probability / expected - 1.0).abs();
                assert!(error < 1e-4, "{mv}: {probability} and {expected}\n{board}");
                if mv != Move::Pass {
                    all += probability;
                }
            }
            // What is illegal has none.
            assert!((all - 1.0).abs() < 1e-5, "{all}\n{board}");
            let others = board.empty() - legal;
            assert!(others.iter().all(|at| found.of_point(at) == 0.0), "{board}");
            // Candidates alone share the probability.
            let few = legal - Bits::edge(size);
            let found = weights.probabilities(board, recent, few);
            for (mv, expected) in softmax(&rows, board, recent, few) {
                assert!((f64::from(found.of(mv)) / expected - 1.0).abs() < 1e-4, "{mv}\n{board}");
            }
        }));
    }
}

/// A folder with a weights file, and the prior of it.
fn file(counting: &str) -> (TempDir, Vec<Row>, Prior) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("w.txt");
    // One line for all that are symmetric to each other, as files have it.
    let is_itself = |row: &Row| {
        let (kind, name) = feature::name(row.feature);
        feature::named(kind, &name) == Some(row.feature)
    };
    let mut rows = weights(9);
    let kept = rows.iter().copied().filter(is_itself).collect();
    fs::write(&path, WeightsFile::new(kept, Vec::new()).to_text()).unwrap();
    rows.iter_mut().filter(|row| !is_itself(row)).for_each(|row| row.weight = f32::NAN);
    let prior = format!("learned:{}:{counting}", path.display()).parse().unwrap();
    (folder, rows, prior)
}

fn recent_of(game: &Game) -> Recent {
    Recent::of(game.moves().rev().map(|(_, mv)| mv))
}

/// How far the root of a probability may be from its byte: half a step, or a whole one near 0.
fn rounding(root: f64) -> f64 {
    if root < 0.5 / 255.0 { 1.0 / 255.0 } else { 0.502 / 255.0 }
}

#[test]
fn learned_priors_are_the_first_counts_of_all_moves_as_first() {
    let mut game = empty(5, "2.5");
    play_all(&mut game, "C3 C2 D2");
    for (counting, even, weight) in
        [("14:60", 14.0, 60.0), ("0:300", 0.0, 300.0), ("40:0", 40.0, 0.0)]
    {
        let (_folder, rows, prior) = file(counting);
        let config = config("rave = 'equivalence:300'\nexpansion = 1");
        let config = UctConfig { prior, ..config };
        let mut search = UctSearch::<1>::new(&game, &config, 9, 1, Tree::new(config.extras()));
        assert!(matches!(search.select(), Request::Playout { .. }));
        let board: Board<1> = game.board().repacked();
        let expected = softmax(&rows, &board, recent_of(&game), board.empty());
        let counted: Vec<_> = search.tree().amaf().counted(Tree::ROOT).collect();
        // Three points are taken, and the pass may be made.
        assert_eq!((counted.len(), expected.len()), (25 - 3 + 1, 25 - 3 + 1));
        for (mv, visits, reward) in counted {
            let (visits, reward) = (f64::from(visits), f64::from(reward));
            if mv == Move::Pass {
                assert_eq!((visits, reward), (20.0, 2.0));
                continue;
            }
            let (_, p) = expected.iter().find(|(of, _)| *of == mv).unwrap();
            let most = weight * rounding(p.sqrt()) + 1e-3;
            let error = (visits - (even + weight * p.sqrt())).abs();
            assert!(error <= most, "{mv}, {counting}: {visits} visits, off by {error}");
            let error = (reward - (even / 2.0 + weight * p.sqrt())).abs();
            assert!(error <= most, "{mv}, {counting}: {reward} rewards, off by {error}");
        }
    }
}

/// Also of nodes of a kept tree, whose root has other moves before it than the one of the game that was
/// searched first.
#[test]
fn puct_reads_the_probabilities_divided_by_their_sum() {
    let (_folder, rows, prior) = file("14:60");
    let mut game = empty(5, "2.5");
    play_all(&mut game, "C3 C2 D2");
    let config = UctConfig {
        prior,
        simulations: Some(400),
        ..config("selection = 'puct'\nexploration = 1\nfirst_play = 0.5")
    };
    let tree = tree_of(&game, &config, 1);
    let line = tree.principal_variation(Tree::ROOT);
    let node = line[..2].iter().fold(Tree::ROOT, |node, &mv| tree.child(node, mv).unwrap());
    let kept = tree.below(node);
    let mut later = game.clone();
    line[..2].iter().for_each(|&mv| later.play(later.to_play(), mv).unwrap());
    let mut search = UctSearch::<1>::new(&later, &config, 400, 2, kept);
    run(&mut search);
    let grown = Box::new(search).report().tree;
    for (game, tree) in [(game, tree), (later, grown)] {
        let mut seen = 0;
        walk(&tree, Tree::ROOT, &mut game.clone(), &mut |node, game| {
            let children = tree.children(node);
            if children.is_empty() {
                return;
            }
            let board: Board<1> = game.board().repacked();
            let plays: BTreeSet<usize> = children
                .clone()
                .filter_map(|child| match tree.mv(child) {
                    Move::Play(vertex) => Some(Bits::<1>::index(vertex)),
                    Move::Pass => None,
                })
                .collect();
            let plays = plays.iter().fold(Bits::EMPTY, |all, &at| all | Bits::point(at));
            let expected = softmax(&rows, &board, recent_of(game), plays);
            let sum: f64 = expected
                .iter()
                .map(|(_, p)| ((255.0 * p.sqrt()).round().max(1.0) / 255.0).powi(2))
                .sum();
            let columns = tree.columns(children.clone());
            assert!((columns.priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            for (child, &prior) in children.zip(columns.priors) {
                let (_, p) = expected.iter().find(|(mv, _)| *mv == tree.mv(child)).unwrap();
                let root = (f64::from(prior) * sum).sqrt();
                let error = (root - p.sqrt()).abs();
                assert!(error < rounding(p.sqrt()) + 1e-4, "{}: {root}, {p}", tree.mv(child));
                seen += 1;
            }
        });
        assert!(seen > 100, "{seen}");
    }
}
