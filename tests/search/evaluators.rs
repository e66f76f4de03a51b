//! Searches whose leaves an evaluator judges: held against a slow twin, and equal whatever the
//! batches.

use super::common::*;
use super::in_flight::all_of;
use std::collections::BTreeMap;
use tengen::go::{Board, Game, Move, Preset};
use tengen::search::evaluator::{Batch, Evaluator, Leaf, NamedEvaluator};
use tengen::search::tree::Tree;
use tengen::search::{SearchResult, UctConfig, driver, root_parallel};

/// A number from 0 to 1 that looks random, of `seed` and `number`.
fn noise(seed: u64, number: u64) -> f32 {
    let mixed = tengen::seed::mix(seed, number) >> 40;
    mixed as f32 / (1_u64 << 24) as f32
}

/// Judges positions by numbers that follow from their hash.
struct Hashed {
    batch: usize,
}

pub fn value(board: &Board<6>) -> f32 {
    noise(board.hash(), 1_000)
}

pub fn weight(board: &Board<6>, number: usize) -> f32 {
    noise(board.hash(), number as u64).powi(4)
}

impl Evaluator for Hashed {
    fn batch(&self) -> usize {
        self.batch
    }

    fn evaluate(&mut self, batch: Batch<'_>) -> Result<(), String> {
        let moves = batch.size.points() + 1;
        assert!(batch.leaves.len() <= self.batch);
        let results = batch.leaves.iter().zip(batch.values).zip(batch.priors.chunks_mut(moves));
        for ((leaf, found), weights) in results {
            *found = value(&leaf.board);
            weights
                .iter_mut()
                .enumerate()
                .for_each(|(number, to)| *to = weight(&leaf.board, number));
        }
        Ok(())
    }
}

/// The settings of a search that is judged in batches of so many leaves.
pub fn config(batch: usize, in_flight: u32) -> UctConfig {
    let evaluator = NamedEvaluator::new("hashed", "1", move || Ok(Box::new(Hashed { batch }) as _));
    UctConfig { in_flight, ..UctConfig::with_evaluator(evaluator) }
}

fn run(games: &[Game], config: &UctConfig, budget: u64) -> Vec<SearchResult> {
    let begin = |(seed, game)| {
        root_parallel::begin_one(game, config, budget, seed, Tree::new(config.extras()))
    };
    let searches = (0..).zip(games).map(begin).collect();
    driver::run(games[0].size(), searches, None).unwrap()
}

/// A node of the twin: its visits, the rewards of the player who moved there, and its children,
/// each with its prior.
#[derive(Default)]
struct Twin {
    visits: u32,
    rewards: f64,
    children: Option<Vec<(Move, f32, Twin)>>,
}

impl Twin {
    /// Makes a simulation from `game`; returns the reward of the player to move there.
    fn simulate(&mut self, game: &Game) -> f64 {
        let own = self.reward(game);
        self.visits += 1;
        self.rewards += 1.0 - own;
        own
    }

    fn reward(&mut self, game: &Game) -> f64 {
        let player = game.to_play();
        if game.end().is_some() {
            let winner = (game.board().area_score() - game.rules().komi).winner();
            return winner.map_or(0.5, |winner| if winner == player { 1.0 } else { 0.0 });
        }
        let mean = 1.0 - self.rewards / f64::from(self.visits);
        let Some(children) = &mut self.children else {
            let board = game.board();
            let mut moves: Vec<Move> = game
                .sensible_points()
                .iter()
                .map(|index| Move::Play(tengen::go::Bits::<6>::vertex(index)))
                .collect();
            moves.push(Move::Pass);
            let size = board.size();
            let weigh = |mv: &Move| match mv {
                Move::Play(vertex) => weight(board, size.number(*vertex)),
                Move::Pass => weight(board, size.points()),
            };
            let sum: f64 = moves.iter().map(|mv| f64::from(weigh(mv))).sum();
            #[allow(clippy::cast_possible_truncation)] // as the search rounds priors
            let child = |mv: Move| (mv, (f64::from(weigh(&mv)) / sum) as f32, Self::default());
            let mut children: Vec<_> = moves.into_iter().map(child).collect();
            children.sort_by(|(_, one, _), (_, other, _)| other.total_cmp(one));
            self.children = Some(children);
            let units = f64::from(1 << 20);
            return (f64::from(value(board)) * units).round() / units;
        };
        let root = 1.25 * f64::from(self.visits).sqrt();
        let urgency = |(_, prior, child): &(Move, f32, Self)| {
            let n = f64::from(child.visits);
            let value = if child.visits == 0 { mean - 0.2 } else { child.rewards / n };
            value + root * f64::from(*prior) / (1.0 + n)
        };
        let mut best = 0;
        for place in 1..children.len() {
            if urgency(&children[place]) > urgency(&children[best]) {
                best = place;
            }
        }
        let (mv, _, child) = &mut children[best];
        let mut after = game.clone();
        after.play(player, *mv).unwrap();
        1.0 - child.simulate(&after)
    }

