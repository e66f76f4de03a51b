//! Priors of moves that may not be in the tree yet: a row for each node that is evaluated.
//!
//! A row has a number for each point in the order of [`Size::number`], and one for the pass: the
//! prior of the move while it is *untried* (legal and not in the tree), otherwise −1. The row of a
//! node on a 3×3 board with Black to move, drawn as the board, before and after its first child,
//! B2:
//!
//! ```text
//!   . b .      3  .1   −1  .1           .1  −1  .1
//!   w . .      2  −1   .4  .1           −1  −1  .1
//!   . . .      1  .05  .1  .1  .05      .05 .1  .1  .05
//!                 A    B   C   pass
//! ```
//!
//! Of the untried moves, the formulas that use rows can select only the move of the highest prior;
//! ties go to the first. The tree keeps this move for each row ([`Untried`]), so that a selection
//! reads no row. When the move becomes a child, the tree scans the row for the next one.
//!
//! Rows lie in chunks that never move: growing copies no row.

use super::Tree;
use super::header::COMPLETE;
use crate::column::{Node, SLOT_SHARE, grow, reserve};
use std::ops::Range;
use tengen_go::Size;

/// How many numbers are compared at once; the length of a row is a multiple.
const LANES: usize = 8;

/// In place of a prior: the move is illegal or in the tree.
const NONE: f32 = -1.0;

/// The move of the highest prior among those of a node that are not in the tree.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Untried {
    /// The prior of the move.
    pub prior: f32,
    /// The number of the move: its point's [`Size::number`], or the number of points for the pass.
    pub number: u16,
}

/// The rows of a tree.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct PriorRows {
    /// By slot: the number of the node's row, from 1; 0 for none.
    of_slots: Vec<u32>,
    chunks: Vec<Vec<f32>>,
    /// By row: the untried move of the highest prior; none if its prior is [`NONE`].
    highest: Vec<Untried>,
    /// By row: the evaluator's value of the node for the player to move there.
    values: Vec<f32>,
    /// The length of each row.
    length: usize,
}

impl PriorRows {
    /// Number of rows of a chunk.
    pub(crate) const CHUNK: usize = 32;

    /// Memory in bytes, unused capacity included.
    pub(super) fn bytes(&self) -> usize {
        self.of_slots.capacity() * size_of::<u32>()
            + self.chunks.len() * Self::CHUNK * self.length * size_of::<f32>()
            + self.chunks.capacity() * size_of::<Vec<f32>>()
            + self.highest.capacity() * size_of::<Untried>()
            + self.values.capacity() * size_of::<f32>()
    }

    /// Bytes of a row for `moves` moves.
    pub(crate) const fn row_bytes(moves: usize) -> usize {
        (moves.next_multiple_of(LANES) + 1) * size_of::<f32>() + size_of::<Untried>()
    }

    /// Makes room for `slots` slots.
    pub(super) fn resize(&mut self, slots: usize) {
        grow(&mut self.of_slots, slots, 0, SLOT_SHARE);
    }

    /// Removes the row of a slot that becomes another node.
    pub(super) fn clear(&mut self, slot: Node) {
        self.of_slots[slot] = 0;
    }

    /// Moves the rows of the nodes in the slots `from` to as many slots from `to` on.
    pub(super) fn move_nodes(&mut self, from: Range<Node>, to: Node) {
        self.of_slots.copy_within(from, to);
    }

    /// The index of the row of `node`; none in a tree without rows.
    #[inline]
    fn row(&self, node: Node) -> Option<usize> {
        (*self.of_slots.get(node)? as usize).checked_sub(1)
    }

    /// The numbers of a row.
    fn numbers(&self, row: usize) -> &[f32] {
        &self.chunks[row / Self::CHUNK][row % Self::CHUNK * self.length..][..self.length]
    }

    /// The numbers of a row, to be changed.
    #[inline]
    fn numbers_mut(&mut self, row: usize) -> &mut [f32] {
        let first = row % Self::CHUNK * self.length;
        &mut self.chunks[row / Self::CHUNK][first..first + self.length]
    }

