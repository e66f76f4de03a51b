//! A position: the stones on the board and the player to move.

mod moves;
mod regions;

use super::bits::Bits;
use super::color::Color;
use super::size::Size;
use super::vertex::Vertex;
use super::zobrist;
use std::fmt;

/// The field `ko` of a [`Board`] when ko forbids no move.
const NO_KO: u16 = u16::MAX;
/// The field `ko` of a [`Board`] after the suicide of a single stone. A single-stone
/// suicide by the other player would then repeat the position, so simple ko forbids it.
const KO_BY_SUICIDE: u16 = u16::MAX - 1;

/// A position: stones (in `W` words per colour), player to move, ko point and the number of passes
/// since the last play. It stores no history, so it cannot check superko.
///
/// The board stores the stones of the player to move and of the opponent, not of Black and of
/// White, as playouts read them. It stores no chains: flood fills compute captures and liberties
/// when they are needed. `Copy`, 32 to 112 bytes.
///
/// # Examples
/// ```
/// use tengen_go::{Board, Color, Komi, Preset, Rules};
///
/// let position = "
///     . X .
///     X O .
///     . X .";
/// let mut board = Board::<1>::from_diagram(position, Color::Black)?;
/// let rules = Rules::new(Preset::Tengen, board.size(), Komi::default());
/// board.play("C2".parse()?, rules)?;
/// assert_eq!(format!("\n{board}"), "
///  3 . X .
///  2 X . X
///  1 . X .
///    A B C");
/// assert_eq!(board.to_play(), Color::White);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board<const W: usize> {
    /// Stones of the player to move.
    own: Bits<W>,
    /// Stones of the opponent.
    other: Bits<W>,
    hash: u64,
    /// The index of the ko point, [`NO_KO`] or [`KO_BY_SUICIDE`].
    ko: u16,
    size: Size,
    /// [`Color::index`] of the player to move. It is not a [`Color`], because the compiler would
    /// store the `None` of an `Option<Board>` in an unused value of this field. It would then copy
    /// boards in overlapping pieces, and reads would wait until the writes had reached the cache.
    turn: u8,
    passes: u8,
}

/// The reason why a move is illegal.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq, Hash)]
pub enum IllegalMove {
    /// The vertex lies outside the board.
    #[error("the point is not on the board")]
    OffBoard,
    /// There is a stone on the point.
    #[error("the point is occupied")]
    Occupied,
    /// Simple ko: the play retakes a ko at once, or is a suicide of one stone right after another
    /// such suicide.
    #[error("simple ko: the move would repeat the position before the opponent's move")]
    Ko,
    /// The chain of the new stone would have no liberty.
    #[error("the move is suicide")]
    Suicide,
    /// Superko: the play would repeat an earlier position.
    #[error("the move repeats an earlier position")]
    Superko,
    /// Two passes or the limit of plies have ended the game.
    #[error("the game is over")]
    GameOver,
}

/// An invalid set-up of stones: no game can reach the position.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
pub enum SetupError {
    /// A stone lies outside the board.
    #[error("there is a stone on {0}, which is not on the board")]
    OffBoard(Vertex),
    /// A point holds stones of both colours.
    #[error("{0} holds a stone of each colour")]
    TwoStones(Vertex),
    /// A chain has no liberty.
    #[error("the chain at {0} has no liberty")]
    NoLiberty(Vertex),
}

impl<const W: usize> Board<W> {
    /// The empty board, Black to move.
    ///
    /// # Panics
    /// If `size` does not fit into `W` words.
    #[must_use]
    pub fn new(size: Size) -> Self {
        assert!(Bits::<W>::fits(size), "a {size} board does not fit into {W} words");
        Self { own: Bits::EMPTY, other: Bits::EMPTY, hash: 0, ko: NO_KO, size, turn: 0, passes: 0 }
    }

    /// The position with these stones on a board of `size`, without a ko point or passes. Refuses a
    /// stone off the board, stones of both colours on a point, and a chain without liberties.
    ///
    /// # Panics
    /// If `size` does not fit into `W` words.
    pub fn set_up(
        size: Size,
        black: &[Vertex],
        white: &[Vertex],
        to_play: Color,
    ) -> Result<Self, SetupError> {
        let mut board = Self::new(size);
        for (color, vertices) in [(Color::Black, black), (Color::White, white)] {
            for &vertex in vertices {
                if !vertex.is_on(size) {
                    return Err(SetupError::OffBoard(vertex));
                }
                match board.at(vertex) {
                    Some(there) if there != color => return Err(SetupError::TwoStones(vertex)),
                    Some(_) => {}
                    None => board.place(color, Bits::<W>::index(vertex)),
                }
            }
        }
        board.turn_to(to_play);
        match board.without_liberty().iter().next() {
            Some(index) => Err(SetupError::NoLiberty(Bits::<W>::vertex(index))),
            None => Ok(board),
        }
    }

