//! Copies a set of points row by row into other layouts.

use super::Bits;
use crate::size::Size;

impl<const W: usize> Bits<W> {
    /// The points of the row `row` of a board of `width` columns, the lowest bit for column A.
    #[inline]
    fn row(self, row: usize, width: usize) -> u64 {
        let (word, shift) = (row * Self::STRIDE / 64, row * Self::STRIDE % 64);
        let mut bits = self.0[word] >> shift;
        if shift + width > 64 {
            bits |= self.0[word + 1] << (64 - shift);
        }
        bits & ((1 << width) - 1)
    }

    /// This set of points on a board of `size`, in `V` words.
    #[inline]
    #[must_use]
    pub fn repacked<const V: usize>(self, size: Size) -> Bits<V> {
        let mut words = [0; V];
        for row in 0..size.height() {
            let at = row * Bits::<V>::STRIDE;
            put(&mut words, at, self.row(row, size.width()), size.width());
        }
        Bits(words)
    }

    /// The points, on a board of `size`, as bits in the order of [`Size::number`].
    ///
    /// # Examples
    /// ```
    /// use tengen_go::{Bits, Size};
    ///
    /// let corner = Bits::<1>::point(Bits::<1>::index("C3".parse()?));
    /// assert_eq!(corner.numbered("3x3".parse()?), [1 << 8, 0, 0, 0, 0, 0]);
    /// # Ok::<(), tengen_go::ParseError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn numbered(self, size: Size) -> [u64; 6] {
        let mut words = [0; 6];
        for row in 0..size.height() {
            put(&mut words, row * size.width(), self.row(row, size.width()), size.width());
        }
        words
    }
}

/// Adds the `width` bits of `bits` to `words`, from bit `at` on.
#[inline]
fn put(words: &mut [u64], at: usize, bits: u64, width: usize) {
    words[at / 64] |= bits << (at % 64);
    if at % 64 + width > 64 {
        words[at / 64 + 1] |= bits >> (64 - at % 64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::with_words;

    #[test]
    fn points_stay_the_same_in_every_layout_on_every_size() {
        let mut seed = 3;
        for size in Size::all() {
            with_words!(size, W => for _ in 0..4 {
                let mut words = [0; W];
                for word in &mut words {
                    seed = tengen_stats::seed::split_mix(seed);
                    *word = seed;
                }
                let set = Bits::<W>(words) & Bits::board(size);
                let wide: Bits<6> = set.iter().map(Bits::<W>::vertex).collect();
                assert_eq!(set.repacked::<6>(size), wide, "{size}");
                assert_eq!(wide.repacked::<W>(size), set, "{size}");
                let numbers = set.iter().map(|index| size.number(Bits::<W>::vertex(index)));
                let mut numbered = [0; 6];
                numbers.for_each(|number| numbered[number / 64] |= 1_u64 << (number % 64));
                assert_eq!(set.numbered(size), numbered, "{size}");
            });
        }
    }
}
