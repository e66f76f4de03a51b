//! A UCT search, which requests playouts and takes their results.
//!
//! ```text
//! select():
//!     back up the results that are due                   back_up
//!     return no playout if the budget is spent, or K leaves are pending already
//!     go from the root to a leaf                         descent, by_amaf
//!     count a visit of each node on the way: a loss until its result is backed up
//!     return the playout of the leaf
//! update(result):
//!     keep it; back up the results that are due
//! ```
//!
//! For example, the simulation drawn in `descent`, which ends at the leaf C2:
//!
//! ```text
//! select()         visits of the root, C3, C2: +1 each; returns a playout from after C2
//! update(B+2.5)    rewards: C3 +1; the root and C2, White's moves, +0
//! ```
//!
//! With K leaves in flight (`in_flight`) the results of leaf n are due between the
//! selections of leaf n + K − 1 and leaf n + K. Here K = 2, and leaf 1 is back before
//! leaf 0:
//!
//! ```text
//! select leaf 0
//! select leaf 1            leaf 0 counts as a loss
//! update leaf 1            kept: leaf 0 is older
//! update leaf 0            leaf 0 is counted, and due; leaf 1 waits for leaf 2
//! select leaf 2            leaf 1 counts as a loss
//!                          leaf 1 is counted
//! ```
//!
//! When time ends a search, or a caller views it, some leaves are pending. A search that ends backs
//! up the results that have arrived, and takes back the simulations without a result (`settle`). A
//! view adds the results that have arrived to the moves at the root, leaves out the other
//! simulations, and changes nothing (`view`). Either way, a caller sees of n simulations what a
//! search with a budget of n simulations finds.

use super::config::{Expansion, UctConfig};
use super::early_end::EarlyEnd;
use super::evaluation::recent;
use super::evaluator::{Leaf, NamedEvaluator};
use super::opened::OpenedNode;
use super::pending_leaf::{LeafOutcome, PendingLeaf, Spare};
use super::report::SearchCounts;
use super::result::{SearchResult, SearchView};
use super::root_leaf::positions_before;
use super::root_move::RootMove;
use super::score_sum::ScoreSum;
use super::scratch::Scratch;
use super::search::{Request, Search, SearchControl, Work};
use super::spent::{self, Part};
use super::trace::{Trace, TracedSimulation};
use super::transpositions::Transpositions;
use super::tree::{Node, Proof, Tree};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::collections::VecDeque;
use tengen_go::{Bits, Board, Game, History, Move, Rules};
use tengen_playout::{Job, Playout};
use tengen_stats::seed::mix;

/// `mix` derives the seed of the tree's own random stream from the seed of the search and this
/// number; for a playout it takes the number of the simulation, from 0.
const TREE_STREAM: u64 = u64::MAX;

/// The number of visits of the root at which a search ends.
const MAX_VISITS: u32 = 1 << 30;

/// Number of leaves in a row that may end inside the tree before [`Request::Pause`].
const PAUSE: u32 = 1_000;

