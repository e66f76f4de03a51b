//! The urgencies of all children of a node.
//!
//! If the formula has no branches, the compiler computes several children at once: two with the
//! instructions that every processor has. At a node with many children, a copy of the code for the
//! program's instruction set computes the first children, in whole groups:
//!
//! ```text
//! children    0 . . . . . . 7   8 . . . . . . 15   16 17 18
//!             of the program's instruction set     two at a time
//! ```

use super::{Child, Formula, SelectingNode};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_playout::simd::{Target, Task};

/// Number of children that the largest registers hold.
const GROUP: usize = 8;

/// Number of children from which calling the copy pays.
const MANY: usize = 16;

/// Fills `urgencies` by the formula. `means` are the blended means of the children, if there are any.
#[inline]
pub(super) fn fill<F: Formula>(
    formula: &F,
    node: &SelectingNode<'_>,
    means: Option<&[f64]>,
    random: &mut Xoshiro256PlusPlus,
    urgencies: &mut [f64],
) {
    let at = formula.at(node);
    let whole = if urgencies.len() < MANY { 0 } else { urgencies.len() / GROUP * GROUP };
    let (first, rest) = urgencies.split_at_mut(whole);
    if whole > 0 {
        let at = &at;
        Target::of_program().run(Fill {
            formula,
            at,
            node,
            means,
            random,
            urgencies: first,
            from: 0,
        });
    }
    Fill { formula, at: &at, node, means, random, urgencies: rest, from: whole }.run();
}

/// Fills the urgencies of the children from the number `from` on.
struct Fill<'a, F: Formula> {
    formula: &'a F,
    at: &'a F::AtNode,
    node: &'a SelectingNode<'a>,
    means: Option<&'a [f64]>,
    random: &'a mut Xoshiro256PlusPlus,
    urgencies: &'a mut [f64],
    from: usize,
}

impl<F: Formula> Task for Fill<'_, F> {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // it must become part of each copy
    fn run(self) {
        let Self { formula, at, node, means, random, urgencies, from } = self;
        let columns = node.children;
        let (visits, rewards) = (&columns.visits[from..], &columns.rewards[from..]);
        let priors = columns.priors.get(from..).unwrap_or_default();
        let mut urgency = |place: usize, reward: f64, visits: f64, mean: f64, first_play: f64| {
            let is_unvisited = visits == 0.0;
            let mean =
                if F::PROPERTIES.ranks_unvisited && is_unvisited { first_play } else { mean };
            let prior = priors.get(place).map_or(0.0, |&prior| prior.into());
            let value = formula.urgency(at, &Child { visits, reward, mean, prior }, random);
            if is_unvisited && !F::PROPERTIES.ranks_unvisited { first_play } else { value }
        };
        let children = visits.iter().zip(rewards).zip(urgencies).enumerate();
        // Visits stay below 2³¹, and signed numbers convert in one instruction.
        let children = children.map(|(place, ((&visits, &reward), urgency))| {
            (place, f64::from(visits.cast_signed()), reward, urgency)
        });
        if let Some(means) = means {
            for ((place, visits, reward, filled), &mean) in children.zip(&means[from..]) {
                *filled = urgency(place, reward, visits, mean, mean);
            }
        } else {
            for (place, visits, reward, filled) in children {
                let mean = F::mean(reward, visits);
                *filled = urgency(place, reward, visits, mean, node.first_play);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::Selection;
    use crate::select::testing::node;
    use crate::tree::Columns;
    use rand_xoshiro::rand_core::SeedableRng;
    use std::ops::Range;

    /// Whichever copy computes a child, its urgency has the same bits.
    #[test]
    fn many_children_have_the_urgencies_of_each_alone() {
        let visits: Vec<u32> = (0..83).map(|child| child * child % 11).collect();
        let rewards: Vec<f64> = visits.iter().map(|&n| f64::from(n) * 0.37).collect();
        let priors: Vec<f32> = (1_u8..84).map(|child| 1.0 / f32::from(child)).collect();
        let means: Vec<f64> = (1..84).map(|child| 1.0 / f64::from(child)).collect();
        for name in ["ucb1", "ucb1-tuned", "puct", "kl-ucb"] {
            let selection = Selection::built_in(name);
            for count in 1..=visits.len() {
                let of = |children: Range<usize>, means: Option<&[f64]>| {
                    let columns = Columns {
                        visits: &visits[children.clone()],
                        rewards: &rewards[children.clone()],
                        priors: &priors[children],
                        positions: &[],
                    };
                    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
                    let (node, mut urgencies) = (node(500, 1.1, 0.7, &columns), Vec::new());
                    selection.fill(&node, means, &mut random, &mut urgencies);
                    urgencies
                };
                // A child alone is computed by the copy that every processor has.
                let [all, blended] = [None, Some(&means[..count])].map(|means| of(0..count, means));
                for child in 0..count {
                    let alone = of(child..child + 1, None)[0];
                    assert_eq!(all[child].to_bits(), alone.to_bits(), "{name}, {count}");
                    let alone = of(child..child + 1, Some(&means[child..=child]))[0];
                    assert_eq!(blended[child].to_bits(), alone.to_bits(), "{name}, {count}");
                }
            }
        }
    }
}
