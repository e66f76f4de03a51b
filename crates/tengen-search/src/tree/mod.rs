//! The search tree: moves with their statistics, in parallel arrays (*columns*).
//!
//! ```text
//! add_child(node, move)    one more child, without visits
//! expand(node, moves)      all children at once
//! visit(node)              visits += 1      on the way down: a loss until its result
//! reward_with(node, r)     rewards += r     at back-up
//! columns(children)        what the selection formulas read of the children
//! ```
//!
//! A node is a slot, the same in each column; the children of a node lie in
//! neighbouring slots, so that selection reads one stretch of each column. Here the
//! root, with Black to move, has the children C3 and D3, and C3 has two replies:
//!
//! ```text
//! 5 . . . . .                   slot         0     1     2     3     4
//! 4 . . . . .    root           move         -     C3    D3    C2    B3
//! 3 . b B B .    ├─ C3          visits       9     7     2     3     2
//! 2 . . b . .    │  ├─ C2       rewards      3     5     1     1     0
//! 1 . . . . .    │  └─ B3       children     1..3  3..5  -     -     -
//!   A B C D E    └─ D3
//! ```
//!
//! (In the drawing B are the moves of the root, b the replies to C3.) The rewards of a node belong
//! to the player who made the move: C3 brought Black 5 of 7. The replies of White brought White 1
//! of 3 and 0 of 2, and two simulations ended at C3 before it had children. The rewards of the root
//! are White's: 9 − 5 − 1.
//!
//! | file | what it holds |
//! |---|---|
//! | `slots.rs` | the columns |
//! | `header.rs` | move, children and marks of a node, in eight bytes |
//! | `blocks.rs` | slots for children that come one at a time |
//! | `epochs.rs` | the child that is selected again without a comparison |
//! | `prior_rows.rs` | priors of moves that come into the tree by falling prior |
//! | `amaf_cells.rs` | the cells of moves in the AMAF statistics |

mod amaf_cells;
mod blocks;
mod epochs;
mod header;
mod prior_rows;
mod slots;

pub use super::column::Node;
pub use amaf_cells::cell;
pub use prior_rows::Untried;
pub use slots::Extras;

pub(crate) use prior_rows::PriorRows;

use super::amaf::Amaf;
use blocks::{FreeBlocks, fills_block, slots_for};
use header::{COMPLETE, LOST, WON};
use slots::Slots;
use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;
use tengen_go::Move;

/// A search tree: moves with the statistics that selection reads, in parallel arrays.
///
/// A node stands for the move that leads to it; its rewards are those of the player who made the
/// move. A slot takes 20 bytes, 4 more each with priors, rows of priors, transpositions and epochs,
/// and 10 more with AMAF. For every node that selects, the AMAF statistics take 3 or 8 bytes per
/// cell ([`Amaf`]). For every node that is evaluated, a row of priors takes about 4 bytes per move.
///
/// Children are added one at a time ([`Tree::add_child`]), one at a time by falling prior
/// ([`Tree::add_highest`]) or all at once ([`Tree::expand`]).
///
/// # Examples
/// ```
/// use tengen_go::Move;
/// use tengen_search::tree::{Extras, Tree};
///
/// let [c3, d3]: [Move; 2] = ["C3".parse()?, "D3".parse()?];
/// let mut tree = Tree::new(Extras::default());
/// tree.expand(Tree::ROOT, &[c3, d3]);
/// let child = tree.child(Tree::ROOT, d3).ok_or("no such move")?;
/// tree.visit(child, 1);
/// tree.reward_with(child, 1.0);
/// assert_eq!((tree.len(), tree.visits(child), tree.reward(child)), (3, 1, 1.0));
/// assert_eq!(tree.principal_variation(Tree::ROOT), [d3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Tree {
    slots: Slots,
    free: FreeBlocks,
    /// Number of slots that are nodes: the others are unused slots of blocks.
    nodes: usize,
}

/// The statistics of a node's children, in parallel arrays: what selection reads.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'tree> {
    /// Simulations through each child, simulations in flight included.
    pub visits: &'tree [u32],
    /// Sums of the rewards, each 0 to 1, of the player to move at the node.
    pub rewards: &'tree [f64],
    /// Prior values, 0 to 1, or the shares of their sum where the formula reads them; empty without
    /// priors.
    pub priors: &'tree [f32],
    /// The number of each child's position for transpositions, 0 before it is known; empty without
    /// transpositions.
    pub positions: &'tree [u32],
}

