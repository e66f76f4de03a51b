//! What the superko rules remember of a game.

use super::bits::Bits;
use super::board::Board;
use super::color::Color;
use super::rules::Ko;
use super::vertex::Move;
use super::zobrist;

/// Counters of the filter, a power of two.
const FILTER: usize = 2048;

/// The positions of a game as its superko rule sees them.
///
/// A stack, so that a search can push the plies of a line and take them back.
/// Positions are told apart by their 64-bit hashes. A question costs a look
/// into a small filter; one in (plies / 2048) also a scan of the stack.
#[derive(Clone, Debug)]
pub struct History {
    ko: Ko,
    /// A key a ply; `None` where the ply left nothing to remember.
    keys: Vec<Option<u64>>,
    /// How many of the keys fall on each counter.
    filter: Box<[u16; FILTER]>,
}

impl History {
    /// The history of a game under `ko` that begins at `start`.
    #[must_use]
    pub fn new<const W: usize>(ko: Ko, start: &Board<W>) -> Self {
        let mut history = Self { ko, keys: Vec::new(), filter: Box::new([0; FILTER]) };
        // Under NSSK the first position counts as the opponent's creation.
        let key = history.key(start.hash(), start.to_play());
        history.push_key(key);
        history
    }

    /// Remembers the position `after` that `mv` led to.
    pub fn push<const W: usize>(&mut self, mv: Move, after: &Board<W>) {
        let key = match (self.ko, mv) {
            // A pass creates no position.
            (Ko::Nssk, Move::Pass) => None,
            _ => self.key(after.hash(), after.to_play()),
        };
        self.push_key(key);
    }

    /// Takes back the last push.
    pub fn pop(&mut self) {
        if let Some(Some(key)) = self.keys.pop() {
            self.filter[slot(key)] -= 1;
        }
    }

    /// Whether a play that leads to the position `hash` with `to_play` to move
    /// is forbidden.
    #[inline]
    #[must_use]
    pub fn repeats(&self, hash: u64, to_play: Color) -> bool {
        self.key(hash, to_play)
            .is_some_and(|key| self.filter[slot(key)] > 0 && self.keys.contains(&Some(key)))
    }

    /// Those of `points`, legal plays of the player to move on `board` but for
    /// superko, that repeat nothing.
    #[inline]
    #[must_use]
    pub fn without_repeats<const W: usize>(&self, board: &Board<W>, points: Bits<W>) -> Bits<W> {
        let mut allowed = points;
        if matches!(self.ko, Ko::Psk | Ko::Ssk | Ko::Nssk) {
            for index in points.iter() {
                if self.repeats(board.hash_after(index), !board.to_play()) {
                    allowed = allowed - Bits::point(index);
                }
            }
        }
        allowed
    }

    /// Under SSK the player to move is part of the situation; under NSSK it is
    /// the player who created it, and that is always the other one.
    #[inline]
    fn key(&self, hash: u64, to_play: Color) -> Option<u64> {
        match self.ko {
            Ko::None | Ko::Simple => None,
            Ko::Psk => Some(hash),
            Ko::Ssk | Ko::Nssk => Some(match to_play {
                Color::Black => hash,
                Color::White => hash ^ zobrist::WHITE_TO_PLAY,
            }),
        }
    }

    fn push_key(&mut self, key: Option<u64>) {
        self.keys.push(key);
        if let Some(key) = key {
            self.filter[slot(key)] += 1;
        }
    }
}

#[inline]
#[allow(clippy::cast_possible_truncation)] // the low bits are wanted
const fn slot(key: u64) -> usize {
    key as usize % FILTER
}
