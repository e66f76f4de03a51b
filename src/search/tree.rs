//! The search tree as data: an arena of columns.

use crate::go::Move;
use std::collections::VecDeque;
use std::ops::Range;

/// A node's place in the arena. It holds until the node's parent gets another
/// child; a node is known for longer by the numbers of children that lead to
/// it from the root.
pub type Node = usize;

/// Blocks of children hold 1, 2, 4, … 512 places.
const BLOCK_SIZES: usize = 10;

/// A tree of moves with the statistics that selection reads, in parallel
/// columns; the children of a node are neighbours in every column.
///
/// A node stands for the move that leads to it; its value is seen by the
/// player who made that move. 22 bytes a node; 34 with the statistics of
/// all-moves-as-first and 4 more each with priors and with transpositions.
///
/// Children come one at a time ([`Tree::add_child`]), in blocks that double, or
/// all at once ([`Tree::expand`]).
#[derive(Clone, Debug)]
pub struct Tree {
    moves: Vec<Move>,
    visits: Vec<u32>,
    rewards: Vec<f64>,
    first_child: Vec<u32>,
    child_count: Vec<u16>,
    marks: Vec<u8>,
    amaf_visits: Vec<u32>,
    amaf_rewards: Vec<f64>,
    priors: Vec<f32>,
    positions: Vec<u32>,
    extras: Extras,
    /// The first places of blocks that are free again, by size.
    free: [Vec<u32>; BLOCK_SIZES],
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
    /// Visits of all-moves-as-first; empty without RAVE.
    pub amaf_visits: &'tree [u32],
    /// Rewards of all-moves-as-first; empty without RAVE.
    pub amaf_rewards: &'tree [f64],
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
const COMPLETE: u8 = 1;
const WON: u8 = 2;
const LOST: u8 = 4;

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
            moves: Vec::new(),
            visits: Vec::new(),
            rewards: Vec::new(),
            first_child: Vec::new(),
            child_count: Vec::new(),
            marks: Vec::new(),
            amaf_visits: Vec::new(),
            amaf_rewards: Vec::new(),
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

    /// Places for nodes, taken or not.
    #[must_use]
    pub fn places(&self) -> usize {
        self.moves.len()
    }

