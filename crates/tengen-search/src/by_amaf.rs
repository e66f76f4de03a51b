//! Selection with RAVE, where a node gets its children one by one: the statistics of
//! all-moves-as-first (AMAF) decide which of the moves without visits comes next.
//!
//! ```text
//! for each move of the node, in the tree or not:
//!     urgency = blend(mean of the move, its mean of all-moves-as-first)
//! for each move in the tree, if the formula explores:
//!     urgency = formula(urgency, visits of the move)
//! repeat:
//!     select the move of the highest urgency; of several one is drawn
//!     if it is not in the tree and not legal: remove it from the candidates
//! until a move is in the tree, or legal: then it is added
//! ```
//!
//! For example, at the node drawn in `amaf/cells.rs`, with β = ½, a value of first plays
//! of ½ and no exploration, A3 is selected and added:
//!
//! ```text
//! urgency
//! 3  1  ½  ¼      A3: not in the tree, 1 of 1 by all-moves-as-first
//! 2  ½  ½  ½      C3: in the tree, ½ · 0/1 + ½ · 1/2
//! 1  ¾  ½  −∞     A1: in the tree, ½ · 1/1 + ½ · 1/2
//!    A  B  C      C1: not legal
//! ```
//!
//! Urgencies lie in cells, one for each point of the board, as the statistics of
//! all-moves-as-first do ([`Amaf`](super::amaf::Amaf)). They are blended in single
//! precision for all cells at once; a formula reads the blended means and writes
//! urgencies in double precision, which are rounded to single precision again to be
//! compared.

use super::move_priors::MovePriors;
use super::prior::Prior;
use super::scratch::Scratch;
use super::select::{Parent, Rave};
use super::tree::{Node, cell};
use super::uct::UctSearch;
use std::ops::Range;
use tengen_go::{Bits, Board, Move};

impl<const W: usize> UctSearch<W> {
    /// Selects a child of `node`, whose position is `board`; it may be a new one. `None`
    /// if the node has no move, or the tree has no room for its first child.
    pub(super) fn next_by_amaf(&mut self, node: Node, board: &Board<W>) -> Option<Node> {
        if !self.tree.amaf().has(node) {
            self.open_amaf(node, board, Self::candidates(board));
        }
        if self.config.solver && !self.tree.amaf().has_untried(node) {
            self.tree.complete(node);
        }
        let mut best = [0; W];
        let mut has_move = self.most_urgent_cells(node, &mut best);
        while has_move {
            let index = self.one_of(Bits::from_words(best));
            if let Some(child) = self.child_of_cell(node, index) {
                return Some(child);
            }
            if !self.has_room(node, 1) {
                return self.most_urgent_in_tree(node);
            }
            if let Some(child) = self.try_cell(node, board, index) {
                return Some(child);
            }
            self.scratch.cells[index] = f32::NEG_INFINITY;
            has_move = self.tree.amaf().highest(&self.scratch.cells, &mut best);
        }
        None
    }

    /// Fills `scratch.cells` with the urgencies of the moves of `node`, and `best` with
    /// the set of the moves of the highest urgency. False if there is no move.
    fn most_urgent_cells(&mut self, node: Node, best: &mut [u64; W]) -> bool {
        let parent = self.parent(node);
        if self.selector.is_greedy() && !self.config.solver {
            // Urgencies are means: they are filled and compared in one pass.
            self.refresh_children(node);
            let Scratch { cells, own_visits, .. } = &mut self.scratch;
            let first_play = self.selector.first_play.value(parent.mean);
            let blend = self.config.rave.blend(parent.visits, own_visits, first_play);
            return self.tree.amaf().highest_blend(node, blend, cells, best);
        }
        let children = self.tree.children(node);
        self.blend_cells(node, parent);
        self.explore(parent, children.clone());
        self.apply_proofs(children.clone());
        let Scratch { cells, urgencies, .. } = &mut self.scratch;
        for (child, &urgency) in children.zip(urgencies.iter()) {
            #[allow(clippy::cast_possible_truncation)] // compared in single precision
            let urgency = urgency as f32;
            cells[cell::<W>(self.tree.mv(child))] = urgency;
        }
        self.tree.amaf().highest(cells, best)
    }

    /// Fills `scratch.cells` with the blended means of the moves of `node`.
    pub(super) fn blend_cells(&mut self, node: Node, parent: Parent) {
        self.refresh_children(node);
        let Scratch { cells, own_visits, .. } = &mut self.scratch;
        let first_play = self.selector.first_play.value(parent.mean);
        let blend = self.config.rave.blend(parent.visits, own_visits, first_play);
        self.tree.amaf().blend(node, blend, cells);
    }

