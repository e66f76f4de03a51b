//! Moves and the counts of an upper tree as numbers.

use tengen_go::{Move, Vertex};
use tengen_search::shared::{Count, UpperTree};

/// An upper tree: path, visits and, by its bits, the sum of rewards of each node.
pub type Counts = Vec<(Vec<u16>, u64, u64)>;

pub fn write_counts(tree: &UpperTree) -> Counts {
    let path = |path: &[Move]| path.iter().map(|&mv| write_move(mv)).collect();
    tree.iter().map(|(at, count)| (path(at), count.visits, count.reward.to_bits())).collect()
}

pub fn read_counts(counts: Counts) -> UpperTree {
    let node = |(path, visits, reward): (Vec<u16>, u64, u64)| {
        let path = path.into_iter().map(read_move).collect();
        (path, Count { visits, reward: f64::from_bits(reward) })
    };
    counts.into_iter().map(node).collect()
}

/// The number of the pass; a play has its row and column.
const PASS: u16 = u16::MAX;

pub fn write_move(mv: Move) -> u16 {
    match mv {
        Move::Play(vertex) => u16::from(vertex.row) << 8 | u16::from(vertex.col),
        Move::Pass => PASS,
    }
}

pub fn read_move(number: u16) -> Move {
    let [row, col] = number.to_be_bytes();
    if number == PASS { Move::Pass } else { Move::Play(Vertex::new(col, row)) }
}
