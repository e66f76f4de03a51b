//! The selection formula PUCT.

use super::{Child, Formula, Properties, SelectingNode};
use rand_xoshiro::Xoshiro256PlusPlus;

/// PUCT as Silver et al. write it ("Mastering the game of Go without human knowledge",
/// 2017, methods; after Rosin, "Multi-armed bandits with episode context", 2011):
///
/// ```text
/// m + c · P · √N / (1 + n)
/// ```
///
/// P is the child's share of the priors of all moves, which the tree holds; without priors all
/// children have equal shares. The value of a first play must be finite.
pub(super) struct Puct;

/// The values that all children of a node share.
pub(super) struct AtNode {
    /// c · √N.
    root: f64,
    /// The equal share of each child without priors; none with priors.
    uniform: Option<f64>,
}

impl Formula for Puct {
    const PROPERTIES: Properties = Properties {
        ranks_unvisited: true,
        reads_priors: true,
        unvisited_follow_priors: true,
        plans_root: false,
    };

    type AtNode = AtNode;

    fn at(&self, node: &SelectingNode<'_>) -> AtNode {
        let has_none = node.children.priors.is_empty();
        AtNode {
            root: node.exploration * f64::from(node.visits).sqrt(),
            uniform: has_none.then(|| 1.0 / node.children.visits.len() as f64),
        }
    }

    #[inline]
    fn urgency(&self, at: &AtNode, child: &Child, _: &mut Xoshiro256PlusPlus) -> f64 {
        let share = at.uniform.unwrap_or(child.prior);
        child.mean + at.root * share / (1.0 + child.visits)
    }
}
