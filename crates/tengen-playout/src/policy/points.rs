//! Sets of points for formulas of a policy.

use crate::sets::grid_set::GridSet;
use std::ops::{BitAnd, BitOr, BitXor, Not, Sub};

/// How sets of points are stored: one game's, or many games' side by side. Sealed.
pub trait SetForm: GridSet {}

impl<S: GridSet> SetForm for S {}

/// A set of points of a board: the same code computes with one game, and with many side by side in vector registers.
///
/// `a & b` are the points in both sets, `a | b` those in either, `a ^ b` those in one alone, `a - b` those of `a` that are
/// not in `b`, `!a` all others of the board. There is no test whether a set is empty, on which code could branch: games side
/// by side do the same operations. [`Self::only_if`] takes its place.
#[derive(Clone, Copy, Debug)]
pub struct Points<S> {
    pub(super) set: S,
    board: S,
}

impl<S: SetForm> Points<S> {
    /// The points of `set`, all of them on `board`.
    #[inline(always)]
    pub(super) fn new(set: S, board: S) -> Self {
        Self { set, board }
    }

    #[inline(always)]
    fn with(self, set: S) -> Self {
        Self { set, ..self }
    }

    /// What is left of a moved set on the board.
    #[inline(always)]
    fn moved(self, set: S) -> Self {
        self.with(set.and(self.board))
    }

    /// Every point moved to the next higher column. What leaves the board is gone.
    #[inline(always)]
    #[must_use]
    pub fn east(self) -> Self {
        self.moved(self.set.east())
    }

    /// Every point moved to the next lower column.
    #[inline(always)]
    #[must_use]
    pub fn west(self) -> Self {
        self.moved(self.set.west())
    }

    /// Every point moved to the next higher row.
    #[inline(always)]
    #[must_use]
    pub fn north(self) -> Self {
        self.moved(self.set.north())
    }

    /// Every point moved to the next lower row.
    #[inline(always)]
    #[must_use]
    pub fn south(self) -> Self {
        self.moved(self.set.south())
    }

    /// The points beside a point of the set.
    #[inline(always)]
    #[must_use]
    pub fn neighbors(self) -> Self {
        self.moved(self.set.neighbors())
    }

    /// The points beside two points of the set, or more.
    #[inline(always)]
    #[must_use]
    pub fn beside_two(self) -> Self {
        let (a, b) = (self.set.east(), self.set.west());
        let (c, d) = (self.set.north(), self.set.south());
        self.moved(a.and(b).or(c.and(d)).or(a.or(b).and(c.or(d))))
    }

    /// The set and the eight points around each of its points.
    #[inline(always)]
    #[must_use]
    pub fn square(self) -> Self {
        let row = self.set.or(self.set.east()).or(self.set.west()).and(self.board);
        self.moved(row.or(row.north()).or(row.south()))
    }

    /// The set grown within `stones`: by a step along the rows to both sides, and then by one along the columns. Repeated, it
    /// follows chains; three steps reach all stones of most.
    #[inline(always)]
    #[must_use]
    pub fn spread(self, stones: Self) -> Self {
        let row = self.set.or(self.set.east().or(self.set.west()).and(stones.set));
        self.with(row.or(row.north().or(row.south()).and(stones.set)))
    }

    /// The set if `condition` has a point, else no points.
    #[inline(always)]
    #[must_use]
    pub fn only_if(self, condition: Self) -> Self {
        self.with(self.set.only_if(condition.set))
    }
}

impl<S: SetForm> BitAnd for Points<S> {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.with(self.set.and(other.set))
    }
}

impl<S: SetForm> BitOr for Points<S> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.with(self.set.or(other.set))
    }
}

impl<S: SetForm> BitXor for Points<S> {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        self.with(self.set.xor(other.set))
    }
}

impl<S: SetForm> Sub for Points<S> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(self.set.and_not(other.set))
    }
}

impl<S: SetForm> Not for Points<S> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        self.with(self.board.and_not(self.set))
    }
}