/// A UCT search for the best move of one position.
///
/// **The tree is a function of the game, the configuration, the budget and the seed,
/// whoever drives the search**: results are counted in a fixed order, whenever they
/// arrive.
///
/// # Examples
/// ```
/// use tengen_go::{Game, Komi, Preset, Rules, Size};
/// use tengen_search::tree::Tree;
/// use tengen_search::uct::UctSearch;
/// use tengen_search::{AnySearch, UctConfig, driver};
///
/// let size = Size::square(5)?;
/// let game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
/// let config = UctConfig::default();
/// let search = UctSearch::new(&game, &config, 500, 1, Tree::new(config.extras()));
/// let search = AnySearch::new::<1>(Box::new(search));
/// let results = driver::run(size, vec![search])?;
/// assert_eq!(results[0].tree.visits(Tree::ROOT), 500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct UctSearch<const W: usize> {
    pub(super) config: UctConfig,
    pub(super) growth: Expansion,
    pub(super) rules: Rules,
    pub(super) root: Board<W>,
    /// The last moves before the root, the newest first.
    pub(super) recent: Vec<Move>,
    /// The positions before the root that the evaluator sees, the newest first.
    pub(super) before: Vec<Board<6>>,
    /// The priors of the root's children with noise, once it is drawn.
    pub(super) root_priors: Vec<f32>,
    /// [`Plan::simulations`](super::select::Plan::simulations) of the root.
    pub(super) planned: u64,
    /// [`Plan::draws`](super::select::Plan::draws) of the root, once they are made.
    pub(super) root_draws: Vec<f64>,
    /// The legal points of the last leaf that is to be evaluated.
    pub(super) legal: Bits<W>,
    pub(super) history: History,
    /// [`Game::most_stones`] of the game.
    pub(super) most_stones: u32,
    pub(super) plies_left: usize,
    pub(super) tree: Tree,
    pub(super) positions: Transpositions,
    pub(super) seed: u64,
    pub(super) random: Xoshiro256PlusPlus,
    pub(super) budget: u64,
    pub(super) early_end: EarlyEnd,
    /// Simulations after which the search is suspended.
    suspend_after: u64,
    /// Counts of the simulations that have begun.
    pub(super) counts: SearchCounts,
    /// The pending leaves, oldest first.
    pub(super) pending: VecDeque<PendingLeaf<W>>,
    /// The allocations of leaves that are done, to be used again.
    spare: Vec<Spare<W>>,
    pub(super) has_ended: bool,
    pub(super) moves: Vec<Move>,
    /// The nodes from the root to the leaf of the last descent or back-up.
    pub(super) nodes: Vec<Node>,
    /// The last descent: at each node the number of the selected child, and the position after its
    /// move.
    pub(super) line: Vec<(u16, Board<W>)>,
    /// The scores of the playouts through each child of the root; children at the end may be
    /// missing.
    pub(super) scores: Vec<ScoreSum>,
    pub(super) scratch: Scratch,
    /// The trace of one simulation, if the caller wants one.
    pub(super) trace: Option<Box<Trace>>,
}

impl<const W: usize> UctSearch<W> {
    /// A search of the current position of `game` with at most `budget` simulations. It
    /// continues `tree`, whose root stands for that position.
    ///
    /// # Panics
    /// If `tree` does not have the columns that `config` needs.
    #[must_use]
    pub fn new(game: &Game, config: &UctConfig, budget: u64, seed: u64, mut tree: Tree) -> Self {
        assert_eq!(tree.extras(), config.extras(), "the tree was made for another configuration");
        let rules = game.rules();
        tree.forget_positions();
        Self {
            config: config.clone(),
            growth: config.growth(),
            rules,
            root: game.board().repacked(),
            recent: recent(game.moves()),
            before: positions_before(
                game,
                config.evaluator.as_ref().map_or(0, NamedEvaluator::positions_before),
            ),
            root_priors: Vec::new(),
            planned: config.planned(),
            root_draws: Vec::new(),
            legal: Bits::EMPTY,
            history: game.history().clone(),
            most_stones: game.most_stones(),
            plies_left: (rules.max_plies - game.ply().min(rules.max_plies)) as usize,
            tree,
            positions: Transpositions::default(),
            seed,
            random: Xoshiro256PlusPlus::seed_from_u64(mix(seed, TREE_STREAM)),
            budget,
            early_end: EarlyEnd::new(config),
            suspend_after: u64::MAX,
            counts: SearchCounts::default(),
            pending: VecDeque::new(),
            spare: Vec::new(),
            has_ended: false,
            moves: Vec::new(),
            nodes: Vec::new(),
            line: Vec::new(),
            scores: Vec::new(),
            scratch: Scratch::default(),
            trace: None,
        }
    }

    /// The newest leaf's next playout or evaluation that has not been requested.
    fn next_request(&mut self) -> Option<Request<W>> {
        let pending_leaf = self.pending.back_mut()?;
        if pending_leaf.asked == pending_leaf.count {
            return None;
        }
        let simulation = pending_leaf.first + u64::from(pending_leaf.asked);
        let request = match pending_leaf.outcome {
            LeafOutcome::Playouts => {
                let job = Job { start: pending_leaf.leaf, seed: mix(self.seed, simulation) };
                Request::Playout { simulation, job }
            }
            LeafOutcome::Evaluation => Request::Evaluation { simulation },
            _ => return None,
        };
        pending_leaf.asked += 1;
        Some(request)
    }

