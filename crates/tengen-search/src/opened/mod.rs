//! A node of a tree, opened: the terms by which its next selection ranks its moves.
//!
//! ```text
//! urgency = win rate + virtual loss + transpositions     the mean of the move's own visits
//!         + RAVE + prior                                 what is blended with it
//!         + first play                                   where nothing is known
//!         + exploration                                  what the formula adds
//! ```
//!
//! Each term includes its weight: with RAVE the win rate has 1 − β, and so on. Only the code that
//! selects computes the urgency. Exploration is the urgency less the blended mean that the formula
//! read, and all other terms are computed here from the statistics of the tree. The terms add up to
//! the urgency within the rounding of single precision, in which RAVE is blended.

mod rows;
#[cfg(test)]
mod tests;

use super::config::Expansion;
use super::prior::VirtualVisits;
use super::tree::{Node, Proof, Tree};
use super::uct::UctSearch;
use crate::amaf::Weight;
use serde::Serialize;
use tengen_go::{Board, Color, Move};

/// A node of a tree as its next selection sees it. The page reads it as JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OpenedNode {
    /// The moves from the root.
    pub path: Vec<Move>,
    /// The player to move: all win rates, rewards and proofs below are for this player.
    pub to_play: Color,
    /// The visits, those in flight included.
    pub visits: u32,
    /// The visits whose results are not backed up yet: until then they count as losses of both
    /// players.
    pub pending: u32,
    /// The win rate of the player to move over the results that are backed up; none without any.
    pub win_rate: Option<f64>,
    /// The proven result of the node.
    pub proof: Option<Proof>,
    /// Number of visits from which the node selects; with fewer visits its simulations end here.
    #[serde(skip)]
    pub expansion: u32,
    /// The weight β of all-moves-as-first; 0 without RAVE, and none if each move has one of its own.
    pub rave_weight: Option<f64>,
    /// The most visited line from here.
    pub variation: Vec<Move>,
    /// The moves in the tree, and the legal moves that could be selected next though not in the
    /// tree: the most visited first, of equally visited moves the most urgent. None at a leaf.
    pub moves: Vec<OpenedMove>,
}

/// A move of an [`OpenedNode`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OpenedMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// Whether it has a node.
    #[serde(rename = "in_tree")]
    pub is_in_tree: bool,
    /// Its visits, those in flight included.
    pub visits: u32,
    /// The visits whose results are not backed up yet.
    pub pending: u32,
    /// The sum of the rewards.
    #[serde(skip)]
    pub reward: f64,
    /// The win rate over the results that are backed up; none without any.
    pub win_rate: Option<f64>,
    /// The visits and the rewards of all-moves-as-first, without those of the prior; none without RAVE.
    pub rave: Option<[f64; 2]>,
    /// The prior, with noise where there is some; none without priors.
    pub prior: Option<f64>,
    /// The visits as which the prior counts; none without a prior, or if the formula reads it.
    pub prior_visits: Option<VirtualVisits>,
    /// The mean of Black's lead after komi in points, known only for moves at the root.
    pub score: Option<f64>,
    /// The proven result.
    pub proof: Option<Proof>,
    /// The number by which the move was ranked, and how it came about.
    #[serde(flatten)]
    pub urgency: Urgency,
    /// Whether no move is more urgent.
    #[serde(rename = "most_urgent")]
    pub is_most_urgent: bool,
}

/// The urgency of a move, the highest of which is selected.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum Urgency {
    /// The sum of terms.
    Terms {
        /// The urgency by which the move was ranked.
        #[serde(rename = "urgency")]
        value: f64,
        /// The terms that add up to `value`.
        terms: Terms,
    },
    /// The infinite value of a first play.
    FirstPlay,
    /// A draw of the formula.
    #[serde(rename = "draw")]
    Drawn {
        /// The number that was drawn.
        #[serde(rename = "urgency")]
        value: f64,
        /// The parameters of the Beta distribution, if the number was drawn from one.
        beta: Option<[f64; 2]>,
    },
    /// Set by the proven result of the move: the highest for a win, the lowest for a loss.
    #[serde(rename = "proof")]
    Proven {
        /// The result, which the move has too.
        #[serde(skip)]
        proof: Proof,
    },
    /// Not computed, since a move that was never tried comes first, or left out by the formula.
    #[serde(rename = "none")]
    Unranked,
}

impl Urgency {
    /// The urgency as a number; none if it was not computed.
    #[must_use]
    pub const fn value(&self) -> Option<f64> {
        match *self {
            Self::Terms { value, .. } | Self::Drawn { value, .. } => Some(value),
            Self::FirstPlay | Self::Proven { proof: Proof::Win } => Some(f64::INFINITY),
            Self::Proven { proof: Proof::Loss } => Some(f32::MIN as f64),
            Self::Unranked => None,
        }
    }
}

