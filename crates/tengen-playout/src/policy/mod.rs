//! Playout policies: how a playout draws its moves.
//!
//! Every policy draws from the same candidates. One other than the uniform policy
//! *prefers* some points: with a probability the first attempt of a turn draws among
//! these alone. Such a policy is a file of this folder, which finds them in three forms:
//! plain code on a [`Board`], which defines the policy, and fast code for scalar playouts and
//! for the lanes; `capture_escape.rs` is the example. This file knows the policies by name
//! and calls them, and `scalar.rs` has a type for each in scalar playouts; the random numbers and
//! the draw are the same for all of them. A program registers policies of its own
//! ([`register`]), which need one form only: plain code.

// As in `sets`, with which the policies compute.
#![allow(clippy::inline_always, clippy::needless_range_loop)]

mod capture_escape;
mod mogo;
pub(crate) mod own;
mod preference;
mod scalar;
mod shapes;
mod window;

pub use own::{AnyPolicy, OfAllWords, PlayoutPolicy, Turn, register};

pub(crate) use preference::{GameView, LaneGames, PreferenceLanes};
pub(crate) use scalar::{CaptureEscape, Mogo, ScalarPolicy, Uniform};

use crate::sets::lane_word::LaneWord;
use crate::sets::rows::Sets;
use std::fmt;
use std::str::FromStr;
use tengen_go::{Bits, Board, Named, ParseError, text_setting};

/// A playout policy: how a move is drawn among the candidates of a turn.
///
/// As text, also in TOML: `uniform`, `capture-escape:0.9`, `mogo:0.9:1`, or the text of a policy
/// that the program registers ([`register`]).
///
/// # Examples
/// ```
/// use tengen_go::{Bits, Board, Color};
/// use tengen_playout::Policy;
///
/// let policy: Policy = "capture-escape:0.9".parse()?;
/// let board = Board::<1>::from_diagram(".X./XOX/...", Color::Black)?;
/// let [urgent, shapes] = policy.preferred(&board, board.stones(Color::White));
/// assert_eq!(urgent, Bits::point(Bits::<1>::index("B1".parse()?)));
/// assert!(shapes.is_empty());
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
    /// As `CaptureEscape` with probability `captures`; where no candidate captures or escapes, or
    /// they are not looked for, with probability `shapes` the first attempt of a turn draws from the
    /// candidates alone that are around the opponent's last stone and have one of MoGo's shapes
    /// around them (Gelly, Wang, Munos and Teytaud 2006), if there are any. One coin decides
    /// both: with the greater probability the turn prefers the one or the other.
    Mogo {
        /// Probability per turn of preferring captures and escapes, 0 to 1.
        captures: f64,
        /// Probability per turn of preferring shapes, 0 to 1.
        shapes: f64,
    },
    /// A policy that the program has registered.
    Own(Named<AnyPolicy>),
}

impl Policy {
    /// The probability per turn that the first attempt prefers each of the sets
    /// [`Self::preferred`].
    const fn probabilities(self) -> [f64; 2] {
        match self {
            Self::Uniform {} | Self::Own(_) => [0.0; 2],
            Self::CaptureEscape { probability } => [probability, 0.0],
            Self::Mogo { captures, shapes } => [captures, shapes],
        }
    }

    /// Whether the policy prefers shapes.
    #[inline]
    pub(crate) const fn has_shapes(self) -> bool {
        matches!(self, Self::Mogo { .. })
    }

    /// The points that the player to move prefers after `last`, the set of the
    /// opponent's stone just played, empty if there was none: first of all the points of the
    /// first set, captures and escapes, and where none of them is a candidate those of the second,
    /// points of shapes. Neither may be a candidate. A registered policy has none: it draws by itself.
    #[must_use]
    pub fn preferred<const W: usize>(self, board: &Board<W>, last: Bits<W>) -> [Bits<W>; 2] {
        match self {
            Self::Uniform {} | Self::Own(_) => [Bits::EMPTY; 2],
            Self::CaptureEscape { .. } => [capture_escape::preferred(board, last), Bits::EMPTY],
            Self::Mogo { .. } => {
                [capture_escape::preferred(board, last), mogo::preferred(board, last)]
            }
        }
    }

    /// The points of `candidates` that the first attempt of a turn draws from, by its random number:
    /// those of the first set [`Self::preferred`] that the number makes the turn prefer and that has
    /// a candidate, or all candidates.
    #[must_use]
    pub fn drawn_from<const W: usize>(
        self,
        board: &Board<W>,
        last: Bits<W>,
        candidates: Bits<W>,
        number: u64,
    ) -> Bits<W> {
        let sets = self.preferred(board, last).into_iter().zip(self.has_preferences(number));
        let mut preferred = sets.map(
            |(set, is_preferred)| {
                if is_preferred { set & candidates } else { Bits::EMPTY }
            },
        );
        preferred.find(|set| !set.is_empty()).unwrap_or(candidates)
    }

