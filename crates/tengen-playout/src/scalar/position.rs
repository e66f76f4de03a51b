//! The position of a game, its candidates and its moves: what a playout computes in
//! every ply.
//!
//! # What it computes
//!
//! The same as a [step of the lanes](crate::lanes), by branches instead of masks:
//!
//! ```text
//! candidates:
//!     candidates = empty - ko
//!     enclosed   = candidates without an empty neighbour
//!     if there are any:
//!         beside own stones only:     an eye, unless its diagonals make it false
//!         beside opposing ones only:  suicide, if chains with two liberties are seen
//!                                     all around it (safe)
//! play(point):
//!     threatened = opposing stones beside point that touch no other liberty
//!     captured   = their chains, followed until one touches a liberty
//!     if captured is empty, and beside point is neither an empty point nor an own stone
//!     that touches another liberty:
//!         follow the own chains beside point: without a liberty it is suicide
//! ```
//!
//! For example, the position and the attempt drawn in `lanes/step.rs`: Black (X, `own`)
//! is to move, and draws A1.
//!
//! ```text
//! position       enclosed       candidates     safe           beside the liberties
//! 5 . X . O .    5 * . * . .    5 . . * . *    5 . . . * .    other than A1
//! 4 X X O O .    4 . . . . .    4 . . . . *    4 . . * * .    5 . * . * *
//! 3 O X X O .    3 . . . . .    3 . . . . *    3 . . . * .    4 * . * * *
//! 2 O O X O O    2 . . . . .    2 . . . . .    2 . . . * *    3 . . . * *
//! 1 . X X O .    1 * . . . *    1 * . . . .    1 . . . * .    2 . . . . *
//!   A B C D E      A B C D E      A B C D E      A B C D E    1 . . . * .
//!                                                               A B C D E
//! ```
//!
//! A5 is an eye: B5 and A4 are black, and so is the diagonal B4. C5 touches stones of both
//! colours and is a candidate. E1 is suicide: D1 and E2 are safe. A1 touches A2, which is
//! beside no other liberty, so its chain is followed: A2, then A2, B2 and A3, then nothing
//! new. No stone of the chain is beside a liberty: the chain is captured, and A1 needs no
//! liberty of its own. (The test `drawn_position` plays this attempt.)
//!
//! # How it is made fast
//!
//! - Sets are in registers, and nothing is stored per chain or per point.
//! - The neighbours of the own stones, of the opponent's and of the empty points are kept
//!   from ply to ply: a stone adds its neighbours to those of its colour, and only a
//!   capture computes all three anew.
//! - Work that is seldom needed is behind a branch. So early in a game a ply takes the
//!   draw and a few operations, and the processor does not wait for skipped work.
//! - A branch that is hard to predict costs as much as twenty operations: two conditions
//!   that lead to the same work are tested together.

use crate::SUICIDE_ROUNDS;
use crate::policy::GameView;
use crate::sets::chains::{Followed, beside_two, flood, follow, spread, without_liberty};
use crate::simd::point_set::PointSet;

/// A position of a playout, seen by the player to move.
#[derive(Clone, Copy)]
pub struct Position<S> {
    /// Stones of the player to move.
    pub own: S,
    /// Stones of the opponent.
    pub other: S,
    /// Points without a stone.
    pub empty: S,
    /// The ko point.
    pub ko: S,
    /// Neighbours of own stones, of the opponent's, and of empty points. They may hold
    /// bits of the padding.
    pub beside_own: S,
    pub beside_other: S,
    beside_empty: S,
}

/// The points that a playout may draw, and what was found on the way.
pub struct Candidates<S> {
    /// The candidates.
    pub points: S,
    /// Opposing stones in chains that are seen to have two liberties.
    pub safe: S,
}

impl<S: PointSet> Position<S> {
    /// The position with these stones on `board`, the set of all its points.
    #[inline(always)]
    pub fn new([own, other]: [S; 2], ko: S, board: S) -> Self {
        let empty = board.and_not(own.or(other));
        let [beside_own, beside_other, beside_empty] = [own, other, empty].map(S::neighbors);
        Self { own, other, empty, ko, beside_own, beside_other, beside_empty }
    }

