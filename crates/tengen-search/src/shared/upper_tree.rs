//! The upper tree of a worker: what it publishes, and what it adds to its own tree from
//! those of others.
//!
//! ```text
//! own counts of a node = its counts in the tree - what was added from others
//! publish:  own counts of all nodes near the root that were visited often enough
//! add:      for each node of the tree that others have published:
//!               counts += (what others have counted by now) - (what was added from them)
//! ```
//!
//! For example, with two workers, after the second exchange:
//!
//! ```text
//! visits of C3        worker 0            worker 1
//! own, first round    30                  20
//! exchange            30 + 20             20 + 30
//! own by round two    30 + 25             20 + 10
//! exchange            55 + 30             30 + 55
//! ```
//!
//! Counts are published as totals and not as differences: a message that is lost, or a node
//! that the receiver does not have yet, is made up for by the next.

use crate::sharing::Sharing;
use crate::tree::{Node, Tree};
use std::collections::BTreeMap;
use tengen_go::Move;

/// Visits of a node, and the sum of the rewards of the player who moved there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Count {
    /// Number of visits.
    pub visits: u32,
    /// Sum of rewards.
    pub reward: f64,
}

/// The most visits that a node is given from others, so that no count overflows.
const MOST_VISITS: u32 = 1 << 30;

impl Count {
    fn add(&mut self, other: Self) {
        self.visits = self.visits.saturating_add(other.visits).min(MOST_VISITS);
        self.reward += other.reward;
    }
}

/// Counts of nodes near the root, by the moves that lead there.
pub type UpperTree = BTreeMap<Vec<Move>, Count>;

/// What a worker's tree holds of others.
#[derive(Clone, Debug, Default)]
pub struct Borrowed {
    added: UpperTree,
}

impl Borrowed {
    /// Writes the worker's own counts of the nodes of `tree` that are to be shared into
    /// `published`. Nodes that were shared before and no longer are keep their last counts.
    pub fn publish(&self, tree: &Tree, sharing: Sharing, published: &mut UpperTree) {
        let Sharing::UpperTree { least, depth, .. } = sharing else { return };
        let least = least * f64::from(tree.visits(Tree::ROOT));
        let mut waiting: Vec<(Node, Vec<Move>)> = vec![(Tree::ROOT, Vec::new())];
        while let Some((node, path)) = waiting.pop() {
            let visits = tree.visits(node);
            if visits == 0 || f64::from(visits) < least {
                continue;
            }
            let added = self.added.get(&path).copied().unwrap_or_default();
            let own =
                Count { visits: visits - added.visits, reward: tree.reward(node) - added.reward };
            if path.len() < depth as usize {
                let below = |child: Node| (child, [&path[..], &[tree.mv(child)]].concat());
                waiting.extend(tree.children(node).map(below));
            }
            published.insert(path, own);
        }
    }

    /// Adds to `tree` what others have counted beyond what was added before. `all` are the
    /// counts of all workers together, `own` what this one has published.
    pub fn add<const W: usize>(&mut self, tree: &mut Tree, all: &UpperTree, own: &UpperTree) {
        for (path, all) in all {
            let own = own.get(path).copied().unwrap_or_default();
            let others = Count {
                visits: all.visits.saturating_sub(own.visits),
                reward: all.reward - own.reward,
            };
            let Some((parent, node)) = find(tree, path) else { continue };
            let added = self.added.entry(path.clone()).or_default();
            // Where the sum has reached its limit, it may fall.
            let more = others.visits.saturating_sub(added.visits);
            tree.visit(node, more);
            tree.reward_with(node, others.reward - added.reward);
            *added = Count { visits: added.visits + more, reward: others.reward };
            if let Some(parent) = parent
                && tree.extras().amaf
                && tree.visits(node) > 0
            {
                tree.refresh_mean::<W>(parent, node);
            }
        }
    }

    /// Takes off `tree` again what was added from others: its counts are the worker's own.
    pub fn withdraw(self, tree: &mut Tree) {
        for (path, added) in self.added {
            if let Some((_, node)) = find(tree, &path) {
                tree.take_back(node, added.visits, added.reward);
            }
        }
    }
}

/// The counts of all workers together, added up in their order.
pub fn sum<'a>(published: impl Iterator<Item = &'a UpperTree>) -> UpperTree {
    let mut all = UpperTree::new();
    for (path, &count) in published.flatten() {
        match all.get_mut(path) {
            Some(sum) => sum.add(count),
            None => drop(all.insert(path.clone(), count)),
        }
    }
    all
}

/// The node to which the moves of `path` lead from the root, and its parent.
fn find(tree: &Tree, path: &[Move]) -> Option<(Option<Node>, Node)> {
    let mut place = (None, Tree::ROOT);
    for &mv in path {
        place = (Some(place.1), tree.child(place.1, mv)?);
    }
    Some(place)
}
