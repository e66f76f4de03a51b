//! Zobrist keys (Zobrist, "A new hashing method with application for game
//! playing", 1970): the hash of a position is the exclusive or of the keys of its stones. A key
//! depends on colour, row and column, not on the layout of the board.

use super::bits::Bits;
use super::color::Color;
use super::size::MAX_SIDE;
use tengen_stats::seed::split_mix;

/// The key for White to move, used where the player to move is part of the hash.
pub const WHITE_TO_PLAY: u64 = split_mix(0x7465_6E67_656E);

/// Number of bits of the largest board layout.
const MAX_BITS: usize = 384;

struct Keys<const W: usize>;

impl<const W: usize> Keys<W> {
    /// The keys of stones, by [`Color::index`], then by index in [`Bits`]. The keys of
    /// a vertex do not depend on `W`.
    const TABLE: &'static [[u64; MAX_BITS]; 2] = &Self::table();

    const fn table() -> [[u64; MAX_BITS]; 2] {
        let mut table = [[0; MAX_BITS]; 2];
        let side = MAX_SIDE as usize;
        let mut row = 0;
        while row < side {
            let mut col = 0;
            while col < side && col + 1 < Bits::<W>::STRIDE {
                let index = row * Bits::<W>::STRIDE + col;
                if index < 64 * W {
                    let number = (row * side + col) as u64;
                    table[0][index] = split_mix(split_mix(2 * number));
                    table[1][index] = split_mix(split_mix(2 * number + 1));
                }
                col += 1;
            }
            row += 1;
        }
        table
    }
}

/// The key of a stone of `color` on the point `index` of a board of `W` words.
#[inline]
#[must_use]
pub fn key<const W: usize>(color: Color, index: usize) -> u64 {
    Keys::<W>::TABLE[color.index()][index]
}

/// The keys of stones of `color`, by index in [`Bits`] of `W` words.
#[inline]
#[must_use]
pub fn keys<const W: usize>(color: Color) -> &'static [u64; MAX_BITS] {
    &Keys::<W>::TABLE[color.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Size, Vertex, with_words};
    use std::collections::HashSet;

    #[test]
    fn keys_are_distinct_and_belong_to_the_vertex() {
        let full = Size::square(19).unwrap();
        let mut seen = HashSet::from([WHITE_TO_PLAY]);
        for vertex in Vertex::all(full) {
            for color in Color::BOTH {
                assert!(seen.insert(key::<6>(color, Bits::<6>::index(vertex))));
            }
        }
        for size in Size::all() {
            with_words!(size, W => for vertex in Vertex::all(size) {
                for color in Color::BOTH {
                    let wide = key::<6>(color, Bits::<6>::index(vertex));
                    assert_eq!(key::<W>(color, Bits::<W>::index(vertex)), wide);
                }
            });
        }
    }
}
