//! The signature of searches: a hash of their trees, by which tests see whether a change
//! of the code changes a search.

use super::tree::{Proof, Tree};
use tengen_go::Move;

/// The signature of `trees`, equal for equal trees: the FNV-1a hash over all nodes in breadth-first
/// order, each with its move, visits, rewards, number of children, proof and, if the tree has the
/// columns, AMAF statistics and prior. The slots of nodes do not matter.
#[must_use]
pub fn of(trees: &[Tree]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |number: u64| {
        for byte in number.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for tree in trees {
        let extras = tree.extras();
        for node in tree.nodes() {
            add(number(tree.mv(node)));
            add(tree.visits(node).into());
            add(tree.reward(node).to_bits());
            add(tree.children(node).len() as u64);
            add(match tree.proof(node) {
                None => 0,
                Some(Proof::Win) => 1,
                Some(Proof::Loss) => 2,
            });
            for (mv, visits, reward) in tree.amaf().counted(node) {
                add(number(mv));
                add(visits.to_bits().into());
                add(reward.to_bits().into());
            }
            if extras.priors {
                add(tree.columns(node..node + 1).priors[0].to_bits().into());
            }
        }
    }
    hash
}

fn number(mv: Move) -> u64 {
    match mv {
        Move::Play(vertex) => u64::from(vertex.row) * 32 + u64::from(vertex.col),
        Move::Pass => u64::MAX,
    }
}
