//! The part of a worker's search that is merged with those of others: the moves of the root, with
//! the line of play of each.

use crate::counts::{read_move, write_move};
use serde::{Deserialize, Serialize};
use tengen_go::Game;
use tengen_search::tree::Proof;
use tengen_search::{RootMove, ScoreSum, SearchCounts, SearchReport, SearchResult, report};

/// The result of a worker's search, without its tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Root {
    counts: SearchCounts,
    /// Nodes of the tree.
    nodes: usize,
    /// Memory of the tree.
    bytes: usize,
    moves: Vec<RootLine>,
}

/// A move of the root.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct RootLine {
    /// The principal variation that begins with the move.
    variation: Vec<u16>,
    visits: u64,
    /// The sum of rewards, by its bits: it must not change on the way.
    reward: u64,
    scores: ScoreSum,
    won: Option<bool>,
}

impl Root {
    /// Of the search of the last position of `game` with this `result`.
    pub fn of(game: &Game, result: &SearchResult) -> Self {
        let mut report = report::report(game, &[result.view()], 0.0);
        report.add_details(game.size(), std::iter::once(&result.tree));
        let line = |root_move: RootMove| RootLine {
            variation: root_move.variation.into_iter().map(write_move).collect(),
            visits: root_move.visits,
            reward: root_move.reward.to_bits(),
            scores: root_move.scores,
            won: root_move.proof.map(|proof| proof == Proof::Win),
        };
        let moves = report.moves.into_iter().map(line).collect();
        Self { counts: report.counts, nodes: report.nodes, bytes: report.bytes, moves }
    }

    fn moves(self) -> Vec<RootMove> {
        let root_move = |RootLine { variation, visits, reward, scores, won }: RootLine| {
            let variation: Vec<_> = variation.into_iter().map(read_move).collect();
            let proof = won.map(|won| if won { Proof::Win } else { Proof::Loss });
            let reward = f64::from_bits(reward);
            let first = *variation.first()?;
            Some(RootMove { visits, reward, scores, proof, variation, ..RootMove::new(first) })
        };
        self.moves.into_iter().filter_map(root_move).collect()
    }
}

/// The report of a search of the last position of `game` that found `roots` in `seconds`.
pub fn report(game: &Game, roots: Vec<Root>, seconds: f64) -> SearchReport {
    let nodes = roots.iter().map(|root| root.nodes).sum();
    let bytes = roots.iter().map(|root| root.bytes).sum();
    let workers = roots.into_iter().map(|root| {
        let counts = root.counts;
        (root.moves(), counts)
    });
    let mut report = report::merge(game.to_play(), workers, seconds);
    // As in a report of one process, of the best move alone.
    report.moves.iter_mut().skip(1).for_each(|root_move| root_move.variation.clear());
    SearchReport { nodes, bytes, ..report }
}
