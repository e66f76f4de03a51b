//! The moves of a board: which are legal, and what they change.

use super::{Board, IllegalMove, KO_BY_SUICIDE, NO_KO};
use crate::bits::Bits;
use crate::rules::{Ko, Rules, Suicide};
use crate::vertex::Move;
use crate::zobrist;

/// What a play takes off the board.
#[derive(Clone, Copy)]
pub(super) struct Effect<const W: usize> {
    /// Stones of the opponent.
    pub(super) captured: Bits<W>,
    /// Stones of the player, the new one included: a suicide.
    lost: Bits<W>,
}

impl<const W: usize> Board<W> {
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

    /// What a play of the player to move on the empty point `index` takes off.
    #[inline]
    pub(super) fn effect(&self, index: usize) -> Effect<W> {
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
