//! Selection formulas: which child a simulation visits next.
//!
//! ```text
//! at = formula.at(node)                      once per node
//! for each child: urgency = formula.urgency(at, child)
//! visit the child of the highest urgency; of several the first
//! ```
//!
//! A built-in formula ([`Formula`]) is a file here, with its paper, and a line of `BUILT_IN`. N are the visits of the node that selects, n the visits of a child, m the child's
//! mean reward for the player to move, 0 to 1, and ln the natural logarithm. With RAVE or priors, m
//! is the blended mean ([`Rave`]), to which the formula adds its exploration. c is the exploration
//! constant, P the child's share of all priors, and w the sum of the child's rewards.
//!
//! | text | urgency | source |
//! |---|---|---|
//! | `ucb1` | m + c · √(ln N / n) | Auer, Cesa-Bianchi and Fischer 2002 |
//! | `ucb1-tuned` | m + c · √(ln N / n · min(¼, m − m² + √(2 ln N / n))) | the same paper |
//! | `kl-ucb` | the greatest q with n · d(m, q) ≤ c · ln N, where d is the Kullback–Leibler divergence of two Bernoulli distributions | Garivier and Cappé 2011 |
//! | `thompson` | a draw from Beta(1 + w, 1 + n − w) | Thompson 1933 |
//! | `puct` | m + c · P · √N / (1 + n) | Silver et al. 2017 |
//! | `gumbel` | sequential halving at the root; below it π − n / (1 + Σn), where π is the improved policy and Σn are the visits of all children | Danihelka et al. 2022 |
//! | `gumbel-unscaled` | the same, by values that are not scaled to 0 to 1 at each node | the same paper |

mod fill;
mod formula;
mod fpu;
mod gumbel;
mod kl_ucb;
mod puct;
mod rave;
mod registry;
mod thompson;
mod ucb1;
mod ucb1_tuned;

pub use formula::{Child, Formula, Improved, Plan, SelectingNode};
pub use fpu::Fpu;
pub use rave::Rave;
pub use registry::{ForAllChildren, FormulaOfAllChildren, Selection, register, register_for_all};

use super::tree::Columns;
use fill::fill;
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_go::{BuiltIn, Made};

/// The built-in selection formulas.
const BUILT_IN: [BuiltIn<FormulaOfAllChildren>; 7] = [
    BuiltIn { name: "ucb1", parameters: "", make: |_| Made::only(Box::new(ucb1::Ucb1)) },
    BuiltIn {
        name: "ucb1-tuned",
        parameters: "",
        make: |_| Made::only(Box::new(ucb1_tuned::Ucb1Tuned)),
    },
    BuiltIn { name: "kl-ucb", parameters: "", make: |_| Made::only(Box::new(kl_ucb::KlUcb)) },
    BuiltIn {
        name: "thompson",
        parameters: "",
        make: |_| Made::only(Box::new(thompson::Thompson)),
    },
    BuiltIn { name: "puct", parameters: "", make: |_| Made::only(Box::new(puct::Puct)) },
    BuiltIn { name: "gumbel", parameters: gumbel::PARAMETERS, make: |given| made(given, true) },
    BuiltIn {
        name: "gumbel-unscaled",
        parameters: gumbel::PARAMETERS,
        make: |given| made(given, false),
    },
];

/// A formula by [`Gumbel`](gumbel::Gumbel).
fn made(given: &str, is_rescaled: bool) -> Result<Made<FormulaOfAllChildren>, String> {
    let (formula, parameters) = gumbel::Gumbel::of(given, is_rescaled)?;
    Ok(Made::new(Box::new(formula), parameters))
}

/// A selection formula with its constants.
///
/// # Examples
/// ```
/// use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
/// use tengen_search::UctConfig;
/// use tengen_search::select::{Parent, most_urgent};
/// use tengen_search::tree::Columns;
///
/// let rewards = &[30.0, 24.0];
/// let children = Columns { visits: &[60, 40], rewards, priors: &[], positions: &[] };
/// let parent = Parent::new(100, 0.54, 0);
/// let (mut random, mut urgencies) = (Xoshiro256PlusPlus::seed_from_u64(1), Vec::new());
/// UctConfig::plain().selector().fill(parent, &children, None, &mut random, &mut urgencies);
/// assert_eq!(most_urgent(&urgencies).0, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selector {
    /// The formula.
    pub selection: Selection,
    /// The exploration constant c of the formula.
    pub exploration: f64,
    /// First-play urgency: the value of a move without visits.
    pub first_play: Fpu,
}

/// The statistics of the node that selects, for the formulas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parent<'a> {
    /// The visits N of the node.
    pub visits: u32,
    /// The mean reward of the node's simulations for the player to move there.
    pub mean: f64,
    /// The depth of the node; the root has depth 0.
    pub depth: usize,
    /// [`SelectingNode::value`].
    pub value: Option<f64>,
    /// [`SelectingNode::untried`].
    pub untried: Option<f64>,
    /// [`SelectingNode::plan`].
    pub plan: Option<Plan<'a>>,
}