    /// Adds a row for the `moves` moves of `node`, which has no row yet. `fill` fills the row;
    /// `value` is the value of the node.
    fn open(&mut self, node: Node, value: f32, moves: usize, fill: impl FnOnce(&mut [f32])) {
        let row = self.highest.len();
        self.length = moves.next_multiple_of(LANES);
        if row.is_multiple_of(Self::CHUNK) {
            let mut chunk = Vec::new();
            reserve(&mut chunk, Self::CHUNK * self.length);
            self.chunks.push(chunk);
        }
        let chunk = &mut self.chunks[row / Self::CHUNK];
        chunk.resize(chunk.len() + self.length, NONE);
        let numbers = self.numbers_mut(row);
        fill(&mut numbers[..moves]);
        let highest = highest(numbers);
        grow(&mut self.highest, row + 1, highest, SLOT_SHARE);
        grow(&mut self.values, row + 1, value, SLOT_SHARE);
        self.of_slots[node] = u32::try_from(row + 1).expect("fewer than nodes");
    }

    /// Removes from the row of a node the untried move of the highest prior. Returns whether
    /// another untried move is left.
    fn take_highest(&mut self, row: usize) -> bool {
        let number = usize::from(self.highest[row].number);
        let numbers = self.numbers_mut(row);
        numbers[number] = NONE;
        let next = highest(numbers);
        self.highest[row] = next;
        next.prior >= 0.0
    }

    /// Copies the row of the node `from` of another tree, if there is one, to the node `to`.
    pub(super) fn copy_from(&mut self, other: &Self, from: Node, to: Node) {
        let Some(row) = other.row(from) else { return };
        let (numbers, value) = (other.numbers(row), other.values[row]);
        self.open(to, value, other.length, |copied| copied.copy_from_slice(numbers));
    }
}

/// The highest of the numbers of a row; ties go to the first.
#[inline]
fn highest(numbers: &[f32]) -> Untried {
    let (groups, _) = numbers.as_chunks::<LANES>();
    let mut lanes = [NONE; LANES];
    for group in groups {
        for (most, &number) in lanes.iter_mut().zip(group) {
            *most = if number > *most { number } else { *most };
        }
    }
    let prior = lanes.into_iter().fold(NONE, f32::max);
    let group = groups.iter().position(|group| group.contains(&prior)).unwrap_or(0);
    let lane = groups[group].iter().position(|&it| it == prior).unwrap_or(0);
    #[allow(clippy::cast_possible_truncation)] // at most 362 moves
    let number = (group * LANES + lane) as u16;
    Untried { prior, number }
}

impl Tree {
    /// Gives `node`, which has neither row nor children, a row of priors: its children then come by
    /// falling prior ([`Tree::add_highest`]). `fill` fills the row, a number for each point of a
    /// board of `size` in the order of [`Size::number`] and one for the pass: the prior of a legal
    /// move, at least 0, and −1 for an illegal one. `value` is the evaluator's value of the node
    /// for the player to move there.
    ///
    /// # Panics
    /// If there are more than 2³² rows.
    pub fn open_row(&mut self, node: Node, value: f32, size: Size, fill: impl FnOnce(&mut [f32])) {
        debug_assert!(self.children(node).is_empty() && !self.has_row(node), "evaluated once");
        self.slots.prior_rows.open(node, value, size.points() + 1, fill);
    }

    /// The evaluator's value of `node` for the player to move there; none if the node has no row.
    #[inline]
    #[must_use]
    pub fn value(&self, node: Node) -> Option<f32> {
        let rows = &self.slots.prior_rows;
        rows.row(node).map(|row| rows.values[row])
    }

    /// Whether `node` has a row of priors.
    #[inline]
    #[must_use]
    pub fn has_row(&self, node: Node) -> bool {
        self.slots.prior_rows.row(node).is_some()
    }

    /// The move of `node` with the highest prior among those that are not in the tree; none if all
    /// moves are, or the node has no row.
    #[inline]
    #[must_use]
    pub fn untried(&self, node: Node) -> Option<Untried> {
        let row = self.slots.prior_rows.row(node)?;
        Some(self.slots.prior_rows.highest[row]).filter(|untried| untried.prior >= 0.0)
    }

    /// The sum of the priors of the moves of `node` that are not in the tree; none if all moves
    /// are, or the node has no row. Reads the whole row.
    #[must_use]
    pub fn sum_of_untried(&self, node: Node) -> Option<f64> {
        self.untried(node)?;
        let rows = &self.slots.prior_rows;
        let numbers = rows.numbers(rows.row(node)?).iter();
        Some(numbers.map(|&number| f64::from(number.max(0.0))).sum())
    }

    /// The priors of the moves of `node` that are not in the tree: a number for each point in the order
    /// of [`Size::number`], and one for the pass, −1 for a move that is illegal or in the tree. None if the
    /// node has no row.
    #[must_use]
    pub fn untried_priors(&self, node: Node, size: Size) -> Option<&[f32]> {
        let row = self.slots.prior_rows.row(node)?;
        Some(&self.slots.prior_rows.numbers(row)[..=size.points()])
    }