impl Columns<'_> {
    /// No children.
    pub const EMPTY: Self = Self { visits: &[], rewards: &[], priors: &[], positions: &[] };
}

/// A result that a search has proven.
///
/// # Examples
/// ```
/// use tengen_go::{Board, Color, Game, Komi, Move, Preset, Rules};
/// use tengen_search::tree::Proof;
/// use tengen_search::{UctConfig, shared};
///
/// let board = Board::from_diagram("OO./OO./...", Color::Black)?;
/// let rules = Rules::new(Preset::Tengen, board.size(), Komi::default());
/// let mut game = Game::from_position(board, rules);
/// game.play(Color::Black, Move::Pass)?;
/// let config = UctConfig { proofs: true, ..UctConfig::plain() };
/// let (report, _) = shared::search(&game, &config, 1, Vec::new(), None)?;
/// let won = report.moves.iter().find(|root_move| root_move.proof == Some(Proof::Win));
/// assert_eq!(won.map(|root_move| root_move.mv), Some(Move::Pass));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The player who moved to the node wins.
    Win,
    /// The player who moved to the node loses.
    Loss,
}

impl Proof {
    /// 1 for a win, −1 for a loss.
    #[must_use]
    pub const fn sign(self) -> i8 {
        match self {
            Self::Win => 1,
            Self::Loss => -1,
        }
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Win => "won",
            Self::Loss => "lost",
        })
    }
}

impl serde::Serialize for Proof {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Default for Tree {
    fn default() -> Self {
        Self::new(Extras::default())
    }
}

impl Tree {
    /// The root: the node of the position that is searched. Its move means nothing; its
    /// rewards are those of the opponent of the player to move.
    pub const ROOT: Node = 0;

    /// A tree of a root without children.
    #[must_use]
    pub fn new(extras: Extras) -> Self {
        let mut slots = Slots::new(extras);
        slots.append(1);
        Self { slots, free: FreeBlocks::default(), nodes: 1 }
    }

    /// Number of nodes, the root included.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.nodes
    }

