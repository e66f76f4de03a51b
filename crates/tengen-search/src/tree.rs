//! The search tree as data: an arena of columns.

use super::amaf::Amaf;
use super::column::{SLOT_SHARE, grow};
pub use super::node::Node;
use std::collections::VecDeque;
use std::ops::Range;
use tengen_go::{Bits, Board, Move, Vertex};

/// Places in a block of children.
const BLOCK_SIZES: [usize; 18] =
    [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];

/// The number of the smallest size of block that holds `count` children.
fn size_for(count: usize) -> usize {
    BLOCK_SIZES.partition_point(|&size| size < count)
}

/// Whether `count` children fill a block: the sizes are the numbers of two
/// significant bits.
#[inline]
const fn fills_block(count: usize) -> bool {
    count > 0 && count.trailing_zeros() + 2 > count.ilog2()
}

/// What a node is among the others.
#[derive(Clone, Copy, Debug)]
struct NodeHeader {
    first_child: u32,
    /// The number of children and the marks: [`COUNT`].
    children: u16,
    /// Column and row of the move, or [`PASS`].
    mv: [u8; 2],
}

/// Where the number of children begins; the marks lie below.
const COUNT: u32 = 4;

/// In the place of column and row.
const PASS: [u8; 2] = [u8::MAX; 2];

impl NodeHeader {
    const fn new(mv: Move) -> Self {
        let mv = match mv {
            Move::Play(vertex) => [vertex.col, vertex.row],
            Move::Pass => PASS,
        };
        Self { first_child: 0, children: 0, mv }
    }

    #[inline]
    const fn mv(self) -> Move {
        match self.mv {
            PASS => Move::Pass,
            [col, row] => Move::Play(Vertex::new(col, row)),
        }
    }

    #[inline]
    const fn count(self) -> usize {
        (self.children >> COUNT) as usize
    }

    #[inline]
    const fn children(self) -> Range<Node> {
        let first = self.first_child as usize;
        first..first + self.count()
    }

    #[inline]
    const fn has(self, mark: u16) -> bool {
        self.children & mark != 0
    }
}

/// A tree of moves with the statistics that selection reads, in parallel
/// columns; the children of a node are neighbours in every column.
///
/// A node stands for the move that leads to it; its value is seen by the
/// player who made that move. 20 bytes a place and 4 more each with priors, with
/// transpositions and with all-moves-as-first, whose statistics are 14 bytes a
/// point of the board for every node that selects ([`Amaf`]).
///
/// Children come one at a time ([`Tree::add_child`]), in blocks that grow by a
/// half at most when they are full, or all at once ([`Tree::expand`]).
#[derive(Clone, Debug)]
pub struct Tree {
    headers: Vec<NodeHeader>,
    visits: Vec<u32>,
    rewards: Vec<f64>,
    amaf: Amaf,
    priors: Vec<f32>,
    positions: Vec<u32>,
    extras: Extras,
    /// The first places of blocks that are free again, by size.
    free: [Vec<u32>; BLOCK_SIZES.len()],
    nodes: usize,
}

/// Columns that only some searches need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// The statistics of all-moves-as-first.
    pub amaf: bool,
    /// A prior value for each move.
    pub priors: bool,
    /// The number of the position that each move leads to.
    pub positions: bool,
}

/// The columns of a node's children, which selection reads.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'tree> {
    /// How often simulations passed, those under way included.
    pub visits: &'tree [u32],
    /// The rewards of the player who chooses added up, each 0 to 1.
    pub rewards: &'tree [f64],
    /// Prior values, 0 to 1; empty without priors.
    pub priors: &'tree [f32],
    /// Numbers of positions, 0 for none; empty without transpositions.
    pub positions: &'tree [u32],
}

/// A result that a search has proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The player who moved to the node wins.
    Win,
    /// That player loses.
    Loss,
}

/// All moves of the node are its children.
const COMPLETE: u16 = 1;
const WON: u16 = 2;
const LOST: u16 = 4;

impl Default for Tree {
    fn default() -> Self {
        Self::new(Extras::default())
    }
}

impl Tree {
    /// The node of the position at hand; its move and value mean nothing.
    pub const ROOT: Node = 0;

