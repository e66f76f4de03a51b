//! Statistics of all-moves-as-first (AMAF): each node whose selection uses them has a
//! *block* of *cells*, one per point of the board. `cells` draws a block.
//!
//! ```text
//! open(node, moves)            a block without visits, each of the moves untried
//! count(node, taken, reward)   for each point in taken: visits += 1, rewards += reward
//! blend(node, means)           (1 − β) · mean + β · rewards / visits of each move
//! ```
//!
//! Most nodes have few visits: every block begins compact, with three bytes per cell. When a cell
//! has 127 visits (twice its rewards then still fit a byte), or a reward is no multiple of ½, the
//! block becomes wide, twelve bytes per cell.

mod cells;
mod count;
mod pool;
mod prior_sums;
mod weight;

pub use cells::{NO_MEAN, Own, Ranked};
pub use weight::{Blend, Weight};

use super::column::{Node, SLOT_SHARE, grow};
use cells::{BlendMeans, Columns, Compact, GROUP, Moves, Wide};
use count::{CountCompact, CountWide};
use pool::Pool;
use prior_sums::Sums;
pub(super) use prior_sums::{PriorSums, ROOT_PER_BYTE};
use std::ops::Range;
use tengen_go::{Move, Vertex};
use tengen_playout::simd::Target;

/// Number of columns of a compact block: priors, visits and rewards.
const COMPACT: usize = 3;

/// Number of columns of a wide block: visits, rewards and priors.
const WIDE: usize = 3;

/// The entry of a node without a block.
const NONE: u32 = u32::MAX;

/// The AMAF statistics of a tree, in blocks of cells of 3 or 12 bytes.
///
/// A cell has the index of its point in [`Bits`](tengen_go::Bits); sets of cells are the words of
/// `Bits`. The cell of the pass lies in the padding, which no playout counts. Where children come
/// one by one, a move without visits has no node, only its cell.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Amaf {
    /// The instruction set; it never changes a result.
    #[serde(skip, default = "Target::of_program")]
    target: Target,
    /// The block of each node: twice its number, plus 1 if it is wide; or [`NONE`].
    blocks: Vec<u32>,
    /// Number of cells of every block.
    cells: usize,
    /// Number of cells of every row of the board.
    stride: usize,
    prior_sums: PriorSums,
    compact: Pool<u8>,
    wide: Pool<f32>,
}

/// The block of a node: its kind and its number.
#[derive(Clone, Copy)]
enum Block {
    Compact(usize),
    Wide(usize),
}

impl Default for Amaf {
    /// No nodes and no blocks.
    fn default() -> Self {
        Self {
            target: Target::of_program(),
            blocks: Vec::new(),
            cells: 0,
            stride: 1,
            prior_sums: PriorSums::default(),
            compact: Pool::default(),
            wide: Pool::default(),
        }
    }
}

impl Amaf {
    /// Removes all nodes and blocks, and keeps the memory.
    pub(super) fn remove_all(&mut self) {
        self.blocks.clear();
        self.compact.remove_all();
        self.wide.remove_all();
    }

    /// Lengthens the statistics to `nodes` slots; the new ones have no block.
    pub(super) fn resize(&mut self, nodes: usize) {
        grow(&mut self.blocks, nodes, NONE, SLOT_SHARE);
    }

