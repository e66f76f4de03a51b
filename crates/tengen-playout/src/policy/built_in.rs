//! The built-in policies in the forms that are played: plain code on a board, which defines them,
//! and sets of preferred points in scalar playouts and in the lanes.

use super::scalar::ScalarPolicy;
use super::tactical::{Memory, ScalarTactical, Tactical};
use super::turn::{PlayoutPolicy, Turn};
use super::{GameView, Policy, capture_escape, coin_threshold, has_preference, mogo};
use std::fmt;
use tengen_go::{Bits, Board};

/// A built-in policy, which lanes can play.
///
/// # Examples
/// ```
/// use tengen_go::{Bits, Board, Color};
/// use tengen_playout::BuiltInPolicy;
///
/// let policy = BuiltInPolicy::CaptureEscape { probability: 0.9 };
/// let board = Board::<1>::from_diagram(".X./XOX/...", Color::Black)?;
/// let [urgent, shapes] = policy.preferred(&board, board.stones(Color::White));
/// assert_eq!(urgent, Bits::point(Bits::<1>::index("B1".parse()?)));
/// assert!(shapes.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BuiltInPolicy {
    /// Every candidate is equally likely.
    Uniform {},
    /// With probability `probability` the first attempt of a turn draws only from the
    /// candidates that capture the chain of the opponent's last stone or extend an own
    /// chain in atari beside that stone, if there are any. Every other attempt draws from
    /// all candidates; so does the first attempt of a playout, which knows no last stone.
    CaptureEscape {
        /// Probability per turn of preferring such points, 0 to 1.
        probability: f64,
    },
    /// As `CaptureEscape` with probability `captures`. If no candidate captures or escapes, or the
    /// turn does not prefer these, then with probability `shapes` its first attempt draws only from
    /// the candidates around the opponent's last stone that have one of MoGo's shapes around them
    /// (Gelly, Wang, Munos and Teytaud 2006), if there are any. One coin decides both: a turn
    /// prefers either with the greater of the two probabilities.
    Mogo {
        /// Probability per turn of preferring captures and escapes, 0 to 1.
        captures: f64,
        /// Probability per turn of preferring shapes, 0 to 1.
        shapes: f64,
    },
    /// Captures and escapes on the whole board, ataris and shapes, without bad self-ataris.
    Tactical(Tactical),
}

impl BuiltInPolicy {
    /// The probability per turn that the first attempt prefers each of the sets
    /// [`Self::preferred`].
    const fn probabilities(self) -> [f64; 2] {
        match self {
            Self::Uniform {} => [0.0; 2],
            Self::CaptureEscape { probability } => [probability, 0.0],
            Self::Mogo { captures, shapes } | Self::Tactical(Tactical { captures, shapes, .. }) => {
                [captures, shapes]
            }
        }
    }

    /// Whether the policy prefers shapes.
    #[inline]
    pub(crate) const fn has_shapes(self) -> bool {
        matches!(self, Self::Mogo { .. } | Self::Tactical(_))
    }

    /// The points that the player to move prefers after `last`, the set of the opponent's stone
    /// just played, empty if there was none. The first set, captures and escapes, comes first; the
    /// second, points of shapes, counts where no point of the first is a candidate. The points need
    /// not be candidates. For `Tactical`, which has other sets, both are empty.
    #[must_use]
    pub fn preferred<const W: usize>(self, board: &Board<W>, last: Bits<W>) -> [Bits<W>; 2] {
        match self {
            Self::Uniform {} | Self::Tactical(_) => [Bits::EMPTY; 2],
            Self::CaptureEscape { .. } => [capture_escape::preferred(board, last), Bits::EMPTY],
            Self::Mogo { .. } => {
                [capture_escape::preferred(board, last), mogo::preferred(board, last)]
            }
        }
    }

    /// The points of `candidates` that the first attempt of a turn draws from, by its random
    /// number: the candidates of the first set [`Self::preferred`] that the number makes the turn
    /// prefer and that has any, or all candidates.
    #[must_use]
    pub fn drawn_from<const W: usize>(
        self,
        board: &Board<W>,
        last: Bits<W>,
        candidates: Bits<W>,
        number: u64,
    ) -> Bits<W> {
        if let Self::Tactical(rules) = self {
            let (policy, game) = (ScalarTactical(rules.into()), GameView::of(board, last));
            let mut memory = policy.remember(&game);
            return tactical_drawn_from(policy, &mut memory, &game, candidates, number);
        }
        let sets = self.preferred(board, last).into_iter().zip(self.has_preferences(number));
        let mut preferred = sets.map(
            |(set, is_preferred)| {
                if is_preferred { set & candidates } else { Bits::EMPTY }
            },
        );
        preferred.find(|set| !set.is_empty()).unwrap_or(candidates)
    }

