//! The interface of a selection formula: what it reads of a node and a child, and what it computes.

use crate::tree::Columns;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::LazyLock;

/// The logarithms of small numbers of visits: few nodes have more visits, and successive selections
/// at a node read neighbouring logarithms.
static LOGARITHMS: LazyLock<Box<[f64]>> = LazyLock::new(|| (0..1 << 14).map(log).collect());

/// The logarithm of a number of visits.
fn log(visits: u32) -> f64 {
    libm::log(f64::from(visits.max(1)))
}

/// The node that selects, as a formula sees it.
#[derive(Clone, Copy, Debug)]
pub struct SelectingNode<'a> {
    /// The visits N of the node.
    pub visits: u32,
    /// The value of a child without visits, by the setting `first_play`: infinite by default, or a
    /// number relative to `mean`.
    pub first_play: f64,
    /// The mean reward of the node's simulations for the player to move there; ½ without visits.
    pub mean: f64,
    /// The depth of the node; the root has depth 0.
    pub depth: usize,
    /// The exploration constant c.
    pub exploration: f64,
    /// The statistics of the node's children.
    pub children: &'a Columns<'a>,
    /// The evaluator's value of the node for the player to move there, 0 to 1, for a formula that
    /// [plans](Properties::plans_root) the root; none without an evaluator.
    pub value: Option<f64>,
    /// The sum of the priors of the node's moves that are not children yet, for a formula that
    /// plans the root; none if all moves are children.
    pub untried: Option<f64>,
    /// How the simulations are divided at the root. None below the root, and for formulas that do not plan it.
    pub plan: Option<Plan<'a>>,
}

/// What a formula gets at the root to divide the simulations of a search among the root's moves.
/// All moves of this root are children, by falling prior.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan<'a> {
    /// How often the root selects in the whole search, by the setting `simulations`.
    pub simulations: u64,
    /// For each child a draw from the standard Gumbel distribution, by the seed of the search.
    pub draws: &'a [f64],
}

/// The probability of a move by the improved policy, and its worth, which ranks moves of equal
/// visits, as in Gumbel `MuZero` (Danihelka et al. 2022).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Improved {
    /// The probability of the move by the improved policy, which is what a policy network learns.
    pub policy: f64,
    /// The worth of the move: of the moves with the most visits, the search plays the one of the
    /// highest worth.
    pub worth: f64,
}

impl SelectingNode<'_> {
    /// The logarithm ln N from the pure-Rust libm, the same on every machine; 0 without visits.
    #[inline]
    #[must_use]
    pub fn log_visits(&self) -> f64 {
        let known = LOGARITHMS.get(self.visits as usize);
        known.copied().unwrap_or_else(|| log(self.visits))
    }
}

/// What a search does differently for a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // each is a property of its own
pub struct Properties {
    /// Whether [`Formula::urgency`] also ranks children without visits. Then all children must be
    /// in the tree, unless they follow priors, and `rave` is refused. Otherwise the urgency of a
    /// child without visits is its blended mean or the value of a first play, and its
    /// [`Formula::urgency`], maybe `NaN`, is not used.
    pub ranks_unvisited: bool,
    /// Whether the formula weighs [`Child::prior`] itself; `first_play=inf` is then refused.
    /// Otherwise the priors of the setting `prior` are blended into [`Child::mean`], and the priors
    /// of an evaluator are not used: a formula for a network should read priors.
    pub reads_priors: bool,
    /// Promises that of two children without visits, the child of the higher prior is never less
    /// urgent, as in PUCT. Then selection needs only the highest prior, and adds the children of an
    /// evaluated node to the tree one by one, which saves memory and time.
    pub unvisited_follow_priors: bool,
    /// Whether the formula divides the simulations of the search among the moves at the root: it
    /// then gets a [`Plan`] there. The search must have the setting `simulations` and begin without
    /// a tree.
    pub plans_root: bool,
}

impl Properties {
    /// A formula that ranks visited children by their statistics alone.
    pub const NONE: Self = Self {
        ranks_unvisited: false,
        reads_priors: false,
        unvisited_follow_priors: false,
        plans_root: false,
    };
}

/// A child of the node that selects, as a formula sees it.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// The visits n, simulations in flight included, whose reward is 0 so far (virtual loss).
    pub visits: f64,
    /// The sum of the rewards of the player to move at the node.
    pub reward: f64,
    /// The mean m, blended with RAVE or priors if the search has them. Without visits and blend, it
    /// is the value of a first play if the formula ranks unvisited children.
    pub mean: f64,
    /// The prior value, or its share of the sum of all priors of the node if the formula reads
    /// priors; 0 where there are none.
    pub prior: f64,
}

/// A selection formula.
///
/// # Examples
/// UCB1 with a bonus that falls with the depth, which the setting `selection=shallow:BONUS` then names:
/// ```
/// use rand_xoshiro::Xoshiro256PlusPlus;
/// use tengen_search::UctConfig;
/// use tengen_search::select::{self, Child, Formula, SelectingNode};
///
/// struct Shallow {
///     bonus: f64,
/// }
///
/// impl Formula for Shallow {
///     /// c² · ln N, with the bonus of the depth in c.
///     type AtNode = f64;
///
///     fn at(&self, node: &SelectingNode<'_>) -> f64 {
///         let c = node.exploration + self.bonus / (1.0 + node.depth as f64);
///         c * c * node.log_visits()
///     }
///
///     fn urgency(&self, at: &f64, child: &Child, _: &mut Xoshiro256PlusPlus) -> f64 {
///         child.mean + (at / child.visits).sqrt()
///     }
/// }
///
/// select::register("shallow", "1", |bonus| {
///     Ok(Shallow { bonus: bonus.parse().map_err(|_| "shallow:BONUS, a number".to_owned())? })
/// })?;
/// let selection = "shallow:0.25".parse()?;
/// let config = UctConfig { selection, ..UctConfig::plain() };
/// assert_eq!(config.selection.to_string(), "shallow:0.25");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Formula {
    /// The values that all children of a node share, such as ln N; computed once for each
    /// selection.
    type AtNode;

    /// What the search does differently for the formula.
    const PROPERTIES: Properties = Properties::NONE;

    /// Computes the values that all children of a node share.
    fn at(&self, node: &SelectingNode<'_>) -> Self::AtNode;

    /// The urgency of a child; the most urgent child is selected. It must not be `NaN` for a child
    /// with visits. A formula that draws takes its draws from `random`, the stream of the search,
    /// so that the seed decides them.
    fn urgency(&self, at: &Self::AtNode, child: &Child, random: &mut Xoshiro256PlusPlus) -> f64;

    /// The parameters of the Beta distribution from which the urgency of a child with these visits and
    /// rewards is drawn; none if the formula draws from no such distribution. For displays of a search.
    fn beta(&self, visits: f64, reward: f64) -> Option<[f64; 2]> {
        let _ = (visits, reward);
        None
    }

    /// The mean of `reward` over `visits`; a formula that needs 1 / n anyway may
    /// multiply by it.
    #[inline]
    #[must_use]
    fn mean(reward: f64, visits: f64) -> f64 {
        reward / visits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::testing::node;

    #[test]
    fn logarithms_that_are_kept_are_those_of_libm() {
        let of = |visits| node(visits, 1.0, 1.0, &Columns::EMPTY);
        assert_eq!(of(0).log_visits(), 0.0);
        for visits in 1..20_000 {
            let log = libm::log(f64::from(visits));
            assert_eq!(of(visits).log_visits().to_bits(), log.to_bits(), "{visits}");
        }
    }
}
