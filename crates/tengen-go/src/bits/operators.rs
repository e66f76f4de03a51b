//! Set operations as operators: intersection `&`, union `|`, symmetric difference
//! `^`, complement `!` and difference `-`.

use super::Bits;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

impl<const W: usize> BitAnd for Bits<W> {
    type Output = Self;

    #[inline]
    fn bitand(mut self, other: Self) -> Self {
        self &= other;
        self
    }
}

impl<const W: usize> BitAndAssign for Bits<W> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= other;
        }
    }
}

impl<const W: usize> BitOr for Bits<W> {
    type Output = Self;

    #[inline]
    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl<const W: usize> BitOrAssign for Bits<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
    }
}

impl<const W: usize> BitXor for Bits<W> {
    type Output = Self;

    #[inline]
    fn bitxor(mut self, other: Self) -> Self {
        self ^= other;
        self
    }
}

impl<const W: usize> BitXorAssign for Bits<W> {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word ^= other;
        }
    }
}

impl<const W: usize> Not for Bits<W> {
    type Output = Self;

    /// The complement over all bits, padding included.
    #[inline]
    fn not(mut self) -> Self {
        for word in &mut self.0 {
            *word = !*word;
        }
        self
    }
}

impl<const W: usize> Sub for Bits<W> {
    type Output = Self;

    /// The points of this set that are not in `other`.
    #[inline]
    fn sub(self, other: Self) -> Self {
        self & !other
    }
}
