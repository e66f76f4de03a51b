//! The stones around a point as numbers of 16 bits, the same for all eight symmetries of the board.
//!
//! ```text
//! shape: the eight points around        crossing: the four neighbours, with the liberties of
//!                                       their chains: one, two, or three and more
//!     O . .                                    .
//!     X * .                                X2  *  .
//!     # # #                                    #
//!
//! X: own stone, O: the opponent's stone, .: empty, #: off the board
//! ```
//!
//! Bit k of the lower byte of a shape is set if neighbour k has an own stone, bit k of the upper
//! byte if it has one of the opponent; both, if it is off the board. A crossing has four such bits
//! for own stones, four for the opponent's, then four for chains of one liberty and four for chains
//! of two.

use std::sync::LazyLock;
use tengen_go::Bits;

/// Number of codes of either kind.
pub const CODES: usize = 1 << 16;

/// The eight points around a point, as columns and rows from it: row by row from the lowest.
const AROUND: [(i8, i8); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// The neighbours among them, as numbers in [`AROUND`]: south, west, east, north.
const BESIDE: [usize; 4] = [1, 3, 4, 6];

/// The codes of one position, one per point by its index in [`Bits`].
pub type Codes<const W: usize> = [[u16; 64]; W];

/// The group of bits in which bit `k` is bit `from[k]` of `group`.
fn permuted(group: u16, from: &[usize]) -> u16 {
    (0..from.len()).fold(0, |all, bit| all | (group >> from[bit] & 1) << bit)
}

/// For each of the eight symmetries and each point around, the number of the point that comes to
/// its place.
fn symmetries() -> [[usize; 8]; 8] {
    std::array::from_fn(|symmetry| {
        AROUND.map(|(col, row)| {
            let (col, row) = if symmetry & 1 == 0 { (col, row) } else { (-col, row) };
            let (col, row) = if symmetry & 2 == 0 { (col, row) } else { (col, -row) };
            let (col, row) = if symmetry & 4 == 0 { (col, row) } else { (row, col) };
            AROUND.iter().position(|at| *at == (col, row)).unwrap_or_default()
        })
    })
}

/// The least of the codes of all eight symmetric images, by code. A code consists of groups of as
/// many bits as each image has places, which are all permuted alike.
fn least(images: &[Vec<usize>]) -> Box<[u16]> {
    let places = images[0].len();
    let tables: Vec<Vec<u16>> = images
        .iter()
        .map(|from| (0..1 << places).map(|group| permuted(group, from)).collect())
        .collect();
    let image = |code: u16, table: &[u16]| {
        (0..16 / places).fold(0, |all, group| {
            let bits = usize::from(code >> (group * places)) & (table.len() - 1);
            all | table[bits] << (group * places)
        })
    };
    let least = |code| tables.iter().map(|table| image(code, table)).min().unwrap_or(code);
    (0..=u16::MAX).map(least).collect()
}

static SHAPES: LazyLock<Box<[u16]>> =
    LazyLock::new(|| least(&symmetries().map(|from| from.to_vec())));

static CROSSINGS: LazyLock<Box<[u16]>> = LazyLock::new(|| {
    least(&symmetries().map(|from| {
        let place = |around: usize| BESIDE.iter().position(|at| *at == around).unwrap_or_default();
        BESIDE.iter().map(|&around| place(from[around])).collect()
    }))
});

/// For each code the one that stands for it and its symmetric images.
pub fn standing_for(kind: Kind) -> &'static [u16] {
    match kind {
        Kind::Shape => &SHAPES,
        Kind::Crossing => &CROSSINGS,
    }
}

/// What a code describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The eight points around.
    Shape,
    /// The four neighbours, with the liberties of their chains.
    Crossing,
}

/// `points` as seen from the point that is `col` columns and `row` rows away.
#[inline(always)]
fn shifted<const W: usize>(points: Bits<W>, (col, row): (i8, i8)) -> Bits<W> {
    let across = match col {
        -1 => points.shifted_up(1),
        1 => points.shifted_down(1),
        _ => points,
    };
    match row {
        -1 => across.shifted_up(Bits::<W>::STRIDE),
        1 => across.shifted_down(Bits::<W>::STRIDE),
        _ => across,
    }
}

/// The shapes and the crossings of all points of a board.
///
/// Each bit of the codes is a set of points, shifted; 24 sets make both codes of all points.
#[inline(always)]
pub fn codes<const W: usize>(
    board: Bits<W>,
    own: Bits<W>,
    other: Bits<W>,
    one_liberty: Bits<W>,
    two_liberties: Bits<W>,
) -> (Codes<W>, Codes<W>) {
    let off = AROUND.map(|at| board - shifted(board, at));
    let mut shape_bits = [Bits::EMPTY; 16];
    for (k, &at) in AROUND.iter().enumerate() {
        shape_bits[k] = shifted(own, at) | off[k];
        shape_bits[k + 8] = shifted(other, at) | off[k];
    }
    let mut crossing_bits = [Bits::EMPTY; 16];
    for (k, &around) in BESIDE.iter().enumerate() {
        crossing_bits[k] = shape_bits[around];
        crossing_bits[k + 4] = shape_bits[around + 8];
        crossing_bits[k + 8] = shifted(one_liberty, AROUND[around]);
        crossing_bits[k + 12] = shifted(two_liberties, AROUND[around]);
    }
    (gathered(&shape_bits), gathered(&crossing_bits))
}

