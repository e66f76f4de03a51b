//! Transpositions: statistics shared by lines that reach the same position.

use super::tree::{Node, Tree};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use tengen_go::Board;
use tengen_go::seed::mix;

/// The statistics of positions, whichever line of the tree led there: UCT with
/// shared values (Childs, Brodeur and Kocsis, "Transpositions and move groups
/// in Monte Carlo tree search", 2008, UCT2): a child's mean is that of its
/// position, its visits are its own. Superko may forbid in one line what it
/// allows in another; the shared means do not know.
#[derive(Clone, Debug, Default)]
pub(super) struct Transpositions {
    numbers: HashMap<u64, u32, BuildHasherDefault<Hashed>>,
    visits: Vec<u32>,
    /// Sum of the rewards of the player who moved there.
    rewards: Vec<f64>,
}

impl Transpositions {
    /// The number of a position, from 1.
    pub(super) fn number<const W: usize>(&mut self, board: &Board<W>) -> u32 {
        let next = u32::try_from(self.visits.len() + 1).expect("fewer than nodes");
        let state = u64::from(board.passes()) * 2 + board.to_play().index() as u64;
        let ko = board.ko().map_or(0, |ko| 1 + u64::from(ko.row) * 32 + u64::from(ko.col));
        let key = mix(board.hash(), state + 4 * ko);
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.visits.push(0);
            self.rewards.push(0.0);
        }
        number
    }

    /// Counts `count` visits that brought `reward` in all to the player who
    /// moved to `node`.
    pub(super) fn count(&mut self, tree: &Tree, node: Node, count: u32, reward: f64) {
        if let Some(place) = (tree.position(node) as usize).checked_sub(1) {
            self.visits[place] += count;
            self.rewards[place] += reward;
        }
    }

    /// Fills `rewards` so that each child has the mean of its position over
    /// its own `visits`.
    pub(super) fn share(
        &self,
        positions: &[u32],
        visits: &[u32],
        own: &[f64],
        rewards: &mut Vec<f64>,
    ) {
        rewards.clear();
        rewards.extend(positions.iter().zip(visits).zip(own).map(|((&position, &n), &own)| {
            match (position as usize).checked_sub(1) {
                Some(place) if self.visits[place] > 0 => {
                    f64::from(n) * self.rewards[place] / f64::from(self.visits[place])
                }
                _ => own,
            }
        }));
    }
}

/// Keys are hashes already.
#[derive(Clone, Debug, Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
