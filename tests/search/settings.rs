//! Workers, threads and every setting of a search.

use super::common::*;
use super::judged_by_playouts::uct as uct_of;
use std::collections::{HashMap, HashSet};
use std::str::FromStr;
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tengen::bots::BotConfig;
use tengen::go::{Board, Color, Game, Ko, Move, ParseError};
use tengen::playout::{EarlyStop, scalar};
use tengen::search::SearchControl;
use tengen::search::root_noise::RootNoise;
use tengen::search::root_parallel::{begin_one, resume_one};
use tengen::search::select::{Fpu, Rave};
use tengen::search::sharing::Sharing;
use tengen::search::temperature::Temperature;
use tengen::search::tree::{Proof, Tree};
use tengen::search::uct::UctSearch;
use tengen::search::{Request, Search, driver};
use tengen::search::{UctConfig, shared};
use tengen::seed::mix;

#[test]
fn threads_never_change_a_result() {
    let mut game = empty(5, "2.5");
    play_all(&mut game, "C3 D3");
    let pools: Vec<rayon::ThreadPool> = [1, 2, 4]
        .into_iter()
        .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
        .collect();
    let mut seen = HashSet::new();
    let config = |(workers, sharing): (u32, &str)| UctConfig {
        workers,
        sharing: sharing.parse().unwrap(),
        ..uct(1_003)
    };
    let shared = config((5, "upper-tree:20:0.05:3"));
    let of_leaves = UctConfig { leaf_playouts: 3, ..shared.clone() };
    let solved = UctConfig { proofs: true, ..config((4, "upper-tree:7:0:2")) };
    let alone = [1, 2, 5].map(|workers| config((workers, "none")));
    for config in alone.into_iter().chain([shared, of_leaves, solved]) {
        let workers = config.workers;
        let (alone, trees) = shared::search(&game, &config, 11, Vec::new(), None).unwrap();
        assert_eq!(alone.counts.simulations, 1_003);
        assert_eq!(trees.len(), workers as usize);
        assert_eq!(alone.moves.iter().map(|m| m.visits).sum::<u64>(), 1_003);
        assert_eq!(alone.nodes, trees.iter().map(Tree::len).sum::<usize>());
        for pool in &pools {
            for _ in 0..2 {
                let (report, others) =
                    shared::search(&game, &config, 11, Vec::new(), Some(pool)).unwrap();
                assert_eq!(without_seconds(&report), without_seconds(&alone), "{workers} workers");
                for (tree, other) in trees.iter().zip(&others) {
                    assert_eq!(rows(tree), rows(other));
                }
            }
        }
        // Worker w is the lone search of seed mix(seed, w) with its share.
        for (number, tree) in (0..).zip(&trees) {
            if !config.sharing.is_none() {
                break;
            }
            let share = 1_003 / u64::from(workers) + u64::from(number < 1_003 % u64::from(workers));
            let lone = tree_of(&game, &uct(share), mix(11, number));
            assert_eq!(rows(tree), rows(&lone), "worker {number} of {workers}");
        }
        // And the report is their sum.
        for root_move in &alone.moves {
            let children = trees.iter().filter_map(|t| Some((t, t.child(0, root_move.mv)?)));
            let (visits, reward) = children.fold((0, 0.0), |(visits, reward), (t, child)| {
                (visits + u64::from(t.visits(child)), reward + t.reward(child))
            });
            assert_eq!((visits, reward), (root_move.visits, root_move.reward));
        }
        assert!(seen.insert(signature(&trees[0])), "workers decide what is found");
        // The bot makes the same move with and without a pool.
        let moves: HashSet<Move> = pools
            .iter()
            .map(Some)
            .chain([None])
            .map(|pool| {
                BotConfig::from(config.clone())
                    .build(11, pool)
                    .genmove(&game)
                    .unwrap()
                    .mv()
                    .unwrap()
            })
            .collect();
        assert_eq!(moves.len(), 1, "{moves:?}");
    }
}

