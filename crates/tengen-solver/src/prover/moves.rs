//! The moves of a position, and their order.

use super::{MAX_PLY, Node, Prover};
use crate::MAX_POINTS;
use crate::geometry::{PASS, each};
use crate::position::Position;
use crate::table::NO_MOVE;

/// Weight of [`Prover::merit`] beside the history of a move.
const MERIT: i32 = 1 << 12;
/// Weight of the Euler number in [`Prover::merit`].
const EULER: i32 = 4;
/// Weight of the effort that an earlier search spent on the position after a move: a move that took
/// long was nearly good enough.
pub(super) const EFFORT: i32 = 1 << 15;
const CAPTURE: i32 = 1 << 22;
const KILLERS: [i32; 2] = [1 << 25, 1 << 24];
const LAST: i32 = -(1 << 27);

/// A move and the position after it.
#[derive(Clone, Copy, Default)]
pub(super) struct Child {
    pub(super) position: Position,
    pub(super) key: u64,
    pub(super) symmetry: u8,
    pub(super) point: u8,
    pub(super) captured: bool,
    pub(super) wasted: bool,
    pub(super) order: i32,
}

/// What a search has learnt about the order of moves.
#[derive(Clone, Copy)]
pub(crate) struct Order {
    pub(super) killers: [[u8; 2]; MAX_PLY + 8],
    /// By player to move and point.
    pub(super) history: [[u32; 32]; 2],
}

impl Default for Order {
    fn default() -> Self {
        Self { killers: [[NO_MOVE; 2]; MAX_PLY + 8], history: [[0; 32]; 2] }
    }
}

impl Prover<'_> {
    /// A rough value of a position for the player who has just moved: its liberties, the points one
    /// step beyond them, and the connections and eyes of its stones by their Euler number; less the
    /// opponent's.
    #[inline(always)]
    fn merit(&self, after: &Position) -> i32 {
        let geometry = self.geometry;
        let empty = after.empty(geometry);
        let shape = |stones: u32| {
            let liberties = geometry.neighbors(stones) & empty;
            let next = geometry.neighbors(liberties) & empty & !liberties;
            let reach = 4 * liberties.count_ones() as i32 + 2 * next.count_ones() as i32;
            reach - EULER * geometry.euler_number(stones)
        };
        shape(after.other) - shape(after.own)
    }

    /// Lists the legal moves of `node`, for the prover or against it.
    pub(super) fn list(&self, node: &Node, to_prove: bool, list: &mut MoveList) {
        let &Node { position, ply, best, settled, .. } = node;
        let geometry = self.geometry;
        let killers = self.order.killers[ply];
        let history = &self.order.history[usize::from(position.black_to_play)];
        let candidates = position.empty(geometry) & !position.ko;
        for point in each(candidates) {
            let Some((after, captured)) = position.play(geometry, point) else { continue };
            let stone = 1_u32 << point;
            let around = geometry.neighbors(stone);
            let mut wasted = settled & stone != 0;
            if to_prove && captured == 0 && around & !position.own == 0 {
                wasted = true;
            }
            let mut order = history[point as usize] as i32;
            if captured != 0 {
                order += CAPTURE;
            }
            order += MERIT * self.merit(&after);
            if point == killers[0] {
                order += KILLERS[0];
            } else if point == killers[1] {
                order += KILLERS[1];
            }
            if wasted {
                order += 2 * LAST;
            }
            if point == best {
                order = i32::MAX;
            }
            let (key, turned) = after.canonical_key(geometry);
            list.push(Child {
                position: after,
                key,
                symmetry: turned as u8,
                point,
                captured: captured != 0,
                wasted,
                order,
            });
        }
        if !position.passed {
            let after = position.pass();
            let (key, turned) = after.canonical_key(geometry);
            list.push(Child {
                position: after,
                key,
                symmetry: turned as u8,
                point: PASS,
                captured: false,
                wasted: false,
                order: if best == PASS { i32::MAX } else { LAST },
            });
        }
    }
}

/// The moves of one position, sorted as far as they are asked for.
pub(super) struct MoveList {
    pub(super) children: [Child; MAX_POINTS + 1],
    pub(super) len: usize,
}

impl MoveList {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { children: [Child::default(); MAX_POINTS + 1], len: 0 }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, child: Child) {
        self.children[self.len] = child;
        self.len += 1;
    }

    /// The move that comes next in order.
    #[inline(always)]
    pub(super) fn next(&mut self, index: usize) -> Child {
        let mut best = index;
        for at in index + 1..self.len {
            if self.children[at].order > self.children[best].order {
                best = at;
            }
        }
        self.children.swap(index, best);
        self.children[index]
    }
}