    /// Which of the sets [`Self::preferred`] a turn prefers, by its first random number.
    ///
    /// The upper half of `number` draws the candidate; the coin is the 31 bits from bit 1
    /// on. So the coin needs no number of its own, and a playout at probability 0 is the
    /// uniform playout.
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

// Functions of their own: inlined, the long code would be in each program several times.

#[inline(never)]
fn tactical_drawn_from<const W: usize>(
    policy: ScalarTactical,
    memory: &mut Memory<Bits<W>>,
    game: &GameView<Bits<W>>,
    candidates: Bits<W>,
    number: u64,
) -> Bits<W> {
    policy.drawn_from(memory, game, candidates, number)
}

#[inline(never)]
fn tactical_vetoed<const W: usize>(
    policy: ScalarTactical,
    memory: &Memory<Bits<W>>,
    game: &GameView<Bits<W>>,
    point: Bits<W>,
    number: u64,
) -> Option<Bits<W>> {
    policy.vetoed(memory, game, point, number)
}

/// The player of a playout in plain code: a policy, and what it remembers from one turn to the
/// next.
pub struct Player<const W: usize> {
    policy: Policy,
    tactical: Option<(ScalarTactical, Memory<Bits<W>>)>,
    /// The points that the next attempt draws from, if one of them is a candidate.
    instead: Bits<W>,
}

/// The point of an attempt, and whether the policy vetoes it.
pub struct Attempt {
    pub index: usize,
    pub is_vetoed: bool,
}

impl<const W: usize> Player<W> {
    /// The player of a playout by `policy` that begins on `board`. `last` is the set of the
    /// opponent's stone just played in the playout, empty if there was none.
    #[must_use]
    pub fn new(policy: Policy, board: &Board<W>, last: Bits<W>) -> Self {
        let tactical = match policy.as_built_in() {
            Some(BuiltInPolicy::Tactical(rules)) => Some(ScalarTactical(rules.into())),
            _ => None,
        };
        let remember =
            |policy: ScalarTactical| (policy, policy.remember(&GameView::of(board, last)));
        Self { policy, tactical: tactical.map(remember), instead: Bits::EMPTY }
    }

    /// Makes the attempt of `turn`; returns `None`, a pass, if there are no candidates.
    pub(crate) fn attempt(&mut self, turn: &Turn<W>) -> Option<Attempt> {
        let Some((policy, memory)) = &mut self.tactical else {
            let draw = || Attempt { index: self.policy.draw(turn), is_vetoed: false };
            return (!turn.candidates.is_empty()).then(draw);
        };
        let Turn { ref board, candidates, last, is_first, number } = *turn;
        let game = GameView::of(board, last);
        let instead = self.instead & candidates;
        let drawn_from = if is_first {
            tactical_drawn_from(*policy, memory, &game, candidates, number)
        } else if instead.is_empty() {
            candidates
        } else {
            instead
        };
        if candidates.is_empty() {
            return None;
        }
        let index = turn.one_of(drawn_from);
        let veto = tactical_vetoed(*policy, memory, &game, Bits::point(index), number);
        self.instead = veto.unwrap_or(Bits::EMPTY);
        Some(Attempt { index, is_vetoed: veto.is_some() })
    }
}

impl PlayoutPolicy for BuiltInPolicy {
    fn draw<const W: usize>(&self, turn: &Turn<W>) -> usize {
        let Turn { ref board, candidates, last, is_first, number } = *turn;
        let first = || self.drawn_from(board, last, candidates, number);
        turn.one_of(if is_first { first() } else { candidates })
    }
}

impl fmt::Display for BuiltInPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uniform {} => f.pad("uniform"),
            Self::CaptureEscape { probability } => f.pad(&format!("capture-escape:{probability}")),
            Self::Mogo { captures, shapes } => f.pad(&format!("mogo:{captures}:{shapes}")),
            Self::Tactical(Tactical { captures, anywhere, atari, shapes, veto, nakade }) => {
                let five = format!("tactical:{captures}:{anywhere}:{atari}:{shapes}:{veto}");
                if *nakade == 0.0 { f.pad(&five) } else { f.pad(&format!("{five}:{nakade}")) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_and_always_are_exact() {
        let policy = |probability| BuiltInPolicy::CaptureEscape { probability };
        for number in [0, 1, u64::MAX, 0xFFFF_FFFF, 0x8000_0000] {
            for never in [policy(0.0), BuiltInPolicy::Uniform {}] {
                assert_eq!(never.has_preferences(number), [false, false]);
            }
            assert_eq!(policy(1.0).has_preferences(number), [true, false]);
            let shapes = BuiltInPolicy::Mogo { captures: 0.0, shapes: 1.0 };
            assert_eq!(shapes.has_preferences(number), [false, true]);
        }
        let (low, high) = (0x7FFF_FFFF, 0x8000_0000);
        assert!(policy(0.5).has_preferences(low)[0] && !policy(0.5).has_preferences(high)[0]);
        let often = BuiltInPolicy::Mogo { captures: 0.5, shapes: 0.75 };
        assert_eq!(often.has_preferences(low), [true, true]);
        assert_eq!(often.has_preferences(high), [false, true]);
    }
}