#[test]
fn a_node_is_expanded_at_its_threshold() {
    let game = empty(5, "2.5");
    let mut sizes = Vec::new();
    for expansion in [1, 2, 8, 2_000] {
        let config = UctConfig { expansion, ..uct(2_000) };
        let tree = tree_of(&game, &config, 4);
        assert_counts(&tree, 2_000, expansion);
        for node in tree.nodes().skip(1) {
            let is_ripe = tree.visits(node) > expansion;
            let is_leaf = tree.children(node).is_empty();
            assert!(is_ripe || is_leaf, "node {node} at {expansion}");
            // A second pass ends the game: nothing follows it.
            assert!(!is_ripe || !is_leaf || tree.mv(node) == Move::Pass, "node {node}");
        }
        sizes.push(tree.len());
    }
    assert!(sizes.is_sorted_by(|a, b| a > b), "{sizes:?}");
    assert_eq!(sizes[3], 27, "the root alone has children: 25 plays and the pass");
}

/// The move that each simulation begins with, and the visits that it had before.
fn first_moves(config: &UctConfig, simulations: u64) -> Vec<(Move, u32)> {
    let game = empty(5, "2.5");
    let tree = Tree::new(config.extras());
    let mut search = UctSearch::<1>::new(&game, config, simulations, 4, tree);
    let (mut visits, mut first) = (HashMap::new(), Vec::new());
    for number in 1..=simulations {
        search.suspend_after(number);
        while let Request::Playout { simulation, job } = search.select() {
            search.update(simulation, &scalar::play(&job));
        }
        let tree = search.tree();
        for child in tree.children(Tree::ROOT) {
            let before = visits.entry(tree.mv(child)).or_insert(0);
            if tree.visits(child) > *before {
                first.push((tree.mv(child), *before));
                *before = tree.visits(child);
            }
        }
        assert_eq!(first.len() as u64, number);
    }
    first
}

#[test]
fn an_epoch_repeats_the_selection_that_began_it() {
    for settings in [
        "rave=none,prior=none,exploration=1",
        "selection=puct,rave=none,first_play=parent-0.2,exploration=5",
        "expansion=2",
        "proofs=true",
        "rave=min-mse:0.1",
    ] {
        let config = |epoch: f64| uct_of(&format!("uct:{settings},epoch={epoch}"));
        let each = first_moves(&config(0.0), 900);
        assert!(first_moves(&config(0.001), 900) == each, "{settings}: no move has 1,000 visits");
        for epoch in [0.05, 0.2] {
            let moves = first_moves(&config(epoch), 900);
            assert!(moves != each, "{settings}, {epoch}");
            let (mut at, mut repeats) = (0, 0);
            while let Some(&(mv, visits)) = moves.get(at) {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at most 900
                let length = (epoch * f64::from(visits)) as usize;
                let of_epoch: Vec<_> = moves[at + 1..].iter().take(length).collect();
                assert!(of_epoch.iter().all(|next| next.0 == mv), "{settings}, {epoch}, {at}");
                repeats += of_epoch.len();
                at += 1 + length;
            }
            assert!(repeats > 50, "{settings}, {epoch}: {repeats}");
        }
    }
}

#[test]
fn a_proof_ends_the_epoch_of_its_move() {
    let config = UctConfig { proofs: true, epoch: 0.5, ..UctConfig::plain() };
    let moves: [Move; 2] = ["C3", "D3"].map(|mv| mv.parse().unwrap());
    for (proof, expected) in [(None, [5, 4]), (Some(Proof::Loss), [4, 5])] {
        let mut tree = Tree::new(config.extras());
        tree.expand(Tree::ROOT, &moves);
        let children = tree.children(Tree::ROOT);
        tree.visit(Tree::ROOT, 8);
        for child in children.clone() {
            tree.visit(child, 4);
            tree.reward_with(child, 2.0);
        }
        if let Some(proof) = proof {
            tree.prove(children.start, proof);
        }
        tree.begin_epoch(Tree::ROOT, 0, 3);
        let mut search = UctSearch::<1>::new(&empty(5, "2.5"), &config, 100, 1, tree);
        assert!(matches!(search.select(), Request::Playout { .. }));
        let visits: Vec<u32> = children.map(|child| search.tree().visits(child)).collect();
        assert_eq!(visits, expected, "{proof:?}");
    }
}