    /// Adds to `node` a child for the move that [`Tree::untried`] returns, and returns the child.
    /// `size` is the size of the board. The siblings of the child may move to other slots.
    ///
    /// # Panics
    /// If there is no such move.
    pub fn add_highest(&mut self, node: Node, size: Size) -> Node {
        let rows = &mut self.slots.prior_rows;
        let row = rows.row(node).expect("a node with a row");
        let Untried { prior, number } = rows.highest[row];
        assert!(prior >= 0.0, "a node with an untried move");
        let has_more = rows.take_highest(row);
        let child = self.add_child(node, size.move_of(usize::from(number)));
        self.set_prior(child, prior);
        if !has_more {
            self.slots.headers[node].mark(COMPLETE);
        }
        child
    }
}

#[cfg(test)]
mod tests {
    use super::super::Extras;
    use super::*;
    use tengen_go::Move;
    use tengen_stats::seed::split_mix;

    const SIZE: &str = "5x4";

    fn drawn(seed: u64) -> Vec<f32> {
        let draw = |number: u64| (split_mix(split_mix(seed) ^ number) % 9) as f32 - 1.0;
        (0..20).map(draw).chain([1.0]).collect()
    }

    /// Nodes with rows here and there, whose children come in the order of a stable sort.
    #[test]
    fn children_come_by_falling_prior() {
        let size: Size = SIZE.parse().unwrap();
        let extras = Extras { priors: true, prior_rows: true, ..Extras::default() };
        let mut tree = Tree::new(extras);
        tree.open_row(Tree::ROOT, 0.5, size, |row| row.copy_from_slice(&drawn(0)));
        let mut seeds = vec![(vec![], 0)];
        for seed in 1..150 {
            // Adds a child to some node of the tree.
            let (path, _) = &seeds[split_mix(seed) as usize % seeds.len()];
            let node = path
                .iter()
                .fold(Tree::ROOT, |node, &place: &usize| tree.children(node).start + place);
            if tree.untried(node).is_none() {
                assert!(tree.is_complete(node));
                continue;
            }
            let child = tree.add_highest(node, size);
            let place = child - tree.children(node).start;
            tree.open_row(child, seed as f32, size, |row| row.copy_from_slice(&drawn(seed)));
            let path = [&path[..], &[place]].concat();
            seeds.push((path, seed));
        }
        let (row, mut untried) = (drawn(0), drawn(0));
        tree.children(Tree::ROOT).for_each(|child| match tree.mv(child) {
            Move::Play(vertex) => untried[size.number(vertex)] = -1.0,
            Move::Pass => untried[20] = -1.0,
        });
        assert_eq!(tree.untried_priors(Tree::ROOT, size), Some(&untried[..]));
        assert_ne!(untried, row, "the root has children");
        let bytes = tree.bytes();
        assert!(bytes > seeds.len() * PriorRows::row_bytes(21), "{bytes}");
        for tree in [tree.below(Tree::ROOT), tree] {
            for (path, seed) in &seeds {
                let node =
                    path.iter().fold(Tree::ROOT, |node, &place| tree.children(node).start + place);
                let mut moves: Vec<(usize, f32)> = drawn(*seed)
                    .into_iter()
                    .enumerate()
                    .filter(|(_, prior)| *prior >= 0.0)
                    .collect();
                moves.sort_by(|one, other| other.1.total_cmp(&one.1));
                let children = tree.children(node);
                for (child, &(number, prior)) in children.clone().zip(&moves) {
                    let expected =
                        if number == 20 { Move::Pass } else { Move::Play(size.vertex(number)) };
                    assert_eq!(tree.mv(child), expected);
                    assert_eq!(tree.columns(child..child + 1).priors, [prior]);
                }
                let value = if *seed == 0 { 0.5 } else { *seed as f32 };
                assert_eq!(tree.value(node), Some(value));
                let untried = moves.get(children.len());
                let untried = untried.map(|&(number, prior)| Untried {
                    prior,
                    number: u16::try_from(number).unwrap(),
                });
                assert_eq!(tree.untried(node), untried);
                let left: f64 = moves[children.len()..].iter().map(|it| f64::from(it.1)).sum();
                assert_eq!(tree.sum_of_untried(node), untried.map(|_| left));
                assert_eq!(tree.is_complete(node), untried.is_none());
            }
        }
    }
}
