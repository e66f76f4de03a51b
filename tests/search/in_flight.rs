//! A tree is a function of game, settings and seed, whoever drives the search,
//! with however many others, and in whatever order results come back.

use super::common::*;
use super::driven::driven;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tengen::go::{Game, Move};
use tengen::search::UctConfig;
use tengen::search::driver;
use tengen::search::tree::{Proof, Tree};
use tengen::search::uct::UctSearch;
use tengen::search::{AnySearch, SearchControl, SearchResult};

/// Settings that differ in what a search does between two results.
pub const KINDS: &[(&str, &str)] = &[
    ("plain", ""),
    ("rave", "rave = 'equivalence:500'\nexploration = 0.0"),
    ("transpositions", "transpositions = true"),
    ("proofs", "proofs = true\nexploration = 0.3"),
    ("priors", "prior = 'heuristic:10'\nrave = 'equivalence:100'"),
    ("learned", "prior = 'learned:14:60'\nrave = 'equivalence:100'"),
    ("smart pruning", "smart_pruning = 3.0\nexploration = 0.2"),
    ("sure win", "sure_win = 0.6\nexploration = 0.2"),
    ("thompson", "selection = 'thompson'"),
    ("puct", "selection = 'puct'\nfirst_play = 'parent-0.1'"),
    ("learned puct", "prior = 'learned:14:60'\nselection = 'puct'\nfirst_play = 'parent-0.1'"),
];

pub const PLAYOUTS: u64 = 500;

pub fn config(kind: &str, in_flight: u32, leaf_playouts: u32) -> UctConfig {
    let config = super::common::config(kind);
    UctConfig { simulations: Some(PLAYOUTS), in_flight, leaf_playouts, ..config }
}

/// All that a tree holds of a node, but for its place.
pub type FullRow = (NodeRow, Vec<(Move, f32, f32)>, Option<f32>, Option<Proof>, bool);

pub fn all_of(tree: &Tree) -> Vec<FullRow> {
    let extras = tree.extras();
    let full = |(node, row): (usize, NodeRow)| {
        let amaf = tree.amaf().counted(node).collect();
        let prior = extras.priors.then(|| tree.columns(node..node + 1).priors[0]);
        (row, amaf, prior, tree.proof(node), tree.is_complete(node))
    };
    tree.nodes().zip(rows(tree)).map(full).collect()
}

pub fn assert_same(found: &SearchResult, wanted: &SearchResult, name: &str) {
    assert_eq!(found.counts.simulations, wanted.counts.simulations, "{name}");
    assert_eq!(u64::from(found.tree.visits(Tree::ROOT)), found.counts.simulations, "{name}");
    assert_eq!(all_of(&found.tree), all_of(&wanted.tree), "{name}");
    assert_eq!(found.counts.depth_sum, wanted.counts.depth_sum, "{name}");
}

fn begin<const W: usize>(game: &Game, config: &UctConfig, seed: u64) -> UctSearch<W> {
    UctSearch::new(game, config, PLAYOUTS, seed, Tree::new(config.extras()))
}

fn alone<const W: usize>(game: &Game, config: &UctConfig, seed: u64) -> UctSearch<W> {
    let mut search = begin(game, config, seed);
    run(&mut search);
    search
}

fn report<const W: usize>(search: UctSearch<W>) -> SearchResult {
    Box::new(search).report()
}

/// Every way of driving three searches of each of the positions.
pub fn check<const W: usize>(games: &[Game], config: &UctConfig, name: &str) {
    let wanted: Vec<(usize, u64)> =
        (0..games.len()).flat_map(|game| [(game, 1), (game, 2), (game, 3)]).collect();
    let all = || -> Vec<UctSearch<W>> {
        wanted.iter().map(|&(game, seed)| begin(&games[game], config, seed)).collect()
    };
    let lone: Vec<SearchResult> =
        wanted.iter().map(|&(game, seed)| report(alone::<W>(&games[game], config, seed))).collect();
    let compare = |results: &[SearchResult], how: &str| {
        for (found, lone) in results.iter().zip(&lone) {
            assert_same(found, lone, &format!("{name}, {how}"));
            assert_eq!(found.counts.max_depth, lone.counts.max_depth, "{name}, {how}");
        }
    };
    // Sets of another number of words.
    let wide = wanted.iter().map(|&(game, seed)| report(alone::<6>(&games[game], config, seed)));
    compare(&wide.collect::<Vec<_>>(), "six words");
    let size = games[0].size();
    let any = || {
        all().into_iter().map(|search| AnySearch::new::<W>(Box::new(search))).collect::<Vec<_>>()
    };
    for slots in [1, 2, 5, 16] {
        let ended = in_slots(size, any(), slots).into_iter().map(AnySearch::report);
        compare(&ended.collect::<Vec<_>>(), &format!("{slots} slots"));
    }
    compare(&driver::run(size, any()).unwrap(), "one slot for all");
    for seed in 0..3 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let one = |search| driven(Box::new(search), &mut random, u64::MAX).unwrap();
        compare(&all().into_iter().map(one).collect::<Vec<_>>(), &format!("shuffled by {seed}"));
    }
}

pub fn small_games() -> Vec<Game> {
    let mut late = empty(4, "0.5");
    play_all(&mut late, "B2 C3 C2 B3 D3 D4 A3 A4");
    let mut five = empty(4, "2.5");
    play_all(&mut five, "B2");
    vec![late, five]
}

#[test]
fn who_drives_a_search_never_changes_its_tree() {
    for (name, kind) in KINDS {
        for in_flight in [1, 8] {
            for leaf_playouts in [1, 4] {
                let config = config(kind, in_flight, leaf_playouts);
                let name = format!("{name}, in_flight {in_flight}, leaf_playouts {leaf_playouts}");
                check::<1>(&small_games(), &config, &name);
            }
        }
    }
}

#[test]
fn on_nine_lines_too() {
    let mut game = empty(9, "7.5");
    play_all(&mut game, "E5 C3");
    check::<2>(&[game], &config("rave = 'equivalence:500'", 8, 4), "9x9");
}