/// The number of simulations of a search, whose simulations begin with the moves `first`, after
/// which the most visited move leads the next by 1 / `factor` of the simulations that are left.
fn decided_after(first: &[(Move, u32)], factor: f64) -> usize {
    let is_decided = |&made: &usize| {
        let mut visits = HashMap::<Move, u32>::new();
        for &(mv, _) in &first[..made] {
            *visits.entry(mv).or_default() += 1;
        }
        let mut visits: Vec<u32> = visits.into_values().chain([0, 0]).collect();
        visits.sort_unstable_by(|a, b| b.cmp(a));
        factor * f64::from(visits[0] - visits[1]) >= (first.len() - made) as f64
    };
    (0..=first.len()).find(is_decided).unwrap()
}

#[test]
fn smart_pruning_ends_a_search_when_its_lead_decides() {
    let game = empty(5, "2.5");
    for settings in ["exploration=0.3", "exploration=1", "selection=puct,first_play=parent-0.2"] {
        let config = |factor: f64| {
            uct_of(&format!("plain:{settings},simulations=900,smart_pruning={factor}"))
        };
        let first = first_moves(&config(0.0), 900);
        let ends = [0.5, 1.0, 4.0, 300.0].map(|factor| {
            let tree = tree_of(&game, &config(factor), 4);
            let end = decided_after(&first, factor);
            assert_eq!(tree.visits(Tree::ROOT) as usize, end, "{settings}, {factor}");
            for child in tree.children(Tree::ROOT) {
                let of_child = first[..end].iter().filter(|begun| begun.0 == tree.mv(child));
                assert_eq!(tree.visits(child) as usize, of_child.count(), "{settings}, {factor}");
            }
            end
        });
        assert!(ends.is_sorted_by(|a, b| a > b), "{settings}: {ends:?}");
    }
}

#[test]
fn smart_pruning_ends_a_search_that_only_a_clock_limits() {
    // The pass is the only move, and leads by all simulations. 1,000 times as many are left after 100 / 1,001 s.
    let board = Board::from_diagram(".X./XXX/.X.", Color::White).unwrap();
    let game = Game::from_position(board, empty(3, "0.5").rules());
    let config = UctConfig {
        seconds: Some(100.0),
        simulations: None,
        smart_pruning: 1_000.0,
        ..UctConfig::plain()
    };
    let (report, _) = shared::search(&game, &config, 1, Vec::new(), None).unwrap();
    assert!((0.05..50.0).contains(&report.seconds), "{} s", report.seconds);
    assert_eq!((report.moves.len(), report.moves[0].mv), (1, Move::Pass));
}

/// The mean of the most visited move of a search of 3×3 by plain UCT, after each number of
/// simulations at which a search of 2,000 looks whether the win is sure.
fn means_at_looks() -> Vec<(u64, f64)> {
    let mean = |simulations| {
        let tree = tree_of(&empty(3, "8.5"), &uct(simulations), 4);
        let most = tree.children(Tree::ROOT).max_by_key(|&child| tree.visits(child)).unwrap();
        (simulations, tree.reward(most) / f64::from(tree.visits(most)))
    };
    (256..2_000).step_by(128).map(mean).collect()
}

/// A value of `sure_win` that the mean exceeds later than at the first look.
fn sure_later(means: &[(u64, f64)]) -> f64 {
    let most = means.iter().map(|(_, mean)| *mean).fold(0.0, f64::max);
    assert!(most > means[0].1, "{means:?}");
    f64::midpoint(most, means[0].1)
}

#[test]
fn a_sure_win_ends_a_search_after_a_tenth_of_its_budget() {
    let means = means_at_looks();
    let end = |sure_win| {
        let config = UctConfig { sure_win, ..uct(2_000) };
        u64::from(tree_of(&empty(3, "8.5"), &config, 4).visits(Tree::ROOT))
    };
    for sure_win in [0.5, sure_later(&means)] {
        let expected = means.iter().find(|(_, mean)| *mean > sure_win).unwrap().0;
        assert_eq!(end(sure_win), expected, "{sure_win}: {means:?}");
    }
    assert_eq!((end(0.5), end(1.0)), (256, 2_000), "{means:?}");
}

