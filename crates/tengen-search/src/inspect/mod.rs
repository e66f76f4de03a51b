//! Views of a search tree: text, a DOT graph for Graphviz, JSON lines.

mod dot;
mod json_lines;
mod text;

use super::tree::{Node, Tree};
use std::io;
use tengen_go::{Color, Move};

/// A view of a search tree: its root, and below it the nodes with enough visits, down to
/// some depth. The children of a node are sorted by falling visits.
///
/// The value of a node is for the player who made its move; the value of the root is for the
/// opponent of the player to move.
///
/// # Examples
/// ```
/// use tengen_go::{Board, Color, Game, Komi, Preset, Rules};
/// use tengen_search::inspect::Inspection;
/// use tengen_search::{UctConfig, shared};
///
/// let board = Board::from_diagram("...../XXX../OOX../.OX../.X...", Color::Black)?;
/// let rules = Rules::new(Preset::Tengen, board.size(), Komi::default());
/// let game = Game::from_position(board, rules);
/// let (_, trees) = shared::search(&game, &UctConfig::default(), 1, Vec::new(), None)?;
/// let view = Inspection { tree: &trees[0], to_play: game.to_play(), depth: 1, min_visits: 100 };
/// let mut text = Vec::new();
/// view.write_text(&mut text)?;
/// assert!(String::from_utf8(text)?.contains("black A2"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Inspection<'tree> {
    /// The tree.
    pub tree: &'tree Tree,
    /// The player to move at its root.
    pub to_play: Color,
    /// The greatest depth shown, the root having depth 0.
    pub depth: usize,
    /// The fewest visits of a node that is shown.
    pub min_visits: u32,
}

/// A line of a view.
#[derive(Clone, Copy, Debug)]
enum Shown<'walk> {
    /// A node, its parent, and the moves that lead there from the root.
    Node { node: Node, parent: Option<Node>, path: &'walk [Move] },
    /// Children of this depth that have too few visits: their number, and the sum of their visits.
    Skipped { depth: usize, count: usize, visits: u32 },
}

impl Inspection<'_> {
    /// Calls `show` with each node that is shown, a node before its children, and the skipped
    /// children last.
    fn walk(&self, mut show: impl FnMut(Shown<'_>) -> io::Result<()>) -> io::Result<()> {
        self.walk_from(Tree::ROOT, None, &mut Vec::new(), &mut show)
    }

    /// Walks the subtree of `node`, to which `path` leads.
    fn walk_from(
        &self,
        node: Node,
        parent: Option<Node>,
        path: &mut Vec<Move>,
        show: &mut dyn FnMut(Shown<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        show(Shown::Node { node, parent, path })?;
        if path.len() == self.depth {
            return Ok(());
        }
        let is_shown = |&child: &Node| self.tree.visits(child) >= self.min_visits;
        let (mut shown, skipped): (Vec<Node>, Vec<Node>) =
            self.tree.children(node).partition(is_shown);
        shown.sort_by_key(|&child| std::cmp::Reverse(self.tree.visits(child)));
        for child in shown {
            path.push(self.tree.mv(child));
            self.walk_from(child, Some(node), path, show)?;
            path.pop();
        }
        if skipped.is_empty() {
            return Ok(());
        }
        let visits = skipped.iter().map(|&child| self.tree.visits(child)).sum();
        show(Shown::Skipped { depth: path.len() + 1, count: skipped.len(), visits })
    }

    /// The player who moved to a node of this depth.
    fn mover(&self, depth: usize) -> Color {
        if depth.is_multiple_of(2) { !self.to_play } else { self.to_play }
    }

    /// The mean of the node's simulations; none without any.
    fn value(&self, node: Node) -> Option<f64> {
        let visits = self.tree.visits(node);
        (visits > 0).then(|| self.tree.reward(node) / f64::from(visits))
    }

    /// The AMAF visits, those from priors included, and the AMAF mean of the move that
    /// leads to a node; `None` if the tree has no AMAF statistics.
    fn amaf(&self, node: Node, parent: Option<Node>) -> Option<(f32, Option<f64>)> {
        let parent = parent.filter(|_| self.tree.extras().amaf)?;
        let mv = self.tree.mv(node);
        let mut counted = self.tree.amaf().counted(parent);
        Some(counted.find(|&(other, ..)| other == mv).map_or((0.0, None), |(_, visits, reward)| {
            (visits, Some(f64::from(reward) / f64::from(visits)))
        }))
    }

    /// The prior of a node, if the tree has priors.
    fn prior(&self, node: Node) -> Option<f32> {
        let has = self.tree.extras().priors && node != Tree::ROOT;
        has.then(|| self.tree.columns(node..node + 1).priors[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Extras, Proof, cell};
    use tengen_go::{Bits, Board, Size};

    /// A small tree by hand: C3 with D3 and the pass below it, B2, and A1,
    /// which was never visited.
    pub fn sample() -> Tree {
        let mut tree = Tree::new(Extras { amaf: true, priors: true, ..Extras::default() });
        let moves =
            |text: &str| -> Vec<Move> { text.split(' ').map(|mv| mv.parse().unwrap()).collect() };
        tree.expand(Tree::ROOT, &moves("B2 C3 A1"));
        tree.expand(2, &moves("D3 pass"));
        for (node, visits, reward) in
            [(0, 10, 4.0), (1, 3, 0.0), (2, 7, 6.0), (4, 5, 1.0), (5, 1, 0.0)]
        {
            tree.visit(node, visits);
            tree.reward_with(node, reward);
        }
        tree.open_amaf(Tree::ROOT, &Board::<1>::new(Size::square(5).unwrap()), Bits::EMPTY);
        tree.amaf_mut().count(Tree::ROOT, &[1 << cell::<1>("B2".parse().unwrap())], 0.5);
        (1..6).for_each(|node| tree.set_prior(node, 0.5));
        tree.prove(1, Proof::Loss);
        tree.prove(5, Proof::Win);
        tree
    }

    pub fn written(
        depth: usize,
        min_visits: u32,
        write: impl FnOnce(&Inspection<'_>, &mut Vec<u8>) -> io::Result<()>,
    ) -> String {
        let tree = sample();
        let inspection = Inspection { tree: &tree, to_play: Color::White, depth, min_visits };
        let mut bytes = Vec::new();
        write(&inspection, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }
}
