//! Selection: from the root to a leaf.
//!
//! ```text
//! node = root
//! until the game is over at node, or its result is proven, or it selects no child:
//!     node = the most urgent child, which may be new
//! ```
//!
//! A node selects once it has had `expansion` visits, the root at once. With `expansion` = 2:
//!
//! ```text
//! simulation 1: root, D3         a new child of the root, a leaf
//! simulation 2: root, C3         another one
//! simulation 3: root, C3         C3 has had one visit: still a leaf
//! simulation 4: root, C3, C2     C3 has had two: a new child of C3, a leaf
//! ```
//!
//! The tree after simulation 4 and the position of its leaf, with Black (X) to move at the root:
//!
//! ```text
//! root          4 visits         4 . . . .
//! ├─ D3         1 visit          3 . . X .
//! └─ C3         3 visits         2 . . O .
//!    └─ C2      1 visit          1 . . . .
//!                                  A B C D
//! ```
//!
//! With the setting `epoch` a node repeats a selection: after a comparison has selected a child of n visits, the
//! node selects this child `epoch` · n times more (`next_in_epoch`). With `epoch` = 0.01:
//!
//! ```text
//! simulation 900: root compares and selects C3, which has 250 visits
//! simulations 901 and 902: C3 again, without a comparison
//! simulation 903: root compares
//! ```
//!
//! [`Expansion`] sets how the children of a node come into the tree: all at once (`expand`), one by
//! one at random (`grow`), in the order of all-moves-as-first (`by_amaf.rs`), or by falling prior
//! (`next_by_prior`).

use super::config::Expansion;
use super::pending_leaf::LeafOutcome;
use super::prior::{Recent, sort_by_falling};
use super::scratch::Scratch;
use super::select::{Plan, SelectingNode, most_urgent};
use super::spent::{self, Part};
use super::tree::{Columns, Node, Proof, Tree};
use super::uct::UctSearch;
use rand::seq::SliceRandom;
use rand_xoshiro::rand_core::Rng;
use std::ops::Range;
use tengen_go::{Bits, Board, Move};

impl<const W: usize> UctSearch<W> {
    /// Goes from the root to a leaf. Returns the position of the leaf and how its
    /// simulations end; fills `nodes` with the nodes on the way, the root first, and `path`
    /// with their numbers among their siblings. If `is_traced`, the trace notes each selection.
    pub(super) fn descend(
        &mut self,
        path: &mut Vec<u16>,
        is_traced: bool,
    ) -> (Board<W>, LeafOutcome) {
        let mut board = self.root;
        let mut node = Tree::ROOT;
        let mut follows_last = true;
        path.clear();
        self.nodes.clear();
        self.nodes.push(node);
        let outcome = loop {
            if board.is_over() || path.len() >= self.plies_left {
                break LeafOutcome::Terminal(board.area_score());
            }
            if self.config.proofs
                && node != Tree::ROOT
                && let Some(proof) = self.tree.proof(node)
            {
                break LeafOutcome::Proven(proof);
            }
            if is_traced {
                self.scratch.forget();
            }
            let repeated = self.next_in_epoch(node);
            if is_traced && repeated.is_some() {
                self.rank(node);
            }
            let Some(child) = repeated.or_else(|| self.next_compared(node, &board)) else {
                break self.outcome_of_open_leaf(node, path);
            };
            if is_traced {
                self.trace_selection(&board);
            }
            let first = self.tree.children(node).start;
            let number = u16::try_from(child - first).expect("at most 362 children");
            let depth = path.len();
            path.push(number);
            node = child;
            let mv = self.tree.mv(node);
            // Successive descents share many moves: a shared move is not played again.
            follows_last &= self.line.get(depth).is_some_and(|&(last, _)| last == number);
            if follows_last {
                board = self.line[depth].1;
            } else {
                board.play_unchecked(mv);
                self.line.truncate(depth);
                self.line.push((number, board));
            }
            self.history.push_ahead(mv, &board);
            self.nodes.push(node);
            if self.config.transpositions && self.tree.position(node) == 0 {
                let position = self.positions.number(&board);
                self.tree.set_position(node, position);
            }
        };
        if outcome == LeafOutcome::Evaluation {
            self.legal = self.legal_points(&board);
        }
        self.history.forget_ahead();
        (board, outcome)
    }

