//! Selection formulas: which child a simulation visits next.
//!
//! ```text
//! for each child: urgency = formula(its visits n, its mean m, the visits N of the node)
//! visit the child of the highest urgency; of several the first
//! ```
//!
//! A formula is a file here, with its paper and its test. N are the visits of the
//! node that selects, n those of a child, m its mean reward for the player to move,
//! 0 to 1, and ln the natural logarithm. Where there are RAVE or priors, m is the
//! blended mean ([`Rave`]), and the formula explores about that.

mod fpu;
mod kl_ucb;
mod puct;
mod rave;
mod thompson;
mod ucb1;
mod ucb1_tuned;

pub use fpu::Fpu;
pub use rave::Rave;

use super::tree::Columns;
use kl_ucb::KlUcb;
use puct::puct;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use thompson::thompson;
use ucb1::Ucb1;
use ucb1_tuned::Ucb1Tuned;

/// A selection formula: the urgency of a child, of which the highest is selected.
///
/// N are the visits of the node, n those of the child, m the child's mean reward for the
/// player to move at the node, and c is the exploration constant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// UCB1, m + c · √(ln N / n): Auer, Cesa-Bianchi and Fischer 2002.
    #[default]
    Ucb1,
    /// UCB1-tuned, m + c · √(ln N / n · min(¼, m − m² + √(2 ln N / n))): the same paper.
    Ucb1Tuned,
    /// KL-UCB: the greatest q with n · d(m, q) ≤ c · ln N, where d is the
    /// Kullback–Leibler divergence of two Bernoulli distributions: Garivier and Cappé 2011.
    KlUcb,
    /// Thompson sampling: a draw from Beta(1 + w, 1 + n − w), where w is the sum of the
    /// child's rewards: Thompson 1933.
    Thompson,
    /// PUCT, m + c · P · √N / (1 + n), where P is the child's share of all priors: Silver
    /// et al. 2017.
    Puct,
}

/// A formula in which the urgency of a child depends on its mean and its visits alone.
/// All children without visits are equally urgent.
trait Formula {
    /// The urgency of a child with the mean `mean` over `visits` visits. The result for
    /// 0 visits is not used, and may be `NaN`.
    fn urgency(&self, mean: f64, visits: f64) -> f64;

    /// The mean of `reward` over `visits`; a formula that needs 1 / n anyway may
    /// multiply by it.
    fn mean(reward: f64, visits: f64) -> f64 {
        reward / visits
    }
}

impl Selection {
    /// Whether the urgency depends on mean and visits of the child alone. Then children
    /// without visits are equally urgent and need not be in the tree, and the mean may
    /// be one blended with RAVE or priors.
    #[must_use]
    pub const fn is_by_mean_and_visits(self) -> bool {
        match self {
            Self::Ucb1 | Self::Ucb1Tuned | Self::KlUcb => true,
            Self::Thompson | Self::Puct => false,
        }
    }
}

/// A selection formula with its constants.
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
pub struct Parent {
    /// The visits N of the node.
    pub visits: u32,
    /// The mean reward of its simulations for the player to move there.
    pub mean: f64,
}

impl Selector {
    /// Whether the urgency of a visited move is its mean: nothing is added to explore.
    #[must_use]
    pub fn is_greedy(&self) -> bool {
        self.exploration == 0.0
    }

    /// Fills `urgencies` with the urgencies of the children in `columns`.
    ///
    /// With RAVE or priors `means` are the blended means of the children. The urgency of
    /// a child without visits is its blended mean or, without `means`, the value of a
    /// first play. Thompson sampling and PUCT do not read `means`. Only Thompson sampling
    /// draws from `random`.
    pub fn fill(
        &self,
        parent: Parent,
        columns: &Columns<'_>,
        means: Option<&[f64]>,
        random: &mut Xoshiro256PlusPlus,
        urgencies: &mut Vec<f64>,
    ) {
        urgencies.resize(columns.visits.len(), 0.0);
        let (c, log) = (self.exploration, || log_visits(parent.visits));
        let children = Children { columns, means, first_play: self.first_play.value(parent.mean) };
        match self.selection {
            Selection::Ucb1 => children.fill(&Ucb1 { c, log: log() }, urgencies),
            Selection::Ucb1Tuned => children.fill(&Ucb1Tuned { c, log: log() }, urgencies),
            Selection::KlUcb => children.fill(&KlUcb { bound: c * log() }, urgencies),
            Selection::Thompson => thompson(columns, random, urgencies),
            Selection::Puct => puct(columns, parent.visits, c, children.first_play, urgencies),
        }
    }
}

