//! A position of a small board, its moves and its key.

use crate::geometry::Geometry;
use tengen_go::{Board, Color, Move, Vertex};

/// Stones, ko point, player to move, and whether the last move was a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Position {
    /// Stones of the player to move.
    pub(crate) own: u32,
    /// Stones of the opponent.
    pub(crate) other: u32,
    /// The set of the point that simple ko forbids, or 0.
    pub(crate) ko: u32,
    pub(crate) black_to_play: bool,
    /// Whether the last move was a pass: another pass ends the game.
    pub(crate) passed: bool,
}

impl Position {
    /// The position of `board`, with its ko point and its last pass.
    pub(crate) fn new<const W: usize>(geometry: &Geometry, board: &Board<W>) -> Self {
        let stones = |color: Color| {
            let on = |vertex: &Vertex| board.at(*vertex) == Some(color);
            let bits = Vertex::all(geometry.size).filter(on);
            bits.fold(0, |set, vertex| set | 1 << geometry.point(Move::Play(vertex)))
        };
        let to_play = board.to_play();
        Self {
            own: stones(to_play),
            other: stones(!to_play),
            ko: board.ko().map_or(0, |vertex| 1 << geometry.point(Move::Play(vertex))),
            black_to_play: to_play == Color::Black,
            passed: board.passes() > 0,
        }
    }

    #[inline(always)]
    pub(crate) fn empty(&self, geometry: &Geometry) -> u32 {
        geometry.board & !(self.own | self.other)
    }

    /// The stones of Black and of White.
    pub(crate) fn colors(&self) -> [u32; 2] {
        if self.black_to_play { [self.own, self.other] } else { [self.other, self.own] }
    }

    /// The position after a pass.
    #[inline(always)]
    pub(crate) fn pass(&self) -> Self {
        Self {
            own: self.other,
            other: self.own,
            ko: 0,
            black_to_play: !self.black_to_play,
            passed: true,
        }
    }

    /// The position after a stone at `point`, which is empty and not the ko
    /// point, and the stones it captures; `None` if the move is suicide.
    #[inline(always)]
    pub(crate) fn play(&self, geometry: &Geometry, point: u8) -> Option<(Self, u32)> {
        let stone = 1 << point;
        let around = geometry.neighbors(stone);
        let own = self.own | stone;
        let empty = self.empty(geometry) & !stone;
        let mut captured = 0;
        let mut left = around & self.other;
        while left != 0 {
            let seed = left & left.wrapping_neg();
            // Most chains show a liberty before the fill has reached all their stones.
            let mut chain = seed;
            let alive = loop {
                let next = geometry.neighbors(chain);
                if next & empty != 0 {
                    break true;
                }
                let grown = chain | next & self.other;
                if grown == chain {
                    break false;
                }
                chain = grown;
            };
            if !alive {
                captured |= chain;
            }
            left &= !chain;
        }
        let empty = empty | captured;
        let mut ko = 0;
        if around & empty == 0 {
            if !Self::has_liberty(geometry, stone, own, empty) {
                return None;
            }
        } else if captured.is_power_of_two() && around & own == 0 && around & empty == captured {
            ko = captured;
        }
        let after = Self {
            own: self.other & !captured,
            other: own,
            ko,
            black_to_play: !self.black_to_play,
            passed: false,
        };
        Some((after, captured))
    }

    #[inline(always)]
    fn has_liberty(geometry: &Geometry, seed: u32, own: u32, empty: u32) -> bool {
        let mut chain = seed;
        loop {
            let next = geometry.neighbors(chain);
            if next & empty != 0 {
                return true;
            }
            let grown = chain | next & own;
            if grown == chain {
                return false;
            }
            chain = grown;
        }
    }

    /// The score for the prover if the player to move ends the game by a second pass; above every
    /// score if the last move was no pass. The prover is to move if `to_prove`.
    #[inline(always)]
    pub(crate) fn passed_score(&self, geometry: &Geometry, to_prove: bool) -> i8 {
        match self.passed {
            false => i8::MAX,
            true if to_prove => self.area_score(geometry),
            true => -self.area_score(geometry),
        }
    }

    /// Stones and territory of the player to move less those of the opponent.
    pub(crate) fn area_score(&self, geometry: &Geometry) -> i8 {
        let empty = self.empty(geometry);
        let mut score = self.own.count_ones() as i32 - self.other.count_ones() as i32;
        let mut left = empty;
        while left != 0 {
            let region = geometry.flood(left & left.wrapping_neg(), empty);
            left &= !region;
            let around = geometry.neighbors(region);
            match (around & self.own != 0, around & self.other != 0) {
                (true, false) => score += region.count_ones() as i32,
                (false, true) => score -= region.count_ones() as i32,
                _ => {}
            }
        }
        score as i8
    }

    /// The key of `own` and `other`, with player to move and pass in its upper bits.
    #[inline(always)]
    fn pack(&self, own: u32, other: u32) -> u64 {
        u64::from(own)
            | u64::from(other) << 30
            | u64::from(self.black_to_play) << 60
            | u64::from(self.passed) << 61
    }

    /// The least key of the position under the symmetries of the board, and the number of the
    /// symmetry that produces it.
    #[inline(always)]
    pub(crate) fn canonical_key(&self, geometry: &Geometry) -> (u64, usize) {
        let own = geometry.turn_all(self.own | self.ko);
        let other = geometry.turn_all(self.other | self.ko);
        let mut best = u64::from(own[0]) | u64::from(other[0]) << 30;
        let mut symmetry = 0;
        for s in 1..8 {
            let turned = u64::from(own[s]) | u64::from(other[s]) << 30;
            if turned < best {
                best = turned;
                symmetry = s;
            }
        }
        (best | self.pack(0, 0), symmetry)
    }
}
