//! What is counted over the playouts of one position.

use tengen::go::{Bits, Color, Komi, Size};
use tengen::playout::Playout;

/// The arrays that are requested beside scores and lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Who owns each point at the end.
    pub ownership: bool,
    /// Who plays on each point first.
    pub first_plays: bool,
}

/// Counts for each point the sets that contain it, a binary digit of all points at a time: adding a set costs about two
/// operations a word, whatever the number of points.
#[derive(Clone, Debug)]
struct Counter<const W: usize> {
    /// A set of points for each binary digit of the counts, the lowest digit first.
    digits: Vec<[u64; W]>,
}

impl<const W: usize> Counter<W> {
    const fn new() -> Self {
        Self { digits: Vec::new() }
    }

    /// Counts the points of `set`.
    #[inline]
    fn add(&mut self, set: Bits<W>) {
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
    fn add_to(&self, size: Size, counts: &mut [i64]) {
        for (digit, &words) in self.digits.iter().enumerate() {
            for index in Bits::<W>::from_words(words).iter() {
                counts[size.number(Bits::<W>::vertex(index))] += 1 << digit;
            }
        }
    }
}

/// The counters of a position, each by colour.
#[derive(Clone, Debug)]
pub struct Tally<const W: usize> {
    owned: [Counter<W>; 2],
    plays: [Counter<W>; 2],
    /// The first plays in playouts that the colour wins.
    winning: [Counter<W>; 2],
    /// The first plays in drawn playouts.
    drawn: [Counter<W>; 2],
}

/// Sums over the playouts of a position, by point, of Black then White: areas, first plays, and
/// results of first plays in half wins.
pub type Sums = [[Vec<i64>; 2]; 3];

impl<const W: usize> Tally<W> {
    pub const fn new() -> Self {
        Self {
            owned: [const { Counter::new() }; 2],
            plays: [const { Counter::new() }; 2],
            winning: [const { Counter::new() }; 2],
            drawn: [const { Counter::new() }; 2],
        }
    }

    /// Counts `playout`, whose winner follows from `komi`.
    #[inline]
    pub fn add(&mut self, playout: &Playout<W>, wanted: Wanted, komi: Komi) {
        if let Some(areas) = playout.area.filter(|_| wanted.ownership) {
            self.owned.iter_mut().zip(areas).for_each(|(counter, area)| counter.add(area));
        }
        if wanted.first_plays {
            let winner = (playout.score - komi).winner();
            for (color, set) in Color::BOTH.into_iter().zip(playout.first_plays) {
                self.plays[color.index()].add(set);
                match winner {
                    None => self.drawn[color.index()].add(set),
                    Some(winner) if winner == color => self.winning[color.index()].add(set),
                    Some(_) => {}
                }
            }
        }
    }

    pub fn add_to(&self, size: Size, [owned, plays, results]: &mut Sums) {
        for color in 0..2 {
            self.owned[color].add_to(size, &mut owned[color]);
            self.plays[color].add_to(size, &mut plays[color]);
            // A win is two half wins, a draw one.
            self.winning[color].add_to(size, &mut results[color]);
            self.winning[color].add_to(size, &mut results[color]);
            self.drawn[color].add_to(size, &mut results[color]);
        }
    }
}