    /// A root without children.
    #[must_use]
    pub fn new(extras: Extras) -> Self {
        let mut tree = Self {
            headers: Vec::new(),
            visits: Vec::new(),
            rewards: Vec::new(),
            amaf: Amaf::default(),
            priors: Vec::new(),
            positions: Vec::new(),
            extras,
            free: Default::default(),
            nodes: 1,
        };
        tree.append(1);
        tree
    }

    /// Number of nodes, the root included.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.nodes
    }

    /// Never: there is a root.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// Bytes that the columns hold, grown but unused ones included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        fn of<T>(column: &Vec<T>) -> usize {
            column.capacity() * size_of::<T>()
        }
        of(&self.headers)
            + of(&self.visits)
            + of(&self.rewards)
            + self.amaf.bytes()
            + of(&self.priors)
            + of(&self.positions)
            + self.free.iter().map(of).sum::<usize>()
    }

    /// The columns that it has beside the usual ones.
    #[must_use]
    pub const fn extras(&self) -> Extras {
        self.extras
    }

    /// The move that leads to `node`.
    #[inline]
    #[must_use]
    pub fn mv(&self, node: Node) -> Move {
        self.headers[node].mv()
    }

    /// How often simulations passed through `node`, those under way included.
    #[inline]
    #[must_use]
    pub fn visits(&self, node: Node) -> u32 {
        self.visits[node]
    }

    /// The rewards of the player who moved to `node` added up: 1 for a win, ½
    /// for jigo.
    #[inline]
    #[must_use]
    pub fn reward(&self, node: Node) -> f64 {
        self.rewards[node]
    }

    /// The statistics of all-moves-as-first.
    #[inline]
    #[must_use]
    pub const fn amaf(&self) -> &Amaf {
        &self.amaf
    }

    /// The same, to be changed.
    #[inline]
    pub const fn amaf_mut(&mut self) -> &mut Amaf {
        &mut self.amaf
    }

    /// Begins to count all-moves-as-first at `node`, whose position is
    /// `board`; `untried` are points that it may get children for, and the
    /// cell of the pass.
    pub fn open_amaf<const W: usize>(&mut self, node: Node, board: &Board<W>, untried: Bits<W>) {
        self.amaf.open(node, last_cell(board), Bits::<W>::STRIDE, &untried.words());
    }

    /// Gives `node`, at which all-moves-as-first is counted, another child.
    pub fn add_child_by_amaf<const W: usize>(&mut self, node: Node, mv: Move) -> Node {
        let child = self.add_child(node, mv);
        self.amaf.add_child(node, cell::<W>(mv), child - self.children(node).start);
        child
    }

    /// Notes the mean of `child` where all-moves-as-first is counted at
    /// `node`.
    #[inline]
    pub fn refresh_mean<const W: usize>(&mut self, node: Node, child: Node) {
        if self.amaf.has(node) {
            #[allow(clippy::cast_possible_truncation)] // compared in single precision
            let mean = (self.rewards[child] / f64::from(self.visits[child])) as f32;
            self.amaf.set_mean(node, cell::<W>(self.mv(child)), mean);
        }
    }

    /// What is proven of `node`.
    #[inline]
    #[must_use]
    pub fn proof(&self, node: Node) -> Option<Proof> {
        match self.headers[node].children & (WON | LOST) {
            WON => Some(Proof::Win),
            LOST => Some(Proof::Loss),
            _ => None,
        }
    }

    /// Notes that the result of `node` is proven.
    pub fn prove(&mut self, node: Node, proof: Proof) {
        self.headers[node].children |= match proof {
            Proof::Win => WON,
            Proof::Loss => LOST,
        };
    }

    /// Whether all moves of `node` are its children.
    #[inline]
    #[must_use]
    pub fn is_complete(&self, node: Node) -> bool {
        self.headers[node].has(COMPLETE)
    }

    /// Notes that `node` has no more moves than its children.
    pub fn complete(&mut self, node: Node) {
        self.headers[node].children |= COMPLETE;
    }

    /// The children of `node`, in the order in which they came.
    #[inline]
    #[must_use]
    pub fn children(&self, node: Node) -> Range<Node> {
        self.headers[node].children()
    }

    /// The columns that selection reads, over the given children of a node.
    #[inline]
    #[must_use]
    pub fn columns(&self, children: Range<Node>) -> Columns<'_> {
        let of = |has: bool| if has { children.clone() } else { 0..0 };
        Columns {
            visits: &self.visits[children.clone()],
            rewards: &self.rewards[children.clone()],
            priors: &self.priors[of(self.extras.priors)],
            positions: &self.positions[of(self.extras.positions)],
        }
    }

    /// Gives `node`, which is not complete, another child.
    ///
    /// # Panics
    /// If there are more than 2³² places.
    pub fn add_child(&mut self, node: Node, mv: Move) -> Node {
        let header = self.headers[node];
        let count = header.count();
        if count == 0 {
            self.headers[node].first_child = self.block(0);
        } else if fills_block(count) {
            let new = self.block(size_for(count + 1));
            self.copy_slots(header.children(), new as usize);
            self.free[size_for(count)].push(header.first_child);
            self.headers[node].first_child = new;
        }
        let child = self.headers[node].first_child as usize + count;
        self.headers[node].children += 1 << COUNT;
        self.nodes += 1;
        self.clear_slot(child, mv);
        child
    }

    /// Gives `node`, which has none, a child for each of `moves`, in order, and
    /// completes it.
    ///
    /// # Panics
    /// If there are more than 2³² places.
    pub fn expand(&mut self, node: Node, moves: &[Move]) {
        debug_assert!(self.children(node).is_empty(), "a node is expanded once");
        let first = self.append(moves.len());
        let header = &mut self.headers[node];
        header.first_child = u32::try_from(first).expect("the limit of nodes is below");
        header.children |= u16::try_from(moves.len()).expect("at most 362 moves") << COUNT;
        for (header, &mv) in self.headers[first..].iter_mut().zip(moves) {
            *header = NodeHeader::new(mv);
        }
        self.nodes += moves.len();
        self.complete(node);
    }

    /// Counts `count` visits of `node` whose results are still to come: until
    /// then each of them is a loss.
    #[inline]
    pub fn visit(&mut self, node: Node, count: u32) {
        self.visits[node] += count;
    }

    /// Adds `reward` to what the player who moved to `node` has got.
    #[inline]
    pub fn reward_with(&mut self, node: Node, reward: f64) {
        self.rewards[node] += reward;
    }

    /// Sets the prior value of `node`.
    pub fn set_prior(&mut self, node: Node, prior: f32) {
        self.priors[node] = prior;
    }

    /// The number of the position that `node` leads to; 0 if it has none yet.
    #[must_use]
    pub fn position(&self, node: Node) -> u32 {
        self.positions[node]
    }

    /// Sets the number of the position that `node` leads to.
    pub fn set_position(&mut self, node: Node, position: u32) {
        self.positions[node] = position;
    }

    /// Forgets the numbers of all positions.
    pub fn forget_positions(&mut self) {
        self.positions.fill(0);
    }

    /// The child of `node` that makes `wanted`, if it is in the tree.
    #[must_use]
    pub fn child(&self, node: Node, wanted: Move) -> Option<Node> {
        self.children(node).find(|&child| self.mv(child) == wanted)
    }

    /// All nodes in the order of their depth, the children of a node together.
    pub fn nodes(&self) -> impl Iterator<Item = Node> {
        let mut waiting = VecDeque::from([Self::ROOT]);
        std::iter::from_fn(move || {
            let node = waiting.pop_front()?;
            waiting.extend(self.children(node));
            Some(node)
        })
    }

    /// A copy of the tree below `top`, which becomes the root.
    #[must_use]
    pub fn below(&self, top: Node) -> Self {
        self.copy(top, 0)
    }

    /// A copy without the nodes below those of fewer than `visits` visits.
    #[must_use]
    pub fn pruned(&self, visits: u32) -> Self {
        self.copy(Self::ROOT, visits)
    }

    fn copy(&self, top: Node, least_visits: u32) -> Self {
        let mut copy = Self::new(self.extras);
        copy.copy_slot_from(self, top, Self::ROOT);
        let mut waiting = VecDeque::from([(top, Self::ROOT)]);
        while let Some((source, node)) = waiting.pop_front() {
            let children = self.children(source);
            if children.is_empty() || (node != Self::ROOT && self.visits[source] < least_visits) {
                copy.headers[node].children &= !COMPLETE;
                continue;
            }
            // A node that may grow needs its block to be of one of the sizes.
            let block = if self.is_complete(source) {
                copy.append(children.len())
            } else {
                copy.append(BLOCK_SIZES[size_for(children.len())])
            };
            let header = &mut copy.headers[node];
            header.first_child = u32::try_from(block).expect("a copy is no larger");
            header.children |= self.headers[source].children >> COUNT << COUNT;
            if self.extras.amaf {
                copy.amaf.copy_from(&self.amaf, source, node);
            }
            copy.nodes += children.len();
            for (child, copied) in children.zip(block..) {
                copy.copy_slot_from(self, child, copied);
                waiting.push_back((child, copied));
            }
        }
        copy
    }

    /// The most visited line from `node`, down to a node without visited
    /// children; ties go to the child that came first.
    #[must_use]
    pub fn principal_variation(&self, node: Node) -> Vec<Move> {
        let mut line = Vec::new();
        let mut at = node;
        while let Some(best) = self
            .children(at)
            .rev()
            .max_by_key(|&child| self.visits[child])
            .filter(|&child| self.visits[child] > 0)
        {
            line.push(self.mv(best));
            at = best;
        }
        line
    }

    /// A block of this number of [`BLOCK_SIZES`].
    fn block(&mut self, size: usize) -> u32 {
        self.free[size].pop().unwrap_or_else(|| {
            let first = self.append(BLOCK_SIZES[size]);
            u32::try_from(first).expect("the limit of nodes is below")
        })
    }

    /// Puts `count` empty places at the end and returns the first.
    fn append(&mut self, count: usize) -> Node {
        let first = self.headers.len();
        let grown = first + count;
        grow(&mut self.headers, grown, NodeHeader::new(Move::Pass), SLOT_SHARE);
        grow(&mut self.visits, grown, 0, SLOT_SHARE);
        grow(&mut self.rewards, grown, 0.0, SLOT_SHARE);
        if self.extras.amaf {
            self.amaf.resize(grown);
        }
        if self.extras.priors {
            grow(&mut self.priors, grown, 0.0, SLOT_SHARE);
        }
        if self.extras.positions {
            grow(&mut self.positions, grown, 0, SLOT_SHARE);
        }
        first
    }

    fn clear_slot(&mut self, slot: Node, mv: Move) {
        self.headers[slot] = NodeHeader::new(mv);
        self.visits[slot] = 0;
        self.rewards[slot] = 0.0;
        if self.extras.amaf {
            self.amaf.clear(slot);
        }
        if self.extras.priors {
            self.priors[slot] = 0.0;
        }
        if self.extras.positions {
            self.positions[slot] = 0;
        }
    }

    fn copy_slots(&mut self, from: Range<Node>, to: Node) {
        self.headers.copy_within(from.clone(), to);
        self.visits.copy_within(from.clone(), to);
        self.rewards.copy_within(from.clone(), to);
        if self.extras.amaf {
            self.amaf.move_nodes(from.clone(), to);
        }
        if self.extras.priors {
            self.priors.copy_within(from.clone(), to);
        }
        if self.extras.positions {
            self.positions.copy_within(from, to);
        }
    }

    /// Copies what another tree holds of a node, but for its children.
    fn copy_slot_from(&mut self, other: &Self, from: Node, to: Node) {
        let header = other.headers[from];
        let marks = header.children & ((1 << COUNT) - 1);
        self.headers[to] = NodeHeader { first_child: 0, children: marks, mv: header.mv };
        self.visits[to] = other.visits[from];
        self.rewards[to] = other.rewards[from];
        if self.extras.priors {
            self.priors[to] = other.priors[from];
        }
        if self.extras.positions {
            self.positions[to] = other.positions[from];
        }
    }
}