    /// Selects a leaf and adds it to the pending ones.
    fn begin_leaf(&mut self) {
        let left = self.budget.saturating_sub(self.counts.simulations);
        #[allow(clippy::cast_possible_truncation)] // at most `leaf_playouts`
        let count = u64::from(self.config.leaf_playouts).min(left) as u32;
        let Spare { mut path, mut results, evaluation } = self.spare.pop().unwrap_or_default();
        let is_traced = self.traces_next();
        let (leaf, outcome) = self.descend(&mut path, is_traced);
        if is_traced {
            self.trace_leaf();
        }
        for &node in &self.nodes {
            self.tree.visit(node, count);
        }
        if self.config.in_flight > 1 && self.tree.extras().amaf {
            self.refresh_means();
        }
        results.clear();
        let (evaluation, missing) = match outcome {
            LeafOutcome::Playouts => (None, count),
            LeafOutcome::Terminal(_) | LeafOutcome::Proven(_) => (None, 0),
            LeafOutcome::Evaluation | LeafOutcome::SharedEvaluation => {
                let mut evaluation = evaluation.unwrap_or_default();
                self.begin_evaluation(outcome, &path, &mut evaluation);
                let missing = u32::from(evaluation.value.is_none());
                (Some(evaluation), missing)
            }
        };
        if outcome == LeafOutcome::Playouts {
            results.resize(missing as usize, None);
        }
        self.counts.depth_sum += path.len() as u64 * u64::from(count);
        self.counts.max_depth = self.counts.max_depth.max(path.len());
        let first = self.counts.simulations;
        self.counts.simulations += u64::from(count);
        let asked = 0;
        let pending_leaf =
            PendingLeaf { path, leaf, first, count, asked, outcome, results, missing, evaluation };
        self.pending.push_back(pending_leaf);
    }

    /// Backs up the results that have arrived and are due: the results of the oldest leaf, if no
    /// other leaf may be selected before.
    pub(super) fn count_due_results(&mut self) {
        while let Some(oldest) = self.pending.front() {
            let is_due = self.pending.len() == self.config.in_flight as usize || self.is_done();
            if !(oldest.missing == 0 && is_due) {
                return;
            }
            if let Some(pending_leaf) = self.pending.pop_front() {
                let _within = spent::enter(Part::Update);
                if self.is_traced(&pending_leaf) {
                    self.trace_before(&pending_leaf);
                }
                self.back_up(&pending_leaf);
                if self.is_traced(&pending_leaf) {
                    self.trace_after(&pending_leaf);
                }
                let PendingLeaf { path, results, evaluation, .. } = pending_leaf;
                self.spare.push(Spare { path, results, evaluation });
                let is_proven = self.config.proofs && self.tree.proof(Tree::ROOT).is_some();
                self.has_ended |= is_proven;
            }
        }
    }

    /// Takes back the simulations without a result, and backs up the results of all others.
    pub(super) fn settle(&mut self) {
        for place in 0..self.pending.len() {
            let unfinished = u64::from(self.pending[place].missing);
            if unfinished == 0 {
                continue;
            }
            let pending_leaf = &mut self.pending[place];
            let visits = pending_leaf.drop_missing();
            let path = std::mem::take(&mut pending_leaf.path);
            self.find_nodes(&path);
            for &node in &self.nodes {
                self.tree.take_back(node, visits, 0.0);
            }
            self.counts.simulations -= unfinished;
            self.counts.depth_sum -= unfinished * path.len() as u64;
            self.pending[place].path = path;
        }
        self.pending.retain(|pending_leaf| pending_leaf.count > 0);
        // All remaining leaves are due.
        let had_ended = std::mem::replace(&mut self.has_ended, true);
        self.count_due_results();
        let is_proven = self.config.proofs && self.tree.proof(Tree::ROOT).is_some();
        self.has_ended = had_ended || is_proven;
    }

    /// Sets the budget: the simulations of the whole search, those made included.
    pub const fn set_budget(&mut self, budget: u64) {
        self.budget = budget;
    }

    /// The current tree, in which simulations without a result count as losses.
    #[must_use]
    pub const fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The proven result of the position for the player to move, if there is one.
    #[must_use]
    pub fn proof(&self) -> Option<Proof> {
        // The root's mark is that of the player who moved there.
        self.tree.proof(Tree::ROOT).map(|proof| match proof {
            Proof::Win => Proof::Loss,
            Proof::Loss => Proof::Win,
        })
    }
}

impl<const W: usize> SearchControl for UctSearch<W> {
    fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    fn suspend_after(&mut self, simulations: u64) {
        self.suspend_after = simulations;
    }

    fn is_done(&self) -> bool {
        self.has_ended
            || self.counts.simulations >= self.budget
            || self.tree.visits(Tree::ROOT) >= MAX_VISITS
    }

