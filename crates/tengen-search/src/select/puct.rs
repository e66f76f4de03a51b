//! The selection formula PUCT.

use super::{Child, Formula, SelectingNode};
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
    const RANKS_UNVISITED: bool = true;
    const READS_PRIORS: bool = true;
    const UNVISITED_FOLLOW_PRIORS: bool = true;

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

#[cfg(test)]
mod tests {
    use crate::select::{Fpu, Selection, Selector, urgencies, urgencies_of};
    use crate::tree::Columns;

    #[test]
    fn computed_by_hand() {
        let puct = |exploration, first_play| Selector {
            selection: Selection::built_in("puct"),
            exploration,
            first_play: Fpu::Constant(first_play),
        };
        // √100 = 10, P = ¼: 0.6 + 2·10/4/51; 0.4 + 5/31; 0.35 + 5/21; 0.3 + 5.
        let (visits, rewards) = ([50, 30, 20, 0], [30.0, 12.0, 7.0, 0.0]);
        let four = urgencies(puct(2.0, 0.3), 100, &visits, &rewards);
        for (urgency, expected) in four.iter().zip([0.698_039, 0.561_290, 0.588_095, 5.3]) {
            assert!((urgency - expected).abs() < 1e-6, "{urgency}");
        }
        // P = ¼ and ¾.
        let (visits, rewards, priors) = ([4, 0], [2.0, 0.0], [0.25, 0.75]);
        let columns =
            Columns { visits: &visits, rewards: &rewards, priors: &priors, positions: &[] };
        let two = urgencies_of(puct(1.0, 0.5), 4, &columns);
        assert!((two[0] - 0.6).abs() < 1e-9 && (two[1] - 2.0).abs() < 1e-9, "{two:?}");
    }
}