    /// Always false: a tree has a root.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// Memory in bytes, unused capacity included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.slots.bytes() + self.free.bytes()
    }

    /// The optional columns that the tree has.
    #[must_use]
    pub const fn extras(&self) -> Extras {
        self.slots.extras
    }

    /// The move that leads to `node`.
    #[inline]
    #[must_use]
    pub fn mv(&self, node: Node) -> Move {
        self.slots.headers[node].mv()
    }

    /// Simulations through `node`, simulations in flight included.
    #[inline]
    #[must_use]
    pub fn visits(&self, node: Node) -> u32 {
        self.slots.visits[node]
    }

    /// The sum of the rewards of the player who moved to `node`: 1 for a win, ½ for
    /// jigo.
    #[inline]
    #[must_use]
    pub fn reward(&self, node: Node) -> f64 {
        self.slots.rewards[node]
    }

    /// The all-moves-as-first (AMAF) statistics.
    #[inline]
    #[must_use]
    pub const fn amaf(&self) -> &Amaf {
        &self.slots.amaf
    }

    /// The AMAF statistics, mutable.
    #[inline]
    pub const fn amaf_mut(&mut self) -> &mut Amaf {
        &mut self.slots.amaf
    }

    /// The proven result of `node`, for the player who moved there, if there is one.
    #[inline]
    #[must_use]
    pub fn proof(&self, node: Node) -> Option<Proof> {
        let header = self.slots.headers[node];
        if header.has(WON) { Some(Proof::Win) } else { header.has(LOST).then_some(Proof::Loss) }
    }

    /// Marks the result of `node`, for the player who moved there, as proven. A node must
    /// not be marked with both results.
    pub fn prove(&mut self, node: Node, proof: Proof) {
        self.slots.headers[node].mark(match proof {
            Proof::Win => WON,
            Proof::Loss => LOST,
        });
    }

    /// Whether all moves of `node` are its children.
    #[inline]
    #[must_use]
    pub fn is_complete(&self, node: Node) -> bool {
        self.slots.headers[node].has(COMPLETE)
    }

    /// Marks that all moves of `node` are its children.
    pub fn complete(&mut self, node: Node) {
        self.slots.headers[node].mark(COMPLETE);
    }

    /// The children of `node`, in the order in which they were added.
    #[inline]
    #[must_use]
    pub fn children(&self, node: Node) -> Range<Node> {
        self.slots.headers[node].children()
    }

    /// The statistics of the given children of a node, which selection reads.
    #[inline]
    #[must_use]
    pub fn columns(&self, children: Range<Node>) -> Columns<'_> {
        let of = |has: bool| if has { children.clone() } else { 0..0 };
        Columns {
            visits: &self.slots.visits[children.clone()],
            rewards: &self.slots.rewards[children.clone()],
            priors: &self.slots.priors[of(self.slots.extras.priors)],
            positions: &self.slots.positions[of(self.slots.extras.positions)],
        }
    }

    /// Adds to `node`, which is not complete, a child for the move `mv`, and returns it.
    /// Its siblings may move to other slots.
    ///
    /// # Panics
    /// If there are more than 2³² slots.
    pub fn add_child(&mut self, node: Node, mv: Move) -> Node {
        let children = self.children(node);
        let count = children.len();
        let mut first = children.start;
        if count == 0 || fills_block(count) {
            let larger = self.free.take(count + 1);
            first = larger.unwrap_or_else(|| self.slots.append(slots_for(count + 1)));
            if count > 0 {
                self.slots.copy_within(children.clone(), first);
                self.free.give_back(children.start, count);
            }
        }
        self.slots.headers[node].set_children(first, count + 1);
        self.nodes += 1;
        let child = first + count;
        self.slots.clear(child, mv);
        child
    }

    /// Adds to `node`, which has no children, a child for each of `moves`, in order, and marks the
    /// node as complete.
    ///
    /// # Panics
    /// If there are more than 2³² slots.
    pub fn expand(&mut self, node: Node, moves: &[Move]) {
        debug_assert!(self.children(node).is_empty(), "a node is expanded once");
        let first = self.slots.append(moves.len());
        self.slots.headers[node].set_children(first, moves.len());
        for (slot, &mv) in (first..).zip(moves) {
            self.slots.begin(slot, mv);
        }
        self.nodes += moves.len();
        self.complete(node);
    }

    /// Counts `count` visits of `node` whose results are still to come: each visit is a loss until
    /// its result arrives (virtual loss).
    #[inline]
    pub fn visit(&mut self, node: Node, count: u32) {
        self.slots.visits[node] += count;
    }

    /// Adds `reward` to the rewards of `node`: those of the player who moved there.
    #[inline]
    pub fn reward_with(&mut self, node: Node, reward: f64) {
        self.slots.rewards[node] += reward;
    }

    /// Takes `visits` visits and the sum of their rewards off `node`.
    pub fn take_back(&mut self, node: Node, visits: u32, reward: f64) {
        self.slots.visits[node] -= visits;
        self.slots.rewards[node] -= reward;
    }

    /// Sets the prior value of `node`.
    pub fn set_prior(&mut self, node: Node, prior: f32) {
        self.slots.priors[node] = prior;
    }

    /// The number of the position that `node` leads to; 0 if it has none yet.
    #[must_use]
    pub fn position(&self, node: Node) -> u32 {
        self.slots.positions[node]
    }

    /// Sets the number of the position that `node` leads to.
    pub fn set_position(&mut self, node: Node, position: u32) {
        self.slots.positions[node] = position;
    }

    /// Resets the numbers of all positions to 0.
    pub fn forget_positions(&mut self) {
        self.slots.positions.fill(0);
    }

    /// The child of `node` for the move `wanted`, if it is in the tree.
    #[must_use]
    pub fn child(&self, node: Node, wanted: Move) -> Option<Node> {
        self.children(node).find(|&child| self.mv(child) == wanted)
    }

    /// All nodes in breadth-first order.
    pub fn nodes(&self) -> impl Iterator<Item = Node> {
        let mut waiting = VecDeque::from([Self::ROOT]);
        std::iter::from_fn(move || {
            let node = waiting.pop_front()?;
            waiting.extend(self.children(node));
            Some(node)
        })
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
            .max_by_key(|&child| self.visits(child))
            .filter(|&child| self.visits(child) > 0)
        {
            line.push(self.mv(best));
            at = best;
        }
        line
    }

    /// A copy of the subtree of `top`, which becomes the root.
    #[must_use]
    pub fn below(&self, top: Node) -> Self {
        self.below_in(top, Self::new(self.extras()))
    }

    /// A copy of the subtree of `top`, as [`Tree::below`] makes it, in the memory of the discarded tree `spare`.
    ///
    /// # Panics
    /// If `spare` has other columns.
    #[must_use]
    pub fn below_in(&self, top: Node, spare: Self) -> Self {
        assert_eq!(spare.extras(), self.extras(), "trees of one configuration");
        let mut copy = spare;
        copy.slots.remove_all();
        copy.slots.append(1);
        (copy.free, copy.nodes) = (FreeBlocks::default(), 1);
        copy.slots.copy_from(&self.slots, top, Self::ROOT);
        let mut waiting = VecDeque::from([(top, Self::ROOT)]);
        while let Some((source, node)) = waiting.pop_front() {
            let children = self.children(source);
            if children.is_empty() {
                continue;
            }
            let count = children.len();
            // A node that may get more children needs a block of a standard size.
            let slots = if self.is_complete(source) { count } else { slots_for(count) };
            let first = copy.slots.append(slots);
            copy.slots.headers[node].set_children(first, count);
            if self.extras().amaf {
                copy.slots.amaf.copy_from(&self.slots.amaf, source, node);
            }
            copy.nodes += count;
            for (child, copied) in children.zip(first..) {
                copy.slots.copy_from(&self.slots, child, copied);
                waiting.push_back((child, copied));
            }
        }
        copy
    }
}

