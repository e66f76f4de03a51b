//! The weight of all-moves-as-first in the blend of a node.

#![allow(clippy::inline_always)] // into the loop over the cells

/// The weight β of all-moves-as-first at one node. [`Rave`](crate::select::Rave) has the formulas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weight {
    /// The same for all moves.
    OfNode(f32),
    /// ã / (n + ã + s n ã) for a move with n visits and ã visits of all-moves-as-first.
    OfMove {
        /// The number s.
        slope: f32,
    },
}

impl Weight {
    /// The weight for a move with at least one visit and at least one visit of all-moves-as-first.
    #[must_use]
    pub fn of(self, visits: f32, amaf_visits: f32) -> f32 {
        match self {
            Self::OfNode(weight) => weight,
            Self::OfMove { slope } => {
                amaf_visits / (visits + amaf_visits + slope * visits * amaf_visits)
            }
        }
    }
}

/// A kind of [`Weight`], for each of which the loop over the cells is compiled.
pub trait Schedule: Copy {
    /// Whether it reads the visits of a move.
    const READS_VISITS: bool;

    /// The blended mean of a move with the mean `mean`, negative without visits, and `own` visits.
    /// `rewards` and `visits`, at least one, are its sums of all-moves-as-first.
    fn blended(self, mean: f32, own: f32, rewards: f32, visits: f32) -> f32;
}

/// [`Weight::OfNode`].
#[derive(Clone, Copy)]
pub struct OfNode(pub f32);

impl Schedule for OfNode {
    const READS_VISITS: bool = false;

    #[inline(always)]
    fn blended(self, mean: f32, _: f32, rewards: f32, visits: f32) -> f32 {
        let amaf = rewards / visits;
        if mean >= 0.0 { (1.0 - self.0) * mean + self.0 * amaf } else { amaf }
    }
}

/// [`Weight::OfMove`].
#[derive(Clone, Copy)]
pub struct OfMove {
    pub slope: f32,
}

impl Schedule for OfMove {
    const READS_VISITS: bool = true;

    /// With β = ã / (n + ã + s n ã), (1 − β) m + β r / ã is (n (1 + s ã) m + r) / (n (1 + s ã) + ã), which is r / ã
    /// for n = 0: one division and no condition.
    #[inline(always)]
    fn blended(self, mean: f32, own: f32, rewards: f32, visits: f32) -> f32 {
        let weight = own * (1.0 + self.slope * visits);
        (weight * mean + rewards) / (weight + visits)
    }
}

/// The blend of RAVE at one node: (1 − β) m + β a for a move with mean m and
/// all-moves-as-first mean a.
///
/// The blend is a for a move without visits, m for a move without visits of all-moves-as-first, and
/// `first_play` for a move without either.
#[derive(Clone, Copy, Debug)]
pub struct Blend {
    /// The weight β.
    pub weight: Weight,
    /// The value of a move without visits of either kind.
    pub first_play: f32,
    /// What a prior of 1 adds to a move that is not in the tree.
    pub per_prior: f32,
}
