//! Playout policies: how a playout draws its moves.
//!
//! Every policy draws from the same candidates. One other than the uniform policy
//! *prefers* some points: with a probability the first attempt of a turn draws among
//! these alone. Such a policy is a file of this folder, which finds them in three forms:
//! plain code on a [`Board`], which defines the policy, and fast code for scalar playouts and
//! for the lanes; `capture_escape.rs` is the example. This file knows the policies by name
//! and calls them; the random numbers and the draw are the same for all of them. A program
//! registers policies of its own ([`register`]), which need one form only: plain code.

// As in `sets`, with which the policies compute.
#![allow(clippy::inline_always, clippy::needless_range_loop)]

mod capture_escape;
pub(crate) mod own;
mod preference;

pub use own::{AnyPolicy, OfAllWords, PlayoutPolicy, Turn, register};

pub(crate) use preference::{GameView, LaneGames, PreferenceLanes};

use crate::sets::lane_word::LaneWord;
use crate::simd::point_set::PointSet;
use std::fmt;
use std::str::FromStr;
use tengen_go::{Bits, Board, Named, ParseError, written_as_text};

/// A playout policy: how a move is drawn among the candidates of a turn.
///
/// As text, also in TOML: `uniform`, `capture-escape:0.9`, or the text of a policy that the
/// program registers ([`register`]).
///
/// # Examples
/// ```
/// use tengen_go::{Bits, Board, Color};
/// use tengen_playout::Policy;
///
/// let policy: Policy = "capture-escape:0.9".parse()?;
/// let board = Board::<1>::from_diagram(".X./XOX/...", Color::Black)?;
/// let preferred = policy.preferred(&board, board.stones(Color::White));
/// assert_eq!(preferred, Bits::point(Bits::<1>::index("B1".parse()?)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Policy {
    /// Every candidate is equally likely.
    Uniform {},
    /// With probability `probability` the first attempt of a turn draws from
    /// the candidates alone that capture the chain of the opponent's last stone, or
    /// extend an own chain in atari beside that stone, if there are any. Any other
    /// attempt draws from all candidates, as does the first attempt of a playout, which
    /// knows no last stone.
    CaptureEscape {
        /// Probability per turn of preferring such points, 0 to 1.
        probability: f64,
    },
    /// A policy that the program has registered.
    Own(Named<AnyPolicy>),
}

impl Policy {
    /// The probability per turn that the first attempt draws among [`Self::preferred`]
    /// points alone.
    const fn probability(self) -> f64 {
        match self {
            Self::Uniform {} | Self::Own(_) => 0.0,
            Self::CaptureEscape { probability } => probability,
        }
    }

    /// The points that the player to move prefers after `last`, the set of the
    /// opponent's stone just played, empty if there was none. They may be no candidates. A
    /// registered policy has none: it draws by itself.
    #[must_use]
    pub fn preferred<const W: usize>(self, board: &Board<W>, last: Bits<W>) -> Bits<W> {
        match self {
            Self::Uniform {} | Self::Own(_) => Bits::EMPTY,
            Self::CaptureEscape { .. } => capture_escape::preferred(board, last),
        }
    }

    /// [`Self::preferred`] for scalar playouts.
    #[inline(always)]
    pub(crate) fn preferred_in<S: PointSet>(self, game: &GameView<S>) -> S {
        match self {
            Self::Uniform {} | Self::Own(_) => game.last.none(),
            Self::CaptureEscape { .. } => capture_escape::preferred_in(game),
        }
    }

    /// [`Self::preferred`] in every lane where a turn begins whose coin is below the
    /// threshold, or where the search was not finished: as far as one step finds them.
    #[inline(always)]
    pub(crate) fn search_lanes<
        T: LaneWord,
        const N: usize,
        const S: usize,
        const L: usize,
        const SHARE: usize,
    >(
        self,
        lanes: &mut PreferenceLanes<T, N, L>,
        games: &LaneGames<'_, T, N, L>,
    ) {
        match self {
            Self::Uniform {} | Self::Own(_) => {}
            Self::CaptureEscape { .. } => {
                capture_escape::search_lanes::<T, N, S, L, SHARE>(lanes, games);
            }
        }
    }

    /// Whether a turn prefers points, by its first random number.
    ///
    /// The candidate is drawn by the upper half of `number`; this coin is the 31
    /// bits from bit 1 on, so that it needs no number of its own, and a playout
    /// at probability 0 is the uniform one.
    #[inline]
    #[must_use]
    pub fn has_preference(self, number: u64) -> bool {
        has_preference(number, self.coin_threshold())
    }

    /// The bound below which a coin of 31 bits makes a turn prefer points.
    #[inline]
    #[must_use]
    pub fn coin_threshold(self) -> u32 {
        coin_threshold(self.probability())
    }
}

/// Whether the coin of `number`, its 31 bits from bit 1 on, is below `threshold`.
#[inline]
const fn has_preference(number: u64, threshold: u32) -> bool {
    #[allow(clippy::cast_possible_truncation)] // the lower half
    let coin = number as u32 >> 1;
    coin < threshold
}

/// The bound below which a coin of 31 bits falls with this probability.
#[inline]
fn coin_threshold(probability: f64) -> u32 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 2³¹
    let threshold = (probability * 2_f64.powi(31)).round() as u32;
    threshold
}

impl Default for Policy {
    fn default() -> Self {
        Self::Uniform {}
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uniform {} => f.pad("uniform"),
            Self::CaptureEscape { probability } => f.pad(&format!("capture-escape:{probability}")),
            Self::Own(own) => f.pad(own.text()),
        }
    }
}

impl FromStr for Policy {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.split_once(':') {
            None if text == "uniform" => Ok(Self::Uniform {}),
            Some(("capture-escape", given)) => {
                let number = given.parse().ok().filter(|number| (0.0..=1.0).contains(number));
                let invalid = || ParseError::new("probability", given, "a number from 0 to 1");
                Ok(Self::CaptureEscape { probability: number.ok_or_else(invalid)? })
            }
            _ => {
                let expected = match own::REGISTERED.get(text) {
                    Ok(Some(own)) => return Ok(Self::Own(own)),
                    Ok(None) => own::expected(),
                    Err(expected) => expected,
                };
                Err(ParseError::new("policy", text, expected))
            }
        }
    }
}

written_as_text!(Policy);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in ["uniform", "capture-escape:0", "capture-escape:0.9", "capture-escape:1"] {
            assert_eq!(text.parse::<Policy>().map(|policy| policy.to_string()), Ok(text.into()));
        }
        for text in ["", "Uniform", "uniform:1", "capture-escape", "capture"] {
            let error = text.parse::<Policy>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("invalid policy `{text}`: ")), "{error}");
        }
        for given in ["", "1.01", "-0.1", "nan", "much"] {
            let error = format!("capture-escape:{given}").parse::<Policy>().unwrap_err();
            let expected = ParseError::new("probability", given, "a number from 0 to 1");
            assert_eq!(error, expected);
        }
    }

    #[test]
    fn never_and_always_are_exact() {
        let policy = |probability| Policy::CaptureEscape { probability };
        for number in [0, 1, u64::MAX, 0xFFFF_FFFF, 0x8000_0000] {
            assert!(
                !policy(0.0).has_preference(number) && !Policy::default().has_preference(number)
            );
            assert!(policy(1.0).has_preference(number));
        }
        assert!(
            policy(0.5).has_preference(0x7FFF_FFFF) && !policy(0.5).has_preference(0x8000_0000)
        );
    }
}