    /// The same position in `V` words per set instead of `W`.
    ///
    /// # Panics
    /// If the board does not fit into `V` words.
    #[must_use]
    pub fn repacked<const V: usize>(&self) -> Board<V> {
        let mut board = Board::<V>::new(self.size);
        board.turn = self.turn;
        board.own = self.own.repacked(self.size);
        board.other = self.other.repacked(self.size);
        // The keys of a vertex do not depend on the layout.
        board.hash = self.hash;
        board.ko = match self.ko() {
            #[allow(clippy::cast_possible_truncation)] // an index is below 384
            Some(vertex) => Bits::<V>::index(vertex) as u16,
            None => self.ko,
        };
        board.passes = self.passes;
        board
    }

    /// The size of the board.
    #[inline]
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The player to move.
    #[inline]
    #[must_use]
    pub const fn to_play(&self) -> Color {
        if self.turn == 0 { Color::Black } else { Color::White }
    }

    /// The number of passes since the last play, 0 to 2.
    #[inline]
    #[must_use]
    pub const fn passes(&self) -> u8 {
        self.passes
    }

    /// Whether two passes have ended the game.
    #[inline]
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.passes >= 2
    }

    /// The Zobrist hash of the stones; the player to move is no part of it.
    #[inline]
    #[must_use]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// The ko point: where the player to move may not play under simple ko.
    #[inline]
    #[must_use]
    pub const fn ko(&self) -> Option<Vertex> {
        match self.ko {
            NO_KO | KO_BY_SUICIDE => None,
            index => Some(Bits::<W>::vertex(index as usize)),
        }
    }

    /// The set of the ko point; empty without a ko point.
    #[inline]
    #[must_use]
    pub fn ko_set(&self) -> Bits<W> {
        match self.ko {
            NO_KO | KO_BY_SUICIDE => Bits::EMPTY,
            index => Bits::point(usize::from(index)),
        }
    }

    /// The stones of `color`.
    #[inline]
    #[must_use]
    pub fn stones(&self, color: Color) -> Bits<W> {
        if color == self.to_play() { self.own } else { self.other }
    }

    /// The number of stones of both colours.
    #[inline]
    #[must_use]
    pub fn stone_count(&self) -> u32 {
        (self.own | self.other).count()
    }

    /// The points without a stone.
    #[inline]
    #[must_use]
    pub fn empty(&self) -> Bits<W> {
        Bits::board(self.size) - (self.own | self.other)
    }

    /// The stone on `vertex`, which must be on the board.
    #[must_use]
    pub fn at(&self, vertex: Vertex) -> Option<Color> {
        let index = Bits::<W>::index(vertex);
        Color::BOTH.into_iter().find(|&color| self.stones(color).contains(index))
    }

    /// Makes `color` the player to move. If the other player was to move, the ko point
    /// and the number of passes are cleared.
    pub fn turn_to(&mut self, color: Color) {
        if color != self.to_play() {
            std::mem::swap(&mut self.own, &mut self.other);
            self.turn ^= 1;
            self.ko = NO_KO;
            self.passes = 0;
        }
    }

    /// Adds a stone. Stones and hash change only here and in [`Self::remove`].
    #[inline]
    fn place(&mut self, color: Color, index: usize) {
        if color == self.to_play() {
            self.own |= Bits::point(index);
        } else {
            self.other |= Bits::point(index);
        }
        self.hash ^= zobrist::key::<W>(color, index);
    }

    /// Removes a stone.
    #[inline]
    fn remove(&mut self, color: Color, index: usize) {
        if color == self.to_play() {
            self.own = self.own - Bits::point(index);
        } else {
            self.other = self.other - Bits::point(index);
        }
        self.hash ^= zobrist::key::<W>(color, index);
    }

    /// The stones in chains without liberty: none in a valid position.
    fn without_liberty(&self) -> Bits<W> {
        let free = self.empty().neighbors();
        (self.own - free.flood(self.own)) | (self.other - free.flood(self.other))
    }

    /// Checks the position against a slow computation of every derived value.
    ///
    /// # Panics
    /// If the position contradicts itself.
    pub fn assert_valid(&self) {
        let board = Bits::<W>::board(self.size);
        assert!((self.own & self.other).is_empty(), "two stones on a point\n{self}");
        assert!(((self.own | self.other) - board).is_empty(), "a stone off the board\n{self}");
        assert!(self.without_liberty().is_empty(), "a chain without liberty\n{self}");
        let hash = Color::BOTH
            .into_iter()
            .flat_map(|color| self.stones(color).iter().map(move |i| zobrist::key::<W>(color, i)))
            .fold(0, |hash, key| hash ^ key);
        assert_eq!(self.hash, hash, "the hash is stale\n{self}");
        assert!(self.passes <= 2, "more than two passes\n{self}");
        if self.ko().is_some() {
            assert_eq!(self.passes, 0, "a ko after a pass\n{self}");
            let index = usize::from(self.ko);
            assert!(self.empty().contains(index), "a ko on a stone\n{self}");
            assert_eq!(self.effect(index).captured.count(), 1, "a ko without a capture\n{self}");
        }
    }
}

impl<const W: usize> fmt::Debug for Board<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_stay_small() {
        assert!(size_of::<Board<1>>() <= 40);
        assert!(size_of::<Board<2>>() <= 64);
        assert!(size_of::<Board<3>>() <= 80);
        assert!(size_of::<Board<6>>() <= 128);
    }
}
