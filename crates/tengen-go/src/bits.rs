//! Sets of points as machine words.

mod operators;
mod rows;

use super::size::{MAX_SIDE, Size};
use super::vertex::Vertex;

/// A set of points of a board in `W` words of 64 bits.
///
/// Points lie row after row, lowest row first, on a grid of [`Self::STRIDE`] columns. The last
/// column is always empty padding. Shifts by one and by the stride reach the four neighbours; a bit
/// shifted off an edge lands in the padding, and the next intersection with a set of real points
/// removes it. The *index* of a point is its bit number.
///
/// # Examples
/// ```
/// use tengen_go::{Bits, Board, Color};
///
/// let board = Board::<1>::from_diagram("OX./.X./...", Color::Black)?;
/// let stone = Bits::point(Bits::<1>::index("B2".parse()?));
/// let chain = stone.flood(board.stones(Color::Black));
/// let liberties = chain.neighbors() & board.empty();
/// assert_eq!((chain.count(), liberties.count()), (2, 4));
/// let first = Bits::<1>::vertex(liberties.nth(0));
/// assert_eq!(first.to_string(), "B1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    /// The set without points.
    pub const EMPTY: Self = Self([0; W]);

    /// Number of columns of the grid, the padding column included.
    pub const STRIDE: usize = match W {
        1 => 8,
        2 => 11,
        3 => 14,
        6 => 20,
        _ => panic!("boards have 1, 2, 3 or 6 words"),
    };

    /// All points and the inner points of boards, by width − 1 and height − 1.
    const BOARDS: &'static [[Self; MAX_SIDE as usize]; MAX_SIDE as usize] = &Self::boards(0);
    const INNER: &'static [[Self; MAX_SIDE as usize]; MAX_SIDE as usize] = &Self::boards(1);

    /// Whether a board of `size` fits into `W` words.
    #[must_use]
    pub const fn fits(size: Size) -> bool {
        size.width() < Self::STRIDE && size.height() * Self::STRIDE <= 64 * W
    }

    /// All points of a board of `size`, which must fit.
    #[inline]
    #[must_use]
    pub const fn board(size: Size) -> Self {
        Self::BOARDS[size.width() - 1][size.height() - 1]
    }

    /// The points of a board of `size` that have fewer than four neighbours.
    #[inline]
    #[must_use]
    pub fn edge(size: Size) -> Self {
        Self::board(size) - Self::INNER[size.width() - 1][size.height() - 1]
    }

    /// For every board, the points with at least `margin` points between them and each edge.
    const fn boards(margin: usize) -> [[Self; MAX_SIDE as usize]; MAX_SIDE as usize] {
        let mut boards = [[Self::EMPTY; MAX_SIDE as usize]; MAX_SIDE as usize];
        let mut width = 1;
        while width < Self::STRIDE && width <= MAX_SIDE as usize {
            let mut height = 1;
            while height * Self::STRIDE <= 64 * W && height <= MAX_SIDE as usize {
                let mut row = margin;
                while row + margin < height {
                    let mut col = margin;
                    while col + margin < width {
                        let index = row * Self::STRIDE + col;
                        boards[width - 1][height - 1].0[index / 64] |= 1 << (index % 64);
                        col += 1;
                    }
                    row += 1;
                }
                height += 1;
            }
            width += 1;
        }
        boards
    }

    /// The set of the one point `index`.
    #[inline]
    #[must_use]
    pub const fn point(index: usize) -> Self {
        let mut set = Self::EMPTY;
        set.0[index / 64] = 1 << (index % 64);
        set
    }

    /// The set whose words are `words`, the word of the lowest indices first. The bits
    /// of the padding must be clear.
    #[inline]
    #[must_use]
    pub const fn from_words(words: [u64; W]) -> Self {
        Self(words)
    }

    /// The words of the set, the word of the lowest indices first.
    #[inline]
    #[must_use]
    pub const fn words(self) -> [u64; W] {
        self.0
    }

    /// The index of the point at `vertex`.
    #[inline]
    #[must_use]
    pub const fn index(vertex: Vertex) -> usize {
        vertex.row as usize * Self::STRIDE + vertex.col as usize
    }

    /// The vertex of the point `index`.
    #[inline]
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // an index is below 384
    pub const fn vertex(index: usize) -> Vertex {
        Vertex::new((index % Self::STRIDE) as u8, (index / Self::STRIDE) as u8)
    }

    /// Whether the set has no points.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Whether the two sets share a point.
    #[inline]
    #[must_use]
    pub fn intersects(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// Number of points in the set.
    #[inline]
    #[must_use]
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether the set holds the point `index`.
    #[inline]
    #[must_use]
    pub const fn contains(self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    /// The index of the `k`-th point of the set, `k` from 0, in row order.
    ///
    /// # Panics
    /// If the set has `k` points or fewer.
    #[inline]
    #[must_use]
    pub fn nth(self, k: u32) -> usize {
        let mut left = k;
        for (number, &word) in self.0.iter().enumerate() {
            let count = word.count_ones();
            if left < count {
                return number * 64 + nth_bit(word, left);
            }
            left -= count;
        }
        panic!("a set of {} points has no point number {k}", self.count());
    }

    /// The indices of the points, in row order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(number, word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                (left != 0).then(|| {
                    let bit = left.trailing_zeros() as usize;
                    left &= left - 1;
                    number * 64 + bit
                })
            })
        })
    }

    /// The set with every index raised by `distance`, 1 to 63.
    #[inline]
    #[must_use]
    pub const fn shifted_up(self, distance: usize) -> Self {
        let mut words = self.0;
        let mut word = 0;
        while word < W {
            words[word] <<= distance;
            if word > 0 {
                words[word] |= self.0[word - 1] >> (64 - distance);
            }
            word += 1;
        }
        Self(words)
    }

    /// The set with every index lowered by `distance`, 1 to 63.
    #[inline]
    #[must_use]
    pub const fn shifted_down(self, distance: usize) -> Self {
        let mut words = self.0;
        let mut word = 0;
        // Counts upwards: the compiler did not unroll a loop over reversed words.
        while word < W {
            words[word] >>= distance;
            if word + 1 < W {
                words[word] |= self.0[word + 1] << (64 - distance);
            }
            word += 1;
        }
        Self(words)
    }

    /// The neighbours of the points of the set. The result may hold bits of the
    /// padding: intersect it with a set of points of the board.
    #[allow(clippy::inline_always)] // a call costs more than the body
    #[inline(always)]
    #[must_use]
    pub fn neighbors(self) -> Self {
        self.shifted_up(1)
            | self.shifted_down(1)
            | self.shifted_up(Self::STRIDE)
            | self.shifted_down(Self::STRIDE)
    }

    /// Flood fill of `within` from this set: the points of `within` that are connected,
    /// through points of `within`, to a point that is in both sets.
    #[inline]
    #[must_use]
    pub fn flood(self, within: Self) -> Self {
        let mut reached = self & within;
        loop {
            let next = reached | (reached.neighbors() & within);
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// The connected components of the set, in the order of their lowest indices.
    pub fn components(self) -> impl Iterator<Item = Self> {
        let mut left = self;
        std::iter::from_fn(move || {
            (!left.is_empty()).then(|| {
                let part = Self::point(left.nth(0)).flood(self);
                left = left - part;
                part
            })
        })
    }
}

/// The position of the `k`-th set bit of `word`, `k` from 0. The word must have more
/// than `k` set bits.
#[inline]
fn nth_bit(word: u64, k: u32) -> usize {
    let mut rest = word;
    let mut left = k;
    let mut position = 0;
    for half in [32, 16, 8] {
        let count = (rest & ((1 << half) - 1)).count_ones();
        if left >= count {
            left -= count;
            rest >>= half;
            position += half;
        }
    }
    for _ in 0..left {
        rest &= rest - 1;
    }
    position + rest.trailing_zeros() as usize
}

impl<const W: usize> FromIterator<Vertex> for Bits<W> {
    fn from_iter<I: IntoIterator<Item = Vertex>>(vertices: I) -> Self {
        let mut set = Self::EMPTY;
        for vertex in vertices {
            set |= Self::point(Self::index(vertex));
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::with_words;

    /// Neighbours by coordinates, as a reference for the sets.
    fn neighbors(vertex: Vertex, size: Size) -> Vec<Vertex> {
        let (col, row) = (i16::from(vertex.col), i16::from(vertex.row));
        [(col - 1, row), (col + 1, row), (col, row - 1), (col, row + 1)]
            .into_iter()
            .filter_map(|(col, row)| Some(Vertex::new(col.try_into().ok()?, row.try_into().ok()?)))
            .filter(|neighbor| neighbor.is_on(size))
            .collect()
    }

    #[test]
    fn board_edge_and_neighbors_agree_with_coordinates_on_every_size() {
        for size in Size::all() {
            with_words!(size, W => {
                let board = Bits::<W>::board(size);
                assert_eq!(board, Vertex::all(size).collect(), "{size}");
                assert_eq!(board.count() as usize, size.points());
                let edge = Vertex::all(size).filter(|&v| neighbors(v, size).len() < 4).collect();
                assert_eq!(Bits::<W>::edge(size), edge, "{size}");
                for vertex in Vertex::all(size) {
                    let index = Bits::<W>::index(vertex);
                    assert_eq!(Bits::<W>::vertex(index), vertex);
                    let found = Bits::<W>::point(index).neighbors() & board;
                    assert_eq!(found, neighbors(vertex, size).into_iter().collect(), "{vertex}");
                }
            });
        }
    }

    #[test]
    fn nth_and_iter_agree() {
        let mut seed = 7;
        for round in 0..200 {
            let mut words = [0; 6];
            for word in &mut words {
                seed = tengen_stats::seed::split_mix(seed);
                *word = if round % 3 == 0 { seed & seed.rotate_left(17) } else { seed };
            }
            let set = Bits(words);
            let points: Vec<usize> = set.iter().collect();
            assert_eq!(points.len() as u32, set.count());
            assert!(points.is_sorted_by(|one, next| one < next), "{points:?}");
            for (k, &point) in points.iter().enumerate() {
                assert_eq!(set.nth(k as u32), point);
                assert!(set.contains(point));
            }
        }
    }

    #[test]
    #[should_panic(expected = "no point number 1")]
    fn nth_past_the_end_panics() {
        let _ = Bits::<1>::point(3).nth(1);
    }
}