    /// Bytes that the columns hold, grown but unused ones included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        fn of<T>(column: &Vec<T>) -> usize {
            column.capacity() * size_of::<T>()
        }
        of(&self.moves)
            + of(&self.visits)
            + of(&self.rewards)
            + of(&self.first_child)
            + of(&self.child_count)
            + of(&self.marks)
            + of(&self.amaf_visits)
            + of(&self.amaf_rewards)
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
    pub fn made(&self, node: Node) -> Move {
        self.moves[node]
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

    /// The visits and rewards of all-moves-as-first of the move to `node`.
    ///
    /// # Panics
    /// If the tree has no such columns.
    #[must_use]
    pub fn amaf(&self, node: Node) -> (u32, f64) {
        (self.amaf_visits[node], self.amaf_rewards[node])
    }

    /// What is proven of `node`.
    #[inline]
    #[must_use]
    pub fn proof(&self, node: Node) -> Option<Proof> {
        match self.marks[node] & (WON | LOST) {
            WON => Some(Proof::Win),
            LOST => Some(Proof::Loss),
            _ => None,
        }
    }

    /// Notes that the result of `node` is proven.
    pub fn prove(&mut self, node: Node, proof: Proof) {
        self.marks[node] |= match proof {
            Proof::Win => WON,
            Proof::Loss => LOST,
        };
    }

    /// Whether all moves of `node` are its children.
    #[inline]
    #[must_use]
    pub fn is_complete(&self, node: Node) -> bool {
        self.marks[node] & COMPLETE != 0
    }

    /// Notes that `node` has no more moves than its children.
    pub fn complete(&mut self, node: Node) {
        self.marks[node] |= COMPLETE;
    }

    /// The children of `node`, in the order in which they came.
    #[inline]
    #[must_use]
    pub fn children(&self, node: Node) -> Range<Node> {
        let first = self.first_child[node] as usize;
        first..first + usize::from(self.child_count[node])
    }

    /// The columns that selection reads, over the given children of a node.
    #[inline]
    #[must_use]
    pub fn columns(&self, children: Range<Node>) -> Columns<'_> {
        let of = |has: bool| if has { children.clone() } else { 0..0 };
        Columns {
            visits: &self.visits[children.clone()],
            rewards: &self.rewards[children.clone()],
            amaf_visits: &self.amaf_visits[of(self.extras.amaf)],
            amaf_rewards: &self.amaf_rewards[of(self.extras.amaf)],
            priors: &self.priors[of(self.extras.priors)],
            positions: &self.positions[of(self.extras.positions)],
        }
    }

    /// Whether a child more of `node` fits into `most` places.
    #[must_use]
    pub fn has_room_for_child(&self, node: Node, most: usize) -> bool {
        let count = usize::from(self.child_count[node]);
        if count > 0 && !count.is_power_of_two() {
            return true;
        }
        let block = (2 * count).max(1);
        !self.free[block.ilog2() as usize].is_empty() || self.places() + block <= most
    }

    /// Gives `node`, which is not complete, another child.
    ///
    /// # Panics
    /// If there are more than 2³² places.
    pub fn add_child(&mut self, node: Node, made: Move) -> Node {
        let count = usize::from(self.child_count[node]);
        if count == 0 {
            self.first_child[node] = self.block(1);
        } else if count.is_power_of_two() {
            let old = self.first_child[node];
            let new = self.block(2 * count);
            self.copy_places(old as usize..old as usize + count, new as usize);
            self.free[count.ilog2() as usize].push(old);
            self.first_child[node] = new;
        }
        let child = self.first_child[node] as usize + count;
        self.child_count[node] += 1;
        self.nodes += 1;
        self.clear_place(child, made);
        child
    }

    /// Gives `node`, which has none, a child for each of `moves`, in order, and
    /// completes it.
    ///
    /// # Panics
    /// If there are more than 2³² places.
    pub fn expand(&mut self, node: Node, moves: &[Move]) {
        debug_assert_eq!(self.child_count[node], 0, "a node is expanded once");
        let first = self.append(moves.len());
        self.first_child[node] = u32::try_from(first).expect("the limit of nodes is below");
        self.child_count[node] = u16::try_from(moves.len()).expect("at most 362 moves");
        self.moves[first..].copy_from_slice(moves);
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

    /// Adds `reward`, of one playout, to all-moves-as-first of each of the
    /// given nodes whose move `counts`.
    #[inline]
    pub fn reward_amaf(
        &mut self,
        nodes: Range<Node>,
        reward: f64,
        mut counts: impl FnMut(Move) -> bool,
    ) {
        let moves = &self.moves[nodes.clone()];
        let visits = &mut self.amaf_visits[nodes.clone()];
        let rewards = &mut self.amaf_rewards[nodes];
        for ((made, visits), rewards) in moves.iter().zip(visits).zip(rewards) {
            let counted = counts(*made);
            *visits += u32::from(counted);
            *rewards += if counted { reward } else { 0.0 };
        }
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
        self.children(node).find(|&child| self.moves[child] == wanted)
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
        copy.copy_place_from(self, top, Self::ROOT);
        let mut waiting = VecDeque::from([(top, Self::ROOT)]);
        while let Some((source, node)) = waiting.pop_front() {
            let children = self.children(source);
            if children.is_empty() || (node != Self::ROOT && self.visits[source] < least_visits) {
                copy.marks[node] &= !COMPLETE;
                continue;
            }
            // A node that may grow needs its block to be of one of the sizes.
            let block = if self.is_complete(source) {
                copy.append(children.len())
            } else {
                copy.append(children.len().next_power_of_two())
            };
            copy.first_child[node] = u32::try_from(block).expect("a copy is no larger");
            copy.child_count[node] = self.child_count[source];
            copy.nodes += children.len();
            for (child, copied) in children.zip(block..) {
                copy.copy_place_from(self, child, copied);
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
            line.push(self.moves[best]);
            at = best;
        }
        line
    }

    /// A block of `size` places, a power of two.
    fn block(&mut self, size: usize) -> u32 {
        self.free[size.ilog2() as usize].pop().unwrap_or_else(|| {
            u32::try_from(self.append(size)).expect("the limit of nodes is below")
        })
    }

    /// Puts `count` empty places at the end and returns the first.
    fn append(&mut self, count: usize) -> Node {
        let first = self.places();
        let grown = first + count;
        self.moves.resize(grown, Move::Pass);
        self.visits.resize(grown, 0);
        self.rewards.resize(grown, 0.0);
        self.first_child.resize(grown, 0);
        self.child_count.resize(grown, 0);
        self.marks.resize(grown, 0);
        if self.extras.amaf {
            self.amaf_visits.resize(grown, 0);
            self.amaf_rewards.resize(grown, 0.0);
        }
        if self.extras.priors {
            self.priors.resize(grown, 0.0);
        }
        if self.extras.positions {
            self.positions.resize(grown, 0);
        }
        first
    }

    fn clear_place(&mut self, place: Node, made: Move) {
        self.moves[place] = made;
        self.visits[place] = 0;
        self.rewards[place] = 0.0;
        self.child_count[place] = 0;
        self.marks[place] = 0;
        if self.extras.amaf {
            self.amaf_visits[place] = 0;
            self.amaf_rewards[place] = 0.0;
        }
        if self.extras.priors {
            self.priors[place] = 0.0;
        }
        if self.extras.positions {
            self.positions[place] = 0;
        }
    }

    fn copy_places(&mut self, from: Range<Node>, to: Node) {
        self.moves.copy_within(from.clone(), to);
        self.visits.copy_within(from.clone(), to);
        self.rewards.copy_within(from.clone(), to);
        self.first_child.copy_within(from.clone(), to);
        self.child_count.copy_within(from.clone(), to);
        self.marks.copy_within(from.clone(), to);
        if self.extras.amaf {
            self.amaf_visits.copy_within(from.clone(), to);
            self.amaf_rewards.copy_within(from.clone(), to);
        }
        if self.extras.priors {
            self.priors.copy_within(from.clone(), to);
        }
        if self.extras.positions {
            self.positions.copy_within(from, to);
        }
    }

    /// Copies what another tree holds of a node, but for its children.
    fn copy_place_from(&mut self, other: &Self, from: Node, to: Node) {
        self.moves[to] = other.moves[from];
        self.visits[to] = other.visits[from];
        self.rewards[to] = other.rewards[from];
        self.marks[to] = other.marks[from];
        if self.extras.amaf {
            self.amaf_visits[to] = other.amaf_visits[from];
            self.amaf_rewards[to] = other.amaf_rewards[from];
        }
        if self.extras.priors {
            self.priors[to] = other.priors[from];
        }
        if self.extras.positions {
            self.positions[to] = other.positions[from];
        }
    }
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

    /// Children that come one by one, here and there, against plain vectors.
    #[test]
    fn blocks_move_and_are_used_again() {
        let mut tree = Tree::new(Extras { amaf: true, priors: true, positions: true });
        let moves: Vec<Move> =
            (0..19).map(|col| Move::Play(crate::go::Vertex::new(col, 0))).collect();
        for (number, &made) in moves.iter().enumerate() {
            let child = tree.add_child(Tree::ROOT, made);
            tree.visit(child, 100 + number as u32);
            tree.set_prior(child, number as f32);
            // Every other child so far gets a child too.
            for place in tree.children(Tree::ROOT).step_by(2) {
                if tree.children(place).len() < 19 {
                    let made = moves[tree.children(place).len()];
                    let below = tree.add_child(place, made);
                    tree.reward_with(below, number as f64);
                    tree.reward_amaf(below..below + 1, 0.25, |m| m == made);
                }
            }
        }
        let root = tree.children(Tree::ROOT);
        assert_eq!(root.len(), 19);
        let mut nodes = 20;
        for (number, child) in root.enumerate() {
            assert_eq!(tree.made(child), moves[number]);
            assert_eq!(tree.visits(child), 100 + number as u32);
            assert!((tree.columns(child..child + 1).priors[0] - number as f32).abs() < 1e-9);
            let below = tree.children(child);
            assert_eq!(below.len(), if number % 2 == 0 { 19 - number } else { 0 });
            nodes += below.len();
            for (place, grandchild) in below.enumerate() {
                assert_eq!(tree.made(grandchild), moves[place]);
                assert_eq!(tree.reward(grandchild), (number + place) as f64);
                assert_eq!(tree.amaf(grandchild), (1, 0.25));
            }
        }
        assert_eq!((tree.len(), tree.nodes().count()), (nodes, nodes));
        // Far fewer places than if no block were used again.
        assert!(tree.places() < 3 * nodes, "{} places of {nodes} nodes", tree.places());
        let copy = tree.below(Tree::ROOT);
        assert_eq!(copy.len(), nodes);
        assert!(copy.places() <= tree.places());
    }
}
