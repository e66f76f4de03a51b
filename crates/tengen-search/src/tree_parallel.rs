//! Tree-parallel search: several threads in one tree (Chaslot, Winands and
//! van den Herik, "Parallel Monte-Carlo tree search", 2008, with virtual loss
//! and, after Enzenberger and Müller, "A lock-free multithreaded Monte-Carlo
//! tree search algorithm", 2009, without locks on the statistics).
//!
//! **The result depends on the timing of the threads**: unlike every other search
//! here, two runs with one seed differ.

use super::config::UctConfig;
use super::driver::WORTH_LANES;
use super::dynamic_komi::{DynamicKomi, RunningKomi};
use super::select::{Parent, Selector, most_urgent};
use super::tree::{Columns, Tree};
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::cell::RefCell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;
use tengen_go::seed::mix;
use tengen_go::{Bits, Board, Color, Game, History, Move, Rules, Score};
use tengen_playout::lanes::{Lanes, Ticket};
use tengen_playout::{Isa, Job, PlayoutConfig, scalar};

/// Rewards are counted in 2⁻²⁰, of which every reward is a multiple.
const REWARD_STEPS: f64 = 1_048_576.0;

/// Below a search seed, the streams that shuffle the children, a thread each.
const SHUFFLES: u64 = u64::MAX;

/// A node that several threads update.
struct Shared {
    mv: Move,
    visits: AtomicU32,
    rewards: AtomicU64,
    children: OnceLock<Box<[Self]>>,
}

impl Shared {
    const fn new(mv: Move) -> Self {
        Self {
            mv,
            visits: AtomicU32::new(0),
            rewards: AtomicU64::new(0),
            children: OnceLock::new(),
        }
    }

    fn reward(&self) -> f64 {
        self.rewards.load(Relaxed) as f64 / REWARD_STEPS
    }
}

/// The tree and the counters that all threads share.
struct Common<'search, const W: usize> {
    config: &'search UctConfig,
    selector: Selector,
    rules: Rules,
    start: Board<W>,
    history: &'search History,
    plies_left: usize,
    komi: RunningKomi,
    root: Shared,
    nodes: AtomicUsize,
    begun: AtomicU64,
    depth_sum: AtomicU64,
    depth_most: AtomicUsize,
    budget: u64,
    seed: u64,
    deadline: Option<Instant>,
}

impl<const W: usize> Common<'_, W> {
    const fn playout_config(&self) -> PlayoutConfig {
        self.config.playout_config(self.rules.komi)
    }
}

/// The result of a tree-parallel search.
pub(super) struct LeafOutcome {
    pub(super) tree: Tree,
    pub(super) simulations: u64,
    pub(super) depth_sum: u64,
    pub(super) depth_most: usize,
}

/// Searches the position of `game` with `tree_threads` threads of its own, each
/// with `in_flight` leaves out, until `budget` simulations are made or
/// `deadline` has passed.
pub(super) fn search<const W: usize>(
    game: &Game,
    config: &UctConfig,
    budget: u64,
    seed: u64,
    deadline: Option<Instant>,
) -> LeafOutcome {
    let rules = game.rules();
    let points = game.size().points();
    let common = Common::<W> {
        config,
        selector: config.selector(),
        rules,
        start: game.board().repacked(),
        history: game.history(),
        plies_left: (rules.max_plies - game.ply().min(rules.max_plies)) as usize,
        komi: RunningKomi::new(rules.komi, DynamicKomi::None, game.to_play(), points),
        root: Shared::new(Move::Pass),
        nodes: AtomicUsize::new(1),
        begun: AtomicU64::new(0),
        depth_sum: AtomicU64::new(0),
        depth_most: AtomicUsize::new(0),
        budget,
        seed,
        deadline,
    };
    std::thread::scope(|scope| {
        for thread in 0..u64::from(config.tree_threads) {
            let common = &common;
            scope.spawn(move || Walker::new(common, thread).run());
        }
    });
    LeafOutcome {
        tree: copy(&common.root),
        simulations: common.begun.load(Relaxed).min(budget),
        depth_sum: common.depth_sum.load(Relaxed),
        depth_most: common.depth_most.load(Relaxed),
    }
}

/// One thread in the tree.
struct Walker<'search, const W: usize> {
    common: &'search Common<'search, W>,
    history: History,
    shuffle: Xoshiro256PlusPlus,
    /// The paths of the leaves that are out, by ticket.
    out: Vec<Option<Vec<&'search Shared>>>,
    visits: Vec<u32>,
    rewards: Vec<f64>,
    means: Vec<f64>,
    urgencies: Vec<f64>,
}

impl<'search, const W: usize> Walker<'search, W> {
    fn new(common: &'search Common<'search, W>, thread: u64) -> Self {
        let shuffle = Xoshiro256PlusPlus::seed_from_u64(mix(common.seed, SHUFFLES - thread));
        Self {
            common,
            history: common.history.clone(),
            shuffle,
            out: Vec::new(),
            visits: Vec::new(),
            rewards: Vec::new(),
            means: Vec::new(),
            urgencies: Vec::new(),
        }
    }

    fn run(mut self) {
        let in_flight = self.common.config.in_flight as usize;
        if in_flight < WORTH_LANES {
            while let Some((ticket, job)) = self.next_job() {
                let playout = scalar::play_by(self.common.playout_config(), &job);
                self.take(ticket, playout.score);
            }
            return;
        }
        let isa = Isa::from_environment().unwrap_or_else(|_| Isa::fastest());
        let (size, playout_config) = (self.common.start.size(), self.common.playout_config());
        let mut lanes = Lanes::with_config(size, isa, playout_config).with_at_most(in_flight);
        let walker = RefCell::new(self);
        lanes.run(
            || walker.borrow_mut().next_job(),
            |ticket, playout| walker.borrow_mut().take(ticket, playout.score),
        );
    }

