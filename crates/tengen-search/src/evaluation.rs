//! Leaves that an evaluator judges: what they request, and how the results come into the tree.
//!
//! ```text
//! select():   a node without children is a leaf; a second leaf at it, while the first is
//!             pending, shares its evaluation
//! back-up:    in the order of selection; the leaf's node gets the priors of its moves, and the value
//!             is backed up as the reward of a playout is
//! ```
//!
//! With an evaluator without priors, nodes are leaves and get their children as in a search by
//! playouts, and each leaf requests its own evaluation.

use super::config::Expansion;
use super::evaluator::{Leaf, NamedEvaluator, RECENT, write_bits};
use super::pending_leaf::{Evaluation, LeafOutcome, PendingLeaf};
use super::prior::sort_by_falling;
use super::spent::{self, Part};
use super::tree::Node;
use super::uct::UctSearch;
use tengen_go::{Bits, Board, Color, Move, Size};
use tengen_playout::Playout;
use tengen_stats::seed::mix;

/// Values are rounded to multiples of 1 / `UNITS`: sums of them are then exact in any order.
const UNITS: f64 = (1 << 20) as f64;

impl<const W: usize> UctSearch<W> {
    /// How a leaf at the end of `path` is judged, whose node is `node` and whose game is not over.
    pub(super) fn outcome_of_open_leaf(&self, node: Node, path: &[u16]) -> LeafOutcome {
        if self.config.evaluator.is_none() {
            return LeafOutcome::Playouts;
        }
        // Without a visit no leaf at the node is pending.
        let may_be_pending = self.config.has_evaluated_priors() && self.tree.visits(node) > 0;
        if may_be_pending && self.requested_at(path).is_some() {
            LeafOutcome::SharedEvaluation
        } else {
            LeafOutcome::Evaluation
        }
    }

    /// The pending leaf at the end of `path` that has requested its evaluation.
    fn requested_at(&self, path: &[u16]) -> Option<&PendingLeaf<W>> {
        let is_same =
            |leaf: &&PendingLeaf<W>| leaf.outcome == LeafOutcome::Evaluation && leaf.path == path;
        self.pending.iter().find(is_same)
    }

    /// Prepares `evaluation` for a new leaf at the end of `path`, with the value, if known, of the
    /// pending leaf whose evaluation the new leaf shares.
    pub(super) fn begin_evaluation(
        &self,
        outcome: LeafOutcome,
        path: &[u16],
        evaluation: &mut Evaluation<W>,
    ) {
        evaluation.legal = self.legal;
        evaluation.weights.clear();
        evaluation.value = match outcome {
            LeafOutcome::SharedEvaluation => {
                self.requested_at(path).and_then(|leaf| leaf.evaluation.as_ref()?.value)
            }
            _ => None,
        };
    }

    /// The points that the player to move on `board` may play, superko considered. `board` is the
    /// position of the last of `nodes`, to which the history leads.
    ///
    /// No earlier position has more stones than the board if the board has at least as many as
    /// every position of the game, and no move in the tree captured or passed.
    pub(super) fn legal_points(&self, board: &Board<W>) -> Bits<W> {
        let points = self.points(board);
        let stones = board.stone_count();
        let plies = self.nodes.len() - 1;
        let has_most = stones >= self.most_stones
            && stones as usize == self.root.stone_count() as usize + plies;
        if has_most {
            self.history.without_repeats_of_most(board, points)
        } else {
            self.history.without_repeats(board, points)
        }
    }

    /// The newest leaf as an evaluator sees it.
    pub(super) fn newest_leaf(&self) -> Leaf {
        let pending_leaf = self.pending.back().expect("a leaf whose evaluation was requested");
        let mut recent = [None; RECENT];
        let in_tree = self.nodes.iter().skip(1).rev().map(|&node| self.tree.mv(node));
        let moves = in_tree.chain(self.recent.iter().copied());
        recent.iter_mut().zip(moves).for_each(|(place, mv)| *place = Some(mv));
        let count = self.config.evaluator.as_ref().map_or(0, NamedEvaluator::positions_before);
        let before = if count == 0 { Vec::new() } else { self.positions_before(count) };
        Leaf {
            board: pending_leaf.leaf.repacked(),
            legal: self.legal.repacked(self.root.size()),
            recent,
            before,
            komi: self.rules.komi,
            seed: mix(self.seed, pending_leaf.first),
        }
    }

    /// The `count` positions before that of the last of `nodes`, the newest first.
    fn positions_before(&self, count: usize) -> Vec<Board<6>> {
        let depth = self.nodes.len() - 1;
        let in_tree = self.line[..depth].iter().rev().skip(1).map(|(_, board)| board);
        let root = (depth > 0).then_some(&self.root);
        let below = in_tree.chain(root).map(Board::repacked);
        below.chain(self.before.iter().copied()).take(count).collect()
    }

