//! Sets of points for formulas of a policy.

use crate::sets::chains;
use crate::sets::grid_set::GridSet;
use std::ops::{BitAnd, BitOr, BitXor, Not, Sub};

/// How sets of points are stored: one game's, or many games' side by side. Sealed.
pub trait SetForm: GridSet {}

impl<S: GridSet> SetForm for S {}

/// A set of points of a board: the same code computes with one game, and with many side by side in
/// vector registers.
///
/// `a & b` are the points in both sets, `a | b` the points in either, `a ^ b` the points in exactly
/// one, `a - b` the points of `a` that are not in `b`, `!a` all other points of the board. No
/// method tests whether a set is empty: games side by side do the same operations and cannot
/// branch. Use [`Self::only_if`] instead.
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

    /// The part of a moved set that is on the board.
    #[inline(always)]
    fn moved(self, set: S) -> Self {
        self.with(set.and(self.board))
    }

    /// Every point moved to the next higher column. Points that leave the board are lost.
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
        self.moved(chains::beside_two(self.set))
    }

    /// The set and the eight points around each of its points.
    #[inline(always)]
    #[must_use]
    pub fn square(self) -> Self {
        let row = self.set.or(self.set.east()).or(self.set.west()).and(self.board);
        self.moved(row.or(row.north()).or(row.south()))
    }

    /// The set grown within `stones`: by a step along the rows to both sides, and then by one along
    /// the columns. Repeated, it follows chains; three steps reach all stones of most.
    #[inline(always)]
    #[must_use]
    pub fn spread(self, stones: Self) -> Self {
        self.with(chains::spread(self.set, stones.set))
    }

    /// The set if `condition` has a point, else no points.
    #[inline(always)]
    #[must_use]
    pub fn only_if(self, condition: Self) -> Self {
        self.with(self.set.only_if(condition.set))
    }
}

macro_rules! operator {
    ($operator:ident, $method:ident, $of_sets:ident) => {
        impl<S: SetForm> $operator for Points<S> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.with(self.set.$of_sets(other.set))
            }
        }
    };
}

operator!(BitAnd, bitand, and);
operator!(BitOr, bitor, or);
operator!(BitXor, bitxor, xor);
operator!(Sub, sub, and_not);

impl<S: SetForm> Not for Points<S> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        self.with(self.board.and_not(self.set))
    }
}
