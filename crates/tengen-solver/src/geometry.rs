//! The board as bits of one word: neighbours, chains and symmetries.

use crate::MAX_POINTS;
use tengen_go::{Move, Size, Vertex};

/// Bits of a position that one table look-up turns at once.
const CHUNK: usize = 6;
/// Look-ups for a whole board.
const CHUNKS: usize = MAX_POINTS.div_ceil(CHUNK);
/// Number of the pass among the points: the first number that is no point.
pub(crate) const PASS: u8 = MAX_POINTS as u8;

/// The shape of one board. A set of points is a `u32`: bit `row · width + column`,
/// rows from the bottom, without padding.
pub(crate) struct Geometry {
    pub(crate) size: Size,
    pub(crate) points: u32,
    pub(crate) board: u32,
    width: u32,
    not_first: u32,
    not_last: u32,
    /// `turned[chunk][bits][s]`: the points of six bits under symmetry `s`. A
    /// rectangle has its four symmetries twice.
    turned: Box<[[[u32; 8]; 1 << CHUNK]; CHUNKS]>,
    /// `image[s][p]`: the point (or pass) to which symmetry `s` maps `p`.
    pub(crate) image: [[u8; MAX_POINTS + 2]; 8],
    /// `source[s][p]`: the point (or pass) that symmetry `s` maps to `p`.
    pub(crate) source: [[u8; MAX_POINTS + 2]; 8],
}

impl Geometry {
    /// The geometry of `size`, which has at most [`MAX_POINTS`] points.
    pub(crate) fn new(size: Size) -> Self {
        let (width, height) = (size.width(), size.height());
        let points = size.points();
        assert!(points <= MAX_POINTS, "{size} has more than {MAX_POINTS} points");
        let index = |col: usize, row: usize| row * width + col;
        let mut image = [[0_u8; MAX_POINTS + 2]; 8];
        let mut source = [[0_u8; MAX_POINTS + 2]; 8];
        for s in 0..8 {
            for p in 0..MAX_POINTS + 2 {
                image[s][p] = p as u8;
                source[s][p] = p as u8;
            }
            for row in 0..height {
                for col in 0..width {
                    let (mut c, mut r) = (col, row);
                    if s & 4 != 0 && width == height {
                        (c, r) = (r, c);
                    }
                    if s & 1 != 0 {
                        c = width - 1 - c;
                    }
                    if s & 2 != 0 {
                        r = height - 1 - r;
                    }
                    image[s][index(col, row)] = index(c, r) as u8;
                    source[s][index(c, r)] = index(col, row) as u8;
                }
            }
        }
        let mut turned = Box::new([[[0; 8]; 1 << CHUNK]; CHUNKS]);
        for (chunk, table) in turned.iter_mut().enumerate() {
            for (bits, turned) in table.iter_mut().enumerate() {
                for (s, turned) in turned.iter_mut().enumerate() {
                    for bit in (0..CHUNK).filter(|bit| bits >> bit & 1 == 1) {
                        let point = chunk * CHUNK + bit;
                        if point < points {
                            *turned |= 1 << image[s][point];
                        }
                    }
                }
            }
        }
        let column = |col: usize| (0..height).fold(0_u32, |set, row| set | 1 << index(col, row));
        let board = ((1_u64 << points) - 1) as u32;
        Self {
            size,
            points: points as u32,
            board,
            width: width as u32,
            not_first: board & !column(0),
            not_last: board & !column(width - 1),
            turned,
            image,
            source,
        }
    }

    /// The points next to a point of `set`, which may themselves be in `set`.
    #[inline(always)]
    pub(crate) fn neighbors(&self, set: u32) -> u32 {
        let sideways = (set & self.not_last) << 1 | (set & self.not_first) >> 1;
        // A side is at most 19, so that the shifts never wrap.
        (sideways | set.wrapping_shl(self.width) | set.wrapping_shr(self.width)) & self.board
    }

    /// `seed`, a part of `within`, with everything connected to it inside `within`.
    #[inline(always)]
    pub(crate) fn flood(&self, seed: u32, within: u32) -> u32 {
        let mut set = seed;
        loop {
            let grown = (set | self.neighbors(set)) & within;
            if grown == set {
                return set;
            }
            set = grown;
        }
    }

    /// The Euler number of `set`: its connected parts less their holes. By Euler's formula: points,
    /// less pairs of neighbours, plus squares of four points.
    #[inline(always)]
    pub(crate) fn euler_number(&self, set: u32) -> i32 {
        let beside = set & (set & self.not_first) >> 1;
        let above = set & set.wrapping_shr(self.width);
        let squares = beside & beside.wrapping_shr(self.width);
        let count = |set: u32| set.count_ones() as i32;
        count(set) - count(beside) - count(above) + count(squares)
    }

    /// The set under each of the eight symmetries.
    #[inline(always)]
    pub(crate) fn turn_all(&self, set: u32) -> [u32; 8] {
        let mut all = [0; 8];
        for (chunk, table) in self.turned.iter().enumerate() {
            let part = &table[(set >> (chunk * CHUNK)) as usize & ((1 << CHUNK) - 1)];
            for (all, part) in all.iter_mut().zip(part) {
                *all |= part;
            }
        }
        all
    }

    /// The move of point number `point`.
    pub(crate) fn mv(&self, point: u8) -> Move {
        if u32::from(point) >= self.points {
            return Move::Pass;
        }
        let width = self.width as u8;
        Move::Play(Vertex::new(point % width, point / width))
    }

    /// The number of the point of `mv`, [`PASS`] for a pass.
    pub(crate) fn point(&self, mv: Move) -> u8 {
        match mv {
            Move::Pass => PASS,
            Move::Play(vertex) => vertex.row * self.width as u8 + vertex.col,
        }
    }
}

/// The points of a set, lowest first.
#[inline(always)]
pub(crate) fn each(set: u32) -> impl Iterator<Item = u8> {
    let mut left = set;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let point = left.trailing_zeros() as u8;
        left &= left - 1;
        Some(point)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_euler_number_counts_parts_less_holes() {
        for (rows, expected) in [
            ("....", 0),
            (".X.X", 2),
            ("X../X../X..", 1),
            // Parts that touch by a corner are two.
            ("X./.X", 2),
            ("XXX/X.X/XXX", 0),
            // A hole with an open corner is none.
            ("XX./X.X/XXX", 1),
            ("XXXXX/X.X.X/XXXXX/...../X...X", 1),
            ("XXXX/X..X/XX.X/XXXX", 0),
            ("XXXXX/X...X/X.X.X/X...X/XXXXX", 1),
        ] {
            let size = Size::new(
                rows.find('/').unwrap_or(rows.len()) as u8,
                rows.split('/').count() as u8,
            );
            let points = rows.split('/').rev().flat_map(str::chars).enumerate();
            let set = points.fold(0, |set, (at, point)| set | u32::from(point == 'X') << at);
            assert_eq!(Geometry::new(size.unwrap()).euler_number(set), expected, "{rows}");
        }
    }
}