    /// The child of `node` that an epoch selects without a comparison.
    #[allow(clippy::inline_always)] // into the loop of `descend`
    #[inline(always)]
    fn next_in_epoch(&mut self, node: Node) -> Option<Node> {
        if self.config.epoch == 0.0 {
            return None;
        }
        let child = self.tree.in_epoch(node)?;
        if self.config.proofs && self.tree.proof(child).is_some() {
            return None;
        }
        self.tree.use_epoch(node);
        Some(child)
    }

    /// Selects a child of `node` by a comparison, as `next_child` does, and begins the epoch of the child.
    #[allow(clippy::inline_always)] // into the loop of `descend`
    #[inline(always)]
    fn next_compared(&mut self, node: Node, board: &Board<W>) -> Option<Node> {
        let child = self.next_child(node, board)?;
        if self.config.epoch > 0.0 {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at most the visits
            let length = (self.config.epoch * f64::from(self.tree.visits(child))) as u32;
            let number = child - self.tree.children(node).start;
            self.tree.begin_epoch(node, number, length);
        }
        Some(child)
    }

    /// Selects a child of `node`, whose position is `board`; `None` if the node is a leaf.
    #[allow(clippy::inline_always)] // into the loop of `descend`
    #[inline(always)]
    fn next_child(&mut self, node: Node, board: &Board<W>) -> Option<Node> {
        if self.growth == Expansion::ByPrior {
            return self.next_by_prior(node);
        }
        let is_root = node == Tree::ROOT;
        let count = self.tree.children(node).len();
        if count == 0 && !is_root && self.tree.visits(node) < self.config.expansion {
            return None;
        }
        if count == 0 && self.config.has_evaluated_priors() {
            return None;
        }
        match self.growth {
            Expansion::AllAtOnce | Expansion::ByPrior => {}
            Expansion::Singly => return self.next_singly(node, board),
            Expansion::ByAmaf => return self.next_by_amaf(node, board),
        }
        if count == 0 && !self.expand(node, board) {
            return None;
        }
        let children = self.tree.children(node);
        let (child, _) = self.most_urgent_child(node, children.clone());
        Some(children.start + child)
    }

    /// Selects a child where children come one by one ([`Expansion::Singly`]): all moves
    /// that are not in the tree yet have the value of a first play as urgency.
    #[allow(clippy::inline_always)] // into the loop of `descend`
    #[inline(always)]
    fn next_singly(&mut self, node: Node, board: &Board<W>) -> Option<Node> {
        let children = self.tree.children(node);
        let best = |search: &mut Self| {
            (!children.is_empty()).then(|| search.most_urgent_child(node, children.clone()))
        };
        if !self.tree.is_complete(node) {
            let first_play = self.selecting(node).first_play;
            let rival = if first_play == f64::INFINITY { None } else { best(self) };
            if rival.is_none_or(|(_, urgency)| first_play > urgency)
                && let Some(child) = self.grow(node, board)
            {
                return Some(child);
            }
        }
        best(self).map(|(child, _)| children.start + child)
    }

    /// Selects a child where children come by falling prior ([`Expansion::ByPrior`]), as if all
    /// moves were in the tree in this order; `None` if the node has not been evaluated.
    fn next_by_prior(&mut self, node: Node) -> Option<Node> {
        if !self.tree.has_row(node) {
            return None;
        }
        if self.has_noise(node) || self.is_planned(node) {
            // The next move depends on the noise or the plan too.
            while self.tree.untried(node).is_some() {
                self.tree.add_highest(node, self.root.size());
            }
        }
        let children = self.tree.children(node);
        let best = (!children.is_empty()).then(|| self.most_urgent_child(node, children.clone()));
        if let Some(untried) = self.tree.untried(node) {
            let columns = self.tree.columns(children.clone());
            let selecting = SelectingNode { children: &columns, ..self.selecting(node) };
            let formula = self.config.selection;
            let urgency = formula.of_untried(&selecting, untried.prior, &mut self.random);
            if best.is_none_or(|(_, most)| urgency > most) && self.has_room(node, 1) {
                let _within = spent::enter(Part::Expansion);
                return Some(self.tree.add_highest(node, self.root.size()));
            }
        }
        best.map(|(child, _)| children.start + child)
    }

