//! Statistics of all-moves-as-first (AMAF): for each node that selects a *block* of
//! *cells*, one per point of the board. `cells` draws a block, `blend` has the formula.
//!
//! ```text
//! open(node, moves)            a block without visits, each of the moves untried
//! count(node, taken, reward)   for each point in taken: visits += 1, rewards += reward
//! highest_blend(node)          the moves of the highest (1 − β) · mean + β · rewards / visits
//! ```

mod blend;
mod cells;
mod tasks;

pub use blend::{Blend, Weight};

use super::column::{SLOT_SHARE, grow};
use super::node::Node;
use cells::{Cells, GROUP, NO_MOVE, UNTRIED};
use std::ops::Range;
use tasks::{BlendMeans, Count, Highest, HighestBlend};
use tengen_go::{Move, Vertex};
use tengen_playout::Isa;
use tengen_simd::Target;

/// Number of columns of a block: visits, rewards and means.
const COLUMNS: usize = 3;

/// In place of the number of a block: the node has none.
const NONE: u32 = u32::MAX;

/// The AMAF statistics of a tree, in blocks of cells of 14 bytes.
///
/// A cell has the index of its point in [`Bits`](tengen_go::Bits), whose words are also
/// the sets of cells. The pass has a cell in the padding, which no playout counts.
/// Where children come one by one, a move without visits has no node, only its cell.
#[derive(Clone, Debug)]
pub struct Amaf {
    /// The instruction set; it never changes a result.
    target: Target,
    /// The number of each node's block, or [`NONE`].
    blocks: Vec<u32>,
    /// Number of cells of every block.
    cells: usize,
    /// Number of cells of every row of the board.
    stride: usize,
    /// Block after block, and in each its visits, its rewards and its means. A mean is
    /// that of the move itself, [`UNTRIED`] or [`NO_MOVE`]; untried moves may be illegal.
    columns: Vec<f32>,
    /// Block after block: for each cell the number of its move among the children.
    numbers: Vec<u16>,
}

impl Default for Amaf {
    /// No nodes and no blocks.
    fn default() -> Self {
        Self {
            target: Target::new(Isa::of_program()),
            blocks: Vec::new(),
            cells: 0,
            stride: 1,
            columns: Vec::new(),
            numbers: Vec::new(),
        }
    }
}

impl Amaf {
    /// Lengthens the statistics to `nodes` slots; the new ones have no block.
    pub(super) fn resize(&mut self, nodes: usize) {
        grow(&mut self.blocks, nodes, NONE, SLOT_SHARE);
    }

