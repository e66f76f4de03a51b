//! The policies in scalar playouts: a type for each, so that the loop over the plies is compiled
//! for each. In one loop for all of them, with the shapes of [`Mogo`] inlined, [`CaptureEscape`] is
//! slower by a sixth to a third, though it never looks for shapes.

#[cfg(doc)]
use super::BuiltInPolicy;
use super::{GameView, capture_escape, has_preference, mogo};
use crate::simd::point_set::PointSet;

/// A policy of scalar playouts.
pub trait ScalarPolicy: Copy {
    /// What the policy remembers from one turn of a playout to the next.
    type Memory<S: PointSet>: Copy;

    /// The memory of the policy when a playout begins.
    fn remember<S: PointSet>(self, game: &GameView<S>) -> Self::Memory<S>;

    /// The points of `candidates` that the first attempt of a turn draws from, by its random
    /// number.
    fn drawn_from<S: PointSet>(
        self,
        memory: &mut Self::Memory<S>,
        game: &GameView<S>,
        candidates: S,
        number: u64,
    ) -> S;

    /// If the policy vetoes the attempt at `point`, drawn by `number`, though it is legal: the
    /// points that the next attempt draws from, if one of them is a candidate.
    #[inline(always)]
    fn vetoed<S: PointSet>(
        self,
        memory: &Self::Memory<S>,
        game: &GameView<S>,
        point: S,
        number: u64,
    ) -> Option<S> {
        let _ = (memory, game, point, number);
        None
    }
}

/// [`BuiltInPolicy::Uniform`].
#[derive(Clone, Copy)]
pub struct Uniform;

/// [`BuiltInPolicy::CaptureEscape`], by its [`BuiltInPolicy::coin_thresholds`].
#[derive(Clone, Copy)]
pub struct CaptureEscape(pub [u32; 2]);

/// [`BuiltInPolicy::Mogo`], by its [`BuiltInPolicy::coin_thresholds`].
#[derive(Clone, Copy)]
pub struct Mogo(pub [u32; 2]);

impl ScalarPolicy for Uniform {
    type Memory<S: PointSet> = ();

    fn remember<S: PointSet>(self, _: &GameView<S>) {}

    #[inline(always)]
    fn drawn_from<S: PointSet>(self, (): &mut (), _: &GameView<S>, candidates: S, _: u64) -> S {
        candidates
    }
}

// The draw is written out here and in `Mogo`: a helper that returns an `Option` of a set costs 2 to
// 7 % of a search.
impl ScalarPolicy for CaptureEscape {
    type Memory<S: PointSet> = ();

    fn remember<S: PointSet>(self, _: &GameView<S>) {}

    #[inline(always)]
    fn drawn_from<S: PointSet>(
        self,
        (): &mut (),
        game: &GameView<S>,
        candidates: S,
        number: u64,
    ) -> S {
        if has_preference(number, self.0[0]) {
            let preferred = capture_escape::preferred_in(game).and(candidates);
            if !preferred.is_empty() {
                return preferred;
            }
        }
        candidates
    }
}

impl ScalarPolicy for Mogo {
    type Memory<S: PointSet> = ();

    fn remember<S: PointSet>(self, _: &GameView<S>) {}

    #[inline(always)]
    fn drawn_from<S: PointSet>(
        self,
        (): &mut (),
        game: &GameView<S>,
        candidates: S,
        number: u64,
    ) -> S {
        if has_preference(number, self.0[0]) {
            let preferred = capture_escape::preferred_in(game).and(candidates);
            if !preferred.is_empty() {
                return preferred;
            }
        }
        if has_preference(number, self.0[1]) {
            let preferred = mogo::preferred_in(game).and(candidates);
            if !preferred.is_empty() {
                return preferred;
            }
        }
        candidates
    }
}