    /// Memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        4 * self.blocks.capacity() + self.compact.bytes() + self.wide.bytes()
    }

    /// Whether `node` has a block.
    #[inline]
    #[must_use]
    pub fn has(&self, node: Node) -> bool {
        self.blocks[node] != NONE
    }

    /// The cell of a move, once a block is open; the pass has the padding cell of the lowest row.
    pub(super) fn cell(&self, mv: Move) -> u16 {
        let cell = match mv {
            Move::Play(vertex) => usize::from(vertex.row) * self.stride + usize::from(vertex.col),
            Move::Pass => self.stride - 1,
        };
        u16::try_from(cell).expect("fewer than 400 cells")
    }

    #[inline]
    fn block(&self, node: Node) -> Option<Block> {
        let block = self.blocks[node];
        let number = (block / 2) as usize;
        match block {
            NONE => None,
            _ if block.is_multiple_of(2) => Some(Block::Compact(number)),
            _ => Some(Block::Wide(number)),
        }
    }

    fn set_block(&mut self, node: Node, block: Block) {
        let (number, is_wide) = match block {
            Block::Compact(number) => (number, 0),
            Block::Wide(number) => (number, 1),
        };
        self.blocks[node] = u32::try_from(2 * number + is_wide).expect("fewer than nodes");
    }

    /// Gives `node` a block of cells up to the index `last`, `stride` of them per row, in
    /// which the moves of the set `untried` are untried.
    ///
    /// # Panics
    /// If it has a block, or the other blocks are for another board.
    pub(super) fn open(&mut self, node: Node, last: usize, stride: usize, untried: &[u64]) {
        assert!(!self.has(node), "a node has one block");
        let cells = (last + 1).next_multiple_of(GROUP);
        if self.cells == 0 {
            self.set_shape(cells, stride);
        }
        assert_eq!((self.cells, self.stride), (cells, stride), "a tree is for one board");
        let number = self.compact.open(&untried[..words(cells)]);
        self.set_block(node, Block::Compact(number));
    }

    fn set_shape(&mut self, cells: usize, stride: usize) {
        (self.cells, self.stride) = (cells, stride);
        self.compact = Pool::new(COMPACT * cells, words(cells));
        self.wide = Pool::new(WIDE * cells, words(cells));
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
        let Some(block) = other.block(from) else { return };
        if self.cells == 0 {
            self.set_shape(other.cells, other.stride);
            self.prior_sums = other.prior_sums;
        }
        let copy = match block {
            Block::Compact(number) => Block::Compact(self.compact.copy(&other.compact, number)),
            Block::Wide(number) => Block::Wide(self.wide.copy(&other.wide, number)),
        };
        self.set_block(to, copy);
    }

    /// The columns of a compact block.
    #[inline]
    fn compact_columns(&self, number: usize) -> Compact<'_> {
        let (priors, rest) = self.compact.items(number).split_at(self.cells);
        let (visits, halves) = rest.split_at(self.cells);
        Compact { priors, visits, halves, prior_sums: self.prior_sums }
    }

    /// The columns of a wide block.
    #[inline]
    fn wide_columns(&self, number: usize) -> Wide<'_> {
        let (visits, rest) = self.wide.items(number).split_at(self.cells);
        let (rewards, priors) = rest.split_at(self.cells);
        Wide { visits, rewards, priors }
    }

    /// The set of the moves of `node`, which has a block, that are not in the tree. Some
    /// may be illegal.
    #[inline]
    fn untried(&self, node: Node) -> &[u64] {
        match self.block(node).expect("a block") {
            Block::Compact(number) => self.compact.untried(number),
            Block::Wide(number) => self.wide.untried(number),
        }
    }

    /// Whether the move of a cell of `node`, which has a block, is not in the tree.
    #[inline]
    #[must_use]
    pub(super) fn is_untried(&self, node: Node, cell: usize) -> bool {
        self.untried(node)[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// Whether `node`, which has a block, has a move, legal or not, that is not in the tree.
    #[must_use]
    pub(super) fn has_untried(&self, node: Node) -> bool {
        self.untried(node).iter().any(|&word| word != 0)
    }

    /// Notes that the move of a cell of `node`, which has a block, is in the tree or not
    /// legal.
    pub(super) fn remove_untried(&mut self, node: Node, cell: usize) {
        let untried = match self.block(node).expect("a block") {
            Block::Compact(number) => self.compact.untried_mut(number),
            Block::Wide(number) => self.wide.untried_mut(number),
        };
        untried[cell / 64] &= !(1 << (cell % 64));
    }

    /// The sums of the cell `cell` of `node`, which has a block.
    ///
    /// # Panics
    /// If the node has no block.
    #[inline]
    #[must_use]
    pub fn sums(&self, node: Node, cell: usize) -> Sums {
        match self.block(node).expect("a block") {
            Block::Compact(number) => self.compact_columns(number).sums(cell),
            Block::Wide(number) => self.wide_columns(number).sums(cell),
        }
    }

    /// The prior of the cell `cell` of `node`, which has a block: see [`Columns::prior`].
    #[inline]
    pub(super) fn prior(&self, node: Node, cell: usize) -> f32 {
        match self.block(node).expect("a block") {
            Block::Compact(number) => self.compact_columns(number).prior(cell),
            Block::Wide(number) => self.wide_columns(number).prior(cell),
        }
    }

    /// The moves of `node` with AMAF visits, those from priors included, by cell: move, visits and
    /// rewards. Empty if the node has no block, or the tree no AMAF statistics.
    ///
    /// # Panics
    /// Never: no board has as many rows as a byte counts.
    pub fn counted(&self, node: Node) -> impl Iterator<Item = (Move, f32, f32)> {
        let has_block = node < self.blocks.len() && self.has(node);
        let cells = if has_block { self.cells } else { 0 };
        let number = |index| u8::try_from(index).expect("a board has at most 19 rows and columns");
        let sums = (0..cells).map(move |cell| (cell, self.sums(node, cell)));
        sums.filter(|(_, sums)| sums.visits > 0.0).map(move |(cell, sums)| {
            // The pass lies in the padding of the lowest row.
            let mv = if cell + 1 == self.stride {
                Move::Pass
            } else {
                Move::Play(Vertex::new(number(cell % self.stride), number(cell / self.stride)))
            };
            (mv, sums.visits, sums.rewards)
        })
    }

    /// Sets the priors of `node` to `bytes`, one per cell or more, before anything is counted
    /// there. They count as AMAF visits by `prior_sums`, which must be the same in all nodes.
    ///
    /// # Panics
    /// If the block of the node is not new.
    #[inline]
    pub(super) fn set_priors(&mut self, node: Node, prior_sums: PriorSums, bytes: &[u8]) {
        self.prior_sums = prior_sums;
        let Some(Block::Compact(number)) = self.block(node) else { panic!("a new block") };
        self.compact.items_mut(number)[..self.cells].copy_from_slice(&bytes[..self.cells]);
    }

    /// Sets the visits, and the rewards in halves, of a cell of `node`, before anything is counted
    /// there.
    ///
    /// # Panics
    /// If the block of the node is not new.
    pub(super) fn begin_with(&mut self, node: Node, cell: usize, [visits, halves]: [u8; 2]) {
        let Some(Block::Compact(number)) = self.block(node) else { panic!("a new block") };
        let items = self.compact.items_mut(number);
        (items[self.cells + cell], items[2 * self.cells + cell]) = (visits, halves);
    }

    /// Counts a playout with this reward in the cells of the set `taken`; does nothing
    /// if `node` has no block.
    #[inline]
    pub fn count(&mut self, node: Node, taken: &[u64], reward: f32) {
        match self.block(node) {
            None => {}
            Some(Block::Compact(number)) => {
                if let Some(half_reward) = half_reward(reward) {
                    self.count_compact(node, number, taken, half_reward);
                } else {
                    self.widen(node, number);
                    self.count(node, taken, reward);
                }
            }
            Some(Block::Wide(number)) => {
                let (visits, rest) = self.wide.items_mut(number).split_at_mut(self.cells);
                let rewards = &mut rest[..self.cells];
                self.target.run(CountWide { visits, rewards, taken, reward });
            }
        }
    }

    fn count_compact(&mut self, node: Node, number: usize, taken: &[u64], half_reward: u8) {
        let columns = &mut self.compact.items_mut(number)[self.cells..];
        let (visits, halves) = columns.split_at_mut(self.cells);
        if self.target.run(CountCompact { visits, halves, taken, half_reward }) {
            self.widen(node, number);
        }
    }

    /// Gives `node` a wide block in place of its compact block `number`.
    #[cold]
    fn widen(&mut self, node: Node, number: usize) {
        let wide = self.wide.open(self.compact.untried(number));
        for cell in 0..self.cells {
            let columns = self.compact_columns(number);
            let (sums, prior) = (columns.sums(cell), columns.prior(cell));
            let items = self.wide.items_mut(wide);
            (items[cell], items[self.cells + cell]) = (sums.visits, sums.rewards);
            items[2 * self.cells + cell] = prior;
        }
        self.compact.close(number);
        self.set_block(node, Block::Wide(wide));
    }

    /// Fills `values` with the blended mean of each move of `node`, which has a block, to which an
    /// untried move adds `blend.per_prior` · its prior; −∞ in cells without a move. Returns the
    /// highest value of the `ranked` moves, −∞ without such moves, and fills `best` with the set of
    /// the cells that have this value. `own` are the statistics of the moves without AMAF.
    ///
    /// # Panics
    /// If the node has no block.
    #[inline]
    pub fn blend(
        &self,
        node: Node,
        own: Own<'_>,
        blend: Blend,
        ranked: Ranked,
        values: &mut Vec<f32>,
        best: &mut [u64],
    ) -> f32 {
        values.resize(self.cells, 0.0);
        let target = self.target;
        let moves = Moves { own, untried: self.untried(node) };
        match self.block(node).expect("a block") {
            Block::Compact(number) => {
                let columns = self.compact_columns(number);
                target.run(BlendMeans { target, columns, moves, blend, ranked, values, best })
            }
            Block::Wide(number) => {
                let columns = self.wide_columns(number);
                target.run(BlendMeans { target, columns, moves, blend, ranked, values, best })
            }
        }
    }
}

/// Number of words of a set of `cells` cells.
const fn words(cells: usize) -> usize {
    cells.div_ceil(u64::BITS as usize)
}

/// Twice the reward, if that is 0, 1 or 2.
#[inline]
fn half_reward(reward: f32) -> Option<u8> {
    (0..=2).find(|&halves| f32::from(halves) == 2.0 * reward)
}

#[cfg(test)]
mod tests;
