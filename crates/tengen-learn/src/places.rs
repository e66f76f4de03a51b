//! The weights of features that follow from places alone: lines, and distances to the last moves.
//!
//! They are laid out by index of the point, so that the weights of all points are whole vectors:
//!
//! ```text
//! lines                        index of the point -> weight
//! last, before, by column      rows from the move, from -(height - 1) on; all columns of each
//! ```
//!
//! The weights for a move of row r begin height - 1 - r rows later.

use crate::feature::{self, Feature};
use tengen_go::{Bits, Size, Vertex};

/// The weights by place on boards of one size, for sets of one number of words.
#[derive(Debug)]
pub struct Places {
    /// The weights of lines, by index.
    pub lines: Box<[f32]>,
    /// The weights of the distances to the last move.
    pub last: Near,
    /// The weights of the distances to the move before the last.
    pub before: Near,
}

impl Places {
    /// The weights by place on boards of `size`, from the weights of features.
    pub fn new<const W: usize>(size: Size, weight: impl Fn(Feature) -> f32) -> Self {
        let mut lines = vec![0.0; 64 * W];
        for number in 0..size.points() {
            let at = size.vertex(number);
            lines[Bits::<W>::index(at)] = weight(feature::of_line(feature::line(size, at)));
        }
        Self {
            lines: lines.into_boxed_slice(),
            last: Near::new::<W>(size, |distance| weight(feature::of_last(distance))),
            before: Near::new::<W>(size, |distance| weight(feature::of_before(distance))),
        }
    }
}

/// The weights of distances to a move, which may be anywhere.
#[derive(Debug)]
pub struct Near {
    weights: Box<[f32]>,
    /// Number of weights for each column of the move.
    of_column: usize,
    /// The number of the row in which the move lies.
    row: usize,
}

impl Near {
    fn new<const W: usize>(size: Size, weight: impl Fn(usize) -> f32) -> Self {
        let row = size.height() - 1;
        // Up to the last word of points that any move needs.
        let of_column = row * Bits::<W>::STRIDE + 64 * W;
        let mut weights = vec![0.0; size.width() * of_column];
        for (from, weights) in weights.chunks_mut(of_column).enumerate() {
            for (number, weights) in weights.chunks_mut(Bits::<W>::STRIDE).enumerate() {
                for (column, place) in weights.iter_mut().enumerate() {
                    *place = weight(feature::distance(column.abs_diff(from), number.abs_diff(row)));
                }
            }
        }
        Self { weights: weights.into_boxed_slice(), of_column, row }
    }

    /// The weights of the distances to a move at `at`, by index.
    #[inline(always)]
    pub fn from<const W: usize>(&self, at: Vertex) -> &[f32] {
        let rows = self.row - usize::from(at.row);
        let first = usize::from(at.col) * self.of_column + rows * Bits::<W>::STRIDE;
        &self.weights[first..][..64 * W]
    }
}