/// The terms of an urgency, each weighted as it counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Terms {
    /// The win rate over the results that are backed up.
    pub win_rate: f64,
    /// The change by the visits in flight, which count as lost.
    pub virtual_loss: f64,
    /// The change by the results of other lines to the same position.
    pub transpositions: f64,
    /// All-moves-as-first.
    pub rave: f64,
    /// The prior.
    pub prior: f64,
    /// The value of a first play.
    pub first_play: f64,
    /// What the formula adds to the mean that it reads, to explore.
    pub exploration: f64,
}

impl Terms {
    /// The sum of all terms.
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.mean() + self.exploration
    }

    /// The blended mean that the formula reads.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let Self { win_rate, virtual_loss, transpositions, rave, prior, first_play, .. } = self;
        win_rate + virtual_loss + transpositions + rave + prior + first_play
    }
}

impl<const W: usize> UctSearch<W> {
    /// The node after the moves `path` as its next selection sees it; none if it is not in the tree.
    pub(super) fn opened(&mut self, path: &[Move]) -> Option<OpenedNode> {
        let mut nodes = vec![Tree::ROOT];
        for &mv in path {
            nodes.push(self.tree.child(nodes[nodes.len() - 1], mv)?);
        }
        // Plays on wide boards: so in most searches only `descend` plays on narrow boards, and the
        // compiler inlines this play.
        let mut wide: Board<6> = self.root.repacked();
        for &mv in path {
            wide.play_unchecked(mv);
            self.history.push(mv, &wide);
        }
        let board: Board<W> = wide.repacked();
        // Beside its buffers, selection changes `nodes`.
        let kept = std::mem::replace(&mut self.nodes, nodes);
        let mut draws = false;
        self.scratch.forget();
        let is_over = board.is_over() || path.len() >= self.plies_left;
        if let Some(&node) = self.nodes.last().filter(|_| !is_over) {
            draws = self.rank(node);
        }
        let opened = self.read_node(&board, draws);
        self.nodes = kept;
        for _ in path {
            self.history.pop();
        }
        Some(opened)
    }

    /// Ranks the moves of `node`, the last of `nodes`, as a comparison of its children does, but
    /// resets the random stream, so that the numbers will be drawn again. Returns whether any were
    /// drawn.
    pub(super) fn rank(&mut self, node: Node) -> bool {
        let random = self.random.clone();
        let children = self.tree.children(node);
        if self.growth == Expansion::ByAmaf {
            if self.tree.amaf().has(node) {
                self.most_urgent_cells(node, children);
            }
        } else if !children.is_empty() {
            self.most_urgent_child(node, children);
        }
        let draws = random != self.random;
        self.random = random;
        draws
    }

    /// Reads the last of `nodes`, whose position is `board`, from the buffers that its last ranking
    /// filled; `draws` is whether this ranking drew numbers.
    pub(super) fn read_node(&self, board: &Board<W>, draws: bool) -> OpenedNode {
        let node = self.nodes[self.nodes.len() - 1];
        let selecting = self.selecting(node);
        let path: Vec<Move> = self.nodes.iter().skip(1).map(|&node| self.tree.mv(node)).collect();
        let pending = self.pending_at();
        let results = selecting.visits - pending.min(selecting.visits);
        OpenedNode {
            path,
            to_play: board.to_play(),
            visits: selecting.visits,
            pending,
            // The rewards of a node are those of the player who moved there.
            win_rate: (results > 0).then(|| 1.0 - self.tree.reward(node) / f64::from(results)),
            proof: self.tree.proof(node).map(|proof| match proof {
                Proof::Win => Proof::Loss,
                Proof::Loss => Proof::Win,
            }),
            expansion: if node == Tree::ROOT { 0 } else { self.config.expansion },
            rave_weight: match self.config.rave.weight(selecting.visits) {
                Weight::OfNode(weight) => Some(weight.into()),
                Weight::OfMove { .. } => None,
            },
            variation: self.tree.principal_variation(node),
            moves: self.read_moves(board, draws),
        }
    }

    /// The visits in flight through the last of `nodes`.
    fn pending_at(&self) -> u32 {
        let path = self.numbers();
        let below = self.pending.iter().filter(|leaf| leaf.path.starts_with(&path));
        below.map(|leaf| leaf.count).sum()
    }

    /// The numbers of `nodes` among their siblings, without the root.
    fn numbers(&self) -> Vec<u16> {
        let number = |pair: &[Node]| pair[1] - self.tree.children(pair[0]).start;
        let numbers = self.nodes.windows(2).map(number);
        numbers.map(|number| u16::try_from(number).unwrap_or(u16::MAX)).collect()
    }
}
