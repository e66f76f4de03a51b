//! The position on the board and the moves that change it.

use super::bits::Bits;
use super::color::Color;
use super::rules::{Ko, Rules, Suicide};
use super::score::Score;
use super::size::Size;
use super::vertex::{Move, Vertex};
use super::zobrist;
use std::fmt;

/// No move is forbidden by ko.
const NO_KO: u16 = u16::MAX;
/// A lone stone was just put down and taken off as suicide: doing the same
/// would bring back the position before, as in a ko.
const KO_BY_SUICIDE: u16 = u16::MAX - 1;

/// A position in `W` words a colour: stones, player to move, ko point and the
/// number of passes just made. It knows no history, so no superko.
///
/// The stones are kept by player to move and opponent, since every question
/// that a playout asks is asked by the player to move. No chains are stored:
/// captures and liberties are flood fills in registers. `Copy`, 32 to 112
/// bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board<const W: usize> {
    own: Bits<W>,
    other: Bits<W>,
    hash: u64,
    ko: u16,
    size: Size,
    /// [`Color::index`] of the player to move. A number and no colour: a type
    /// with values that do not occur would have `Option<Board>` hide its `None`
    /// there, and then boards are copied in overlapping pieces, which the
    /// processor cannot read back before they have reached the cache.
    turn: u8,
    passes: u8,
}

/// Why a move is not legal.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq, Hash)]
pub enum IllegalMove {
    /// The vertex lies outside the board.
    #[error("the point is not on the board")]
    OffBoard,
    /// There is a stone.
    #[error("the point is occupied")]
    Occupied,
    /// The point was just captured in a ko.
    #[error("the ko may not be taken back at once")]
    Ko,
    /// The stone or its chain would be without liberty.
    #[error("the move is suicide")]
    Suicide,
    /// An earlier position would come back.
    #[error("the move repeats an earlier position")]
    Superko,
    /// Two passes or the limit of plies ended the game.
    #[error("the game is over")]
    GameOver,
}

/// A set-up that no game can reach.
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

/// What a play takes off the board.
#[derive(Clone, Copy)]
struct Effect<const W: usize> {
    /// Stones of the opponent.
    captured: Bits<W>,
    /// Stones of the player, the new one included: a suicide.
    lost: Bits<W>,
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

    /// The board of `size` with the given stones, no ko and no passes.
    ///
    /// # Errors
    /// If a stone is off the board or on another one, or a chain has no
    /// liberty.
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

    /// The same position in `V` words: equal moves lead to equal positions.
    ///
    /// # Panics
    /// If the board does not fit into `V` words.
    #[must_use]
    pub fn repacked<const V: usize>(&self) -> Board<V> {
        let mut board = Board::<V>::new(self.size);
        board.turn = self.turn;
        for color in Color::BOTH {
            for index in self.stones(color).iter() {
                board.place(color, Bits::<V>::index(Bits::<W>::vertex(index)));
            }
        }
        board.ko = match self.ko() {
            #[allow(clippy::cast_possible_truncation)] // an index is below 384
            Some(vertex) => Bits::<V>::index(vertex) as u16,
            None => self.ko,
        };
        board.passes = self.passes;
        board
    }

    /// Width and height.
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

    /// The passes since the last play, 0 to 2.
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

    /// The Zobrist hash of the stones; it does not tell who is to move.
    #[inline]
    #[must_use]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// The point that the player to move may not take back under simple ko.
    #[inline]
    #[must_use]
    pub const fn ko(&self) -> Option<Vertex> {
        match self.ko {
            NO_KO | KO_BY_SUICIDE => None,
            index => Some(Bits::<W>::vertex(index as usize)),
        }
    }

    /// The ko point as a set.
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

    /// Makes `color` the player to move. If that is a change, the ko and the
    /// passes, which belong to the other player's turn, are forgotten.
    pub fn turn_to(&mut self, color: Color) {
        if color != self.to_play() {
            std::mem::swap(&mut self.own, &mut self.other);
            self.turn ^= 1;
            self.ko = NO_KO;
            self.passes = 0;
        }
    }