/// The cell of all-moves-as-first for a move: that of its point. The pass has
/// one in the padding of the lowest row.
#[inline]
#[must_use]
pub const fn cell<const W: usize>(mv: Move) -> usize {
    match mv {
        Move::Play(vertex) => Bits::<W>::index(vertex),
        Move::Pass => Bits::<W>::STRIDE - 1,
    }
}

/// The highest cell on a board.
fn last_cell<const W: usize>(board: &Board<W>) -> usize {
    let (width, height) = (board.size().width(), board.size().height());
    ((height - 1) * Bits::<W>::STRIDE + width - 1).max(cell::<W>(Move::Pass))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(text: &str) -> Move {
        text.parse().unwrap()
    }

    fn record(tree: &mut Tree, path: &[usize]) {
        for &node in path {
            tree.visit(node, 1);
            tree.reward_with(node, 0.5);
        }
    }

    fn sample() -> Tree {
        let mut tree = Tree::default();
        tree.expand(Tree::ROOT, &[play("A1"), play("B1"), Move::Pass]);
        tree.expand(2, &[play("C1"), play("D1")]);
        tree.expand(5, &[play("E1")]);
        record(&mut tree, &[0, 2, 5, 6, 5, 2, 0, 1, 5, 2, 0]);
        tree
    }

    #[test]
    fn children_are_neighbours() {
        let tree = sample();
        assert_eq!(tree.children(Tree::ROOT), 1..4);
        assert_eq!(tree.children(2), 4..6);
        assert!(tree.children(1).is_empty());
        assert_eq!(tree.child(2, play("D1")), Some(5));
        assert_eq!(tree.child(2, play("A1")), None);
        assert_eq!(tree.nodes().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn principal_variation_follows_visits() {
        assert_eq!(sample().principal_variation(Tree::ROOT), [play("B1"), play("D1"), play("E1")]);
        assert!(Tree::default().principal_variation(Tree::ROOT).is_empty());
    }

    #[test]
    fn a_copy_below_keeps_what_was_counted() {
        let tree = sample();
        let below = tree.below(2);
        assert_eq!(below.len(), 4);
        assert_eq!((below.visits(0), below.reward(0)), (tree.visits(2), tree.reward(2)));
        let child = below.child(Tree::ROOT, play("D1")).unwrap();
        assert_eq!((below.visits(child), below.reward(child)), (3, 1.5));
        assert_eq!(below.principal_variation(Tree::ROOT), [play("D1"), play("E1")]);
    }

    #[test]
    fn pruning_cuts_what_is_seldom_visited() {
        let tree = sample();
        assert_eq!(tree.pruned(3).len(), tree.len());
        let pruned = tree.pruned(4);
        assert_eq!(pruned.len(), 4, "the root's children alone");
        assert!(!pruned.is_complete(2) && pruned.is_complete(Tree::ROOT));
        assert_eq!(pruned.visits(2), tree.visits(2));
    }

    #[test]
    fn blocks_of_all_sizes() {
        for count in 1..=512 {
            let size = size_for(count);
            assert!(BLOCK_SIZES[size] >= count && (size == 0 || BLOCK_SIZES[size - 1] < count));
            assert_eq!(fills_block(count), BLOCK_SIZES.contains(&count), "{count}");
        }
        assert!(!fills_block(0));
    }

    /// Children that come one by one, here and there, against plain vectors.
    #[test]
    fn blocks_move_and_are_used_again() {
        let mut tree = Tree::new(Extras { amaf: true, priors: true, positions: true });
        let moves: Vec<Move> =
            (0..19).map(|col| Move::Play(tengen_go::Vertex::new(col, 0))).collect();
        for (number, &mv) in moves.iter().enumerate() {
            let child = tree.add_child(Tree::ROOT, mv);
            tree.visit(child, 100 + number as u32);
            tree.set_prior(child, number as f32);
            // Every other child so far gets a child too.
            for slot in tree.children(Tree::ROOT).step_by(2) {
                if tree.children(slot).len() < 19 {
                    let mv = moves[tree.children(slot).len()];
                    let below = tree.add_child(slot, mv);
                    tree.reward_with(below, number as f64);
                }
            }
        }
        let root = tree.children(Tree::ROOT);
        assert_eq!(root.len(), 19);
        let mut nodes = 20;
        for (number, child) in root.enumerate() {
            assert_eq!(tree.mv(child), moves[number]);
            assert_eq!(tree.visits(child), 100 + number as u32);
            assert!((tree.columns(child..child + 1).priors[0] - number as f32).abs() < 1e-9);
            let below = tree.children(child);
            assert_eq!(below.len(), if number % 2 == 0 { 19 - number } else { 0 });
            nodes += below.len();
            for (slot, grandchild) in below.enumerate() {
                assert_eq!(tree.mv(grandchild), moves[slot]);
                assert_eq!(tree.reward(grandchild), (number + slot) as f64);
            }
        }
        assert_eq!((tree.len(), tree.nodes().count()), (nodes, nodes));
        // Far fewer places than if no block were used again.
        let slots = tree.headers.len();
        assert!(slots < 3 * nodes, "{slots} places of {nodes} nodes");
        let copy = tree.below(Tree::ROOT);
        assert_eq!(copy.len(), nodes);
        assert!(copy.headers.len() <= slots);
    }
}