    /// Visits and rewards of every visited node, by its line.
    fn all(&self, line: &str, into: &mut BTreeMap<String, (u32, f64)>) {
        into.insert(line.to_owned(), (self.visits, self.rewards));
        for (mv, _, child) in self.children.iter().flatten().filter(|(.., it)| it.visits > 0) {
            child.all(&format!("{line} {mv}"), into);
        }
    }
}

pub fn all_nodes(tree: &Tree, node: usize, line: &str, into: &mut BTreeMap<String, (u32, f64)>) {
    into.insert(line.to_owned(), (tree.visits(node), tree.reward(node)));
    for child in tree.children(node).filter(|&child| tree.visits(child) > 0) {
        all_nodes(tree, child, &format!("{line} {}", tree.mv(child)), into);
    }
}

/// Asserts that `tree` has the visits and rewards of `twin`.
fn assert_equal(twin: &Twin, tree: &Tree, what: &str) {
    let (mut slow, mut quick) = (BTreeMap::new(), BTreeMap::new());
    twin.all("", &mut slow);
    all_nodes(tree, Tree::ROOT, "", &mut quick);
    assert_eq!(quick.len(), slow.len(), "{what}");
    for (line, (visits, reward)) in &quick {
        let (expected, rewards) = slow[line];
        assert_eq!(*visits, expected, "{what}:{line}");
        assert!((reward - rewards).abs() < 1e-9, "{what}:{line}");
    }
}

/// A search that goes on below a move in the tree of the search before, move after move.
#[test]
fn a_kept_tree_equals_its_slow_twin() {
    let mut game = empty(4, "0.5");
    let (mut twin, config) = (Twin::default(), config(1, 1));
    let mut tree = Tree::new(config.extras());
    for number in 0..4 {
        for _ in 0..300 {
            twin.simulate(&game);
        }
        let search = root_parallel::begin_one(&game, &config, 300, number, tree);
        let result = driver::run(game.size(), vec![search], None).unwrap().remove(0);
        assert_equal(&twin, &result.tree, &format!("move {number}"));
        let mv = result.tree.principal_variation(Tree::ROOT)[0];
        tree = result.tree.below(result.tree.child(Tree::ROOT, mv).unwrap());
        let children = twin.children.take().unwrap();
        twin = children.into_iter().find(|(other, ..)| *other == mv).unwrap().2;
        game.play(game.to_play(), mv).unwrap();
    }
}

/// Children come when they are selected, and the bound of nodes and that of memory hold.
#[test]
fn a_tree_holds_what_was_visited() {
    let config = UctConfig { simulations: Some(3_000), ..config(64, 8) };
    for side in [5, 9, 19] {
        let game = empty(side, "2.5");
        let found = |config: &UctConfig| run(std::slice::from_ref(&game), config, 3_000).remove(0);
        let tree = found(&config).tree;
        assert!(tree.nodes().all(|node| tree.visits(node) > 0));
        let (bytes, most) = (tree.bytes() as u64, config.max_bytes(game.size()).unwrap());
        assert!(bytes <= most && most < 4 * bytes, "{side}: {bytes} bytes, {most} were reckoned");
        let full = found(&UctConfig { max_nodes: 1_000, ..config.clone() });
        // The root always gets its children.
        let bound = 1_000..=1_000 + game.size().points() + 1;
        assert!(
            full.counts.was_full && bound.contains(&full.tree.len()),
            "{side}: {}",
            full.tree.len()
        );
        assert_eq!(full.tree.visits(Tree::ROOT), 3_000);
    }
}