impl Parent<'_> {
    /// A node that no evaluator has judged, with all its moves as children.
    #[must_use]
    pub const fn new(visits: u32, mean: f64, depth: usize) -> Self {
        Self { visits, mean, depth, value: None, untried: None, plan: None }
    }
}

impl Selector {
    /// Whether the urgency of a visited move is its mean: nothing is added to explore.
    #[must_use]
    pub fn is_greedy(&self) -> bool {
        self.exploration == 0.0
    }

    /// Fills `urgencies` with the urgencies of the children in `columns`, one or more, and returns
    /// the result of [`most_urgent`]. With RAVE or priors `means` are the blended means of the
    /// children. A formula that draws takes its draws from `random`.
    pub fn fill(
        &self,
        parent: Parent<'_>,
        columns: &Columns<'_>,
        means: Option<&[f64]>,
        random: &mut Xoshiro256PlusPlus,
        urgencies: &mut Vec<f64>,
    ) -> (usize, f64) {
        urgencies.resize(columns.visits.len(), 0.0);
        let node = self.at(parent, columns);
        self.selection.call(|formula| formula.fill(&node, means, random, urgencies));
        most_urgent(urgencies)
    }

    /// The parameters of the Beta distribution from which the urgency of a child is drawn, by its visits
    /// and rewards; none if the formula draws from no such distribution.
    #[must_use]
    pub fn beta(&self, visits: u32, reward: f64) -> Option<[f64; 2]> {
        self.selection.call(|formula| formula.beta(visits.into(), reward))
    }

    /// The urgency of a move of prior `prior` that is not among the children in `columns`, by a
    /// formula that ranks moves without visits.
    pub fn of_untried(
        &self,
        parent: Parent<'_>,
        columns: &Columns<'_>,
        prior: f32,
        random: &mut Xoshiro256PlusPlus,
    ) -> f64 {
        let node = self.at(parent, columns);
        let child = Child { visits: 0.0, reward: 0.0, mean: node.first_play, prior: prior.into() };
        self.selection.call(|formula| formula.of(&node, &child, random))
    }

    /// The node that selects.
    fn at<'a>(&self, parent: Parent<'a>, children: &'a Columns<'a>) -> SelectingNode<'a> {
        SelectingNode {
            visits: parent.visits,
            first_play: self.first_play.value(parent.mean),
            mean: parent.mean,
            depth: parent.depth,
            exploration: self.exploration,
            children,
            value: parent.value,
            untried: parent.untried,
            plan: parent.plan,
        }
    }

    /// The improved policy over the children of the root, given in `columns`, after the search;
    /// empty if the formula computes none.
    #[must_use]
    pub fn improve(&self, parent: Parent<'_>, columns: &Columns<'_>) -> Vec<Improved> {
        let mut improved = Vec::new();
        let node = self.at(parent, columns);
        self.selection.call(|formula| formula.improve(&node, &mut improved));
        improved
    }
}

/// The index of the highest urgency, and the urgency; ties go to the lowest index.
///
/// # Panics
/// If there is no child.
#[inline]
#[must_use]
pub fn most_urgent(urgencies: &[f64]) -> (usize, f64) {
    assert!(!urgencies.is_empty(), "a node that selects has children");
    // Two passes without a branch each: the maximum, then its first place.
    let mut lanes = [f64::NEG_INFINITY; 8];
    let (chunks, rest) = urgencies.as_chunks::<8>();
    for chunk in chunks {
        for (most, &urgency) in lanes.iter_mut().zip(chunk) {
            *most = if urgency > *most { urgency } else { *most };
        }
    }
    let higher = |most, urgency| if urgency > most { urgency } else { most };
    let mut most = rest.iter().copied().fold(f64::NEG_INFINITY, higher);
    if !chunks.is_empty() {
        most = lanes.into_iter().fold(most, higher);
    }
    let place = urgencies.iter().position(|&urgency| urgency == most).unwrap_or(0);
    (place, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn infinite_urgency_is_found() {
        assert_eq!(most_urgent(&[0.1, f64::INFINITY, f64::INFINITY]), (1, f64::INFINITY));
        assert_eq!(most_urgent(&[f64::NEG_INFINITY]), (0, f64::NEG_INFINITY));
    }

    proptest! {
        #[test]
        fn the_first_of_the_highest(urgencies in prop::collection::vec(0_u8..20, 1..90)) {
            let urgencies: Vec<f64> = urgencies.iter().map(|&u| f64::from(u)).collect();
            let mut best = 0;
            for (place, urgency) in urgencies.iter().enumerate() {
                if *urgency > urgencies[best] {
                    best = place;
                }
            }
            prop_assert_eq!(most_urgent(&urgencies), (best, urgencies[best]));
        }
    }
}
