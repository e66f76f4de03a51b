//! Selection with RAVE, where a node gets its children one by one: the statistics of
//! all-moves-as-first (AMAF) decide which of the moves without visits comes next.
//!
//! ```text
//! for each move of the node, in the tree or not:
//!     urgency = blend(mean of the move, its mean of all-moves-as-first)
//! for each move in the tree, if the formula explores:
//!     urgency = formula(urgency, visits of the move)
//! for each move, if `prior_exploration` is above 0:
//!     urgency += prior_exploration · prior · √(visits of the node) / (1 + visits of the move)
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

use super::amaf::{Blend, NO_MEAN, Own, Ranked};
use super::prior;
use super::scratch::Scratch;
use super::select::{SelectingNode, most_urgent};
use super::spent::{self, Part};
use super::tree::{Node, cell};
use super::uct::UctSearch;
use std::ops::Range;
use tengen_go::{Bits, Board, Move};

impl<const W: usize> UctSearch<W> {
    /// Selects a child of `node`, whose position is `board`; it may be a new one. `None`
    /// if the node has no move, or the tree has no room for its first child.
    #[allow(clippy::inline_always)] // into the loop of `descend`
    #[inline(always)]
    pub(super) fn next_by_amaf(&mut self, node: Node, board: &Board<W>) -> Option<Node> {
        if !self.tree.amaf().has(node) {
            self.open_amaf(node, board, self.candidates(board));
        }
        if self.config.proofs && !self.tree.amaf().has_untried(node) {
            self.tree.complete(node);
        }
        let children = self.tree.children(node);
        loop {
            let best = self.most_urgent_cells(node, children.clone());
            if best.is_empty() {
                return None;
            }
            let index = self.one_of(best);
            if !self.tree.amaf().is_untried(node, index) {
                return self.child_of_cell(children, index);
            }
            if !self.has_room(node, 1) {
                return self.most_urgent_in_tree(node, children);
            }
            if let Some(child) = self.try_cell(node, board, index) {
                return Some(child);
            }
        }
    }

    /// The child among `children` whose move has the cell `index`.
    fn child_of_cell(&self, children: Range<Node>, index: usize) -> Option<Node> {
        let (cells, _) = self.tree.cells_and_means(children.clone());
        let number = cells.iter().position(|&cell| usize::from(cell) == index)?;
        Some(children.start + number)
    }

    /// The cells of the most urgent moves of `node`; none if the node has no move. Unless urgencies
    /// are means, fills `scratch.urgencies` with the urgencies of `children`, the children of
    /// `node`.
    #[allow(clippy::inline_always)] // into the loop of `descend`
    #[inline(always)]
    pub(super) fn most_urgent_cells(&mut self, node: Node, children: Range<Node>) -> Bits<W> {
        let selecting = &self.selecting(node);
        let mut best = [0; W];
        if self.ranks_by_means() {
            // Means are filled and compared in one pass.
            self.blend_cells(node, selecting, Ranked::All, &mut best);
            return Bits::from_words(best);
        }
        let untried = self.blend_cells(node, selecting, Ranked::Untried, &mut best);
        let best = Bits::from_words(best);
        if children.is_empty() {
            self.scratch.means.clear();
            self.scratch.urgencies.clear();
            return best;
        }
        let mut most = self.explore(node, selecting, children.clone());
        if self.config.proofs {
            self.apply_proofs(children.clone());
            most = most_urgent(&self.scratch.urgencies).1;
        }
        let urgencies = &self.scratch.urgencies;
        let in_tree = single(most);
        if in_tree < untried {
            return best;
        }
        let mut best = if in_tree > untried { Bits::EMPTY } else { best };
        let (cells, _) = self.tree.cells_and_means(children);
        for (&cell, &urgency) in cells.iter().zip(urgencies) {
            if single(urgency) == in_tree {
                best |= Bits::point(cell.into());
            }
        }
        best
    }

    /// Fills `scratch.cells` with the blended means of the moves of `node`, to which untried moves
    /// add what their priors explore. Returns the highest value of the `ranked` moves, −∞ without
    /// such moves, and fills `best` with the set of the cells that have this value.
    pub(super) fn blend_cells(
        &mut self,
        node: Node,
        selecting: &SelectingNode<'_>,
        ranked: Ranked,
        best: &mut [u64; W],
    ) -> f32 {
        self.fill_own(node);
        let blend = Blend {
            weight: self.config.rave.weight(selecting.visits),
            first_play: single(selecting.first_play),
            per_prior: single(self.per_prior(selecting.visits)),
        };
        let Scratch { cells, own_means, own_visits, .. } = &mut self.scratch;
        let own = Own { means: own_means, visits: own_visits };
        self.tree.amaf().blend(node, own, blend, ranked, cells, best)
    }

