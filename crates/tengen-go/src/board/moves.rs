//! Moves on a board: which are legal, and what they change.

use super::{Board, IllegalMove, KO_BY_SUICIDE, NO_KO};
use crate::bits::Bits;
use crate::rules::{Ko, Rules, Suicide};
use crate::vertex::Move;
use crate::zobrist;

/// The stones that a play takes off the board: captures or a suicide.
#[derive(Clone, Copy)]
pub(super) struct Effect<const W: usize> {
    /// Stones of the opponent.
    pub(super) captured: Bits<W>,
    /// Stones of the player, the new one included, in a suicide.
    lost: Bits<W>,
}

impl<const W: usize> Board<W> {
    /// Whether `candidate` is legal for the player to move; superko is not
    /// checked.
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

    /// The legal points of the player to move; superko is not checked.
    #[must_use]
    pub fn legal_points(&self, rules: Rules) -> Bits<W> {
        self.legal_among(self.empty(), rules)
    }

    /// The legal points among the empty points `points` for the player to move; superko is not
    /// checked.
    #[must_use]
    pub fn legal_among(&self, points: Bits<W>, rules: Rules) -> Bits<W> {
        let mut candidates = points;
        if rules.ko == Ko::Simple {
            candidates = candidates - self.ko_set();
        }
        // A play beside an empty point is never suicide, nor is a play beside an own chain with
        // another liberty.
        let open = candidates & self.empty().neighbors();
        let closed = candidates - open;
        if closed.is_empty() {
            return open;
        }
        let mut legal = open | (closed & self.evidently_safe(self.own).neighbors());
        for index in (candidates - legal).iter() {
            if self.check_suicide(self.effect(index), rules).is_ok() {
                legal |= Bits::point(index);
            }
        }
        legal
    }

    /// Plays `candidate` for the player to move; superko is not checked. An illegal move leaves the board
    /// unchanged.
    pub fn play(&mut self, candidate: Move, rules: Rules) -> Result<(), IllegalMove> {
        self.check(candidate, rules)?;
        self.play_unchecked(candidate);
        Ok(())
    }

    /// Plays a move that is known to be legal under the rules of the game.
    #[inline]
    pub fn play_unchecked(&mut self, legal: Move) {
        match legal {
            Move::Pass => self.pass(),
            Move::Play(vertex) => self.play_at(Bits::<W>::index(vertex)),
        }
    }

    /// Passes for the player to move.
    #[inline]
    pub fn pass(&mut self) {
        self.ko = NO_KO;
        self.passes = (self.passes + 1).min(2);
        self.end_turn();
    }

    /// Plays on the point `index`, which is empty, for the player to move.
    #[inline]
    pub fn play_at(&mut self, index: usize) {
        self.apply(index, self.effect(index));
    }

    /// Plays on the empty point `index` for the player to move unless that is
    /// suicide of any number of stones, and returns whether it was played. Ko
    /// is not checked.
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
        let (own, other) = (self.to_play(), !self.to_play());
        let mut hash = self.hash ^ zobrist::key::<W>(own, index);
        let neighbors = Bits::<W>::point(index).neighbors();
        if !neighbors.intersects(self.other) && neighbors.intersects(self.empty()) {
            return hash;
        }
        let Effect { captured, lost } = self.effect(index);
        if !captured.is_empty() {
            hash = captured.iter().fold(hash, |hash, taken| hash ^ zobrist::key::<W>(other, taken));
        } else if !lost.is_empty() {
            hash = lost.iter().fold(hash, |hash, taken| hash ^ zobrist::key::<W>(own, taken));
        }
        hash
    }

    /// The stones that a play on the empty point `index` takes off.
    #[inline]
    pub(super) fn effect(&self, index: usize) -> Effect<W> {
        let stone = Bits::point(index);
        let neighbors = stone.neighbors();
        let empty = self.empty() - stone;
        let captured = without_liberty(neighbors & self.other, self.other, empty);
        let lost = if captured.is_empty() && !neighbors.intersects(empty) {
            without_liberty(stone, self.own | stone, empty)
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
        let neighbors = Bits::<W>::point(index).neighbors();
        let is_single = !neighbors.intersects(self.own);
        self.place(self.to_play(), index);
        self.ko = NO_KO;
        self.passes = 0;
        if !effect.captured.is_empty() {
            for taken in effect.captured.iter() {
                self.remove(!self.to_play(), taken);
            }
            if is_single && effect.captured.count() == 1 && (neighbors & self.empty()).count() == 1
            {
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
}

/// The chains of `stones` that contain a stone of `touched` and have no liberty in
/// `empty`.
///
/// The flood fill starts from the liberties and not from `touched`: most chains have
/// a liberty nearby, so that two or three rounds reach every touched stone.
#[inline]
fn without_liberty<const W: usize>(touched: Bits<W>, stones: Bits<W>, empty: Bits<W>) -> Bits<W> {
    if touched.is_empty() {
        return Bits::EMPTY;
    }
    let mut alive = empty.neighbors() & stones;
    loop {
        let dead = touched - alive;
        if dead.is_empty() {
            return dead;
        }
        let grown = alive | (alive.neighbors() & stones);
        if grown == alive {
            return dead.flood(stones);
        }
        alive = grown;
    }
}