    fn simulations(&self) -> u64 {
        self.counts.simulations
    }

    fn view(&self) -> SearchView<'_> {
        let mut moves = RootMove::all(&self.tree, &self.scores);
        let mut counts = self.counts;
        for pending_leaf in &self.pending {
            let missing = u64::from(pending_leaf.missing);
            let own = self.own_reward(pending_leaf);
            counts.simulations -= missing;
            counts.depth_sum -= missing * pending_leaf.path.len() as u64;
            if let Some(&first) = pending_leaf.path.first() {
                let root_move = &mut moves[usize::from(first)];
                root_move.visits -= missing;
                root_move.reward += own;
                self.add_scores(pending_leaf, &mut root_move.scores);
            }
        }
        let improved = self.improved(&moves);
        let moves = RootMove::known(moves, &improved);
        SearchView { moves, tree: &self.tree, counts }
    }

    fn open(&mut self, path: &[Move]) -> Option<OpenedNode> {
        self.opened(path)
    }

    fn trace(&mut self, simulation: u64) {
        self.trace = Some(Box::new(Trace::of(simulation)));
    }

    fn traced(&mut self) -> Option<TracedSimulation> {
        self.trace.take_if(|trace| trace.is_done).map(|trace| trace.noted)
    }

    // The browser page saves no searches, and loads faster without this code.
    #[cfg(not(target_arch = "wasm32"))]
    fn save(&mut self) -> Option<crate::SavedSearch> {
        Some(self.saved())
    }

    fn report(mut self: Box<Self>) -> SearchResult {
        self.settle();
        let is_planned = self.is_planned(Tree::ROOT);
        let root_moves = if is_planned { RootMove::all(&self.tree, &[]) } else { Vec::new() };
        let improved = self.improved(&root_moves);
        SearchResult { counts: self.counts, tree: self.tree, scores: self.scores, improved }
    }
}

impl<const W: usize> Search<W> for UctSearch<W> {
    /// Goes down the tree to a leaf and returns its playout. A simulation that ends inside
    /// the tree needs none: its result is counted, and the next simulation begins.
    fn select(&mut self) -> Request<W> {
        for _ in 0..PAUSE {
            if let Some(request) = self.next_request() {
                return request;
            }
            self.count_due_results();
            if self.is_done() {
                return if self.pending.is_empty() { Request::Done } else { Request::Wait };
            }
            if self.counts.simulations >= self.suspend_after {
                let is_complete = self.pending.iter().all(|pending_leaf| pending_leaf.missing == 0);
                return if is_complete { Request::Done } else { Request::Wait };
            }
            if self.pending.len() == self.config.in_flight as usize {
                return Request::Wait;
            }
            if self.ends_early() {
                self.has_ended = true;
                continue;
            }
            self.begin_leaf();
        }
        Request::Pause
    }

    fn update(&mut self, simulation: u64, playout: &Playout<W>) {
        let result = self.pending.iter_mut().find_map(|pending_leaf| {
            let number = usize::try_from(simulation.checked_sub(pending_leaf.first)?).ok()?;
            let is_in_flight = number < pending_leaf.asked as usize
                && pending_leaf.outcome == LeafOutcome::Playouts;
            let result = pending_leaf.results.get_mut(number).filter(|result| result.is_none());
            result.filter(|_| is_in_flight).map(|result| (result, &mut pending_leaf.missing))
        });
        let Some((result, missing)) = result else {
            panic!("simulation {simulation} is not in flight")
        };
        *result = Some(*playout);
        *missing -= 1;
        self.count_due_results();
    }

    fn work(&self) -> Work {
        let playouts = self.config.playout_config(self.rules.komi);
        match &self.config.evaluator {
            Some(evaluator) => {
                let needed = (self.config.playout_share > 0.0).then_some(playouts);
                Work::Evaluations(evaluator.clone(), needed)
            }
            None => Work::Playouts(playouts),
        }
    }

    fn leaf(&self) -> Leaf {
        self.newest_leaf()
    }

    fn take_evaluation(
        &mut self,
        simulation: u64,
        value: f32,
        weights: &[f32],
        playout: Option<&Playout<W>>,
    ) {
        self.keep_evaluation(simulation, value, weights, playout);
    }

    fn playouts_at_once(&self) -> usize {
        self.config.in_flight as usize * self.config.leaf_playouts as usize
    }
}
