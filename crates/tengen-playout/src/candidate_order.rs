//! The order in which the candidates of an attempt are numbered.

use tengen_go::{Bits, Size, words};

/// Number of classes of points on boards of six words: the class of a point is its
/// index in [`Bits`] modulo 6. The lanes hold each class in a word of its own.
pub const CLASSES: usize = 6;

/// The index of the `k`-th candidate, `k` from 0, on a board of `size`. Candidates are
/// numbered in row order; on boards of six words those of class 0 come first, in row
/// order, then those of class 1, and so on.
///
/// # Panics
/// If there are `k` candidates or fewer.
#[inline]
pub fn nth<const W: usize>(size: Size, candidates: Bits<W>, k: u32) -> usize {
    if words(size) < CLASSES {
        return candidates.nth(k);
    }
    let mut left = k;
    for class in Classes::<W>::ALL {
        let part = candidates & class;
        let count = part.count();
        if left < count {
            return part.nth(left);
        }
        left -= count;
    }
    panic!("{} candidates have no number {k}", candidates.count());
}

/// The classes of the points of a grid.
struct Classes<const W: usize>;

impl<const W: usize> Classes<W> {
    const ALL: [Bits<W>; CLASSES] = {
        let mut classes = [[0; W]; CLASSES];
        let mut index = 0;
        while index < 64 * W {
            classes[index % CLASSES][index / 64] |= 1 << (index % 64);
            index += 1;
        }
        let mut sets = [Bits::EMPTY; CLASSES];
        let mut class = 0;
        while class < CLASSES {
            sets[class] = Bits::from_words(classes[class]);
            class += 1;
        }
        sets
    };
}
