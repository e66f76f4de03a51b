//! How often each point was in a set, for many sets of points.

use tengen::go::{Bits, Size};

/// Counts for each point the sets that contain it, a binary digit of all points at a time: adding a set costs about two
/// operations a word, whatever the number of points.
#[derive(Clone, Debug)]
pub struct Counter<const W: usize> {
    /// A set of points for each binary digit of the counts, the lowest digit first.
    digits: Vec<[u64; W]>,
}

impl<const W: usize> Counter<W> {
    /// No set yet.
    pub const fn new() -> Self {
        Self { digits: Vec::new() }
    }

    /// Counts the points of `set`.
    #[inline]
    pub fn add(&mut self, set: Bits<W>) {
        let mut carry = set.words();
        for digit in &mut self.digits {
            if carry == [0; W] {
                return;
            }
            for (digit, carry) in digit.iter_mut().zip(&mut carry) {
                (*digit, *carry) = (*digit ^ *carry, *digit & *carry);
            }
        }
        if carry != [0; W] {
            self.digits.push(carry);
        }
    }

    /// Adds the counts to `counts`, one a point of a board of `size`, in the order of `Size::number`.
    pub fn add_to(&self, size: Size, counts: &mut [i64]) {
        for (digit, &words) in self.digits.iter().enumerate() {
            for index in Bits::<W>::from_words(words).iter() {
                counts[size.number(Bits::<W>::vertex(index))] += 1 << digit;
            }
        }
    }
}
