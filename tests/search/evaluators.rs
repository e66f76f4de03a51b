//! Searches whose leaves an evaluator judges: held against a slow twin, and equal whatever the
//! batches.

use super::common::*;
use super::in_flight::all_of;
use super::judged_by_playouts::together;
use tengen::go::{Bits, Board, Game, Move, Preset, Size};
use tengen::search::evaluator::{Batch, Evaluator, Leaf, NamedEvaluator};
use tengen::search::tree::Tree;
use tengen::search::{UctConfig, driver, root_parallel};

/// A number from 0 to 1 that looks random, of `seed` and `number`.
fn noise(seed: u64, number: u64) -> f32 {
    let mixed = tengen::seed::mix(seed, number) >> 40;
    mixed as f32 / (1_u64 << 24) as f32
}

/// Judges positions by numbers that follow from their hash.
struct Hashed {
    batch: usize,
}

fn value(board: &Board<6>) -> f32 {
    noise(board.hash(), 1_000)
}

fn weight(board: &Board<6>, number: usize) -> f32 {
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

/// A node of a twin of a search. Rewards are those of the player who moved there, the value is that of
/// the player to move, and the children come by falling prior, each with its prior.
#[derive(Default)]
pub struct TwinNode {
    pub visits: u32,
    pub rewards: f64,
    pub value: f64,
    pub children: Option<Vec<(Move, f32, TwinNode)>>,
}

/// The moves of a position by falling prior.
pub fn children(game: &Game) -> Vec<(Move, f32, TwinNode)> {
    let (board, size) = (game.board(), game.board().size());
    let points = game.sensible_points();
    let plays = points.iter().map(|index| Move::Play(Bits::<6>::vertex(index)));
    let moves: Vec<Move> = plays.chain([Move::Pass]).collect();
    let weigh = |mv: &Move| f64::from(weight(board, size.move_number(*mv)));
    let sum: f64 = moves.iter().map(weigh).sum();
    #[allow(clippy::cast_possible_truncation)] // as the search rounds priors
    let child = |mv: Move| (mv, (weigh(&mv) / sum) as f32, TwinNode::default());
    let mut children: Vec<_> = moves.into_iter().map(child).collect();
    children.sort_by(|(_, one, _), (_, other, _)| other.total_cmp(one));
    children
}

/// The index of the highest number, of several the first.
pub fn argmax(numbers: &[f64]) -> usize {
    (1..numbers.len())
        .fold(0, |best, place| if numbers[place] > numbers[best] { place } else { best })
}

impl TwinNode {
    /// Makes a simulation from `game`; returns the reward of the player to move there. `select` says
    /// which child of a node comes next, and is told whether the node is the root.
    pub fn simulate(
        &mut self,
        game: &Game,
        is_root: bool,
        select: &impl Fn(&Self, bool) -> usize,
    ) -> f64 {
        let player = game.to_play();
        let own = if game.end().is_some() {
            let winner = (game.board().area_score() - game.rules().komi).winner();
            winner.map_or(0.5, |winner| if winner == player { 1.0 } else { 0.0 })
        } else if self.children.is_none() {
            let units = f64::from(1 << 20);
            self.value = (f64::from(value(game.board())) * units).round() / units;
            self.children = Some(children(game));
            self.value
        } else {
            let place = select(self, is_root);
            let (mv, _, child) = &mut self.children.as_mut().unwrap()[place];
            let mut after = game.clone();
            after.play(player, *mv).unwrap();
            1.0 - child.simulate(&after, false, select)
        };
        self.visits += 1;
        self.rewards += 1.0 - own;
        own
    }

    /// Asserts that `tree` has the visits and rewards of the twin; returns the number of visited nodes.
    pub fn assert_equal(&self, tree: &Tree, what: &str) -> usize {
        self.assert_equal_below(tree, Tree::ROOT, what)
    }

    fn assert_equal_below(&self, tree: &Tree, node: usize, line: &str) -> usize {
        assert_eq!(tree.visits(node), self.visits, "{line}");
        assert!((tree.reward(node) - self.rewards).abs() < 1e-9, "{line}");
        let visited = || self.children.iter().flatten().filter(|(.., it)| it.visits > 0);
        let found = tree.children(node).filter(|&child| tree.visits(child) > 0).count();
        assert_eq!(found, visited().count(), "{line}");
        let below = visited().map(|(mv, _, child)| {
            let node = tree.child(node, *mv).unwrap_or_else(|| panic!("{line} {mv}"));
            child.assert_equal_below(tree, node, &format!("{line} {mv}"))
        });
        1 + below.sum::<usize>()
    }
}

/// A twin after so many simulations by PUCT with the settings of [`config`].
fn simulate(twin: &mut TwinNode, game: &Game, simulations: u64) {
    let puct = |node: &TwinNode, _: bool| {
        let mean = 1.0 - node.rewards / f64::from(node.visits);
        let root = 1.25 * f64::from(node.visits).sqrt();
        let urgency = |(_, prior, child): &(Move, f32, TwinNode)| {
            let n = f64::from(child.visits);
            let value = if child.visits == 0 { mean - 0.2 } else { child.rewards / n };
            value + root * f64::from(*prior) / (1.0 + n)
        };
        argmax(&node.children.iter().flatten().map(urgency).collect::<Vec<_>>())
    };
    for _ in 0..simulations {
        twin.simulate(game, true, &puct);
    }
}

/// A search that goes on below a move in the tree of the search before, move after move.
#[test]
fn a_kept_tree_equals_its_slow_twin() {
    let mut game = empty(4, "0.5");
    let (mut twin, config) = (TwinNode::default(), config(1, 1));
    let mut tree = Tree::new(config.extras());
    for number in 0..4 {
        simulate(&mut twin, &game, 300);
        let search = root_parallel::begin_one(&game, &config, 300, number, tree);
        let result = driver::run(game.size(), vec![search]).unwrap().remove(0);
        twin.assert_equal(&result.tree, &format!("move {number}"));
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
        let found =
            |config: &UctConfig| together(std::slice::from_ref(&game), config, 3_000).remove(0);
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
            let size = Size::square(size).unwrap();
            let mut game = Game::new(size, rules(preset, size, "0.5"));
            if size.width() > 2 {
                play_all(&mut game, "B2 C3");
            }
            let mut twin = TwinNode::default();
            simulate(&mut twin, &game, simulations);
            let found = together(std::slice::from_ref(&game), &config(1, 1), simulations).remove(0);
            twin.assert_equal(&found.tree, &format!("{size} {preset}"));
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
            .map(|game| together(std::slice::from_ref(game), &config(1, in_flight), 500).remove(0))
            .collect();
        for batch in [1, 7, 64, 256] {
            let together = together(&games, &config(batch, in_flight), 500);
            for (one, other) in alone.iter().zip(&together) {
                assert_eq!(u64::from(one.tree.visits(Tree::ROOT)), 500);
                assert_eq!(all_of(&one.tree), all_of(&other.tree), "{batch} {in_flight}");
            }
        }
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
    together(std::slice::from_ref(&game), &config, 40);
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