    /// Fills `scratch.own_means` with the means of the children of `node` by cell, and, if RAVE
    /// weighs by visits, `scratch.own_visits` with their visits.
    fn fill_own(&mut self, node: Node) {
        let children = self.tree.children(node);
        let Scratch { own_means, own_visits, rewards, .. } = &mut self.scratch;
        let (cells, means) = self.tree.cells_and_means(children.clone());
        own_means.clear();
        own_means.resize(64 * W, NO_MEAN);
        for (&cell, &mean) in cells.iter().zip(means) {
            own_means[usize::from(cell)] = mean;
        }
        if self.config.rave.reads_visits() {
            own_visits.clear();
            own_visits.resize(64 * W, 0.0);
            for (&cell, &visits) in cells.iter().zip(self.tree.columns(children.clone()).visits) {
                #[allow(clippy::cast_precision_loss)] // a weight needs no more
                let visits = visits as f32;
                own_visits[usize::from(cell)] = visits;
            }
        }
        if self.config.transpositions {
            let columns = self.tree.columns(children);
            self.positions.share(columns.positions, columns.visits, columns.rewards, rewards);
            for (&cell, (&reward, &visits)) in cells.iter().zip(rewards.iter().zip(columns.visits))
            {
                if visits > 0 {
                    #[allow(clippy::cast_possible_truncation)] // in single precision
                    let mean = (reward / f64::from(visits)) as f32;
                    own_means[usize::from(cell)] = mean;
                }
            }
        }
    }

    /// Fills `scratch.urgencies` with the urgencies of `children`, one or more, by the formula, given
    /// their blended means in `scratch.cells`. Returns the highest.
    pub(super) fn explore(
        &mut self,
        node: Node,
        selecting: &SelectingNode<'_>,
        children: Range<Node>,
    ) -> f64 {
        let per_prior = self.per_prior(selecting.visits);
        let Scratch { cells: blended, means, urgencies, .. } = &mut self.scratch;
        let (cells, _) = self.tree.cells_and_means(children.clone());
        means.clear();
        means.extend(cells.iter().map(|&cell| f64::from(blended[usize::from(cell)])));
        let columns = self.tree.columns(children);
        let selecting = SelectingNode { children: &columns, ..*selecting };
        let formula = self.config.selection;
        let most = formula.fill(&selecting, Some(means), &mut self.random, urgencies).1;
        if per_prior == 0.0 {
            return most;
        }
        for ((urgency, &cell), &visits) in urgencies.iter_mut().zip(cells).zip(columns.visits) {
            let prior = f64::from(self.tree.amaf().prior(node, cell.into()));
            *urgency += per_prior * prior / (1.0 + f64::from(visits));
        }
        most_urgent(urgencies).1
    }

    /// What a prior of 1 adds to the urgency of a move without visits at a node of N `visits`: b · √N.
    fn per_prior(&self, visits: u32) -> f64 {
        self.config.prior_exploration * f64::from(visits).sqrt()
    }

    /// Whether urgencies are blended means, to which nothing is added.
    fn ranks_by_means(&self) -> bool {
        let explores = self.config.exploration != 0.0 || self.config.prior_exploration > 0.0;
        !explores && !self.config.proofs
    }

    /// The child of `node` with the highest urgency; of several the first.
    fn most_urgent_in_tree(&mut self, node: Node, children: Range<Node>) -> Option<Node> {
        if !children.is_empty() && self.ranks_by_means() {
            self.explore(node, &self.selecting(node), children.clone());
        }
        let urgencies = self.scratch.urgencies.iter().map(|&urgency| single(urgency));
        let best = children.zip(urgencies).rev().max_by(|one, other| one.1.total_cmp(&other.1));
        best.map(|(child, _)| child)
    }

    /// Starts the statistics of all-moves-as-first of `node`, whose position is `board`:
    /// its moves are the pass and plays at `points`, and their priors count as first
    /// visits.
    pub(super) fn open_amaf(&mut self, node: Node, board: &Board<W>, points: Bits<W>) {
        let _within = spent::enter(Part::Expansion);
        let moves = points | Bits::point(cell::<W>(Move::Pass));
        self.tree.open_amaf(node, board, moves);
        let prior = self.config.prior;
        let Some(move_priors) = prior.of(board, self.moves_to(node), points) else { return };
        let is_learned = prior.learned().is_some();
        let with_prior = if is_learned { points } else { moves };
        let bytes = move_priors.bytes_of(with_prior);
        self.tree.amaf_mut().set_priors(node, prior.sums(), bytes.as_flattened());
        if is_learned {
            self.tree.amaf_mut().begin_with(node, cell::<W>(Move::Pass), prior::PASS);
        }
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
        let _within = spent::enter(Part::Expansion);
        let mv = if index == cell::<W>(Move::Pass) {
            Move::Pass
        } else if self.is_allowed(board, index) {
            Move::Play(Bits::<W>::vertex(index))
        } else {
            self.tree.amaf_mut().remove_untried(node, index);
            return None;
        };
        Some(self.tree.add_child_by_amaf::<W>(node, mv))
    }
}

/// Urgencies are compared in single precision.
#[allow(clippy::cast_possible_truncation)]
pub(super) const fn single(urgency: f64) -> f32 {
    urgency as f32
}