    /// Whether the player to move may make `candidate`; superko is not asked.
    ///
    /// # Errors
    /// The reason why it is illegal.
    pub fn check(&self, candidate: Move, rules: Rules) -> Result<(), IllegalMove> {
        let Move::Play(vertex) = candidate else {
            return Ok(());
        };
        if !vertex.is_on(self.size) {
            return Err(IllegalMove::OffBoard);
        }
        let index = Bits::<W>::index(vertex);
        if !self.empty().contains(index) {
            return Err(IllegalMove::Occupied);
        }
        if rules.ko == Ko::Simple && usize::from(self.ko) == index {
            return Err(IllegalMove::Ko);
        }
        // A point beside an empty one is never suicide.
        if Bits::<W>::point(index).neighbors().intersects(self.empty()) {
            return Ok(());
        }
        self.check_suicide(self.effect(index), rules)
    }

    /// The points where the player to move may put a stone; superko is not
    /// asked.
    #[must_use]
    pub fn legal_points(&self, rules: Rules) -> Bits<W> {
        let mut candidates = self.empty();
        if rules.ko == Ko::Simple {
            candidates = candidates - self.ko_set();
        }
        // A point beside an empty one is never suicide.
        let open = candidates & self.empty().neighbors();
        let mut legal = open;
        for index in (candidates - open).iter() {
            if self.check_suicide(self.effect(index), rules).is_ok() {
                legal |= Bits::point(index);
            }
        }
        legal
    }

    /// Makes `candidate` for the player to move; superko is not asked.
    ///
    /// # Errors
    /// The reason why it is illegal; the board is then unchanged.
    pub fn play(&mut self, candidate: Move, rules: Rules) -> Result<(), IllegalMove> {
        self.check(candidate, rules)?;
        self.play_unchecked(candidate);
        Ok(())
    }

    /// Makes a move that is known to be legal under the rules of the game.
    #[inline]
    pub fn play_unchecked(&mut self, legal: Move) {
        match legal {
            Move::Pass => self.pass(),
            Move::Play(vertex) => self.play_at(Bits::<W>::index(vertex)),
        }
    }

    /// The player to move passes.
    #[inline]
    pub fn pass(&mut self) {
        self.ko = NO_KO;
        self.passes = (self.passes + 1).min(2);
        self.end_turn();
    }

    /// The player to move puts a stone on the point `index`, which is empty.
    #[inline]
    pub fn play_at(&mut self, index: usize) {
        self.apply(index, self.effect(index));
    }

    /// The player to move puts a stone on the empty point `index` unless that
    /// is suicide of any number of stones; tells whether it was played. Ko is
    /// not asked.
    #[inline]
    pub fn play_unless_suicide(&mut self, index: usize) -> bool {
        let effect = self.effect(index);
        let legal = effect.lost.is_empty();
        if legal {
            self.apply(index, effect);
        }
        legal
    }

    /// The hash after a play on the empty point `index`.
    #[inline]
    #[must_use]
    pub fn hash_after(&self, index: usize) -> u64 {
        let stone = Bits::<W>::point(index);
        let near = stone.neighbors();
        if !near.intersects(self.other) && near.intersects(self.empty()) {
            return self.hash ^ zobrist::key::<W>(self.to_play(), index);
        }
        let mut next = *self;
        next.play_at(index);
        next.hash
    }

    /// The eyes of the player to move: empty points whose neighbours are all
    /// own stones and of whose diagonal points fewer than two, at the edge
    /// none, hold stones of the opponent.
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

    /// Points where a stone of the player to move would be taken off at once,
    /// as far as `rounds` steps tell: surrounded by stones of the opponent,
    /// each in a chain that is seen to have two liberties. A chain is seen to
    /// if a stone beside two empty points is reached by so many steps, one
    /// along a row and then one along a column, through stones of its colour.
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

    /// The areas of Black and of White: stones, and empty regions that touch
    /// stones of one colour only. Dead stones are not taken off.
    #[inline]
    #[must_use]
    pub fn areas(&self) -> [Bits<W>; 2] {
        let empty = self.empty();
        let [black, white] = Color::BOTH.map(|color| self.stones(color));
        let (by_black, by_white) = (black.neighbors().flood(empty), white.neighbors().flood(empty));
        [black | (by_black - by_white), white | (by_white - by_black)]
    }