    /// The playout of the next leaf; none when the search is over.
    fn next_job(&mut self) -> Option<(Ticket, Job<W>)> {
        loop {
            if self.common.deadline.is_some_and(|deadline| Instant::now() >= deadline)
                && self.common.begun.load(Relaxed) > 0
            {
                return None;
            }
            let simulation = self.common.begun.fetch_add(1, Relaxed);
            if simulation >= self.common.budget {
                return None;
            }
            let (path, board) = self.descend();
            let is_over = board.is_over() || path.len() > self.common.plies_left;
            let place = self.out.iter().position(Option::is_none).unwrap_or_else(|| {
                self.out.push(None);
                self.out.len() - 1
            });
            self.out[place] = Some(path);
            let ticket = Ticket(place as u64);
            if !is_over {
                let seed = mix(self.common.seed, simulation);
                return Some((ticket, Job { start: board, seed }));
            }
            self.take(ticket, board.area_score());
        }
    }

    /// Walks to a leaf; every node on the way counts a visit, which is a loss
    /// until the result comes.
    fn descend(&mut self) -> (Vec<&'search Shared>, Board<W>) {
        let common = self.common;
        let mut board = common.start;
        let mut node = &common.root;
        let mut path = vec![node];
        while !board.is_over() && path.len() <= common.plies_left {
            let visits = node.visits.load(Relaxed);
            let Some(children) = self.children(node, &board, visits) else { break };
            self.visits.clear();
            self.visits.extend(children.iter().map(|child| child.visits.load(Relaxed)));
            self.rewards.clear();
            self.rewards.extend(children.iter().map(Shared::reward));
            let mean = if visits == 0 { 0.5 } else { 1.0 - node.reward() / f64::from(visits) };
            let columns = Columns {
                visits: &self.visits,
                rewards: &self.rewards,
                amaf_visits: &[],
                amaf_rewards: &[],
                priors: &[],
                positions: &[],
            };
            common.selector.fill(
                Parent { visits, mean },
                &columns,
                &mut self.shuffle,
                &mut self.means,
                &mut self.urgencies,
            );
            node = &children[most_urgent(&self.urgencies).0];
            board.play_unchecked(node.mv);
            self.history.push(node.mv, &board);
            path.push(node);
        }
        for _ in 1..path.len() {
            self.history.pop();
        }
        for node in &path {
            node.visits.fetch_add(1, Relaxed);
        }
        let depth = path.len() - 1;
        common.depth_sum.fetch_add(depth as u64, Relaxed);
        common.depth_most.fetch_max(depth, Relaxed);
        (path, board)
    }

    /// The children of `node`, made now if it is ripe and there is room.
    fn children(
        &mut self,
        node: &'search Shared,
        board: &Board<W>,
        visits: u32,
    ) -> Option<&'search [Shared]> {
        if let Some(children) = node.children.get() {
            return Some(children);
        }
        let common = self.common;
        let is_root = std::ptr::eq(node, &raw const common.root);
        let is_full = common.nodes.load(Relaxed) >= common.config.max_nodes as usize;
        if !is_root && (visits < common.config.expansion || is_full) {
            return None;
        }
        let points = board.legal_points(common.rules) - board.eyes();
        let points = self.history.without_repeats(board, points);
        let mut moves: Vec<Move> =
            points.iter().map(|index| Move::Play(Bits::<W>::vertex(index))).collect();
        moves.push(Move::Pass);
        moves.shuffle(&mut self.shuffle);
        // Of threads that come here at once the first one decides.
        Some(node.children.get_or_init(|| {
            common.nodes.fetch_add(moves.len(), Relaxed);
            moves.into_iter().map(Shared::new).collect()
        }))
    }

    /// Counts the result of a leaf on its path.
    fn take(&mut self, ticket: Ticket, score: Score) {
        let place = usize::try_from(ticket.0).unwrap_or(usize::MAX);
        let Some(path) = self.out.get_mut(place).and_then(Option::take) else { return };
        let common = self.common;
        let points = common.start.size().points();
        let black = common.config.value.reward(common.komi.lead(score), points, Color::Black);
        let mut mover = !common.start.to_play();
        for node in path {
            let reward = if mover == Color::Black { black } else { 1.0 - black };
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 2²⁰
            let steps = (reward * REWARD_STEPS).round() as u64;
            node.rewards.fetch_add(steps, Relaxed);
            mover = !mover;
        }
    }
}

/// The shared tree as one of the usual kind.
fn copy(root: &Shared) -> Tree {
    let mut tree = Tree::default();
    tree.visit(Tree::ROOT, root.visits.load(Relaxed));
    tree.reward_with(Tree::ROOT, root.reward());
    let mut waiting = vec![(root, Tree::ROOT)];
    while let Some((shared, node)) = waiting.pop() {
        let Some(children) = shared.children.get() else { continue };
        let moves: Vec<Move> = children.iter().map(|child| child.mv).collect();
        tree.expand(node, &moves);
        for (child, place) in children.iter().zip(tree.children(node)) {
            tree.visit(place, child.visits.load(Relaxed));
            tree.reward_with(place, child.reward());
            waiting.push((child, place));
        }
    }
    tree
}
