//! Early-stop rules: when a playout stops before it is over.

use std::fmt;
use std::str::FromStr;
use tengen_go::{Bits, Board, Color, Komi, ParseError, Size, text_setting};

/// The largest lead or margin of a rule: more points than any board has, so that with it
/// a rule never stops a playout at a usual komi.
const MAX_COUNT: u16 = 1_000;

/// An early-stop rule, which stops a playout as soon as a position, the first one
/// included, looks decided. No rule is exact: later captures could turn the game.
///
/// Rules include the komi ([`PlayoutConfig`](super::PlayoutConfig)). The score of a
/// stopped playout is the difference of the points that the rule counts: by this score
/// the winner is always the player for whom the playout was stopped. The area as it
/// stands could name another winner.
///
/// As text, also in TOML: `none`, `mercy:25` or `decided:10`.
///
/// # Examples
/// ```
/// use tengen_go::{Board, Size};
/// use tengen_playout::{EarlyStop, Job, PlayoutConfig, scalar};
///
/// let stop: EarlyStop = "mercy:25".parse()?;
/// let start = Board::<2>::new(Size::square(9)?);
/// let plies = |config: PlayoutConfig| -> u32 {
///     (0..100).map(|seed| scalar::play_by(config, &Job { start, seed }).plies).sum()
/// };
/// let whole = PlayoutConfig::default();
/// assert!(plies(PlayoutConfig { stop, ..whole }) < plies(whole));
/// # Ok::<(), tengen_go::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EarlyStop {
    /// No playout is stopped early.
    #[default]
    Never,
    /// The mercy rule of libego: one player has more than `lead` stones more on the board
    /// than the other, with the komi added for White. The rule counts stones alone.
    /// (libego rounds the komi down, and checks only after a ply.)
    Mercy {
        /// The lead in stones that must be exceeded.
        lead: u16,
    },
    /// The points that one player holds would win by more than `margin` even if all other
    /// points were the opponent's. A player holds its stones, and the empty points beside
    /// them that have no opposing neighbour: one-point eyes, and more. (With eyes alone,
    /// mistakes are more frequent at equal plies saved.)
    Decided {
        /// The lead in points, after komi, that must be exceeded.
        margin: u16,
    },
}

impl EarlyStop {
    /// The texts of the rules and their meaning, for help texts.
    pub const HELP: &'static str = "none, mercy:LEAD (a player leads by more than LEAD stones, komi included) or \
         decided:MARGIN (the points that a player holds for sure win by more than MARGIN)";

    /// The thresholds at which Black and White stop a playout on a board of `size` at
    /// `komi`, by [`Color::index`]: a lead in stones for [`Mercy`](Self::Mercy), a
    /// number of points held for [`Decided`](Self::Decided). No position reaches both
    /// thresholds.
    #[must_use]
    pub fn thresholds(self, size: Size, komi: Komi) -> [i32; 2] {
        let half_points = i32::from(komi.half_points());
        #[allow(clippy::cast_possible_wrap, clippy::cast_possible_truncation)] // at most 361
        let points = size.points() as i32;
        [half_points, -half_points].map(|handicap| match self {
            Self::Never => i32::MAX,
            // 2·threshold - handicap > 2·lead
            Self::Mercy { lead } => (handicap + 2 * i32::from(lead)).div_euclid(2) + 1,
            // 2·(threshold - (points - threshold)) - handicap > 2·margin
            Self::Decided { margin } => {
                (handicap + 2 * i32::from(margin) + 2 * points).div_euclid(4) + 1
            }
        })
    }

    /// Whether the rule stops a playout where it counts these numbers of points for Black
    /// and for White, given its [`Self::thresholds`].
    #[inline]
    #[must_use]
    pub fn is_reached(self, [black, white]: [u32; 2], thresholds: [i32; 2]) -> bool {
        let [black, white] = [black, white].map(u32::cast_signed);
        let [black, white] = match self {
            Self::Never => return false,
            Self::Mercy { .. } => [black - white, white - black],
            Self::Decided { .. } => [black, white],
        };
        black >= thresholds[0] || white >= thresholds[1]
    }

    /// The points that the rule counts for `color`: its stones for
    /// [`Mercy`](Self::Mercy), the points it holds for [`Decided`](Self::Decided).
    #[inline]
    #[must_use]
    pub fn counted<const W: usize>(self, board: &Board<W>, color: Color) -> Bits<W> {
        let stones = board.stones(color);
        match self {
            Self::Never => Bits::EMPTY,
            Self::Mercy { .. } => stones,
            Self::Decided { .. } => {
                let beside_own = stones.neighbors() & board.empty();
                stones | (beside_own - board.stones(!color).neighbors())
            }
        }
    }
}

impl fmt::Display for EarlyStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Never => f.pad("none"),
            Self::Mercy { lead } => f.pad(&format!("mercy:{lead}")),
            Self::Decided { margin } => f.pad(&format!("decided:{margin}")),
        }
    }
}

impl FromStr for EarlyStop {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let number = |given: &str| {
            let number = given.parse().ok().filter(|number| *number <= MAX_COUNT);
            let expected = || format!("a whole number from 0 to {MAX_COUNT}");
            number.ok_or_else(|| ParseError::new("lead or margin", given, expected()))
        };
        match text.split_once(':') {
            None if text == "none" => Ok(Self::Never),
            Some(("mercy", given)) => Ok(Self::Mercy { lead: number(given)? }),
            Some(("decided", given)) => Ok(Self::Decided { margin: number(given)? }),
            _ => Err(Self::refused(text)),
        }
    }
}

text_setting!(
    EarlyStop,
    "stop rule",
    format!("none, mercy:LEAD or decided:MARGIN (whole numbers from 0 to {MAX_COUNT})")
);

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_go::Score;

    /// Checks the thresholds against the definition, not against the solved formula.
    #[test]
    fn thresholds_are_the_least_that_win_by_more() {
        let size = Size::new(5, 4).unwrap();
        for half_points in -60..=60 {
            let komi = Komi::from_half_points(half_points).unwrap();
            for number in 0..12 {
                let wins_by_more = |lead: i32, sign: i32| {
                    let after = Score::from_points(sign * lead) - komi;
                    sign * after.half_points() > 2 * i32::from(number)
                };
                let thresholds = EarlyStop::Mercy { lead: number }.thresholds(size, komi);
                for (threshold, sign) in thresholds.into_iter().zip([1, -1]) {
                    assert!(wins_by_more(threshold, sign) && !wins_by_more(threshold - 1, sign));
                }
                let thresholds = EarlyStop::Decided { margin: number }.thresholds(size, komi);
                for (threshold, sign) in thresholds.into_iter().zip([1, -1]) {
                    let lead = |held: i32| held - (20 - held);
                    assert!(wins_by_more(lead(threshold), sign));
                    assert!(!wins_by_more(lead(threshold - 1), sign));
                }
                assert!(thresholds[0] + thresholds[1] > 20, "both cannot hold so much");
            }
        }
    }
}