    /// Fills `scratch.urgencies` with the urgencies of `children` by the formula, given
    /// their blended means in `scratch.cells`.
    pub(super) fn explore(&mut self, parent: Parent, children: Range<Node>) {
        let Scratch { cells, means, urgencies, .. } = &mut self.scratch;
        let mean = |child| f64::from(cells[cell::<W>(self.tree.mv(child))]);
        means.clear();
        means.extend(children.clone().map(mean));
        let columns = self.tree.columns(children);
        self.selector.fill(parent, &columns, Some(means), &mut self.random, urgencies);
    }

    /// Writes the values of the children of `node` that the blend reads and that back-up
    /// does not write: their visits, for [`Rave::MinMse`], and with transpositions the
    /// means of their positions.
    fn refresh_children(&mut self, node: Node) {
        let children = self.tree.children(node);
        let Scratch { own_visits, rewards, .. } = &mut self.scratch;
        if matches!(self.config.rave, Rave::MinMse(_)) {
            own_visits.clear();
            own_visits.resize(64 * W, 0.0);
            for child in children.clone() {
                own_visits[cell::<W>(self.tree.mv(child))] = self.tree.visits(child) as f32;
            }
        }
        if self.config.transpositions {
            let columns = self.tree.columns(children.clone());
            self.positions.share(columns.positions, columns.visits, columns.rewards, rewards);
            for (child, &reward) in children.zip(rewards.iter()) {
                let visits = self.tree.visits(child);
                if visits > 0 {
                    let index = cell::<W>(self.tree.mv(child));
                    #[allow(clippy::cast_possible_truncation)] // in single precision
                    let mean = (reward / f64::from(visits)) as f32;
                    self.tree.amaf_mut().set_mean(node, index, mean);
                }
            }
        }
    }

    /// The child of `node` for the move of a cell, if it is in the tree.
    fn child_of_cell(&self, node: Node, index: usize) -> Option<Node> {
        let mut children = self.tree.children(node);
        if self.selector.is_greedy() {
            return self.tree.amaf().child(node, index).map(|number| children.start + number);
        }
        // A formula has just read the children: they are in the cache, and the numbers of
        // children in the statistics of all-moves-as-first are not.
        children.find(|&child| cell::<W>(self.tree.mv(child)) == index)
    }

    /// The child of `node` with the highest urgency in `scratch.cells`; of several the
    /// first.
    fn most_urgent_in_tree(&self, node: Node) -> Option<Node> {
        let urgency = |child: Node| self.scratch.cells[cell::<W>(self.tree.mv(child))];
        let children = self.tree.children(node).rev();
        children.max_by(|&one, &other| urgency(one).total_cmp(&urgency(other)))
    }

    /// Starts the statistics of all-moves-as-first of `node`, whose position is `board`:
    /// its moves are the pass and plays at `points`, and their priors count as first
    /// visits.
    pub(super) fn open_amaf(&mut self, node: Node, board: &Board<W>, points: Bits<W>) {
        let pass = cell::<W>(Move::Pass);
        self.tree.open_amaf(node, board, points | Bits::point(pass));
        let Prior::Heuristic(visits) = self.config.prior else { return };
        let move_priors = MovePriors::new(board, self.move_to(node));
        #[allow(clippy::cast_possible_truncation)] // counted in single precision
        let reward = |mv| (visits * move_priors.value(mv)) as f32;
        let plays = points.iter().map(|at| (at, reward(Move::Play(Bits::<W>::vertex(at)))));
        let rewards = plays.chain([(pass, reward(Move::Pass))]);
        #[allow(clippy::cast_possible_truncation)] // as above
        self.tree.amaf_mut().begin_with(node, visits as f32, rewards);
    }

    /// Draws a point of `points`, each with equal probability.
    fn one_of(&mut self, points: Bits<W>) -> usize {
        match points.count() {
            1 => points.nth(0),
            count => points.nth(self.below(count)),
        }
    }

    /// Adds to `node` a child for the move of the cell `index`. If the move is not legal,
    /// removes it from the candidates and returns `None`.
    fn try_cell(&mut self, node: Node, board: &Board<W>, index: usize) -> Option<Node> {
        let mv = if index == cell::<W>(Move::Pass) {
            Move::Pass
        } else if self.is_allowed(board, index) {
            Move::Play(Bits::<W>::vertex(index))
        } else {
            self.tree.amaf_mut().remove_candidate(node, index);
            return None;
        };
        Some(self.tree.add_child_by_amaf::<W>(node, mv))
    }
}
