#![deny(missing_docs)]
#![deny(unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Playouts: random games from a position to an area score.
//!
//! The uniform playout: the player to move plays a random move, each with equal
//! probability, among the moves that are legal under simple ko, are no suicide and fill
//! no own eye ([`Board::eyes`]); without such a move the player passes. Two passes or
//! [`max_plies`] end the playout; then the board is scored by area as it stands. Playouts
//! follow these rules whatever the rules of the game.
//!
//! Another [`Policy`] prefers some of those moves, and a rule of [`EarlyStop`]
//! ends playouts that look decided.
//!
//! **A playout is a function of its [`Job`] and its [`PlayoutConfig`] and of nothing
//! else**: neither of the machine nor of what else runs. Its stream of random
//! numbers is `Xoshiro256PlusPlus::seed_from_u64(seed)`, one number per move attempt:
//!
//! ```text
//! candidates = empty points - own eyes - ko point - evident suicides
//! repeat until a ply is made:
//!     draw a random number
//!     if there are no candidates: pass
//!     else: pick by that number one of the candidates, numbered in row order
//!         if it is legal, play it; else (suicide) remove it from the candidates
//! ```
//!
//! Leaving out evident suicides ([`Board::evident_suicides`]) saves attempts. Every legal
//! point that is no own eye is a candidate in every attempt, so each is equally likely
//! under the uniform policy.
//!
//! On boards of six words (more than 13 columns or rows) candidates are numbered by
//! `(20 row + column) mod 6` first and then in row order. The lanes keep such a board in
//! words of that order; finding a point by its number in plain row order costs the lanes
//! 8 % of their speed.

mod candidate_order;
mod early_stop;
pub mod lanes;
pub mod policy;
mod sample;
pub mod scalar;
mod sequence;
mod sets;
pub mod simd;

pub use crate::simd::{Isa, IsaError};
pub use early_stop::EarlyStop;
pub use policy::{BuiltInPolicy, Policy};

use policy::LaneForm;
pub use sample::Sample;
pub use sequence::{Counts, Sequence};

use tengen_go::{Bits, Board, Komi, Score, Size};

/// The settings of playouts: policy and early-stop rule.
///
/// # Examples
/// ```
/// use tengen_go::{Board, Size};
/// use tengen_playout::{EarlyStop, Ending, Job, PlayoutConfig, Policy, scalar};
///
/// let config = PlayoutConfig {
///     policy: "capture-escape:0.9".parse()?,
///     stop: EarlyStop::Decided { margin: 10 },
///     komi: "7.5".parse()?,
/// };
/// let start = Board::<2>::new(Size::square(9)?);
/// let playout = scalar::play_by(config, &Job { start, seed: 1 });
/// assert_eq!(playout.ending, Ending::Stopped);
/// # Ok::<(), tengen_go::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayoutConfig {
    /// The policy by which moves are drawn.
    pub policy: Policy,
    /// The rule that stops a playout before it is over.
    pub stop: EarlyStop,
    /// The komi that `stop` counts; it changes nothing where `stop` is
    /// [`EarlyStop::Never`].
    pub komi: Komi,
}

/// Whether to leave out code that only saves time: in WebAssembly, whose size counts. The games are
/// the same.
pub(crate) const SPARES_CODE: bool = cfg!(target_arch = "wasm32");

/// A [`PlayoutConfig`] whose policy has code for registers.
#[derive(Clone, Copy)]
pub(crate) struct FastConfig {
    pub policy: BuiltInPolicy,
    pub stop: EarlyStop,
    pub komi: Komi,
}

/// A [`PlayoutConfig`] whose policy has code for lanes.
#[derive(Clone, Copy)]
pub(crate) struct LaneConfig {
    pub form: LaneForm,
    pub config: PlayoutConfig,
}

impl PlayoutConfig {
    /// This config if its policy has code for registers; `None` if scalar playouts use
    /// plain code.
    pub(crate) fn fast(self) -> Option<FastConfig> {
        let Self { policy, stop, komi } = self;
        let policy = policy.as_built_in();
        let policy = policy.filter(|it| !SPARES_CODE || !matches!(it, BuiltInPolicy::Tactical(_)));
        policy.map(|policy| FastConfig { policy, stop, komi })
    }