    /// Memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        4 * (self.blocks.capacity() + self.columns.capacity()) + 2 * self.numbers.capacity()
    }

    /// Whether `node` has a block.
    #[inline]
    #[must_use]
    pub fn has(&self, node: Node) -> bool {
        self.blocks[node] != NONE
    }

    /// Gives `node` a block of cells up to the index `last`, `stride` of them per row, in
    /// which the moves of the set `untried` are untried.
    ///
    /// # Panics
    /// If it has a block, or the other blocks are for another board.
    pub(super) fn open(&mut self, node: Node, last: usize, stride: usize, untried: &[u64]) {
        assert!(!self.has(node), "a node has one block");
        let cells = (last + 1).next_multiple_of(GROUP);
        if self.numbers.is_empty() {
            (self.cells, self.stride) = (cells, stride);
        }
        assert_eq!((self.cells, self.stride), (cells, stride), "a tree is for one board");
        self.blocks[node] = self.next_block();
        let first = self.columns.len();
        grow(&mut self.columns, first + COLUMNS * cells, 0.0, 1);
        let numbers = self.numbers.len() + cells;
        grow(&mut self.numbers, numbers, 0, 1);
        for (cell, mean) in self.columns[first + 2 * cells..].iter_mut().enumerate() {
            let is_untried = untried[cell / 64] >> (cell % 64) & 1 == 1;
            *mean = if is_untried { UNTRIED } else { NO_MOVE };
        }
    }

    fn next_block(&self) -> u32 {
        u32::try_from(self.numbers.len() / self.cells).expect("fewer than nodes")
    }

    pub(super) fn clear(&mut self, node: Node) {
        self.blocks[node] = NONE;
    }

    /// Notes that the nodes of the slots `from` have moved to those from `to` on.
    pub(super) fn move_nodes(&mut self, from: Range<Node>, to: Node) {
        self.blocks.copy_within(from, to);
    }

    /// Gives the node `to` a copy of the block that the node `from` has in another tree.
    pub(super) fn copy_from(&mut self, other: &Self, from: Node, to: Node) {
        if other.has(from) {
            let block = other.blocks[from] as usize;
            (self.cells, self.stride) = (other.cells, other.stride);
            self.blocks[to] = self.next_block();
            let of = |size: usize| block * size..(block + 1) * size;
            self.columns.extend_from_slice(&other.columns[of(COLUMNS * other.cells)]);
            self.numbers.extend_from_slice(&other.numbers[of(other.cells)]);
        }
    }

    /// The columns of the block of `node`.
    #[inline]
    fn columns(&self, node: Node) -> Cells<'_> {
        let size = COLUMNS * self.cells;
        let first = self.blocks[node] as usize * size;
        let (visits, rest) = self.columns[first..first + size].split_at(self.cells);
        let (rewards, means) = rest.split_at(self.cells);
        Cells { visits, rewards, means }
    }

    /// The columns of the block of `node`, to be changed: visits, rewards and means.
    #[inline]
    fn columns_mut(&mut self, node: Node) -> [&mut [f32]; COLUMNS] {
        let size = COLUMNS * self.cells;
        let first = self.blocks[node] as usize * size;
        let (visits, rest) = self.columns[first..first + size].split_at_mut(self.cells);
        let (rewards, means) = rest.split_at_mut(self.cells);
        [visits, rewards, means]
    }

    /// The number among the children of `node` of the move of a cell.
    #[inline]
    fn number_mut(&mut self, node: Node, cell: usize) -> &mut u16 {
        &mut self.numbers[self.blocks[node] as usize * self.cells + cell]
    }

    /// Notes that the move of a cell of `node`, which has a block, is not legal.
    pub(super) fn remove_candidate(&mut self, node: Node, cell: usize) {
        let [_, _, means] = self.columns_mut(node);
        means[cell] = NO_MOVE;
    }

    /// Notes that the move of a cell is the child of `node` with this number.
    pub(super) fn add_child(&mut self, node: Node, cell: usize, number: usize) {
        self.set_mean(node, cell, 0.0);
        *self.number_mut(node, cell) = u16::try_from(number).expect("at most 362 children");
    }

    /// The number among the children of `node` of the move of a cell; `None` if untried.
    pub(super) fn child(&self, node: Node, cell: usize) -> Option<usize> {
        let place = self.blocks[node] as usize * self.cells + cell;
        (self.columns(node).means[cell] >= 0.0).then(|| usize::from(self.numbers[place]))
    }

    /// Sets the mean of the child of `node` whose move has this cell.
    #[inline]
    pub(super) fn set_mean(&mut self, node: Node, cell: usize, mean: f32) {
        let [_, _, means] = self.columns_mut(node);
        means[cell] = mean;
    }

    /// The AMAF visits and rewards of the cells of `node`, which has a block.
    #[inline]
    #[must_use]
    pub fn of(&self, node: Node) -> (&[f32], &[f32]) {
        let cells = self.columns(node);
        (cells.visits, cells.rewards)
    }

    /// The moves of `node` with AMAF visits, those from priors included, by cell: move,
    /// visits and rewards. None if it has no block, or the tree no AMAF statistics.
    ///
    /// # Panics
    /// Never: no board has as many rows as a byte counts.
    pub fn counted(&self, node: Node) -> impl Iterator<Item = (Move, f32, f32)> {
        let has_block = node < self.blocks.len() && self.has(node);
        let (visits, rewards) = if has_block { self.of(node) } else { (&[][..], &[][..]) };
        let number = |index| u8::try_from(index).expect("a board has at most 19 rows and columns");
        let cells = visits.iter().zip(rewards).enumerate();
        cells.filter(|(_, (visits, _))| **visits > 0.0).map(move |(index, (visits, rewards))| {
            // The pass lies in the padding of the lowest row.
            let mv = if index + 1 == self.stride {
                Move::Pass
            } else {
                let (col, row) = (index % self.stride, index / self.stride);
                Move::Play(Vertex::new(number(col), number(row)))
            };
            (mv, *visits, *rewards)
        })
    }

    /// Sets the priors of `node`, before anything is counted: the cells in `rewards` get
    /// `visits` AMAF visits each and their rewards.
    #[inline]
    pub(super) fn begin_with(
        &mut self,
        node: Node,
        visits: f32,
        rewards: impl Iterator<Item = (usize, f32)>,
    ) {
        let [all_visits, all_rewards, _] = self.columns_mut(node);
        for (cell, reward) in rewards {
            (all_visits[cell], all_rewards[cell]) = (visits, reward);
        }
    }

    /// Counts a playout with this reward in the cells of the set `taken`; does nothing
    /// if `node` has no block.
    #[inline]
    pub fn count(&mut self, node: Node, taken: &[u64], reward: f32) {
        if !self.has(node) {
            return;
        }
        let target = self.target;
        let [visits, rewards, _] = self.columns_mut(node);
        target.run(Count { visits, rewards, taken, reward });
    }

    /// Whether a candidate of `node`, perhaps an illegal one, is not in the tree yet.
    #[must_use]
    pub(super) fn has_untried(&self, node: Node) -> bool {
        self.columns(node).means.contains(&UNTRIED)
    }

    /// Fills `values` with the blended mean of each move of `node`, −∞ in cells
    /// without a move.
    #[inline]
    pub fn blend(&self, node: Node, blend: Blend<'_>, values: &mut Vec<f32>) {
        values.resize(self.cells, 0.0);
        self.target.run(BlendMeans { cells: self.columns(node), blend, values });
    }

    /// Fills `values` like [`Amaf::blend`], and `best` with the set of the moves of the
    /// highest value. False if there is no move.
    #[inline]
    #[must_use]
    pub fn highest_blend(
        &self,
        node: Node,
        blend: Blend<'_>,
        values: &mut Vec<f32>,
        best: &mut [u64],
    ) -> bool {
        values.resize(self.cells, 0.0);
        let means = BlendMeans { cells: self.columns(node), blend, values };
        let most = self.target.run(HighestBlend { target: self.target, means, best });
        most > f32::NEG_INFINITY
    }

    /// Fills `best` with the set of cells of the highest value. False if all are −∞.
    #[inline]
    #[must_use]
    pub fn highest(&self, values: &[f32], best: &mut [u64]) -> bool {
        self.target.run(Highest { target: self.target, values, best }) > f32::NEG_INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::cells::MAX_VISITS;
    use super::*;

    fn set(points: &[usize]) -> [u64; 2] {
        let mut words = [0; 2];
        for point in points {
            words[point / 64] |= 1 << (point % 64);
        }
        words
    }

    /// Two nodes with blocks, and one without.
    fn sample() -> Amaf {
        let mut amaf = Amaf::default();
        amaf.resize(3);
        amaf.open(0, 96, 10, &set(&[0, 10, 63, 64, 96]));
        amaf.open(2, 96, 10, &set(&[]));
        amaf
    }

    #[test]
    fn counts_what_was_taken() {
        let mut amaf = sample();
        amaf.count(0, &set(&[0, 63, 96]), 1.0);
        amaf.count(0, &set(&[0, 64]), 0.5);
        amaf.count(0, &set(&[0]), 0.0);
        amaf.count(1, &set(&[0]), 1.0);
        let (visits, rewards) = amaf.of(0);
        let found: Vec<(usize, f32, f32)> =
            (0..visits.len()).map(|i| (i, visits[i], rewards[i])).filter(|at| at.1 > 0.0).collect();
        assert_eq!(found, [(0, 3.0, 1.5), (63, 1.0, 1.0), (64, 1.0, 0.5), (96, 1.0, 1.0)]);
        assert!(amaf.of(2).0.iter().all(|&visits| visits == 0.0));
        let counted: Vec<_> = amaf.counted(0).map(|(mv, visits, _)| (mv, visits)).collect();
        let at = |col, row| Move::Play(Vertex::new(col, row));
        assert_eq!(counted, [(at(0, 0), 3.0), (at(3, 6), 1.0), (at(4, 6), 1.0), (at(6, 9), 1.0)]);
        amaf.begin_with(2, 20.0, [(9, 2.0)].into_iter());
        assert_eq!(amaf.counted(1).count(), 0);
        assert_eq!(amaf.counted(2).collect::<Vec<_>>(), [(Move::Pass, 20.0, 2.0)]);
    }

    #[test]
    fn a_cell_stops_before_its_sums_round() {
        let mut amaf = sample();
        amaf.begin_with(0, MAX_VISITS - 1.0, [(5, MAX_VISITS - 1.5)].into_iter());
        for _ in 0..3 {
            amaf.count(0, &set(&[5]), 0.5);
        }
        assert_eq!((amaf.of(0).0[5], amaf.of(0).1[5]), (MAX_VISITS, MAX_VISITS - 1.0));
    }

    /// The moves of the highest blended mean of the node 0.
    fn best(amaf: &Amaf, weight: f32, first_play: f32) -> Option<[u64; 2]> {
        let (mut values, mut best) = (Vec::new(), [0; 2]);
        let blend = Blend { weight: Weight::Equal(weight), first_play };
        amaf.highest_blend(0, blend, &mut values, &mut best).then_some(best)
    }

    #[test]
    fn the_highest_means_among_the_untried() {
        let mut amaf = sample();
        assert!(amaf.has_untried(0) && !amaf.has_untried(2));
        // Nothing is known: all of them, by the value of a first play.
        assert_eq!(best(&amaf, 1.0, 0.5), Some(set(&[0, 10, 63, 64, 96])));
        amaf.count(0, &set(&[0, 1, 63, 96]), 1.0);
        amaf.count(0, &set(&[0, 10]), 0.0);
        // 0: ½, 10: 0, 63 and 96: 1, 64: none; 1 is not among them.
        assert_eq!(best(&amaf, 1.0, 0.5), Some(set(&[63, 96])));
        assert_eq!(best(&amaf, 1.0, f32::INFINITY), Some(set(&[64])));
        amaf.remove_candidate(0, 63);
        amaf.remove_candidate(0, 96);
        assert_eq!(best(&amaf, 1.0, 0.5), Some(set(&[0, 64])));
        assert_eq!(best(&amaf, 1.0, 0.25), Some(set(&[0])));
        for cell in [0, 10, 64] {
            amaf.remove_candidate(0, cell);
        }
        assert_eq!(best(&amaf, 1.0, 0.25), None);
        assert!(!amaf.has_untried(0));
    }

    #[test]
    fn blended_by_hand() {
        let mut amaf = sample();
        amaf.count(0, &set(&[0, 63, 96]), 1.0);
        amaf.count(0, &set(&[0, 10, 63]), 0.0);
        // Children: 0 of mean 0.75 and ã = ½, 64 of mean 0.5 and no ã.
        for (number, (cell, mean)) in [(0, 0.75), (64, 0.5)].into_iter().enumerate() {
            amaf.add_child(0, cell, number);
            amaf.set_mean(0, cell, mean);
        }
        assert_eq!((amaf.child(0, 64), amaf.child(0, 63)), (Some(1), None));
        // 0: ¾·¾ + ¼·½ = 0.6875; 10: 0; 63: ½; 64: ½; 96: 1.
        assert_eq!(best(&amaf, 0.25, 0.4), Some(set(&[96])));
        amaf.remove_candidate(0, 96);
        assert_eq!(best(&amaf, 0.25, 0.4), Some(set(&[0])));
        amaf.set_mean(0, 0, 0.5);
        assert_eq!(best(&amaf, 0.25, 0.4), Some(set(&[0, 63, 64])));
        let mut values = Vec::new();
        let blend = Blend { weight: Weight::Equal(0.25), first_play: 0.4 };
        amaf.blend(0, blend, &mut values);
        assert_eq!([values[0], values[10], values[64]], [0.5, 0.0, 0.5]);
        assert_eq!(values[1], f32::NEG_INFINITY);
    }

    #[test]
    fn a_copy_holds_the_same() {
        let mut amaf = sample();
        amaf.count(0, &set(&[0, 63]), 1.0);
        let mut copy = Amaf::default();
        copy.resize(2);
        copy.copy_from(&amaf, 1, 0);
        copy.copy_from(&amaf, 0, 1);
        assert!(!copy.has(0));
        assert_eq!(copy.of(1), amaf.of(0));
        assert_eq!(copy.columns(1).means, amaf.columns(0).means);
    }
}
