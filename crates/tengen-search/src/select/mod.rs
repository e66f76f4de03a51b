//! Selection formulas: which child a simulation visits next.
//!
//! ```text
//! at = formula.at(node)                      once per node
//! for each child: urgency = formula.urgency(at, child)
//! visit the child of the highest urgency; of several the first
//! ```
//!
//! The built-in formulas ([`Formula`]) are in `built_in`; docs/reference/formulas.md lists them. N are the visits of the node that selects, n the visits of a
//! child, m the child's mean reward for the player to move, 0 to 1, and ln the natural logarithm. With
//! RAVE or priors, m is the blended mean ([`Rave`]), to which the formula adds its exploration. c is the
//! exploration constant, P the child's share of all priors, and w the sum of the child's rewards.

mod built_in;
mod fill;
mod formula;
mod fpu;
mod gumbel;
mod rave;
mod registry;

pub use formula::{Child, Formula, Improved, Plan, Properties, SelectingNode};
pub use fpu::Fpu;
pub use rave::Rave;
pub use registry::{ForAllChildren, FormulaOfAllChildren, Selection, register, register_for_all};

use built_in::BUILT_IN;
use fill::fill;

/// The index of the highest urgency, and the urgency; ties go to the lowest index.
///
/// # Panics
/// If there is no child.
#[inline]
#[must_use]
pub(crate) fn most_urgent(urgencies: &[f64]) -> (usize, f64) {
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

/// A node for the tests of the formulas' files.
#[cfg(test)]
mod testing {
    use super::SelectingNode;
    use crate::tree::Columns;

    pub fn node<'a>(
        visits: u32,
        first_play: f64,
        exploration: f64,
        children: &'a Columns<'a>,
    ) -> SelectingNode<'a> {
        let (value, untried, plan) = (None, None, None);
        let (mean, depth) = (0.5, 0);
        SelectingNode {
            visits,
            first_play,
            mean,
            depth,
            exploration,
            children,
            value,
            untried,
            plan,
        }
    }
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
