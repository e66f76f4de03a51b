//! What a search knows of a move at its root.

use super::figure::{Figure, FigureValue};
use super::score_sum::ScoreSum;
use super::select::Improved;
use super::tree::{Proof, Tree};
use serde::ser::{Serialize, SerializeMap, Serializer};
use tengen_go::Move;

/// A move at the root of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Number of visits: simulations that began with the move, also in a kept tree.
    pub visits: u64,
    /// Sum of the rewards of the player to move: 1 for a win, ½ for jigo.
    pub reward: f64,
    /// The scores of this search's playouts through the move.
    pub scores: ScoreSum,
    /// The proven result of the move for the player to move, if a worker has proven one.
    pub proof: Option<Proof>,
    /// The prior of the move in the first worker's tree, before any noise; known after
    /// [`SearchReport::add_details`](crate::SearchReport::add_details) if the tree has priors.
    pub prior: Option<f32>,
    /// AMAF visits of the move, visits from priors included, and the sum of their rewards; known
    /// after `add_details` if the search counts them.
    pub amaf: Option<(f64, f64)>,
    /// The share of the move in the improved policy, and its rank; none if the formula computes none
    /// ([`ForAllChildren::improve`](crate::select::ForAllChildren::improve)).
    pub improved: Option<Improved>,
    /// The principal variation that begins with the move, as far as it was searched; before
    /// `add_details` only the most visited move has one.
    pub variation: Vec<Move>,
}

impl RootMove {
    /// The figures of a move. All rates are those of the player to move, 0 to 1.
    pub const FIGURES: &'static [Figure<Self>] = &[
        Figure {
            name: "visits",
            plural: "visits",
            meaning: "simulations that began with the move, in a kept tree too",
            of: |of| FigureValue::Count(of.visits),
        },
        Figure {
            name: "win_rate",
            plural: "values",
            meaning: "mean result of the player to move, 0 to 1",
            of: |of| FigureValue::Real(of.value()),
        },
        Figure {
            name: "score",
            plural: "scores",
            meaning: "mean lead of Black after komi in the playouts through the move, in points",
            of: |of| FigureValue::Real(of.scores.mean()),
        },
        Figure {
            name: "prior",
            plural: "priors",
            meaning: "prior of the move, before any noise",
            of: |of| FigureValue::Real(of.prior.map(f64::from)),
        },
        Figure {
            name: "improved_policy",
            plural: "improved_policy",
            meaning: "probability of the move by the policy that `gumbel` derives from the search",
            of: |of| FigureValue::Real(of.improved.map(|improved| improved.policy)),
        },
        Figure {
            name: "amaf_visits",
            plural: "amaf_visits",
            meaning: "visits of the move in the statistic of RAVE, with the visits of priors",
            of: |of| FigureValue::Real(of.amaf.map(|(visits, _)| visits)),
        },
        Figure {
            name: "amaf_win_rate",
            plural: "amaf_values",
            meaning: "win rate of the player to move in the statistic of RAVE, 0 to 1",
            of: |of| FigureValue::Real(of.amaf.and_then(|(n, sum)| (n > 0.0).then(|| sum / n))),
        },
        Figure {
            name: "proof",
            plural: "proofs",
            meaning: "proven result for the player to move: won or lost",
            of: |of| FigureValue::Proof(of.proof),
        },
    ];

    /// A move without any statistics.
    #[must_use]
    pub fn new(mv: Move) -> Self {
        Self {
            mv,
            visits: 0,
            reward: 0.0,
            scores: ScoreSum::default(),
            proof: None,
            prior: None,
            amaf: None,
            improved: None,
            variation: Vec::new(),
        }
    }

    /// The statistics of all children of the root of `tree`, whose scores are `scores`.
    pub(super) fn all(tree: &Tree, scores: &[ScoreSum]) -> Vec<Self> {
        let scores = scores.iter().copied().chain(std::iter::repeat(ScoreSum::default()));
        let children = tree.children(Tree::ROOT).zip(scores);
        let root_move = |(child, scores)| Self {
            visits: tree.visits(child).into(),
            reward: tree.reward(child),
            scores,
            proof: tree.proof(child),
            ..Self::new(tree.mv(child))
        };
        children.map(root_move).collect()
    }

    /// Keeps of `moves`, all children of a root, the visited ones and the ones with a share of an
    /// improved policy. `improved` holds the share of each move, or is empty.
    pub(super) fn known(mut moves: Vec<Self>, improved: &[Improved]) -> Vec<Self> {
        for (root_move, &improved) in moves.iter_mut().zip(improved) {
            root_move.improved = Some(improved);
        }
        moves.retain(|root_move| root_move.visits > 0 || root_move.improved.is_some());
        moves
    }

    /// The mean reward of the player to move, 0 to 1; none without visits.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        (self.visits > 0).then(|| self.reward / self.visits as f64)
    }
}

impl Serialize for RootMove {
    /// An object with `move`, the figures that are known, and `variation` unless it is empty.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("move", &self.mv.to_string())?;
        Figure::write(Self::FIGURES, self, &mut map)?;
        if !self.variation.is_empty() {
            let moves: Vec<String> = self.variation.iter().map(ToString::to_string).collect();
            map.serialize_entry("variation", &moves)?;
        }
        map.end()
    }
}