    /// Keeps the result of the evaluation of `simulation`, for its leaf and the leaves that share
    /// it. The result of the leaf's `playout` enters the value with the weight `playout_share`.
    ///
    /// # Panics
    /// If it is not in flight.
    pub(super) fn keep_evaluation(
        &mut self,
        simulation: u64,
        value: f32,
        weights: &[f32],
        playout: Option<&Playout<W>>,
    ) {
        let requested = self.pending.iter().position(|leaf| {
            leaf.first == simulation && leaf.outcome == LeafOutcome::Evaluation && leaf.missing > 0
        });
        let Some(requested) = requested else { panic!("simulation {simulation} is not in flight") };
        let value = playout.map_or(f64::from(value), |playout| {
            let share = self.config.playout_share;
            let result = self.reward(playout.score, self.pending[requested].leaf.to_play());
            (1.0 - share) * f64::from(value) + share * result
        });
        let value = (value * UNITS).round() / UNITS;
        let path = std::mem::take(&mut self.pending[requested].path);
        for leaf in self.pending.range_mut(requested + 1..) {
            if leaf.outcome == LeafOutcome::SharedEvaluation && leaf.path == path {
                leaf.missing = 0;
                leaf.evaluation.iter_mut().for_each(|evaluation| evaluation.value = Some(value));
            }
        }
        let leaf = &mut self.pending[requested];
        leaf.path = path;
        leaf.missing = 0;
        leaf.results.extend(playout.map(|&playout| Some(playout)));
        if let Some(evaluation) = &mut leaf.evaluation {
            evaluation.value = Some(value);
            evaluation.weights.extend_from_slice(weights);
        }
        self.count_due_results();
    }

    /// Gives the node of an evaluated leaf, the last of `nodes`, the priors of its moves: as a row,
    /// or with all its children, by falling prior; of equal priors the points come first, in their
    /// order, then the pass.
    pub(super) fn expand_evaluated(&mut self, pending_leaf: &PendingLeaf<W>) {
        let (Some(evaluation), Some(&node)) = (&pending_leaf.evaluation, self.nodes.last()) else {
            return;
        };
        let _within = spent::enter(Part::Expansion);
        let Evaluation { legal, weights, value } = &**evaluation;
        if weights.is_empty() || !self.tree.children(node).is_empty() || self.tree.has_row(node) {
            return;
        }
        let size = self.root.size();
        if self.growth == Expansion::ByPrior {
            if self.has_room(node, 1) {
                // Exact: see `UNITS`.
                #[allow(clippy::cast_possible_truncation)]
                let value = value.unwrap_or(0.5) as f32;
                let fill = |row: &mut [f32]| fill_shares(row, weights, *legal, size);
                self.tree.open_row(node, value, size, fill);
            }
            return;
        }
        if !self.has_room(node, legal.count() as usize + 1) {
            return;
        }
        let mut shares = vec![0.0; weights.len()];
        fill_shares(&mut shares, weights, *legal, size);
        self.moves.clear();
        self.moves.extend(legal.iter().map(|index| Move::Play(Bits::<W>::vertex(index))));
        self.moves.push(Move::Pass);
        let share = |mv: &Move| shares[size.move_number(*mv)].into();
        let mut shares: Vec<f64> = self.moves.iter().map(share).collect();
        sort_by_falling(&mut self.moves, &mut shares);
        self.tree.expand(node, &self.moves);
        for (child, share) in self.tree.children(node).zip(shares) {
            #[allow(clippy::cast_possible_truncation)] // it is one of the shares
            self.tree.set_prior(child, share as f32);
        }
    }

    /// The expected result of the player to move at the root, by the evaluation of the leaf; none
    /// while it is missing.
    pub(super) fn own_value(&self, pending_leaf: &PendingLeaf<W>) -> Option<f64> {
        let is_own = pending_leaf.leaf.to_play() == self.root.to_play();
        let value = pending_leaf.evaluation.as_ref()?.value;
        value.map(|value| if is_own { value } else { 1.0 - value })
    }
}

/// Numbers that are added up side by side.
const LANES: usize = 8;

/// Fills `shares` with each legal move's share of the sum of all legal moves' weights, and with −1
/// for illegal moves. Both slices begin with the points of a board of `size` and end with the pass.
/// If the sum is 0, all legal moves have the same share.
fn fill_shares<const W: usize>(shares: &mut [f32], weights: &[f32], legal: Bits<W>, size: Size) {
    let (points, pass) = shares.split_at_mut(size.points());
    // 1 for a legal move and 0 for an illegal move.
    write_bits(legal.numbered(size), points);
    pass.fill(1.0);
    let mut sums = [0.0; LANES];
    let (groups, rest) = shares.as_chunks::<LANES>();
    let (weight_groups, weight_rest) = weights.as_chunks::<LANES>();
    for (shares, weights) in groups.iter().zip(weight_groups) {
        for lane in 0..LANES {
            sums[lane] += f64::from(shares[lane] * weights[lane]);
        }
    }
    for ((sum, share), weight) in sums.iter_mut().zip(rest).zip(weight_rest) {
        *sum += f64::from(share * weight);
    }
    let sum: f64 = sums.iter().sum();
    if sum > 0.0 {
        let each = 1.0 / sum;
        for (share, &weight) in shares.iter_mut().zip(weights) {
            #[allow(clippy::cast_possible_truncation)] // a prior needs no more digits
            let legal = (f64::from(weight) * each) as f32;
            *share = *share * legal + (*share - 1.0);
        }
    } else {
        let uniform = 1.0 / (legal.count() + 1) as f32;
        for share in shares {
            *share = *share * uniform + (*share - 1.0);
        }
    }
}

/// The last moves of a game before its current position, the newest first.
pub(super) fn recent(moves: impl DoubleEndedIterator<Item = (Color, Move)>) -> Vec<Move> {
    moves.rev().take(RECENT).map(|(_, mv)| mv).collect()
}