    /// This config for lanes; `None` if a program registered its policy as plain code.
    pub(crate) fn in_lanes(self) -> Option<LaneConfig> {
        self.policy.lane_form().map(|form| LaneConfig { form, config: self })
    }
}

impl<P: Into<Policy>> From<P> for PlayoutConfig {
    /// Playouts by `policy` without an early-stop rule.
    fn from(policy: P) -> Self {
        Self { policy: policy.into(), ..Self::default() }
    }
}

/// A playout to be played: the position where it begins, and its seed.
///
/// # Examples
/// ```
/// use tengen_go::{Board, Color};
/// use tengen_playout::{Job, scalar};
///
/// let start = Board::<1>::from_diagram("....../.XXXX./.X..X./.XXXX./......", Color::White)?;
/// let playouts = (0..100).map(|seed| scalar::play(&Job { start, seed }));
/// let wins = playouts.filter(|playout| playout.score.winner() == Some(Color::Black));
/// assert!(wins.count() > 80);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job<const W: usize> {
    /// The position where the playout begins, with player to move, ko point and passes.
    pub start: Board<W>,
    /// The seed of the playout's random numbers.
    pub seed: u64,
}

/// The result of a playout.
///
/// # Examples
/// ```
/// use tengen_go::{Board, Size};
/// use tengen_playout::{Ending, Job, max_plies, scalar};
///
/// let size = Size::square(9)?;
/// let playout = scalar::play(&Job { start: Board::<2>::new(size), seed: 1 });
/// assert_eq!(playout.ending, Ending::Passes);
/// assert!(playout.plies < max_plies(size));
/// let areas = playout.area.map(|areas| areas.map(|area| f64::from(area.count())));
/// assert_eq!(areas.map(|[black, white]| black - white), Some(playout.score.points()));
/// # Ok::<(), tengen_go::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout<const W: usize> {
    /// Black's area minus White's, before komi; if the playout was stopped, the
    /// difference of the points that [`EarlyStop`] counts.
    pub score: Score,
    /// Number of plies (moves and passes) made.
    pub plies: u32,
    /// The reason why the playout ended.
    pub ending: Ending,
    /// For Black and for White the points on which that player was the first to play in
    /// this playout: all-moves-as-first (AMAF) counts these. Indexed by
    /// [`Color::index`](tengen_go::Color).
    pub first_plays: [Bits<W>; 2],
    /// The final areas of Black and of White; if the playout was stopped, the
    /// points that the rule counts ([`EarlyStop::counted`]). The lanes return
    /// them on request only ([`lanes::Lanes::with_area`]).
    pub area: Option<[Bits<W>; 2]>,
}

impl<const W: usize> Playout<W> {
    /// Whether the playout was cut short by [`max_plies`].
    #[must_use]
    pub fn is_cut_short(&self) -> bool {
        self.ending == Ending::CutShort
    }

    /// The playout with sets of `V` words, of a board of `size`.
    pub(crate) fn repacked<const V: usize>(&self, size: Size) -> Playout<V> {
        let Self { score, plies, ending, first_plays, area } = *self;
        let repacked = |sets: [Bits<W>; 2]| sets.map(|set| set.repacked(size));
        let first_plays = repacked(first_plays);
        Playout { score, plies, ending, first_plays, area: area.map(repacked) }
    }
}

/// The reason why a playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Two passes in a row.
    Passes,
    /// The [`EarlyStop`] rule.
    Stopped,
    /// The limit [`max_plies`]: the playout was cut short and scored as it stood.
    CutShort,
}

/// The number of `rounds` by which playouts search for evident suicides
/// ([`Board::evident_suicides`]) before they draw a point. More rounds leave fewer
/// suicides among the candidates, but each costs time. The number decides the candidates,
/// and thereby the game that a seed gives: all policies, board sizes and machines use the
/// same number.
pub const SUICIDE_ROUNDS: usize = 3;

/// Limit of plies, at which a playout is cut short: 3·width·height + 50.
#[must_use]
pub const fn max_plies(size: Size) -> u32 {
    #[allow(clippy::cast_possible_truncation)] // at most 361 points
    let points = size.points() as u32;
    3 * points + 50
}

/// The example of the README is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
