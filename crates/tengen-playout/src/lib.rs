#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Random games: from a position to an area score.
//!
//! The uniform playout: while a move is legal under simple ko, is no
//! suicide and fills no own eye ([`Board::eyes`]), one of those is played,
//! each with equal probability; otherwise the player passes. Two passes end
//! the playout, or [`max_plies`]; the board is counted by area as it stands.
//! These rules hold in playouts whatever the rules of the game.
//!
//! Another [`Policy`] prefers some of those moves, and a rule of [`EarlyStop`] ends
//! playouts that look decided.
//!
//! **A playout is a function of its [`Job`] and its [`PlayoutConfig`] and of nothing
//! else**: neither of the machine nor of what else runs. Its stream of random
//! numbers is
//! `Xoshiro256PlusPlus::seed_from_u64(seed)`, one number an attempt: an
//! attempt draws one of the candidates, numbered in row order; an illegal one is
//! struck off and the next attempt follows; an attempt without candidates is a pass.
//! Candidates are the empty points that are no own eye, not the ko, not
//! evident suicide ([`Board::evident_suicides`]) and not yet found to be
//! suicide this turn. Every legal point is a candidate in every attempt, so
//! each is equally likely under the uniform policy.
//!
//! On boards of six words, which are those of more than 13 columns or rows,
//! candidates are numbered by `(20 row + column) mod 6` first and then in row
//! order. That is the order of the words in which the lanes keep such a board;
//! finding a point by its number in plain row order cost them 8 % of their
//! speed.

mod candidate_order;
mod early_stop;
pub mod lanes;
mod policy;
pub mod scalar;

pub use early_stop::{EarlyStop, EarlyStopError};
pub use policy::{Policy, PolicyError};
pub use tengen_simd::{Isa, IsaError};

use tengen_go::{Bits, Board, Komi, Score, Size};

/// How playouts go.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayoutConfig {
    /// How moves are chosen.
    pub policy: Policy,
    /// When a playout stops before it is over.
    pub stop: EarlyStop,
    /// The komi by which `stop` tells who leads; without such a rule it
    /// changes nothing.
    pub komi: Komi,
}

impl From<Policy> for PlayoutConfig {
    /// Playouts by `policy`, each to its end.
    fn from(policy: Policy) -> Self {
        Self { policy, ..Self::default() }
    }
}

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
    /// Black's area minus White's, before komi; [`EarlyStop`] if it was stopped.
    pub score: Score,
    /// Plies made, passes included.
    pub plies: u32,
    /// What ended it.
    pub ending: Ending,
    /// The points where Black, and where White, was the first to put a stone:
    /// what all-moves-as-first counts. By [`Color::index`](tengen_go::Color).
    pub first_plays: [Bits<W>; 2],
    /// The final areas of Black and of White; if it was stopped, what the rule
    /// counts ([`EarlyStop::counted`]). The lanes tell them on request
    /// ([`lanes::Lanes::with_area`]), else they leave them out.
    pub area: Option<[Bits<W>; 2]>,
}

impl<const W: usize> Playout<W> {
    /// Whether it was cut short.
    #[must_use]
    pub fn is_cut_short(&self) -> bool {
        self.ending == Ending::CutShort
    }
}

/// What ended a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Two passes.
    Passes,
    /// A rule of [`EarlyStop`].
    Stopped,
    /// [`max_plies`]: it was cut short and scored as it stood.
    CutShort,
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
