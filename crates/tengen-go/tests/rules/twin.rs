//! A game by the rules in another way than the library plays it.

use crate::reference::{Point, Position, Stones, point};
use std::collections::BTreeMap;
use tengen_go::{Color, IllegalMove, Ko, Move, Rules, Suicide};

/// A position of a game as superko sees it.
#[derive(Clone)]
struct Seen {
    stones: Stones,
    to_play: Color,
    /// Who created it by a play.
    creator: Option<Color>,
}

/// A game: the twin of `tengen_go::Game`.
#[derive(Clone)]
pub struct Twin {
    pub position: Position,
    pub rules: Rules,
    pub plies: u32,
    /// By number of stones, so that few are compared.
    seen: BTreeMap<usize, Vec<Seen>>,
}

impl Twin {
    pub fn new(start: Position, rules: Rules) -> Self {
        // Under natural situational superko the opponent has created the start.
        let first = Seen {
            stones: start.stones.clone(),
            to_play: start.to_play,
            creator: Some(!start.to_play),
        };
        let seen = BTreeMap::from([(first.stones.len(), vec![first])]);
        Self { position: start, rules, plies: 0, seen }
    }

    pub fn is_over(&self) -> bool {
        self.position.passes >= 2 || self.plies >= self.rules.max_plies
    }

    pub fn check(&self, color: Color, candidate: Move) -> Result<(), IllegalMove> {
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        let Move::Play(at) = candidate else {
            return Ok(());
        };
        let at = point(at);
        if color == self.position.to_play {
            return self.check_play(&self.position, at);
        }
        let mut turned = self.position.clone();
        turned.turn_to(color);
        self.check_play(&turned, at)
    }

    fn check_play(&self, position: &Position, at: Point) -> Result<(), IllegalMove> {
        if !position.holds(at) {
            return Err(IllegalMove::OffBoard);
        }
        if position.stones.contains_key(&at) {
            return Err(IllegalMove::Occupied);
        }
        let outcome = position.outcome(at);
        let allowed = match self.rules.suicide {
            Suicide::No => outcome.lost == 0,
            Suicide::Multi => outcome.lost != 1,
            Suicide::All => true,
        };
        if !allowed {
            return Err(IllegalMove::Suicide);
        }
        let repeats_before = position.before.as_ref() == Some(&outcome.stones);
        if self.rules.ko == Ko::Simple && repeats_before {
            return Err(IllegalMove::Ko);
        }
        let mover = position.to_play;
        let forbidden = |seen: &Seen| match self.rules.ko {
            Ko::None | Ko::Simple => false,
            Ko::Psk => true,
            Ko::Ssk => seen.to_play == !mover,
            Ko::Nssk => seen.creator == Some(mover),
        };
        let same_count = self.seen.get(&outcome.stones.len());
        let repeated = same_count
            .into_iter()
            .flatten()
            .any(|seen| forbidden(seen) && seen.stones == outcome.stones);
        if repeated { Err(IllegalMove::Superko) } else { Ok(()) }
    }

    /// Makes a move that was checked.
    pub fn play(&mut self, color: Color, legal: Move) {
        self.position.turn_to(color);
        match legal {
            Move::Pass => self.position.pass(),
            Move::Play(at) => self.position.play(point(at)),
        }
        self.plies += 1;
        let seen = Seen {
            stones: self.position.stones.clone(),
            to_play: self.position.to_play,
            creator: (legal != Move::Pass).then_some(color),
        };
        self.seen.entry(seen.stones.len()).or_default().push(seen);
    }
}