/// A small tree for the tests of this folder, and a move by its name.
#[cfg(test)]
mod sample {
    use super::Tree;
    use tengen_go::Move;

    pub(super) fn play(text: &str) -> Move {
        text.parse().unwrap()
    }

    fn record(tree: &mut Tree, path: &[usize]) {
        for &node in path {
            tree.visit(node, 1);
            tree.reward_with(node, 0.5);
        }
    }

    pub(super) fn sample() -> Tree {
        let mut tree = Tree::default();
        tree.expand(Tree::ROOT, &[play("A1"), play("B1"), Move::Pass]);
        tree.expand(2, &[play("C1"), play("D1")]);
        tree.expand(5, &[play("E1")]);
        record(&mut tree, &[0, 2, 5, 6, 5, 2, 0, 1, 5, 2, 0]);
        tree
    }
}

#[cfg(test)]
mod tests {
    use super::sample::{play, sample};
    use super::*;

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

    /// A copy in the memory of another tree keeps nothing of that tree's nodes.
    #[test]
    fn a_copy_in_spare_memory_is_the_same() {
        let extras = Extras { amaf: true, priors: true, positions: true, ..Extras::default() };
        let grown = |moves: &[&str]| {
            let mut tree = Tree::new(extras);
            let board = tengen_go::Board::<1>::new("5x5".parse().unwrap());
            tree.open_amaf(Tree::ROOT, &board, board.empty());
            tree.amaf_mut().count(Tree::ROOT, &[5], 0.0);
            for &mv in moves {
                let child = tree.add_child_by_amaf::<1>(Tree::ROOT, play(mv));
                tree.visit(child, 3);
                tree.open_amaf(child, &board, board.empty());
                tree.amaf_mut().count(child, &[7], 1.0);
                let below = tree.add_child_by_amaf::<1>(child, play("E5"));
                tree.set_prior(below, 0.5);
            }
            tree
        };
        let tree = grown(&["A1", "B1", "C1"]);
        let read = |tree: &Tree| {
            let of = |node| {
                let counted: Vec<_> = tree.amaf().counted(node).collect();
                (tree.mv(node), tree.visits(node), tree.columns(node..node + 1).priors[0], counted)
            };
            tree.nodes().map(of).collect::<Vec<_>>()
        };
        let top = tree.child(Tree::ROOT, play("B1")).unwrap();
        let leaf = tree.child(top, play("E5")).unwrap();
        for (node, nodes, counted) in [(top, 2, 3), (leaf, 1, 0)] {
            let spare = grown(&["D2", "E2", "A3", "B3", "C3"]);
            let (fresh, reused) = (tree.below(node), tree.below_in(node, spare));
            assert_eq!(read(&reused), read(&fresh));
            assert_eq!((reused.len(), read(&fresh)[0].3.len()), (nodes, counted));
            assert_eq!(reused.slots.headers.len(), fresh.slots.headers.len());
        }
    }

    /// Children that come one by one, here and there, against plain vectors.
    #[test]
    fn blocks_move_and_are_used_again() {
        let mut tree = Tree::new(Extras {
            amaf: true,
            priors: true,
            positions: true,
            prior_rows: true,
            epochs: true,
        });
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
        // Far fewer slots than if no block were used again.
        let slots = tree.slots.headers.len();
        assert!(slots < 3 * nodes, "{slots} slots of {nodes} nodes");
        let copy = tree.below(Tree::ROOT);
        assert_eq!(copy.len(), nodes);
        assert!(copy.slots.headers.len() <= slots);
    }
}
