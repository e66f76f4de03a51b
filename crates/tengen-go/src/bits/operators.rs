//! Set operations as operators: intersection `&`, union `|`, complement `!` and
//! difference `-`.

use super::Bits;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Sub};

/// Implements an operator of words for sets: `$op` calls `$assign`, which works word by word.
macro_rules! word_by_word {
    ($Op:ident $op:ident, $Assign:ident $assign:ident) => {
        impl<const W: usize> $Assign for Bits<W> {
            #[inline]
            fn $assign(&mut self, other: Self) {
                for (word, other) in self.0.iter_mut().zip(other.0) {
                    word.$assign(other);
                }
            }
        }

        impl<const W: usize> $Op for Bits<W> {
            type Output = Self;

            #[inline]
            fn $op(mut self, other: Self) -> Self {
                self.$assign(other);
                self
            }
        }
    };
}

word_by_word!(BitAnd bitand, BitAndAssign bitand_assign);
word_by_word!(BitOr bitor, BitOrAssign bitor_assign);

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
