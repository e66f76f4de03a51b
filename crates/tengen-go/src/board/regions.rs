//! Eyes, evident suicides and areas: sets of points that playouts compute for the
//! whole board at once.

use super::Board;
use crate::bits::Bits;
use crate::color::Color;
use crate::score::Score;

/// Steps through a chain in [`Board::evidently_safe`]: more steps find few more safe stones.
const STEPS: usize = 3;

impl<const W: usize> Board<W> {
    /// The one-point eyes of the player to move, which playouts do not fill. The neighbours of such
    /// an empty point are all own stones. The opponent has at most one stone on its diagonals, at
    /// the edge none.
    #[inline]
    #[must_use]
    pub fn eyes(&self) -> Bits<W> {
        let board = Bits::<W>::board(self.size);
        let surrounded = self.empty() - (board - self.own).neighbors();
        if surrounded.is_empty() {
            return surrounded;
        }
        let north = self.other.shifted_up(Bits::<W>::STRIDE);
        let south = self.other.shifted_down(Bits::<W>::STRIDE);
        let (a, b) = (north.shifted_up(1), north.shifted_down(1));
        let (c, d) = (south.shifted_up(1), south.shifted_down(1));
        let one = a | b | c | d;
        let two = (a & b) | (c & d) | ((a | b) & (c | d));
        surrounded - (two | (one & Bits::edge(self.size)))
    }

    /// Points that are evidently suicide for the player to move: all neighbours are stones of the
    /// opponent, each in a chain found to have two liberties.
    ///
    /// The two liberties are found if a stone of the chain is beside two empty points and at most
    /// `rounds` steps through the chain lead from this stone to the neighbour. A step moves by at
    /// most one point along the row, then by at most one along the column. The set omits all other
    /// suicides.
    #[inline]
    #[must_use]
    pub fn evident_suicides(&self, rounds: usize) -> Bits<W> {
        let empty = self.empty();
        let (a, b) = (empty.shifted_up(1), empty.shifted_down(1));
        let (c, d) = (empty.shifted_up(Bits::<W>::STRIDE), empty.shifted_down(Bits::<W>::STRIDE));
        let mut safe = self.other & ((a & b) | (c & d) | ((a | b) & (c | d)));
        for _ in 0..rounds {
            safe |= (safe.shifted_up(1) | safe.shifted_down(1)) & self.other;
            let stride = Bits::<W>::STRIDE;
            safe |= (safe.shifted_up(stride) | safe.shifted_down(stride)) & self.other;
        }
        empty - (empty | self.own | (self.other - safe)).neighbors()
    }

    /// The stones among `stones`, all of one player, in chains found to have two liberties. Either
    /// a stone of the chain is beside two empty points, or two adjacent stones are beside one each,
    /// always different points. At most `STEPS` steps through the chain lead from there to the
    /// stone.
    #[inline]
    pub(super) fn evidently_safe(&self, stones: Bits<W>) -> Bits<W> {
        let empty = self.empty();
        let (a, b) = (empty.shifted_up(1), empty.shifted_down(1));
        let (c, d) = (empty.shifted_up(Bits::<W>::STRIDE), empty.shifted_down(Bits::<W>::STRIDE));
        let two = (a & b) | (c & d) | ((a | b) & (c | d));
        let beside = stones & (a | b | c | d);
        let mut safe = (stones & two) | (beside & beside.neighbors());
        for _ in 0..STEPS {
            safe |= safe.neighbors() & stones;
        }
        safe
    }

    /// The points among the empty points `points` where a play of the player to move evidently
    /// takes no stone off: points beside an empty point, whose neighbours of the opponent are all
    /// in chains found to have two liberties.
    #[inline]
    #[must_use]
    pub fn evidently_quiet(&self, points: Bits<W>) -> Bits<W> {
        let at_risk = self.other - self.evidently_safe(self.other);
        (points & self.empty().neighbors()) - at_risk.neighbors()
    }

    /// The areas of Black and of White by area scoring: their stones, and the empty
    /// regions that touch stones of that colour only. Dead stones are not taken off.
    #[inline]
    #[must_use]
    pub fn areas(&self) -> [Bits<W>; 2] {
        let empty = self.empty();
        let [black, white] = Color::BOTH.map(|color| self.stones(color));
        let (by_black, by_white) = (black.neighbors().flood(empty), white.neighbors().flood(empty));
        [black | (by_black - by_white), white | (by_white - by_black)]
    }

    /// The area score of the position as it stands, before komi: Black's area
    /// minus White's ([`Self::areas`]).
    #[inline]
    #[must_use]
    pub fn area_score(&self) -> Score {
        let [black, white] = self.areas().map(|area| area.count().cast_signed());
        Score::from_points(black - white)
    }
}
