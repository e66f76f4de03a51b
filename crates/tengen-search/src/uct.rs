//! One UCT search, which asks for playouts and takes their results.

use super::config::{Expansion, FinalMove, UctConfig, WhenFull};
use super::dynamic_komi::RunningKomi;
use super::pending_leaf::{LeafOutcome, PendingLeaf};
use super::search::{Request, Search, SearchResult};
use super::select::Selector;
use super::transpositions::Transpositions;
use super::tree::{Node, Proof, Tree};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::collections::VecDeque;
use tengen_go::seed::mix;
use tengen_go::{Board, Game, History, Move, Rules, Size};
use tengen_playout::{Job, Playout, PlayoutConfig};

/// Below a search seed, the stream of what is drawn in the tree; simulations
/// use the numbers from 0.
const TREE_STREAM: u64 = u64::MAX;

/// A tree takes no more visits.
const MOST_VISITS: u32 = 1 << 30;

/// Leaves in a row that may end inside the tree before the driver gets a word.
const PAUSE: u32 = 1_000;

/// Leaves between two looks at whether the search may end early.
const EARLY_STOP_INTERVAL: u64 = 16;

/// A UCT search for the best move of one position.
///
/// **The tree is a function of the game, the
/// configuration, the budget and the seed, whoever drives the search**: with K
/// leaves in flight the results of leaf n are counted between the selections
/// of leaf n + K − 1 and leaf n + K, whenever they arrive.
#[derive(Debug)]
pub struct UctSearch<const W: usize> {
    pub(super) config: UctConfig,
    pub(super) selector: Selector,
    pub(super) growth: Expansion,
    pub(super) rules: Rules,
    pub(super) root: Board<W>,
    pub(super) last: Option<Move>,
    pub(super) history: History,
    pub(super) plies_left: usize,
    pub(super) tree: Tree,
    pub(super) komi: RunningKomi,
    pub(super) positions: Transpositions,
    seed: u64,
    pub(super) random: Xoshiro256PlusPlus,
    budget: u64,
    simulations: u64,
    leaves: u64,
    /// What is out, oldest first.
    pending: VecDeque<PendingLeaf<W>>,
    spare: Vec<PendingLeaf<W>>,
    has_ended: bool,
    pub(super) wants_room: bool,
    pub(super) was_full: bool,
    pub(super) moves: Vec<Move>,
    pub(super) nodes: Vec<Node>,
    pub(super) scratch: Scratch,
    depth_sum: u64,
    depth_most: usize,
}

/// Columns that selection writes: kept, so that it allocates nothing.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// One per child.
    pub(super) means: Vec<f64>,
    /// One per child.
    pub(super) urgencies: Vec<f64>,
    /// One per child: rewards shared with other lines to the same position.
    pub(super) rewards: Vec<f64>,
    /// One per cell of all-moves-as-first: blended means, then urgencies.
    pub(super) cells: Vec<f32>,
    /// One per cell of all-moves-as-first: the visits of its move.
    pub(super) own_visits: Vec<f32>,
}

impl<const W: usize> UctSearch<W> {
    /// A search of `game`'s position with at most `budget` simulations that
    /// continues `tree`, whose root stands for that position.
    ///
    /// # Panics
    /// If `tree` does not have the columns that `config` needs.
    #[must_use]
    pub fn new(game: &Game, config: &UctConfig, budget: u64, seed: u64, mut tree: Tree) -> Self {
        assert_eq!(tree.extras(), config.extras(), "the tree was made for another configuration");
        let rules = game.rules();
        let (player, points) = (game.to_play(), game.size().points());
        tree.forget_positions();
        Self {
            config: config.clone(),
            selector: config.selector(),
            growth: config.growth(),
            rules,
            root: game.board().repacked(),
            last: game.moves().last().map(|(_, mv)| mv),
            history: game.history().clone(),
            plies_left: (rules.max_plies - game.ply().min(rules.max_plies)) as usize,
            tree,
            komi: RunningKomi::new(rules.komi, config.dynamic_komi, player, points),
            positions: Transpositions::default(),
            seed,
            random: Xoshiro256PlusPlus::seed_from_u64(mix(seed, TREE_STREAM)),
            budget,
            simulations: 0,
            leaves: 0,
            pending: VecDeque::new(),
            spare: Vec::new(),
            has_ended: false,
            wants_room: false,
            was_full: false,
            moves: Vec::new(),
            nodes: Vec::new(),
            scratch: Scratch::default(),
            depth_sum: 0,
            depth_most: 0,
        }
    }