#[test]
fn a_saved_search_ends_where_it_would_have_ended() {
    let game = empty(3, "8.5");
    let sure = UctConfig { sure_win: sure_later(&means_at_looks()), ..uct(2_000) };
    let clear = UctConfig { smart_pruning: 1.0, ..uct(2_000) };
    for config in [clear, sure, UctConfig { sure_win: 0.5, leaf_playouts: 3, ..uct(2_000) }] {
        let begin = || begin_one(&game, &config, 2_000, 4, Tree::new(config.extras()));
        let end = |search| driver::run(game.size(), vec![search]).unwrap()[0].counts.simulations;
        let whole = end(begin());
        assert!(whole < 2_000, "{config:?}");
        for suspended in [1, 128, whole - 1] {
            let mut search = begin();
            search.suspend_after(suspended);
            let mut searches = driver::advance(game.size(), vec![search], &|| false).unwrap();
            let saved = searches[0].save().unwrap();
            assert_eq!(
                end(resume_one(&game, &config, 2_000, saved).unwrap()),
                whole,
                "{suspended}"
            );
        }
    }
}

#[test]
fn a_full_tree_grows_no_further_and_the_search_goes_on() {
    let game = empty(5, "2.5");
    let config = UctConfig { max_nodes: 1_000, ..uct(5_000) };
    let mut search = UctSearch::<1>::new(&game, &config, 5_000, 4, Tree::default());
    let mut sizes = Vec::new();
    while let Request::Playout { simulation, job } = search.select() {
        search.update(simulation, &scalar::play(&job));
        sizes.push(search.tree().len());
    }
    assert_eq!(search.simulations(), 5_000);
    assert!(sizes.iter().all(|&size| size <= 1_000));
    let last = *sizes.last().unwrap();
    assert!(last > 950, "there was room for a node's children: {last}");
    let root: u32 = search.tree().children(0).map(|child| search.tree().visits(child)).sum();
    assert_eq!(root, 5_000);
    // The same tree until it is full.
    let free = tree_of(&game, &uct(30), 4);
    let bound = tree_of(&game, &UctConfig { max_nodes: 1_000, ..uct(30) }, 4);
    assert_eq!(rows(&free), rows(&bound));
}

/// All that the columns hold for each child that is in the tree, where 20 are in
/// use: blocks that are not full, or free again, and room to spare.
#[test]
fn few_bytes_for_a_child() {
    let game = empty(9, "7.5");
    for expansion in [1, 2, 10] {
        let config = UctConfig { expansion, ..uct(20_000) };
        let tree = tree_of(&game, &config, 5);
        let bytes = tree.bytes() as f64 / (tree.len() - 1) as f64;
        assert!(bytes < 32.0, "expansion {expansion}: {bytes}");
    }
}

/// Not a test of speed: the bounds are wide, but a clock that is ignored or
/// multiplied fails.
#[test]
fn a_budget_of_seconds_ends_near_its_time() {
    let game = empty(5, "2.5");
    for (workers, threads) in [(1, None), (3, None), (3, Some(2)), (5, Some(4))] {
        let pool = threads
            .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
        let config =
            UctConfig { simulations: None, seconds: Some(0.3), workers, ..UctConfig::default() };
        let started = Instant::now();
        let (report, _) = shared::search(&game, &config, 1, Vec::new(), pool.as_ref()).unwrap();
        let seconds = started.elapsed().as_secs_f64();
        assert!(seconds >= 0.25, "{workers} workers, {threads:?} threads: {seconds} s");
        assert!(seconds < 3.0, "{workers} workers, {threads:?} threads: {seconds} s");
        assert!((report.seconds - seconds).abs() < 0.5);
        assert!(report.counts.simulations >= u64::from(workers));
    }
    // Whichever limit comes first.
    let config = UctConfig { seconds: Some(60.0), ..uct(50) };
    let (report, _) = shared::search(&game, &config, 1, Vec::new(), None).unwrap();
    assert_eq!(report.counts.simulations, 50);
    let config = UctConfig { seconds: Some(1e-6), workers: 2, ..uct(1_000_000) };
    let (report, _) = shared::search(&game, &config, 1, Vec::new(), None).unwrap();
    assert!((2..1_000_000).contains(&report.counts.simulations), "{}", report.counts.simulations);
}

