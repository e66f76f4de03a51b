//! One UCT search: four functions over a tree.

use super::config::UctConfig;
use super::select;
use super::tree::{Node, Tree};
use crate::go::{Bits, Board, Color, Game, History, Move, Rules, Score};
use crate::playout::{Job, Manner, Playout};
use crate::seed::mix;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// Below a search seed, the stream that shuffles children; simulations use the
/// numbers from 0.
const SHUFFLE: u64 = u64::MAX;

/// A tree takes no more visits: its counters of half wins would overflow.
const MOST_VISITS: u32 = 1 << 30;

/// What a search wants next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request<const W: usize> {
    /// The result of a playout, handed to [`Search::update`] under this
    /// number.
    Playout {
        /// The simulation's number in this search.
        simulation: u64,
        /// The playout from the leaf that was reached.
        job: Job<W>,
    },
    /// The result of the simulation that is out.
    Wait,
    /// Nothing: the budget of simulations is spent, or the tree holds 2³⁰
    /// visits.
    Done,
}

/// A search for the best move of one position.
///
/// It never plays a playout: [`Search::select`] names the leaf whose result it
/// wants and [`Search::update`] takes it, so that whoever drives it may mix
/// the playouts of many searches. **The tree is a function of the game, the
/// configuration, the budget and the seed, whoever drives the search.**
#[derive(Debug)]
pub struct Search<const W: usize> {
    config: UctConfig,
    rules: Rules,
    root: Board<W>,
    history: History,
    plies_left: usize,
    tree: Tree,
    seed: u64,
    shuffle: Xoshiro256PlusPlus,
    budget: u64,
    simulations: u64,
    /// The nodes from the root to the leaf of the simulation at hand.
    path: Vec<Node>,
    pending: bool,
    moves: Vec<Move>,
    depth_sum: u64,
    depth_most: usize,
}

impl<const W: usize> Search<W> {
    /// A search of `game`'s position with at most `budget` simulations that
    /// continues `tree`, whose root stands for that position.
    #[must_use]
    pub fn new(game: &Game, config: &UctConfig, budget: u64, seed: u64, tree: Tree) -> Self {
        let rules = game.rules();
        Self {
            config: config.clone(),
            rules,
            root: game.board().repacked(),
            history: game.history().clone(),
            plies_left: (rules.max_plies - game.ply().min(rules.max_plies)) as usize,
            tree,
            seed,
            shuffle: Xoshiro256PlusPlus::seed_from_u64(mix(seed, SHUFFLE)),
            budget,
            simulations: 0,
            path: Vec::new(),
            pending: false,
            moves: Vec::new(),
            depth_sum: 0,
            depth_most: 0,
        }
    }

    /// Walks down the tree to a leaf and asks for its playout. Simulations
    /// that end inside the tree are counted at once and the next one begins.
    pub fn select(&mut self) -> Request<W> {
        if self.pending {
            return Request::Wait;
        }
        while self.simulations < self.budget && self.tree.visits(Tree::ROOT) < MOST_VISITS {
            let simulation = self.simulations;
            self.simulations += 1;
            let leaf = self.descend();
            if self.is_terminal(&leaf) {
                self.back_up(leaf.area_score());
            } else {
                self.pending = true;
                let job = Job { start: leaf, seed: mix(self.seed, simulation) };
                return Request::Playout { simulation, job };
            }
        }
        Request::Done
    }

    /// Takes the result of the playout that [`Search::select`] asked for.
    ///
    /// # Panics
    /// If `simulation` is not the one that is out.
    pub fn update(&mut self, simulation: u64, playout: &Playout<W>) {
        assert!(
            self.pending && simulation + 1 == self.simulations,
            "simulation {simulation} is not out"
        );
        self.pending = false;
        self.back_up(playout.score);
    }

    /// Sets the number of simulations, those made included, after which the
    /// search is done.
    pub const fn set_budget(&mut self, budget: u64) {
        self.budget = budget;
    }

    /// How its playouts are to be played.
    #[must_use]
    pub const fn manner(&self) -> Manner {
        self.config.manner(self.rules.komi)
    }

    /// The tree as it stands.
    #[must_use]
    pub const fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Ends the search and hands over its tree.
    #[must_use]
    pub fn into_tree(self) -> Tree {
        self.tree
    }

    /// Simulations begun in this search.
    #[must_use]
    pub const fn simulations(&self) -> u64 {
        self.simulations
    }

    /// The depths of all simulations' leaves added up; the root has depth 0.
    #[must_use]
    pub const fn depth_sum(&self) -> u64 {
        self.depth_sum
    }

    /// The depth of the deepest leaf.
    #[must_use]
    pub const fn depth_most(&self) -> usize {
        self.depth_most
    }

    /// The position at the end of the path; fills the path.
    fn descend(&mut self) -> Board<W> {
        let mut board = self.root;
        let mut node = Tree::ROOT;
        self.path.clear();
        self.path.push(node);
        loop {
            if self.is_terminal(&board) {
                break;
            }
            if self.tree.children(node).is_empty() && !self.expand(node, &board) {
                break;
            }
            let children = self.tree.children(node);
            let (visits, half_wins) = self.tree.statistics(children.clone());
            let child = select::ucb1(
                visits,
                half_wins,
                self.tree.visits(node),
                self.config.exploration,
                self.config.first_play,
            );
            node = children.start + child;
            let made = self.tree.made(node);
            board.play_unchecked(made);
            self.history.push(made, &board);
            self.path.push(node);
        }
        for _ in 1..self.path.len() {
            self.history.pop();
        }
        board
    }

    /// Whether the game ends here: by two passes or by its limit of plies.
    fn is_terminal(&self, board: &Board<W>) -> bool {
        board.is_over() || self.path.len() > self.plies_left
    }

    /// Gives `node` its children if it is ripe and the tree has room: every
    /// legal move that fills no own eye and repeats no position of the game or
    /// of the path, and the pass, in random order.
    fn expand(&mut self, node: Node, board: &Board<W>) -> bool {
        let is_root = node == Tree::ROOT;
        if !is_root && self.tree.visits(node) < self.config.expansion {
            return false;
        }
        let points = board.legal_points(self.rules) - board.eyes();
        let points = self.history.without_repeats(board, points);
        let grown = self.tree.len() + points.count() as usize + 1;
        if !is_root && grown > self.config.max_nodes as usize {
            return false;
        }
        self.moves.clear();
        self.moves.extend(points.iter().map(|index| Move::Play(Bits::<W>::vertex(index))));
        self.moves.push(Move::Pass);
        self.moves.shuffle(&mut self.shuffle);
        self.tree.expand(node, &self.moves);
        true
    }

    /// Counts `score`, before komi, at every node of the path.
    fn back_up(&mut self, score: Score) {
        let winner = (score - self.rules.komi).winner();
        let mut mover = !self.root.to_play();
        for &node in &self.path {
            self.tree.record(node, half_wins(winner, mover));
            mover = !mover;
        }
        let depth = self.path.len() - 1;
        self.depth_sum += depth as u64;
        self.depth_most = self.depth_most.max(depth);
    }
}

/// What a game's result is worth to `player`: 2 for a win, 1 for jigo.
fn half_wins(winner: Option<Color>, player: Color) -> u32 {
    match winner {
        None => 1,
        Some(winner) => 2 * u32::from(winner == player),
    }
}