    /// The next playout of the newest leaf that has not been asked for.
    fn ask(&mut self) -> Option<Request<W>> {
        let pending_leaf = self.pending.back_mut()?;
        if pending_leaf.outcome != LeafOutcome::Playouts || pending_leaf.asked == pending_leaf.count
        {
            return None;
        }
        let simulation = pending_leaf.first + u64::from(pending_leaf.asked);
        pending_leaf.asked += 1;
        let job = Job { start: pending_leaf.leaf, seed: mix(self.seed, simulation) };
        Some(Request::Playout { simulation, job })
    }

    /// Goes down to the next leaf.
    fn begin_leaf(&mut self) {
        let left = self.most_simulations().saturating_sub(self.simulations);
        #[allow(clippy::cast_possible_truncation)] // at most `leaf_playouts`
        let count = u64::from(self.config.leaf_playouts).min(left) as u32;
        let mut pending_leaf = self.spare.pop().unwrap_or_else(|| PendingLeaf {
            path: Vec::new(),
            leaf: self.root,
            first: 0,
            count: 0,
            asked: 0,
            outcome: LeafOutcome::Playouts,
            results: Vec::new(),
            missing: 0,
        });
        (pending_leaf.leaf, pending_leaf.outcome) = self.descend(&mut pending_leaf.path);
        for &node in &self.nodes {
            self.tree.visit(node, count);
        }
        if self.config.in_flight > 1 && self.tree.extras().amaf {
            self.refresh_means();
        }
        pending_leaf.first = self.simulations;
        pending_leaf.count = count;
        pending_leaf.asked = 0;
        pending_leaf.results.clear();
        pending_leaf.missing = 0;
        if pending_leaf.outcome == LeafOutcome::Playouts {
            pending_leaf.results.resize(count as usize, None);
            pending_leaf.missing = count;
        }
        self.simulations += u64::from(count);
        self.leaves += 1;
        let depth = pending_leaf.path.len();
        self.depth_sum += depth as u64 * u64::from(count);
        self.depth_most = self.depth_most.max(depth);
        self.pending.push_back(pending_leaf);
    }

    /// Counts what has come back and is due: the oldest leaf's results when no
    /// other leaf may be selected before.
    fn settle(&mut self) {
        while let Some(oldest) = self.pending.front() {
            let is_due = self.pending.len() == self.config.in_flight as usize
                || self.wants_room
                || self.is_finished();
            if !(oldest.has_all_results() && is_due) {
                return;
            }
            if let Some(pending_leaf) = self.pending.pop_front() {
                self.back_up(&pending_leaf);
                self.spare.push(pending_leaf);
                self.look_for_an_end();
            }
        }
    }

    /// Whether no more leaves are to be selected.
    fn is_finished(&self) -> bool {
        self.has_ended
            || self.simulations >= self.most_simulations()
            || (self.simulations >= self.budget && !self.goes_on_beyond_its_budget())
            || self.tree.visits(Tree::ROOT) >= MOST_VISITS
    }

    /// The budget and what the rule of the final move may add to it.
    fn most_simulations(&self) -> u64 {
        match self.config.final_move {
            FinalMove::Robust => self.budget.saturating_add(self.budget / 2),
            _ => self.budget,
        }
    }

    /// Whether the most visited move is not the best one yet.
    fn goes_on_beyond_its_budget(&self) -> bool {
        self.config.final_move == FinalMove::Robust && !self.has_a_robust_move()
    }

    fn has_a_robust_move(&self) -> bool {
        let children = self.tree.children(Tree::ROOT);
        let Some(most) = children.clone().rev().max_by_key(|&child| self.tree.visits(child)) else {
            return true;
        };
        let value = |child| self.tree.reward(child) / f64::from(self.tree.visits(child));
        let least = self.tree.visits(most) / 10;
        children
            .into_iter()
            .all(|child| self.tree.visits(child) <= least.max(1) || value(child) <= value(most))
    }

