//! How boards lie in lanes, and the tuned numbers of lanes.

use super::kernel::Kernel;
use super::word::Word;
use super::{Games, Machine};
use crate::go::{Bits, Size};
use crate::playout::{Isa, max_plies};

/// The lanes of a board of `size`.
///
/// Words of 32 bits put twice as many games into a vector, and choosing a bit
/// takes one halving less; 9×9 fits in three of them where it needs two of 64.
pub(super) fn games<const W: usize>(size: Size, isa: Isa) -> Box<dyn Games<W>> {
    let (width, height) = (size.width(), size.height());
    if width <= 5 && height <= 5 {
        machine::<u32, W, 1, 6, 32>(size, isa)
    } else if Bits::<1>::fits(size) {
        machine::<u64, W, 1, 8, 32>(size, isa)
    } else if width <= 9 && height <= 9 {
        machine::<u32, W, 3, 10, 32>(size, isa)
    } else if Bits::<2>::fits(size) {
        machine::<u64, W, 2, 11, 16>(size, isa)
    } else if Bits::<3>::fits(size) {
        machine::<u64, W, 3, 14, 16>(size, isa)
    } else {
        machine::<u64, W, 6, 20, 16>(size, isa)
    }
}

fn machine<T: Word, const W: usize, const N: usize, const S: usize, const L: usize>(
    size: Size,
    isa: Isa,
) -> Box<dyn Games<W>> {
    const { assert!(L <= 64, "lanes are told apart in 64 bits") };
    let pack = |set| pack::<T, W, N, S>(set, size);
    let kernel =
        Kernel::<T, N, S, L>::new(pack(Bits::board(size)), pack(Bits::edge(size)), max_plies(size));
    Box::new(Machine { kernel, size, isa })
}

/// The set in `N` words on a grid of `S` columns.
#[inline]
pub(super) fn pack<T: Word, const W: usize, const N: usize, const S: usize>(
    set: Bits<W>,
    size: Size,
) -> [T; N] {
    let from = set.words();
    let mut to = [T::default(); N];
    if T::BITS == 64 && S == Bits::<W>::STRIDE && N == W {
        for w in 0..N {
            to[w] = T::from_u64(from[w]);
        }
    } else {
        move_rows::<u64, T>(&from, Bits::<W>::STRIDE, &mut to, S, size);
    }
    to
}

/// The set in `W` words on the grid of [`Bits`].
#[inline]
pub(super) fn unpack<T: Word, const W: usize, const N: usize, const S: usize>(
    set: [T; N],
    size: Size,
) -> Bits<W> {
    let mut to = [0; W];
    if T::BITS == 64 && S == Bits::<W>::STRIDE && N == W {
        for w in 0..N {
            to[w] = set[w].to_u64();
        }
    } else {
        move_rows::<T, u64>(&set, S, &mut to, Bits::<W>::STRIDE, size);
    }
    Bits::from_words(to)
}

/// Adds the rows of `from` to the empty set `to`.
#[inline]
fn move_rows<A: Word, B: Word>(
    from: &[A],
    from_stride: usize,
    to: &mut [B],
    to_stride: usize,
    size: Size,
) {
    let row_mask = (1_u64 << size.width()) - 1;
    for row in 0..size.height() {
        let start = row * from_stride;
        let (word, bit) = (start / A::BITS, start % A::BITS);
        let mut points = from[word].to_u64() >> bit;
        if bit + size.width() > A::BITS {
            points |= from[word + 1].to_u64() << (A::BITS - bit);
        }
        points &= row_mask;
        let start = row * to_stride;
        let (word, bit) = (start / B::BITS, start % B::BITS);
        to[word] = to[word].or(B::from_u64(points << bit));
        if bit + size.width() > B::BITS {
            to[word + 1] = to[word + 1].or(B::from_u64(points >> (B::BITS - bit)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::with_words;
    use crate::seed::mix;

    fn check<T: Word, const W: usize, const N: usize, const S: usize>(size: Size) {
        for seed in 0..20 {
            let mut set = Bits::<W>::EMPTY;
            for index in Bits::<W>::board(size).iter() {
                if mix(seed, index as u64) & 1 == 0 {
                    set |= Bits::point(index);
                }
            }
            assert_eq!(unpack::<T, W, N, S>(pack::<T, W, N, S>(set, size), size), set, "{size}");
        }
    }

    #[test]
    fn packing_loses_nothing_on_any_size() {
        for size in Size::all() {
            with_words!(size, W => {
                check::<u64, W, 6, 20>(size);
                if size.width() <= 5 && size.height() <= 5 {
                    check::<u32, W, 1, 6>(size);
                }
                if size.width() <= 9 && size.height() <= 9 {
                    check::<u32, W, 3, 10>(size);
                }
            });
        }
    }
}
