//! The earlier positions of a game, for the superko rules.

use super::bits::Bits;
use super::board::Board;
use super::color::Color;
use super::rules::Ko;
use super::vertex::Move;
use super::zobrist;

/// Number of counters in the filter of a [`History`], a power of two.
const FILTER: usize = 2048;

/// Counts keys by their lowest bits. A set of bits in few cache lines answers the frequent question
/// whether a counter is zero.
#[derive(Clone, Debug)]
struct Filter {
    /// A bit for each counter that is not zero.
    present: [u64; FILTER / 64],
    counters: [u16; FILTER],
}

/// The earlier positions of a game as its superko rule compares them.
///
/// It is a stack: a search pushes the plies of a line and pops them again. Keys of 64 bits, made
/// from Zobrist hashes, stand for the positions. A filter counts the keys by their lowest bits:
/// [`Self::repeats`] scans the stack only if the counter of a key is not zero, after p plies in
/// about p of 2048 calls.
///
/// # Examples
/// ```
/// use tengen_go::{Bits, Board, Color, History, Komi, Move, Preset, Rules};
///
/// let mut board = Board::<1>::from_diagram(".XO./XO.O/.XO./....", Color::Black)?;
/// let rules = Rules::new(Preset::Tengen, board.size(), Komi::default());
/// let mut history = History::new(rules.ko, &board);
/// let capture: Move = "C3".parse()?;
/// board.play(capture, rules)?;
/// history.push(capture, &board);
/// let recapture = Bits::<1>::index("B3".parse()?);
/// assert!(history.repeats(board.hash_after(recapture), Color::Black));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct History {
    ko: Ko,
    /// One key per ply; `None` where the ply created no position to compare.
    keys: Vec<Option<u64>>,
    filter: Box<Filter>,
    /// The keys added by [`Self::push_ahead`], which the filter does not count.
    ahead: Vec<u64>,
}

impl History {
    /// The history of a game that begins at `start`, under the ko rule `ko`.
    #[must_use]
    pub fn new<const W: usize>(ko: Ko, start: &Board<W>) -> Self {
        let (keys, ahead, filter) = (Vec::new(), Vec::new(), Box::new(Filter::EMPTY));
        let mut history = Self { ko, keys, filter, ahead };
        // Under NSSK the first position counts as created by the player who does not begin.
        let key = history.key(start.hash(), start.to_play());
        history.push_key(key);
        history
    }

    /// Adds the position `after`, to which the move `mv` led.
    pub fn push<const W: usize>(&mut self, mv: Move, after: &Board<W>) {
        let key = self.key_after(mv, after);
        self.push_key(key);
    }

    /// Adds the position `after`, to which the move `mv` led, until [`Self::forget_ahead`]. It
    /// suits the short lines of a search, which mostly end before a position is compared: the
    /// filter does not count the position, and every comparison scans it.
    #[inline]
    pub fn push_ahead<const W: usize>(&mut self, mv: Move, after: &Board<W>) {
        if let Some(key) = self.key_after(mv, after) {
            self.ahead.push(key);
        }
    }

    /// Removes the positions added by [`Self::push_ahead`].
    #[inline]
    pub fn forget_ahead(&mut self) {
        self.ahead.clear();
    }

    /// The key of the position `after`, to which the move `mv` led.
    #[inline]
    fn key_after<const W: usize>(&self, mv: Move, after: &Board<W>) -> Option<u64> {
        match (self.ko, mv) {
            // A pass creates no position.
            (Ko::Nssk, Move::Pass) => None,
            _ => self.key(after.hash(), after.to_play()),
        }
    }

    /// Removes the position added last.
    pub fn pop(&mut self) {
        if let Some(Some(key)) = self.keys.pop() {
            self.filter.remove(key);
        }
    }

    /// Whether superko forbids a play that leads to the position of `hash` with
    /// `to_play` to move.
    #[inline]
    #[must_use]
    pub fn repeats(&self, hash: u64, to_play: Color) -> bool {
        self.key(hash, to_play).is_some_and(|key| self.holds(key))
    }

