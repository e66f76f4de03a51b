//! The policies in scalar playouts: a type for each, so that the loop over the plies is compiled for
//! each. In one loop for all of them, with the shapes of [`Mogo`] inlined, [`CaptureEscape`] is slower by a
//! sixth to a third, though it never looks for shapes.

use super::{GameView, Policy, capture_escape, has_preference, mogo};
use crate::simd::point_set::PointSet;

/// A policy of scalar playouts.
pub trait ScalarPolicy: Copy {
    /// [`Policy::drawn_from`]: the points of `candidates` that the first attempt of a turn draws
    /// from, by its random number.
    fn drawn_from<S: PointSet>(self, game: &GameView<S>, candidates: S, number: u64) -> S;
}

/// [`Policy::Uniform`].
#[derive(Clone, Copy)]
pub struct Uniform;

/// [`Policy::CaptureEscape`].
#[derive(Clone, Copy)]
pub struct CaptureEscape {
    /// [`Policy::coin_thresholds`] of captures and escapes.
    threshold: u32,
}

/// [`Policy::Mogo`].
#[derive(Clone, Copy)]
pub struct Mogo {
    /// [`Policy::coin_thresholds`].
    thresholds: [u32; 2],
}

/// A policy as one of these types.
pub enum AnyScalarPolicy {
    Uniform(Uniform),
    CaptureEscape(CaptureEscape),
    Mogo(Mogo),
}

impl From<Policy> for AnyScalarPolicy {
    fn from(policy: Policy) -> Self {
        // A registered policy does not come here: it plays in plain code (`scalar/own.rs`).
        let thresholds = policy.coin_thresholds();
        match policy {
            Policy::Uniform {} | Policy::Own(_) => Self::Uniform(Uniform),
            Policy::CaptureEscape { .. } => {
                Self::CaptureEscape(CaptureEscape { threshold: thresholds[0] })
            }
            Policy::Mogo { .. } => Self::Mogo(Mogo { thresholds }),
        }
    }
}

impl ScalarPolicy for Uniform {
    #[inline(always)]
    fn drawn_from<S: PointSet>(self, _: &GameView<S>, candidates: S, _: u64) -> S {
        candidates
    }
}

// Written out here and in `Mogo`: a helper that returns an `Option` of a set costs 2 to 7 % of a search.
impl ScalarPolicy for CaptureEscape {
    #[inline(always)]
    fn drawn_from<S: PointSet>(self, game: &GameView<S>, candidates: S, number: u64) -> S {
        if has_preference(number, self.threshold) {
            let preferred = capture_escape::preferred_in(game).and(candidates);
            if !preferred.is_empty() {
                return preferred;
            }
        }
        candidates
    }
}

impl ScalarPolicy for Mogo {
    #[inline(always)]
    fn drawn_from<S: PointSet>(self, game: &GameView<S>, candidates: S, number: u64) -> S {
        if has_preference(number, self.thresholds[0]) {
            let preferred = capture_escape::preferred_in(game).and(candidates);
            if !preferred.is_empty() {
                return preferred;
            }
        }
        if has_preference(number, self.thresholds[1]) {
            let preferred = mogo::preferred_in(game).and(candidates);
            if !preferred.is_empty() {
                return preferred;
            }
        }
        candidates
    }
}