    /// The sets [`Self::preferred`] in every lane where a turn begins whose coin is below the
    /// threshold of the set, or where the search was not finished: as far as one step finds them.
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
            Self::CaptureEscape { .. } | Self::Mogo { .. } => {
                if self.has_shapes() {
                    mogo::find_shapes::<T, N, S, L, SHARE>(lanes, games);
                }
                capture_escape::search_lanes::<T, N, S, L, SHARE>(lanes, games);
            }
        }
    }

    /// Prefers the second set [`Self::preferred`] in every lane where none of the first is a candidate.
    #[inline(always)]
    pub(crate) fn prefer_second<T: LaneWord, const N: usize, const L: usize, const SHARE: usize>(
        self,
        lanes: &mut PreferenceLanes<T, N, L>,
        candidates: &Sets<T, N, L>,
    ) {
        if self.has_shapes() {
            mogo::prefer_shapes::<T, N, L, SHARE>(lanes, candidates);
        }
    }

    /// Which of the sets [`Self::preferred`] a turn prefers, by its first random number.
    ///
    /// The candidate is drawn by the upper half of `number`; this coin is the 31
    /// bits from bit 1 on, so that it needs no number of its own, and a playout
    /// at probability 0 is the uniform one.
    #[inline]
    #[must_use]
    pub fn has_preferences(self, number: u64) -> [bool; 2] {
        self.coin_thresholds().map(|threshold| has_preference(number, threshold))
    }

    /// The bounds below which a coin of 31 bits makes a turn prefer each of the sets
    /// [`Self::preferred`].
    #[inline]
    #[must_use]
    pub fn coin_thresholds(self) -> [u32; 2] {
        self.probabilities().map(coin_threshold)
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
            Self::Mogo { captures, shapes } => f.pad(&format!("mogo:{captures}:{shapes}")),
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
                Ok(Self::CaptureEscape { probability: probability_of(given)? })
            }
            Some(("mogo", given)) => {
                let invalid =
                    || ParseError::new("policy", text, "mogo:P:Q, both probabilities from 0 to 1");
                let (captures, shapes) = given.split_once(':').ok_or_else(invalid)?;
                let (captures, shapes) = (probability_of(captures)?, probability_of(shapes)?);
                Ok(Self::Mogo { captures, shapes })
            }
            _ => match own::REGISTERED.get(text) {
                Ok(Some(own)) => Ok(Self::Own(own)),
                Ok(None) => Err(Self::refused(text)),
                Err(expected) => Err(ParseError::new("policy", text, expected)),
            },
        }
    }
}

/// A probability in the text of a policy.
fn probability_of(given: &str) -> Result<f64, ParseError> {
    let number = given.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| ParseError::new("probability", given, "a number from 0 to 1"))
}

text_setting!(Policy, "policy", own::expected());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        let built_in = ["uniform", "capture-escape:0", "capture-escape:0.9", "capture-escape:1"];
        for text in built_in.into_iter().chain(["mogo:0:1", "mogo:0.9:0.5", "mogo:1:0"]) {
            assert_eq!(text.parse::<Policy>().map(|policy| policy.to_string()), Ok(text.into()));
        }
        for text in ["", "Uniform", "uniform:1", "capture-escape", "capture", "mogo", "mogo:1"] {
            let error = text.parse::<Policy>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("invalid policy `{text}`: ")), "{error}");
        }
        for given in ["", "1.01", "-0.1", "nan", "much"] {
            let error = format!("capture-escape:{given}").parse::<Policy>().unwrap_err();
            let expected = ParseError::new("probability", given, "a number from 0 to 1");
            assert_eq!(error, expected);
            for text in [format!("mogo:{given}:1"), format!("mogo:1:{given}")] {
                assert_eq!(text.parse::<Policy>(), Err(expected.clone()));
            }
        }
        assert!("mogo:0.9:1:1".parse::<Policy>().is_err());
    }

    #[test]
    fn never_and_always_are_exact() {
        let policy = |probability| Policy::CaptureEscape { probability };
        for number in [0, 1, u64::MAX, 0xFFFF_FFFF, 0x8000_0000] {
            for never in [policy(0.0), Policy::default()] {
                assert_eq!(never.has_preferences(number), [false, false]);
            }
            assert_eq!(policy(1.0).has_preferences(number), [true, false]);
            let shapes = Policy::Mogo { captures: 0.0, shapes: 1.0 };
            assert_eq!(shapes.has_preferences(number), [false, true]);
        }
        let (low, high) = (0x7FFF_FFFF, 0x8000_0000);
        assert!(policy(0.5).has_preferences(low)[0] && !policy(0.5).has_preferences(high)[0]);
        let often = Policy::Mogo { captures: 0.5, shapes: 0.75 };
        assert_eq!(often.has_preferences(low), [true, true]);
        assert_eq!(often.has_preferences(high), [false, true]);
    }
}