/// The codes whose bits are those of 16 sets.
#[inline(always)]
// A quarter of a word; counted loops become vector code.
#[allow(clippy::cast_possible_truncation, clippy::needless_range_loop)]
fn gathered<const W: usize>(bits: &[Bits<W>; 16]) -> Codes<W> {
    const GROUP: usize = 16;
    let mut codes = [[0; 64]; W];
    for word in 0..W {
        for (group, codes) in codes[word].as_chunks_mut::<GROUP>().0.iter_mut().enumerate() {
            let mut all = [0_u16; GROUP];
            for (k, set) in bits.iter().enumerate() {
                let part = (set.words()[word] >> (group * GROUP)) as u16;
                for lane in 0..GROUP {
                    all[lane] |= if part & (1 << lane) == 0 { 0 } else { 1 << k };
                }
            }
            *codes = all;
        }
    }
    codes
}

/// The name of a code, such as `O../X*./###` of a shape, rows from the top, or `.,X2,#,O1` of a
/// crossing: north, east, south, west.
pub fn name(kind: Kind, code: u16) -> String {
    let side = |k: usize, places: usize| match (code >> k & 1, code >> (k + places) & 1) {
        (0, 0) => '.',
        (_, 0) => 'X',
        (0, _) => 'O',
        _ => '#',
    };
    match kind {
        Kind::Shape => {
            let at = |k: usize| side(k, 8);
            let rows = [[at(5), at(6), at(7)], [at(3), '*', at(4)], [at(0), at(1), at(2)]];
            rows.map(|row| row.iter().collect::<String>()).join("/")
        }
        Kind::Crossing => {
            let at = |k: usize| match side(k, 4) {
                stone @ ('X' | 'O') => {
                    let liberties = match (code >> (k + 8) & 1, code >> (k + 12) & 1) {
                        (1, _) => '1',
                        (_, 1) => '2',
                        _ => '3',
                    };
                    format!("{stone}{liberties}")
                }
                other => other.to_string(),
            };
            [at(3), at(2), at(0), at(1)].join(",")
        }
    }
}

/// The code of a name that [`name`] writes.
pub fn code_of(kind: Kind, text: &str) -> Option<u16> {
    let side = |stone: char| match stone {
        '.' => Some((0, 0)),
        'X' => Some((1, 0)),
        'O' => Some((0, 1)),
        '#' => Some((1, 1)),
        _ => None,
    };
    let mut code = 0_u16;
    match kind {
        Kind::Shape => {
            let places: Vec<char> = text.chars().collect();
            let [nw, n, ne, '/', w, '*', e, '/', sw, s, se] = places[..] else { return None };
            for (k, stone) in [sw, s, se, w, e, nw, n, ne].into_iter().enumerate() {
                let (own, other) = side(stone)?;
                code |= own << k | other << (k + 8);
            }
        }
        Kind::Crossing => {
            let places: Vec<&str> = text.split(',').collect();
            let [north, east, south, west] = places[..] else { return None };
            for (k, place) in [south, west, east, north].into_iter().enumerate() {
                let mut signs = place.chars();
                let stone = signs.next()?;
                let (own, other) = side(stone)?;
                let (one, two) = match (stone, signs.next()) {
                    ('.' | '#', None) | ('X' | 'O', Some('3')) => (0, 0),
                    ('X' | 'O', Some('1')) => (1, 0),
                    ('X' | 'O', Some('2')) => (0, 1),
                    _ => return None,
                };
                if signs.next().is_some() {
                    return None;
                }
                code |= own << k | other << (k + 4) | one << (k + 8) | two << (k + 12);
            }
        }
    }
    Some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for text in ["O../X*./###", "XXX/O*O/..."] {
            let code = code_of(Kind::Shape, text).unwrap();
            assert_eq!(name(Kind::Shape, code), text);
        }
        for text in [".,X2,#,O1", "X3,O3,.,."] {
            let code = code_of(Kind::Crossing, text).unwrap();
            assert_eq!(name(Kind::Crossing, code), text);
        }
        for text in ["", "O../X../###", "O../X*./##", "a../X*./###"] {
            assert_eq!(code_of(Kind::Shape, text), None, "{text}");
        }
        for text in ["", ".,X2,#", ".,X4,#,O1", ".,X,#,O1", ".1,X1,#,O1", ".,X11,#,O1"] {
            assert_eq!(code_of(Kind::Crossing, text), None, "{text}");
        }
    }

    /// A stone in one corner stands for all corners, and turning four times changes nothing.
    #[test]
    fn symmetric_codes_have_one_that_stands_for_them() {
        let same = |kind, texts: &[&str]| {
            let codes: Vec<u16> = texts
                .iter()
                .map(|text| standing_for(kind)[usize::from(code_of(kind, text).unwrap())])
                .collect();
            assert!(codes.iter().all(|code| *code == codes[0]), "{texts:?}: {codes:?}");
        };
        same(Kind::Shape, &["X../.*./...", "..X/.*./...", ".../.*./X..", ".../.*./..X"]);
        same(Kind::Shape, &["XO./.*./###", ".OX/.*./###", "###/.*./.OX", "#.X/#*O/#.."]);
        same(Kind::Crossing, &["X1,.,O2,#", "X1,#,O2,.", ".,X1,#,O2", "O2,.,X1,#"]);
        let different = ["XO./.*./###", "OX./.*./###"].map(|text| {
            standing_for(Kind::Shape)[usize::from(code_of(Kind::Shape, text).unwrap())]
        });
        assert_ne!(different[0], different[1]);
        for kind in [Kind::Shape, Kind::Crossing] {
            for code in standing_for(kind) {
                assert_eq!(standing_for(kind)[usize::from(*code)], *code);
            }
        }
    }
}