    /// The candidates of the player to move; `edge` are the points at the edge.
    #[inline(always)]
    pub fn candidates(&self, edge: S) -> Candidates<S> {
        let mut points = self.empty.and_not(self.ko);
        let mut safe = points.none();
        let enclosed = points.and_not(self.beside_empty);
        if !enclosed.is_empty() {
            let surrounded_by_own = enclosed.and_not(self.beside_other);
            let surrounded_by_other = enclosed.and_not(self.beside_own);
            if !surrounded_by_own.is_empty() {
                points = points.and_not(surrounded_by_own.and_not(self.false_eyes(edge)));
            }
            if !surrounded_by_other.is_empty() {
                safe = self.safe_opponents();
                let unsafe_stones = self.other.and_not(safe);
                points = points.and_not(surrounded_by_other.and_not(unsafe_stones.neighbors()));
            }
        }
        Candidates { points, safe }
    }

    /// Points with two or more opposing stones on the diagonals; at the edge, one or more.
    #[inline(always)]
    fn false_eyes(&self, edge: S) -> S {
        let (north, south) = (self.other.north(), self.other.south());
        let (one, both) = (north.or(south), north.and(south));
        let (east, west) = (one.east(), one.west());
        both.east().or(both.west()).or(east.and(west)).or(east.or(west).and(edge))
    }

    /// Opposing stones seen to be in chains with two liberties: [`SUICIDE_ROUNDS`] steps
    /// from a stone beside two empty points reach them.
    #[inline(always)]
    fn safe_opponents(&self) -> S {
        let mut safe = beside_two(self.empty).and(self.other);
        for _ in 0..SUICIDE_ROUNDS {
            safe = spread(safe, self.other);
        }
        safe
    }

    /// Plays on `point`, a candidate, unless it is suicide, and returns whether it was
    /// played. `safe` is [`Candidates::safe`].
    #[inline(always)]
    pub fn play_unless_suicide(&mut self, point: S, safe: S) -> bool {
        let beside = point.neighbors();
        let empty = self.empty.and_not(point);
        // Neighbours of the points that stay empty: of the liberties that are left.
        let beside_empty = empty.neighbors();
        let threatened = beside.and(self.other).and_not(beside_empty.or(safe));
        let has_liberty = beside.meets(empty.or(self.own.and(beside_empty)));
        let mut captured = point.none();
        if !has_liberty || !threatened.is_empty() {
            captured = without_liberty(threatened, self.other, beside_empty);
            if !has_liberty
                && captured.is_empty()
                && let Followed::WithoutLiberty(_) =
                    follow(beside.and(self.own), self.own, beside_empty)
            {
                return false;
            }
        }
        self.own = self.own.or(point);
        self.beside_own = self.beside_own.or(beside);
        self.ko = point.none();
        if captured.is_empty() {
            self.empty = empty;
            self.beside_empty = beside_empty;
        } else {
            // A single stone, captured by a stone without own neighbours and without
            // another liberty.
            let is_ko = captured.and_not(captured.any_point()).is_empty()
                && !beside.meets(self.own.or(empty));
            if is_ko {
                self.ko = captured;
            }
            self.other = self.other.and_not(captured);
            self.empty = empty.or(captured);
            self.beside_other = self.other.neighbors();
            self.beside_empty = self.empty.neighbors();
        }
        true
    }

    /// Makes the opponent the player to move.
    #[inline(always)]
    pub fn end_turn(&mut self) {
        std::mem::swap(&mut self.own, &mut self.other);
        std::mem::swap(&mut self.beside_own, &mut self.beside_other);
    }

    /// What a policy sees after `last`, the opponent's stone just played.
    #[inline(always)]
    pub fn view(&self, last: S) -> GameView<S> {
        GameView { own: self.own, other: self.other, empty: self.empty, last }
    }

    /// The areas of the player to move and of the opponent:
    /// [`Board::areas`](tengen_go::Board::areas).
    #[inline(always)]
    pub fn areas(&self) -> [S; 2] {
        let by_own = flood(self.beside_own, self.empty);
        let by_other = flood(self.beside_other, self.empty);
        [self.own.or(by_own.and_not(by_other)), self.other.or(by_other.and_not(by_own))]
    }

    /// The points that the player to move and the opponent hold:
    /// [`EarlyStop::Decided`](crate::EarlyStop::Decided).
    #[inline(always)]
    pub fn held(&self) -> [S; 2] {
        let (beside_own, beside_other) = (self.beside_own, self.beside_other);
        [
            self.own.or(self.empty.and(beside_own).and_not(beside_other)),
            self.other.or(self.empty.and(beside_other).and_not(beside_own)),
        ]
    }
}

#[cfg(test)]
#[path = "drawn_position.rs"]
mod drawn_position;
