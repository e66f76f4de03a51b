//! Transpositions: statistics of positions, shared by all lines that reach them.

use super::tree::{Node, Tree};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use tengen_go::Board;
use tengen_stats::seed::mix;

/// The statistics of positions over all lines of the tree that lead to them: UCT2 (Childs, Brodeur
/// and Kocsis, "Transpositions and move groups in Monte Carlo tree search", 2008). In the formulas
/// a child has the mean of its position, but its own visits. Superko may forbid a move in one line
/// and allow it in another; shared means ignore this.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Transpositions {
    /// The numbers of positions, from 1, by their hashes.
    numbers: HashMap<u64, u32, BuildHasherDefault<Hashed>>,
    /// The visits of each position, by its number less 1.
    visits: Vec<u32>,
    /// The sum of the rewards of the player who moved to each position, likewise.
    rewards: Vec<f64>,
}

impl Transpositions {
    /// The number of the position `board`, from 1; a new position gets the next number.
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

    /// Adds to the position of `node` `count` visits and the sum `reward` of their
    /// rewards for the player who moved there.
    pub(super) fn count(&mut self, tree: &Tree, node: Node, count: u32, reward: f64) {
        if let Some(place) = (tree.position(node) as usize).checked_sub(1) {
            self.visits[place] += count;
            self.rewards[place] += reward;
        }
    }

    /// Fills `rewards` with a sum for each child such that `rewards / visits` is the mean of its
    /// position; a child whose position has no visits gets its `own` rewards.
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

/// A hasher that returns its key, since keys are hashes already.
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