    /// Black's area minus White's: stones, and empty regions that touch stones
    /// of one colour only. Dead stones are not taken off.
    #[inline]
    #[must_use]
    pub fn area_score(&self) -> Score {
        let empty = self.empty();
        let own = self.own.neighbors().flood(empty);
        let other = self.other.neighbors().flood(empty);
        #[allow(clippy::cast_possible_wrap)] // at most 361 points
        let lead = ((self.own | (own - other)).count() as i32)
            - ((self.other | (other - own)).count() as i32);
        Score::from_points(if self.to_play() == Color::Black { lead } else { -lead })
    }

    /// What a play of the player to move on the empty point `index` takes off.
    #[inline]
    fn effect(&self, index: usize) -> Effect<W> {
        let stone = Bits::point(index);
        let near = stone.neighbors();
        let empty = self.empty() - stone;
        let captured = without_escape(near & self.other, self.other, empty);
        let lost = if captured.is_empty() && !near.intersects(empty) {
            without_escape(stone, self.own | stone, empty)
        } else {
            Bits::EMPTY
        };
        Effect { captured, lost }
    }

    fn check_suicide(&self, effect: Effect<W>, rules: Rules) -> Result<(), IllegalMove> {
        match (rules.suicide, effect.lost.count()) {
            (_, 0) => Ok(()),
            (Suicide::No, _) | (Suicide::Multi, 1) => Err(IllegalMove::Suicide),
            (Suicide::All, 1) if rules.ko == Ko::Simple && self.ko == KO_BY_SUICIDE => {
                Err(IllegalMove::Ko)
            }
            _ => Ok(()),
        }
    }

    #[inline]
    fn apply(&mut self, index: usize, effect: Effect<W>) {
        debug_assert!(self.empty().contains(index), "a stone is put on an empty point");
        let near = Bits::<W>::point(index).neighbors();
        let lone = !near.intersects(self.own);
        self.place(self.to_play(), index);
        self.ko = NO_KO;
        self.passes = 0;
        if !effect.captured.is_empty() {
            for taken in effect.captured.iter() {
                self.remove(!self.to_play(), taken);
            }
            if lone && effect.captured.count() == 1 && (near & self.empty()).count() == 1 {
                #[allow(clippy::cast_possible_truncation)] // an index is below 384
                let point = effect.captured.nth(0) as u16;
                self.ko = point;
            }
        } else if !effect.lost.is_empty() {
            for taken in effect.lost.iter() {
                self.remove(self.to_play(), taken);
            }
            if effect.lost.count() == 1 {
                self.ko = KO_BY_SUICIDE;
            }
        }
        self.end_turn();
    }

    #[inline]
    fn end_turn(&mut self) {
        std::mem::swap(&mut self.own, &mut self.other);
        self.turn ^= 1;
    }

    /// With [`Self::remove`] the one door through which stones and hash change.
    #[inline]
    fn place(&mut self, color: Color, index: usize) {
        if color == self.to_play() {
            self.own |= Bits::point(index);
        } else {
            self.other |= Bits::point(index);
        }
        self.hash ^= zobrist::key::<W>(color, index);
    }

    #[inline]
    fn remove(&mut self, color: Color, index: usize) {
        if color == self.to_play() {
            self.own = self.own - Bits::point(index);
        } else {
            self.other = self.other - Bits::point(index);
        }
        self.hash ^= zobrist::key::<W>(color, index);
    }

    /// Stones in chains that have no liberty: none between moves.
    fn without_liberty(&self) -> Bits<W> {
        let free = self.empty().neighbors();
        (self.own - free.flood(self.own)) | (self.other - free.flood(self.other))
    }

    /// Recomputes every derived value, slowly, and compares.
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

/// The stones of `chains` in chains through `touched` that have no liberty in
/// `empty`.
///
/// Grown outward from the liberties: most chains have one nearby, so that two
/// or three rounds reach every touched stone.
#[inline]
fn without_escape<const W: usize>(touched: Bits<W>, chains: Bits<W>, empty: Bits<W>) -> Bits<W> {
    if touched.is_empty() {
        return Bits::EMPTY;
    }
    let mut free = empty.neighbors() & chains;
    loop {
        let taken = touched - free;
        if taken.is_empty() {
            return taken;
        }
        let grown = free | (free.neighbors() & chains);
        if grown == free {
            return taken.flood(chains);
        }
        free = grown;
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