/// Where every line of the tree has ended, no playout is asked for; the clock
/// must end the search all the same.
#[test]
fn the_clock_ends_a_search_that_needs_no_playouts() {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let config = UctConfig { simulations: None, seconds: Some(0.05), ..UctConfig::plain() };
        for game in [empty(1, "0.5"), drawn(SETTLED, Color::White, Ko::Psk, "2.5")] {
            let turn = bot(&config, 1).genmove(&game).unwrap();
            sender.send(turn.mv().unwrap()).unwrap();
        }
    });
    for _ in 0..2 {
        let mv = receiver.recv_timeout(Duration::from_secs(20));
        assert_eq!(mv, Ok(Move::Pass), "the search did not end");
    }
}

/// What a tournament reckons with when it opens games is never below what a tree
/// takes.
#[test]
fn no_tree_takes_more_than_its_bound() {
    let plain = UctConfig { simulations: Some(3_000), ..UctConfig::plain() };
    let default = UctConfig { simulations: Some(3_000), ..UctConfig::default() };
    let first = UctConfig { expansion: 1, ..plain.clone() };
    let most_columns =
        UctConfig { transpositions: true, epoch: 0.01, expansion: 1, ..default.clone() };
    for config in [plain, first, default, most_columns] {
        for side in [5, 9, 19] {
            let game = empty(side, "2.5");
            let (_, trees) = shared::search(&game, &config, 1, Vec::new(), None).unwrap();
            let bytes = trees[0].bytes() as u64;
            let most = config.max_bytes(game.size()).unwrap();
            assert!(bytes <= most, "{side}: {bytes} bytes, and {most} were reckoned");
        }
    }
}

/// Texts of settings of several parts, at the ends of their ranges and beyond, one behind each space.
#[test]
fn texts_are_written_as_they_are_read() {
    fn check<T: FromStr<Err = ParseError> + ToString>(taken: &str, refused: &str) {
        for text in taken.split(' ') {
            assert_eq!(text.parse::<T>().map(|value| value.to_string()), Ok(text.to_owned()));
        }
        for text in refused.split(' ') {
            let error = text.parse::<T>().err().unwrap_or_else(|| panic!("{text}")).to_string();
            // All of the text, or the number in it.
            let is_named = error.contains(&format!("`{text}`"));
            assert!(is_named || error.contains(&format!("`{}`", &text[6..])), "{error}");
        }
    }
    check::<Temperature>("none 1:30 0.01:1 100:400", " 1 0:30 1:0 1:-1 NaN:3 inf:3 101:3 1:30:2");
    check::<RootNoise>(
        "none 0.03:0.25 10:1 0.000001:0",
        " 0.03 0:0.25 0.03:1.5 -1:0.5 NaN:0.5 0.1:NaN 1:1:1",
    );
    check::<Sharing>(
        "none upper-tree:50:0.05:3 upper-tree:1:0:100",
        " upper-tree upper-tree:50 upper-tree:50:0.05 upper-tree:0:0.05:3 upper-tree:50:1.5:3 \
         upper-tree:50:NaN:3 upper-tree:50:0.05:0 upper-tree:50:0.05:3:1",
    );
    check::<Rave>(
        "none equivalence:3000 min-mse:0.01 min-mse:0",
        " rave none:1 equivalence equivalence:0 min-mse min-mse:1.1 min-mse:-0.1",
    );
    check::<Fpu>(
        "0 1.1 inf parent+0 parent-0.25 parent+0.5",
        " -1 nan parent0.1 parent-x parent-2 parent--1",
    );
    check::<EarlyStop>(
        "none mercy:0 mercy:25 decided:1000",
        " None none:1 mercy 25 mercy: mercy:-1 mercy:2.5 mercy:1001 mercy:many",
    );
}