/// The children of a node.
struct Children<'a> {
    columns: &'a Columns<'a>,
    means: Option<&'a [f64]>,
    first_play: f64,
}

impl Children<'_> {
    /// Fills `urgencies` by a formula: without branches, so that the compiler can
    /// compute several children at once.
    #[inline]
    fn fill<F: Formula>(&self, formula: &F, urgencies: &mut [f64]) {
        let children = self.columns.visits.iter().zip(urgencies);
        // Visits stay below 2³¹, and signed numbers convert in one instruction.
        let visits = |n: u32| f64::from(n.cast_signed());
        if let Some(means) = self.means {
            for ((&n, urgency), &mean) in children.zip(means) {
                let value = formula.urgency(mean, visits(n));
                *urgency = if n == 0 { mean } else { value };
            }
        } else {
            for ((&n, urgency), &reward) in children.zip(self.columns.rewards) {
                let mean = F::mean(reward, visits(n));
                let value = formula.urgency(mean, visits(n));
                *urgency = if n == 0 { self.first_play } else { value };
            }
        }
    }
}

/// The index of the highest urgency, of several the first, and that urgency.
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
    let most = lanes.iter().chain(rest).fold(f64::NEG_INFINITY, |most, &u| most.max(u));
    let place = urgencies.iter().position(|&urgency| urgency == most).unwrap_or(0);
    (place, most)
}

/// The logarithm of the visits of a node: that of the pure-Rust libm, the same on
/// every machine. 0 for no visits.
#[inline]
fn log_visits(visits: u32) -> f64 {
    libm::log(f64::from(visits.max(1)))
}

/// The urgencies by a formula, as its file tests it.
#[cfg(test)]
fn urgencies(selector: Selector, n: u32, visits: &[u32], rewards: &[f64]) -> Vec<f64> {
    use rand_xoshiro::rand_core::SeedableRng;
    let columns = Columns { visits, rewards, priors: &[], positions: &[] };
    let mut urgencies = Vec::new();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let parent = Parent { visits: n, mean: 0.5 };
    selector.fill(parent, &columns, None, &mut random, &mut urgencies);
    urgencies
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_formula_explores_about_a_blended_mean() {
        use rand_xoshiro::rand_core::SeedableRng;
        let (visits, rewards) = ([50, 20, 0], [30.0, 7.0, 0.0]);
        let columns = Columns { visits: &visits, rewards: &rewards, priors: &[], positions: &[] };
        let parent = Parent { visits: 100, mean: 0.5 };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut urgencies = Vec::new();
        let first_play = Fpu::Constant(9.0);
        for (selection, c, expected) in [
            // ln 100 = 4.60517: √(ln N / n) = 0.303485 and 0.479853.
            (Selection::Ucb1, 1.0, [0.503_485, 0.779_853, 0.4]),
            (Selection::Ucb1, 0.0, [0.2, 0.3, 0.4]),
            // V > ¼ in both: half of those widths.
            (Selection::Ucb1Tuned, 1.0, [0.351_743, 0.539_926, 0.4]),
        ] {
            let selector = Selector { selection, exploration: c, first_play };
            let means = Some(&[0.2, 0.3, 0.4][..]);
            selector.fill(parent, &columns, means, &mut random, &mut urgencies);
            for (urgency, expected) in urgencies.iter().zip(expected) {
                assert!((urgency - expected).abs() < 1e-6, "{selection:?}: {urgency}");
            }
        }
    }

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