#[test]
fn a_search_equals_its_slow_twin() {
    for (size, simulations) in [(2, 300), (3, 600), (5, 400)] {
        for preset in [Preset::Tengen, Preset::Simple] {
            let mut game = Game::new(
                tengen::go::Size::square(size).unwrap(),
                rules(preset, tengen::go::Size::square(size).unwrap(), "0.5"),
            );
            if size > 2 {
                play_all(&mut game, "B2 C3");
            }
            let mut twin = Twin::default();
            for _ in 0..simulations {
                twin.simulate(&game);
            }
            let found = run(std::slice::from_ref(&game), &config(1, 1), simulations).remove(0);
            assert_equal(&twin, &found.tree, &format!("{size} {preset}"));
        }
    }
}

#[test]
fn no_tree_depends_on_the_batches() {
    let games: Vec<Game> = ["", "B2", "C3 B2", "A1 pass", "D4 D2 C2"]
        .into_iter()
        .map(|moves| {
            let mut game = empty(5, "2.5");
            play_all(&mut game, moves);
            game
        })
        .collect();
    for in_flight in [1, 8, 64] {
        let alone: Vec<_> = games
            .iter()
            .map(|game| run(std::slice::from_ref(game), &config(1, in_flight), 500).remove(0))
            .collect();
        for batch in [1, 7, 64, 256] {
            let together = run(&games, &config(batch, in_flight), 500);
            for (one, other) in alone.iter().zip(&together) {
                assert_eq!(u64::from(one.tree.visits(Tree::ROOT)), 500);
                assert_eq!(all_of(&one.tree), all_of(&other.tree), "{batch} {in_flight}");
            }
        }
    }
}

#[test]
fn a_wrong_evaluator_is_named() {
    type Evaluate = fn(&mut Batch<'_>) -> Result<(), String>;
    struct Wrong(Evaluate);
    impl Evaluator for Wrong {
        fn evaluate(&mut self, mut batch: Batch<'_>) -> Result<(), String> {
            batch.values.fill(0.5);
            (self.0)(&mut batch)
        }
    }
    let cases: [(Evaluate, &str); 4] = [
        (
            |batch| {
                batch.values[0] = f32::NAN;
                Ok(())
            },
            "a value is NaN",
        ),
        (
            |batch| {
                batch.priors[3] = -0.5;
                Ok(())
            },
            "a prior is -0.5",
        ),
        (|_| Err("the model is gone".to_owned()), "the model is gone"),
        (|_| panic!("here"), "panicked: here"),
    ];
    let game = empty(5, "2.5");
    for (wrong, said) in cases {
        let evaluator = NamedEvaluator::new("wrong", "1", move || Ok(Box::new(Wrong(wrong)) as _));
        let config = UctConfig::with_evaluator(evaluator);
        let search = root_parallel::begin_one(&game, &config, 10, 1, Tree::new(config.extras()));
        let error = driver::run(game.size(), vec![search], None).unwrap_err().to_string();
        assert!(error.contains("evaluator `wrong`") && error.contains(said), "{error}");
    }
}

#[test]
fn a_leaf_has_the_moves_before_it() {
    struct Seen(std::sync::mpsc::Sender<Leaf>);
    impl Evaluator for Seen {
        fn evaluate(&mut self, batch: Batch<'_>) -> Result<(), String> {
            batch.values.fill(0.5);
            batch.leaves.iter().for_each(|leaf| self.0.send(leaf.clone()).unwrap());
            Ok(())
        }
    }
    let (sender, leaves) = std::sync::mpsc::channel();
    let sender = std::sync::Mutex::new(sender);
    let make = move || Ok(Box::new(Seen(sender.lock().unwrap().clone())) as _);
    let config = UctConfig::with_evaluator(NamedEvaluator::new("seen", "1", make));
    let mut game = empty(5, "2.5");
    play_all(&mut game, "C3 B2");
    run(std::slice::from_ref(&game), &config, 40);
    drop(config);
    let mut met = 0;
    // Of longer lines the first moves are not known.
    for leaf in leaves.try_iter().filter(|leaf| leaf.recent[7].is_none()) {
        let mut after = empty(5, "2.5");
        for mv in leaf.recent.iter().rev().flatten() {
            after.play(after.to_play(), *mv).unwrap();
        }
        assert_eq!(leaf.board.to_rows(), after.board().to_rows());
        assert_eq!(leaf.board.to_play(), after.to_play());
        assert_eq!(leaf.legal, after.sensible_points());
        met += 1;
    }
    assert!(met >= 10, "{met}");
}
