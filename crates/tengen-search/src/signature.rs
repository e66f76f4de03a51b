//! The signature of searches: a hash of their trees, by which tests see whether a change
//! of the code changes a search.

use super::tree::{Proof, Tree};
use tengen_go::Move;

/// The signature of `trees`, equal for equal trees: the FNV-1a hash over all nodes in
/// breadth-first order, each with its move, visits, rewards, number of children, proof
/// and, where there are such columns, all-moves-as-first and prior. The slots of nodes
/// do not matter.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Extras;
    use tengen_go::{Bits, Board, Size};

    #[test]
    fn everything_counts() {
        let tree = || {
            let mut tree = Tree::new(Extras { amaf: true, priors: true, positions: false });
            tree.expand(Tree::ROOT, &["B2".parse().unwrap(), Move::Pass]);
            let board = Board::<1>::new(Size::square(5).unwrap());
            tree.open_amaf(Tree::ROOT, &board, Bits::EMPTY);
            tree
        };
        let plain = of(&[tree()]);
        assert_eq!(plain, of(&[tree()]));
        let changes: [fn(&mut Tree); 7] = [
            |tree| tree.visit(1, 1),
            |tree| tree.visit(2, 1),
            |tree| tree.reward_with(1, 0.5),
            |tree| tree.amaf_mut().count(Tree::ROOT, &[1], 0.0),
            |tree| tree.set_prior(2, 0.1),
            |tree| tree.prove(1, Proof::Loss),
            |tree| tree.expand(1, &[Move::Pass]),
        ];
        let mut seen = vec![plain, of(&[tree(), tree()]), of(&[])];
        for change in changes {
            let mut tree = tree();
            change(&mut tree);
            seen.push(of(&[tree]));
        }
        let mut different = seen.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), seen.len());
    }
}
