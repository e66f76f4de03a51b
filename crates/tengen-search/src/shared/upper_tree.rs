//! The upper tree of a worker: the statistics that it reports (*publishes*) in an exchange, and
//! what it adds to its own tree from other workers. A node is *named* when a worker puts it on the
//! list of shared nodes.
//!
//! ```text
//! own counts of a node = its counts in the tree - what was added from others
//! publish:  own counts of all nodes that any worker has named
//!           names of the nodes near the root that were visited often enough
//! add:      for each named node:
//!               visits = visits of all workers / workers, or the own ones if they are more
//!               reward = visits · mean reward of all workers' simulations
//! ```
//!
//! For example, with two workers and a node that is named already:
//!
//! ```text
//! rewards / visits of C3       worker 0            worker 1
//! own                          10 / 30             15 / 20
//! exchange: 25 / 50 in all     15 / 30             12.5 / 25
//! after another round          20 / 54             15 / 71
//! own                          15 / 54             17.5 / 66
//! exchange: 32.5 / 120 in all  16.25 / 60          17.875 / 66
//! ```
//!
//! **A node is named before it is counted.** If a worker published only the counts of nodes that it
//! visited often, the sum of a node would come only from workers whose first simulations of the
//! node had won: the other workers would leave the node, and publish nothing. All workers would
//! then search moves that were lucky at first.
//!
//! **A worker's tree has the mean number of visits, not the sum.** Between two exchanges all
//! workers select by nearly the same counts, so that each simulation of a worker stands for one
//! simulation of every other worker. With the sum, all workers would visit one move until the
//! exchange, since no worker sees the visits of the others.

use crate::sharing::Sharing;
use crate::tree::{Node, Tree};
use std::collections::{BTreeMap, BTreeSet};
use tengen_go::Move;

/// Visits of a node, and the sum of the rewards of the player who moved there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Count {
    /// Number of visits.
    pub visits: u64,
    /// Sum of rewards.
    pub reward: f64,
}

/// Counts of nodes near the root, by the moves that lead there. A node without counts is
/// named only.
pub type UpperTree = BTreeMap<Vec<Move>, Count>;

/// The counts that a worker's tree holds from other workers.
#[derive(Clone, Debug, Default)]
pub struct Borrowed {
    added: BTreeMap<Vec<Move>, Added>,
    /// The nodes that any worker has named.
    named: BTreeSet<Vec<Move>>,
}

/// What was added to a node from other workers.
#[derive(Clone, Copy, Debug, Default)]
struct Added {
    visits: u32,
    reward: f64,
}

impl Borrowed {
    /// The worker's own counts of the shared nodes and, without counts, the nodes of `tree` to
    /// share from the next exchange on.
    #[must_use]
    pub fn publish(&self, tree: &Tree, sharing: Sharing) -> UpperTree {
        let mut published = UpperTree::new();
        let Sharing::UpperTree { least, depth, .. } = sharing else { return published };
        for path in &self.named {
            let own =
                find(tree, path).map_or_else(Count::default, |node| self.own(tree, path, node));
            published.insert(path.clone(), own);
        }
        let least = least * f64::from(tree.visits(Tree::ROOT));
        let mut waiting: Vec<(Node, Vec<Move>)> = vec![(Tree::ROOT, Vec::new())];
        while let Some((node, path)) = waiting.pop() {
            let visits = tree.visits(node);
            if visits == 0 || f64::from(visits) < least {
                continue;
            }
            if path.len() < depth as usize {
                let below = |child: Node| (child, [&path[..], &[tree.mv(child)]].concat());
                waiting.extend(tree.children(node).map(below));
            }
            published.entry(path).or_default();
        }
        published
    }

    /// The worker's own counts at `node` of `tree`, to which `path` leads.
    fn own(&self, tree: &Tree, path: &[Move], node: Node) -> Count {
        let added = self.added.get(path).copied().unwrap_or_default();
        let visits = u64::from(tree.visits(node) - added.visits);
        Count { visits, reward: tree.reward(node) - added.reward }
    }

    /// Gives the shared nodes of `tree` the mean of the counts of all `workers`, whose sums are
    /// `all`; but never fewer visits than the worker's own. A node that is not in the tree is left
    /// for a later exchange.
    pub fn add(&mut self, tree: &mut Tree, workers: u32, all: &UpperTree) {
        for (path, all) in all {
            self.named.insert(path.clone());
            if all.visits == 0 {
                continue;
            }
            let Some(node) = find(tree, path) else { continue };
            let own = self.own(tree, path, node);
            let visits = all.visits.div_ceil(workers.into()).max(own.visits);
            let reward = rounded(visits as f64 * (all.reward / all.visits as f64));
            let before = self.added.get(path).copied().unwrap_or_default();
            tree.take_back(node, before.visits, before.reward);
            // Never fails: no search makes more simulations than a node can count.
            let visits = u32::try_from(visits - own.visits).unwrap_or(0);
            let added = Added { visits, reward: reward - own.reward };
            tree.visit(node, added.visits);
            tree.reward_with(node, added.reward);
            self.added.insert(path.clone(), added);
            if tree.extras().amaf {
                tree.refresh_mean(node);
            }
        }
    }

    /// Takes off `tree` what was added from other workers: only the worker's own counts remain.
    pub fn withdraw(self, tree: &mut Tree) {
        for (path, added) in self.added {
            if let Some(node) = find(tree, &path) {
                tree.take_back(node, added.visits, added.reward);
            }
        }
    }
}

/// A multiple of 2⁻¹⁰ near `reward`: sums of such multiples are exact, so that an added reward can
/// be taken off again.
fn rounded(reward: f64) -> f64 {
    (reward * 1024.0).round() / 1024.0
}

/// The counts of all workers together, added up in their order.
pub fn sum<'a>(published: impl IntoIterator<Item = &'a UpperTree>) -> UpperTree {
    let mut all = UpperTree::new();
    for (path, &count) in published.into_iter().flatten() {
        let sum = all.entry(path.clone()).or_default();
        sum.visits += count.visits;
        sum.reward += count.reward;
    }
    all
}

/// The node to which the moves of `path` lead from the root.
fn find(tree: &Tree, path: &[Move]) -> Option<Node> {
    path.iter().try_fold(Tree::ROOT, |node, &mv| tree.child(node, mv))
}
