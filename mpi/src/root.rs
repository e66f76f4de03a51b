//! The part of a worker's tree that is merged with those of others: the moves of the root, and
//! the line of play below each.

use crate::counts::{read_move, write_move};
use serde::{Deserialize, Serialize};
use tengen_go::{Game, Move};
use tengen_search::tree::{Proof, Tree};
use tengen_search::{ScoreSum, SearchReport, SearchResult, root_parallel};

/// The result of a worker's search, without most of its tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Root {
    simulations: u64,
    depth_sum: u64,
    max_depth: usize,
    was_full: bool,
    /// Nodes of the whole tree.
    nodes: usize,
    /// Memory of the whole tree.
    bytes: usize,
    moves: Vec<RootLine>,
}

/// A move of the root.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct RootLine {
    /// The move, and the principal variation after it.
    line: Vec<u16>,
    visits: u32,
    /// The sum of rewards, by its bits: it must not change on the way.
    reward: u64,
    scores: ScoreSum,
    won: Option<bool>,
}

impl Root {
    pub fn of(result: &SearchResult) -> Self {
        let tree = &result.tree;
        let scores = result.scores.iter().copied().chain(std::iter::repeat(ScoreSum::default()));
        let children = tree.children(Tree::ROOT).zip(scores);
        let visited = children.filter(|&(child, _)| tree.visits(child) > 0);
        let line = |(child, scores)| RootLine {
            line: std::iter::once(tree.mv(child))
                .chain(tree.principal_variation(child))
                .map(write_move)
                .collect(),
            visits: tree.visits(child),
            reward: tree.reward(child).to_bits(),
            scores,
            won: tree.proof(child).map(|proof| proof == Proof::Win),
        };
        Self {
            simulations: result.simulations,
            depth_sum: result.depth_sum,
            max_depth: result.max_depth,
            was_full: result.was_full,
            nodes: tree.len(),
            bytes: tree.bytes(),
            moves: visited.map(line).collect(),
        }
    }

    /// The result again, with a tree of the moves of the root and the lines below them.
    fn into_result(self) -> SearchResult {
        let mut tree = Tree::default();
        let mut scores = Vec::new();
        for RootLine { line, visits, reward, scores: sum, won } in self.moves {
            let moves: Vec<Move> = line.into_iter().map(read_move).collect();
            let Some((&first, below)) = moves.split_first() else { continue };
            let child = tree.add_child(Tree::ROOT, first);
            scores.push(sum);
            tree.visit(child, visits);
            tree.reward_with(child, f64::from_bits(reward));
            if let Some(won) = won {
                tree.prove(child, if won { Proof::Win } else { Proof::Loss });
            }
            let mut node = child;
            for &mv in below {
                node = tree.add_child(node, mv);
                tree.visit(node, 1);
            }
        }
        SearchResult {
            tree,
            scores,
            simulations: self.simulations,
            depth_sum: self.depth_sum,
            max_depth: self.max_depth,
            was_full: self.was_full,
        }
    }
}

/// The report of a search of the last position of `game` that found `roots` in `seconds`.
pub fn report(game: &Game, roots: Vec<Root>, seconds: f64) -> SearchReport {
    let nodes = roots.iter().map(|root| root.nodes).sum();
    let bytes = roots.iter().map(|root| root.bytes).sum();
    let results = roots.into_iter().map(Root::into_result).collect();
    let (report, _) = root_parallel::report(game, results, seconds);
    SearchReport { nodes, bytes, ..report }
}