    /// The points among `points` where superko allows a play of the player to move on `board`. All
    /// `points` must be legal by the other rules.
    ///
    /// Most plays take no stone off: the key after such a play is the key of the position xor the
    /// key of the stone.
    #[inline]
    #[must_use]
    pub fn without_repeats<const W: usize>(&self, board: &Board<W>, points: Bits<W>) -> Bits<W> {
        let Some(key) = self.key(board.hash(), !board.to_play()) else { return points };
        let stones = zobrist::keys::<W>(board.to_play());
        let quiet = board.evidently_quiet(points);
        let mut allowed = points;
        for index in quiet.iter() {
            if self.holds(key ^ stones[index]) {
                allowed = allowed - Bits::point(index);
            }
        }
        self.without_repeating_takes(board, allowed, points - quiet)
    }

    /// Like [`Self::without_repeats`], where no earlier position has more stones than `board`: a
    /// play that takes no stone off then leads to more stones than before, and repeats no position.
    #[inline]
    #[must_use]
    pub fn without_repeats_of_most<const W: usize>(
        &self,
        board: &Board<W>,
        points: Bits<W>,
    ) -> Bits<W> {
        if matches!(self.ko, Ko::None | Ko::Simple) {
            return points;
        }
        self.without_repeating_takes(board, points, points - board.evidently_quiet(points))
    }

    /// `allowed` without the points of `takes` that superko forbids; plays there may take stones
    /// off.
    #[inline]
    fn without_repeating_takes<const W: usize>(
        &self,
        board: &Board<W>,
        mut allowed: Bits<W>,
        takes: Bits<W>,
    ) -> Bits<W> {
        for index in takes.iter() {
            if self.repeats(board.hash_after(index), !board.to_play()) {
                allowed = allowed - Bits::point(index);
            }
        }
        allowed
    }

    /// Whether an earlier position has this key.
    #[inline]
    fn holds(&self, key: u64) -> bool {
        self.ahead.contains(&key) || (self.filter.may_hold(key) && self.keys.contains(&Some(key)))
    }

    /// The key by which the rule compares a position; `None` without a superko rule.
    /// Under SSK the player to move is part of the key; under NSSK it is the player who created the
    /// position, the opponent of the player to move.
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
            self.filter.add(key);
        }
    }
}

impl Filter {
    const EMPTY: Self = Self { present: [0; FILTER / 64], counters: [0; FILTER] };

    fn add(&mut self, key: u64) {
        let slot = slot(key);
        self.counters[slot] += 1;
        self.present[slot / 64] |= 1 << (slot % 64);
    }

    /// Undoes one [`Self::add`] of `key`.
    fn remove(&mut self, key: u64) {
        let slot = slot(key);
        self.counters[slot] -= 1;
        if self.counters[slot] == 0 {
            self.present[slot / 64] &= !(1 << (slot % 64));
        }
    }

    #[inline]
    const fn may_hold(&self, key: u64) -> bool {
        let slot = slot(key);
        self.present[slot / 64] >> (slot % 64) & 1 == 1
    }
}

