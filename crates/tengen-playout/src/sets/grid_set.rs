//! The operations that formulas on whole sets of points need, for one game and one lane
//! alike.

use super::lane_word::{LaneWord, and, and_not, any, down, masked, or, up};

/// A set of points on a grid with a padding column.
///
/// A shift by one point or by one row reaches the neighbours; what falls off an edge lands in
/// the padding, and is removed when the set is next intersected with real points.
#[allow(clippy::return_self_not_must_use)] // no program calls them
pub trait GridSet: Copy {
    /// The intersection.
    fn and(self, other: Self) -> Self;
    /// The union.
    fn or(self, other: Self) -> Self;
    /// The difference: the points of this set that are not in `other`.
    fn and_not(self, other: Self) -> Self;
    /// Every point moved to the next higher column.
    fn east(self) -> Self;
    /// Every point moved to the next lower column.
    fn west(self) -> Self;
    /// Every point moved to the next higher row.
    fn north(self) -> Self;
    /// Every point moved to the next lower row.
    fn south(self) -> Self;

    /// The set if `condition` has a point, else no points.
    fn only_if(self, condition: Self) -> Self;

    /// The set without points.
    #[inline(always)]
    fn none(self) -> Self {
        self.and_not(self)
    }

    /// The points that are in one of the sets and not in both.
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.or(other).and_not(self.and(other))
    }

    /// The neighbours of the points, which may hold bits of the padding.
    #[inline(always)]
    fn neighbors(self) -> Self {
        self.east().or(self.west()).or(self.north().or(self.south()))
    }
}

/// A set of one lane, on a grid of `S` columns.
#[derive(Clone, Copy)]
pub struct LaneSet<T, const N: usize, const S: usize>(pub [T; N]);

impl<T: LaneWord, const N: usize, const S: usize> GridSet for LaneSet<T, N, S> {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(and(self.0, other.0))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(or(self.0, other.0))
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        Self(and_not(self.0, other.0))
    }

    #[inline(always)]
    fn east(self) -> Self {
        Self(up(self.0, 1))
    }

    #[inline(always)]
    fn west(self) -> Self {
        Self(down(self.0, 1))
    }

    #[inline(always)]
    fn north(self) -> Self {
        Self(up(self.0, S))
    }

    #[inline(always)]
    fn south(self) -> Self {
        Self(down(self.0, S))
    }

    #[inline(always)]
    fn only_if(self, condition: Self) -> Self {
        Self(masked(self.0, T::ALL.when(any(condition.0) != T::default())))
    }
}
