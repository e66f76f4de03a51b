//! Random games: from a position to an area score.
//!
//! The uniform playout: while a move is legal under simple ko, is no
//! suicide and fills no own eye ([`Board::eyes`]), one of those is played,
//! each with equal probability; otherwise the player passes. Two passes end
//! the playout, or [`max_plies`]; the board is counted by area as it stands.
//! These rules hold in playouts whatever the rules of the game.
//!
//! Another [`Policy`] prefers some of those moves.
//!
//! **A playout is a function of its [`Job`] and its policy and of nothing
//! else**: neither of the machine nor of what else runs. Its stream of random numbers is
//! `Xoshiro256PlusPlus::seed_from_u64(seed)`, one number an attempt: an
//! attempt draws one of the candidates in row order; an illegal one is struck
//! off and the next attempt follows; an attempt without candidates is a pass.
//! Candidates are the empty points that are no own eye, not the ko, not
//! evident suicide ([`Board::evident_suicides`]) and not yet found to be
//! suicide this turn. Every legal point is a candidate in every attempt, so
//! each is equally likely under the uniform policy.

mod isa;
pub mod lanes;
mod policy;
pub mod scalar;

pub use isa::{Isa, IsaError};
pub use policy::{Policy, PolicyError};

use crate::go::{Bits, Board, Score, Size};

/// A playout to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job<const W: usize> {
    /// The first position, with player to move, ko and passes made.
    pub start: Board<W>,
    /// The seed of the playout's stream.
    pub seed: u64,
}

/// What a playout led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout<const W: usize> {
    /// Black's area minus White's, before komi.
    pub score: Score,
    /// Plies made, passes included.
    pub plies: u32,
    /// Whether it was cut short by [`max_plies`] and scored as it stood.
    pub cut_short: bool,
    /// The points where Black, and where White, was the first to put a stone:
    /// what all-moves-as-first counts. By [`Color::index`](crate::go::Color).
    pub first_plays: [Bits<W>; 2],
    /// The final areas of Black and of White.
    pub area: [Bits<W>; 2],
}

/// Steps by which chains with two liberties are looked for before a point is
/// drawn. More steps leave fewer suicides to be drawn in vain, at the cost of
/// a step each; it is part of what defines the stream, so the same everywhere.
pub const ROUNDS: usize = 3;

/// The number of plies after which a playout is cut short:
/// 3·width·height + 50.
#[must_use]
pub const fn max_plies(size: Size) -> u32 {
    #[allow(clippy::cast_possible_truncation)] // at most 361 points
    let points = size.points() as u32;
    3 * points + 50
}