#[inline]
#[allow(clippy::cast_possible_truncation)] // the low bits are wanted
const fn slot(key: u64) -> usize {
    key as usize % FILTER
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Komi, Preset, Rules, Size, Suicide, with_words};

    /// Compares the filter with each play made on a copy of the board, in random games on small
    /// boards, where repetitions are frequent.
    #[test]
    fn points_without_repeats_are_those_of_plays_on_a_copy() {
        let (mut seed, mut repeats, mut repeats_of_most) = (5, 0, 0);
        for text in ["2x2", "4x1", "3x3", "4x3", "8x2", "5x5"] {
            let size: Size = text.parse().unwrap();
            for ko in [Ko::None, Ko::Psk, Ko::Ssk, Ko::Nssk] {
                let rules = Rules::new(Preset::Tengen, size, Komi::default());
                let rules = Rules { ko, suicide: Suicide::All, ..rules };
                with_words!(size, W => {
                    let mut board = Board::<W>::new(size);
                    let mut history = History::new(ko, &board);
                    let mut most = 0;
                    for _ in 0..400 {
                        let points = board.legal_points(rules);
                        let slow = points.iter().filter(|&index| {
                            let mut next = board;
                            next.play_at(index);
                            assert_eq!(board.hash_after(index), next.hash(), "{index}\n{board}");
                            !history.repeats(next.hash(), next.to_play())
                        });
                        let slow = slow.fold(Bits::EMPTY, |all, index| all | Bits::point(index));
                        assert_eq!(history.without_repeats(&board, points), slow, "{ko:?}\n{board}");
                        if board.stone_count() >= most {
                            let of_most = history.without_repeats_of_most(&board, points);
                            assert_eq!(of_most, slow, "{ko:?}\n{board}");
                            repeats_of_most += (points - slow).count();
                        }
                        repeats += (points - slow).count();
                        seed = tengen_stats::seed::split_mix(seed);
                        let mv = match slow.count() {
                            0 => Move::Pass,
                            _ if seed % 16 == 0 => Move::Pass,
                            count => {
                                let drawn = (seed >> 32) as u32 % count;
                                Move::Play(Bits::<W>::vertex(slow.nth(drawn)))
                            }
                        };
                        board.play_unchecked(mv);
                        history.push(mv, &board);
                        most = most.max(board.stone_count());
                    }
                });
            }
        }
        assert!(repeats > 1_000 && repeats_of_most > 100, "{repeats}, {repeats_of_most}");
    }

    /// A line whose last plies `push_ahead` added forbids the points that a pushed line forbids.
    #[test]
    fn plies_looked_ahead_forbid_what_plies_of_the_game_do() {
        let size: Size = "3x3".parse().unwrap();
        let (mut seed, mut repeats) = (3, 0);
        for ko in [Ko::None, Ko::Psk, Ko::Ssk, Ko::Nssk] {
            let rules = Rules::new(Preset::Tengen, size, Komi::default());
            let rules = Rules { ko, suicide: Suicide::All, ..rules };
            for from in [0, 10, 60, 100] {
                let mut board = Board::<1>::new(size);
                let mut pushed = History::new(ko, &board);
                let mut ahead = pushed.clone();
                for ply in 0..100 {
                    let points = pushed.without_repeats(&board, board.legal_points(rules));
                    assert_eq!(ahead.without_repeats(&board, board.legal_points(rules)), points);
                    repeats += (board.legal_points(rules) - points).count();
                    seed = tengen_stats::seed::split_mix(seed);
                    let mv = match points.count() {
                        0 => Move::Pass,
                        count => {
                            Move::Play(Bits::<1>::vertex(points.nth((seed >> 32) as u32 % count)))
                        }
                    };
                    board.play_unchecked(mv);
                    pushed.push(mv, &board);
                    if ply < from { ahead.push(mv, &board) } else { ahead.push_ahead(mv, &board) }
                }
                ahead.forget_ahead();
                assert_eq!(ahead.keys.len(), from + 1);
                assert!(from < 100 || ahead.keys == pushed.keys);
                assert!(ahead.ahead.is_empty(), "forgotten");
            }
        }
        assert!(repeats > 100, "{repeats}");
    }

    /// Two keys share a slot: it is empty once both are removed, in any order.
    #[test]
    fn the_filter_holds_what_was_added_more_often_than_removed() {
        let (one, same_slot, other) = (5, 5 + 7 * FILTER as u64, 6);
        let mut filter = Filter::EMPTY;
        for key in [one, same_slot, other, one] {
            filter.add(key);
        }
        for key in [same_slot, one] {
            filter.remove(key);
            assert!(filter.may_hold(one) && filter.may_hold(other));
        }
        filter.remove(one);
        assert!(!filter.may_hold(one) && !filter.may_hold(same_slot) && filter.may_hold(other));
        filter.remove(other);
        assert_eq!(filter.present, [0; FILTER / 64]);
    }
}