    /// Whether there is noise in the priors of the moves of `node`.
    pub(super) fn has_noise(&self, node: Node) -> bool {
        node == Tree::ROOT && !self.config.root_noise.is_none()
    }

    /// The last moves before the position of `node`, the last of `nodes`.
    pub(super) fn moves_to(&self, node: Node) -> Recent {
        debug_assert_eq!(self.nodes.last(), Some(&node));
        let in_tree = self.nodes.iter().skip(1).rev().map(|&node| self.tree.mv(node));
        Recent::of(in_tree.chain(self.recent.iter().copied()))
    }

    /// `node`, the last of `nodes`, as the formulas see it when it selects, without its children.
    pub(super) fn selecting(&self, node: Node) -> SelectingNode<'static> {
        self.selecting_at(node, self.nodes.len() - 1)
    }

    /// `node` at this `depth` as the formulas see it when it selects, without its children.
    pub(super) fn selecting_at(&self, node: Node, depth: usize) -> SelectingNode<'static> {
        let visits = self.tree.visits(node);
        // The node's own rewards are those of the other player.
        let mean = if visits == 0 { 0.5 } else { 1.0 - self.tree.reward(node) / f64::from(visits) };
        let selecting = SelectingNode {
            visits,
            first_play: self.config.first_play.value(mean),
            mean,
            depth,
            exploration: self.config.exploration,
            children: &Columns::EMPTY,
            value: None,
            untried: None,
            plan: None,
        };
        if self.growth == Expansion::ByPrior && self.config.selection.properties().plans_root {
            let value = self.tree.value(node).map(f64::from);
            return SelectingNode { value, untried: self.tree.sum_of_untried(node), ..selecting };
        }
        selecting
    }

    /// The number of the most urgent of `children`, the children of `node`, and its urgency.
    pub(super) fn most_urgent_child(&mut self, node: Node, children: Range<Node>) -> (usize, f64) {
        let selecting = self.selecting(node);
        let has_noise = self.has_noise(node);
        if has_noise {
            self.draw_root_noise();
        }
        let is_planned = self.is_planned(node);
        if is_planned {
            self.draw_for_plan(children.len());
        }
        let plan = Plan { simulations: self.planned, draws: &self.root_draws };
        let plan = is_planned.then_some(plan);
        let mut columns = self.tree.columns(children.clone());
        if has_noise {
            columns.priors = &self.root_priors;
        }
        let Scratch { means, urgencies, rewards, .. } = &mut self.scratch;
        if self.config.transpositions {
            let (numbers, visits) = (columns.positions, columns.visits);
            self.positions.share(numbers, visits, columns.rewards, rewards);
            columns.rewards = rewards;
        }
        let has_priors = !columns.priors.is_empty();
        let formula = self.config.selection;
        let blended = (has_priors && !formula.properties().reads_priors).then(|| {
            self.config.prior.blend(&columns, selecting.first_play, means);
            &means[..]
        });
        let selecting = SelectingNode { children: &columns, plan, ..selecting };
        let best = formula.fill(&selecting, blended, &mut self.random, urgencies);
        if self.config.proofs {
            self.apply_proofs(children);
            return most_urgent(&self.scratch.urgencies);
        }
        best
    }

    /// Gives children with a proven win the highest urgency, and those with a proven loss the
    /// lowest: a proven loss is selected only if all moves lose.
    pub(super) fn apply_proofs(&mut self, children: Range<Node>) {
        for (urgency, child) in self.scratch.urgencies.iter_mut().zip(children) {
            match self.tree.proof(child) {
                Some(Proof::Loss) => *urgency = f64::from(f32::MIN),
                Some(Proof::Win) => *urgency = f64::INFINITY,
                None => {}
            }
        }
    }

    /// The legal points, superko not considered, that children of a node with this position may
    /// play; without own eyes unless own eyes are moves.
    pub(super) fn points(&self, board: &Board<W>) -> Bits<W> {
        board.legal_among(board.empty() - self.forbidden_eyes(board), self.rules)
    }

    /// The points of [`Self::points`], and empty points that are not legal. Few candidates are ever
    /// chosen: it is cheaper to check each candidate when it is chosen.
    pub(super) fn candidates(&self, board: &Board<W>) -> Bits<W> {
        board.empty() - self.forbidden_eyes(board)
    }

    /// The own eyes of the player to move, unless own eyes are moves.
    fn forbidden_eyes(&self, board: &Board<W>) -> Bits<W> {
        if self.config.own_eyes { Bits::EMPTY } else { board.eyes() }
    }

    /// Whether a play at the candidate `index` is legal, superko included.
    pub(super) fn is_allowed(&self, board: &Board<W>, index: usize) -> bool {
        board.check(Move::Play(Bits::<W>::vertex(index)), self.rules).is_ok()
            && !self.history.repeats(board.hash_after(index), !board.to_play())
    }

    /// Adds to `node` a child for a move drawn from the moves without a child; `None` if no move is
    /// left, or the tree has no room.
    #[allow(clippy::inline_always)] // into the loop of `descend`
    #[inline(always)]
    fn grow(&mut self, node: Node, board: &Board<W>) -> Option<Node> {
        if !self.has_room(node, 1) {
            return None;
        }
        let _within = spent::enter(Part::Expansion);
        // Word by word: subtracting a set of one point per child is slower.
        let mut words = self.candidates(board).words();
        let mut may_pass = true;
        for child in self.tree.children(node) {
            match self.tree.mv(child) {
                Move::Play(vertex) => {
                    let index = Bits::<W>::index(vertex);
                    words[index / 64] &= !(1 << (index % 64));
                }
                Move::Pass => may_pass = false,
            }
        }
        let mut points = Bits::<W>::from_words(words);
        loop {
            let moves = points.count() + u32::from(may_pass);
            if moves == 0 {
                self.tree.complete(node);
                return None;
            }
            let drawn = self.below(moves);
            if drawn == points.count() {
                return Some(self.tree.add_child(node, Move::Pass));
            }
            let index = points.nth(drawn);
            if self.is_allowed(board, index) {
                return Some(self.tree.add_child(node, Move::Play(Bits::<W>::vertex(index))));
            }
            points = points - Bits::point(index);
        }
    }

    /// Adds all children to `node` and returns true, if the tree has room. The children are the
    /// pass and every legal move that repeats no position of the game or of the path and fills no
    /// own eye, unless own eyes are moves. Their order is by falling prior, or random without
    /// priors.
    fn expand(&mut self, node: Node, board: &Board<W>) -> bool {
        let _within = spent::enter(Part::Expansion);
        let points = self.legal_points(board);
        if !self.has_room(node, points.count() as usize + 1) {
            return false;
        }
        self.moves.clear();
        self.moves.extend(points.iter().map(|index| Move::Play(Bits::<W>::vertex(index))));
        self.moves.push(Move::Pass);
        self.moves.shuffle(&mut self.random);
        let move_priors = self.config.prior.of(board, self.moves_to(node), points);
        let values = move_priors.map(|move_priors| {
            let values = self.moves.iter().map(|&mv| move_priors.value(mv));
            let mut values: Vec<f64> = values.collect();
            sort_by_falling(&mut self.moves, &mut values);
            values
        });
        self.tree.expand(node, &self.moves);
        if let Some(values) = values.filter(|_| self.tree.extras().priors) {
            // A formula reads each prior as its share of the sum.
            let is_read = self.config.selection.properties().reads_priors;
            let sum = if is_read { values.iter().sum() } else { 1.0 };
            for (child, value) in self.tree.children(node).zip(values) {
                #[allow(clippy::cast_possible_truncation)] // a prior needs no more digits
                let prior = (value / sum) as f32;
                self.tree.set_prior(child, prior);
            }
        }
        true
    }

    /// Whether `node` may get `more` children more; the root always may. If not, notes
    /// that the tree is full.
    pub(super) fn has_room(&mut self, node: Node, more: usize) -> bool {
        if node == Tree::ROOT || self.tree.len() + more <= self.config.max_nodes as usize {
            return true;
        }
        self.counts.was_full = true;
        false
    }

    /// Draws a number below `count` by one output of the search's random stream: the
    /// probabilities of two numbers differ by at most 2⁻⁶⁴.
    pub(super) fn below(&mut self, count: u32) -> u32 {
        let number = u128::from(self.random.next_u64()) * u128::from(count);
        #[allow(clippy::cast_possible_truncation)] // the upper half of a product
        let below = (number >> 64) as u32;
        below
    }
}