    /// Ends the search where going on cannot change the move.
    fn look_for_an_end(&mut self) {
        if self.config.solver && self.tree.proof(Tree::ROOT).is_some() {
            self.has_ended = true;
        }
        if self.config.early_stop && self.leaves.is_multiple_of(EARLY_STOP_INTERVAL) {
            // A pass that loses on the board is not made while there is
            // another move, however often it was visited.
            let score = self.root.area_score() - self.rules.komi;
            let behind = score.for_player(self.root.to_play()) < 0;
            let children = self.tree.children(Tree::ROOT);
            let mut visits: Vec<u32> = children
                .filter(|&child| !(behind && self.tree.mv(child) == Move::Pass))
                .map(|child| self.tree.visits(child))
                .collect();
            visits.sort_unstable_by(|a, b| b.cmp(a));
            let lead = visits.first().copied().unwrap_or(0) - visits.get(1).copied().unwrap_or(0);
            let left = self.budget.saturating_sub(self.simulations);
            self.has_ended |= u64::from(lead) > left;
        }
    }

    /// Drops what is seldom visited, so that the tree is half as large.
    fn make_room(&mut self) {
        self.wants_room = false;
        if self.config.when_full == WhenFull::Stop {
            return;
        }
        let most = self.config.max_nodes as usize / 2;
        let mut least_visits = 2;
        loop {
            let pruned = self.tree.pruned(least_visits);
            if pruned.len() <= most || least_visits >= MOST_VISITS / 2 {
                self.tree = pruned;
                return;
            }
            least_visits *= 2;
        }
    }

    /// Sets the number of simulations, those made included, after which the
    /// search is done.
    pub const fn set_budget(&mut self, budget: u64) {
        self.budget = budget;
    }

    /// The tree as it stands; what is out counts as lost visits.
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

    /// What is proven of the position, for the player to move.
    #[must_use]
    pub fn proof(&self) -> Option<Proof> {
        // The root's mark is that of the player who moved there.
        self.tree.proof(Tree::ROOT).map(|proof| match proof {
            Proof::Win => Proof::Loss,
            Proof::Loss => Proof::Win,
        })
    }
}

impl<const W: usize> Search<W> for UctSearch<W> {
    /// Walks down the tree to a leaf and asks for its playout. Simulations
    /// that end inside the tree are counted and the next one begins.
    fn select(&mut self) -> Request<W> {
        for _ in 0..PAUSE {
            if let Some(request) = self.ask() {
                return request;
            }
            self.settle();
            if self.is_finished() {
                return if self.pending.is_empty() { Request::Done } else { Request::Wait };
            }
            if self.pending.len() == self.config.in_flight as usize {
                return Request::Wait;
            }
            if self.wants_room {
                if !self.pending.is_empty() {
                    return Request::Wait;
                }
                self.make_room();
            }
            self.begin_leaf();
        }
        Request::Pause
    }

    fn update(&mut self, simulation: u64, playout: &Playout<W>) {
        let result = self.pending.iter_mut().find_map(|pending_leaf| {
            let number = usize::try_from(simulation.checked_sub(pending_leaf.first)?).ok()?;
            let is_out = number < pending_leaf.asked as usize
                && pending_leaf.outcome == LeafOutcome::Playouts;
            let result = pending_leaf.results.get_mut(number).filter(|result| result.is_none());
            result.filter(|_| is_out).map(|result| (result, &mut pending_leaf.missing))
        });
        let Some((result, missing)) = result else { panic!("simulation {simulation} is not out") };
        *result = Some(*playout);
        *missing -= 1;
        self.settle();
    }

    fn playouts_at_once(&self) -> usize {
        self.config.in_flight as usize * self.config.leaf_playouts as usize
    }

    fn size(&self) -> Size {
        self.root.size()
    }

    fn playout_config(&self) -> PlayoutConfig {
        self.config.playout_config(self.rules.komi)
    }

    fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    fn report(self: Box<Self>) -> SearchResult {
        SearchResult {
            simulations: self.simulations,
            depth_sum: self.depth_sum,
            depth_most: self.depth_most,
            was_full: self.was_full,
            tree: self.tree,
        }
    }
}
