//! Komi and scores: half points as integers, seen from Black.

use super::color::Color;
use super::parse_error::ParseError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Sub;
use std::str::FromStr;
use tengen_settings::{Domain, TextValue};

/// The largest komi in points, for White or for Black.
const MAX_KOMI: i16 = 1_000;

/// The komi: points that White receives; a negative komi goes to Black.
///
/// # Examples
/// ```
/// use tengen_go::Komi;
///
/// let komi: Komi = "7.5".parse()?;
/// assert_eq!(komi.half_points(), 15);
/// assert!("7.25".parse::<Komi>().is_err());
/// assert_eq!(Komi::equivalent(7.25)?, komi);
/// # Ok::<(), tengen_go::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Komi {
    half_points: i16,
}

impl Komi {
    /// The komi of `half_points` half points: 15 is a komi of 7.5. Refuses more than 1000 points for either
    /// side.
    pub fn from_half_points(half_points: i16) -> Result<Self, ParseError> {
        Self::try_from(f64::from(half_points) / 2.0)
    }

    fn invalid(text: impl Into<String>) -> ParseError {
        ParseError::new("komi", text, Self::forms())
    }

    fn forms() -> String {
        format!("a multiple of 0.5 from -{MAX_KOMI} to {MAX_KOMI}")
    }

    /// The komi of `points`; between two multiples of half a point, the komi n + 0.5 under which
    /// the same player wins every game. Area scores are whole numbers, so 7.25 and 7.5 decide
    /// alike. Refuses anything but a number from -1000 to 1000.
    pub fn equivalent(points: f64) -> Result<Self, ParseError> {
        let is_whole = (points * 2.0).fract() == 0.0;
        Self::try_from(if is_whole { points } else { points.floor() + 0.5 })
            .map_err(|_| Self::invalid(points.to_string()))
    }

    /// The komi with `points` more for White, which may go beyond the range of
    /// [`Komi::from_half_points`].
    pub(crate) fn plus(self, points: i16) -> Self {
        Self { half_points: self.half_points.saturating_add(points.saturating_mul(2)) }
    }

    /// The komi of `half_points` half points: an `i8` is never out of range.
    pub(crate) fn small(half_points: i8) -> Self {
        Self { half_points: half_points.into() }
    }

    /// The komi in half points.
    #[must_use]
    pub const fn half_points(self) -> i16 {
        self.half_points
    }
}

impl TryFrom<f64> for Komi {
    type Error = ParseError;

    fn try_from(points: f64) -> Result<Self, ParseError> {
        let half_points = points * 2.0;
        if half_points.fract() != 0.0 || half_points.abs() > f64::from(2 * MAX_KOMI) {
            return Err(Self::invalid(points.to_string()));
        }
        #[allow(clippy::cast_possible_truncation)] // a whole number in range
        Ok(Self { half_points: half_points as i16 })
    }
}

impl From<Komi> for f64 {
    fn from(komi: Komi) -> Self {
        Self::from(komi.half_points) / 2.0
    }
}

impl FromStr for Komi {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let points = text.parse::<f64>().map_err(|_| Self::invalid(text))?;
        Self::try_from(points).map_err(|_| Self::invalid(text))
    }
}

impl TextValue for Komi {
    fn domain() -> Domain {
        Domain::Text(Self::forms())
    }
}

impl fmt::Display for Komi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&f64::from(*self).to_string())
    }
}

/// A score: Black's points minus White's, in half points.
///
/// # Examples
/// ```
/// use tengen_go::{Color, Komi, Score};
///
/// let komi: Komi = "7.5".parse()?;
/// let score = Score::from_points(11) - komi;
/// assert_eq!(score.winner(), Some(Color::Black));
/// assert_eq!(score.to_result(), "B+3.5");
/// assert_eq!(Score::from_result("B+3.5"), Some(score));
/// # Ok::<(), tengen_go::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Score {
    half_points: i32,
}

impl Score {
    /// The score where Black leads by `points` points.
    #[must_use]
    pub const fn from_points(points: i32) -> Self {
        Self { half_points: 2 * points }
    }

    /// The score where Black leads by `half_points` half points.
    #[must_use]
    pub const fn from_half_points(half_points: i32) -> Self {
        Self { half_points }
    }

    /// Black's lead in half points.
    #[must_use]
    pub const fn half_points(self) -> i32 {
        self.half_points
    }

    /// Black's lead in points.
    #[must_use]
    pub fn points(self) -> f64 {
        f64::from(self.half_points) / 2.0
    }

    /// The player who is ahead; `None` at jigo.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self.half_points {
            1.. => Some(Color::Black),
            0 => None,
            _ => Some(Color::White),
        }
    }

    /// The score as GTP and SGF write it: `B+3.5`, `W+7`, and `0` at jigo.
    #[must_use]
    pub fn to_result(self) -> String {
        let lead = f64::from(self.half_points.unsigned_abs()) / 2.0;
        match self.winner() {
            Some(Color::Black) => format!("B+{lead}"),
            Some(Color::White) => format!("W+{lead}"),
            None => "0".to_owned(),
        }
    }

    /// Parses a result of GTP or SGF: `B+3.5`, `W+7`, `0`, `Draw` or `Jigo`. `None` for
    /// a result without points, such as `B+R`.
    #[must_use]
    pub fn from_result(text: &str) -> Option<Self> {
        let text = text.trim();
        if ["0", "draw", "jigo"].iter().any(|jigo| text.eq_ignore_ascii_case(jigo)) {
            return Some(Self::default());
        }
        let (winner, lead) = text.split_once('+')?;
        let half_points = 2.0 * lead.trim().replace(',', ".").parse::<f64>().ok()?;
        if half_points.fract() != 0.0 || !(0.0..=10_000.0).contains(&half_points) {
            return None;
        }
        #[allow(clippy::cast_possible_truncation)] // a whole number in range
        let half_points = half_points as i32;
        match winner.trim().parse() {
            Ok(Color::Black) => Some(Self { half_points }),
            Ok(Color::White) => Some(Self { half_points: -half_points }),
            Err(_) => None,
        }
    }

    /// The lead of `color` in half points.
    #[must_use]
    pub const fn for_player(self, color: Color) -> i32 {
        match color {
            Color::Black => self.half_points,
            Color::White => -self.half_points,
        }
    }
}

impl Sub<Komi> for Score {
    type Output = Self;

    fn sub(self, komi: Komi) -> Self {
        Self { half_points: self.half_points - i32::from(komi.half_points) }
    }
}

impl fmt::Display for Score {
    /// Black's lead in points: `3.5`, `-7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.points().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn komi_is_a_multiple_of_half_a_point() {
        assert_eq!("7.5".parse::<Komi>().unwrap().half_points(), 15);
        assert_eq!("-5.5".parse::<Komi>().unwrap().half_points(), -11);
        assert_eq!("6".parse::<Komi>().unwrap().to_string(), "6");
        for text in ["7.25", "0.1", "1e9", "nan", "inf", "-inf", "", "seven", "1000.5"] {
            let error = text.parse::<Komi>().unwrap_err().to_string();
            assert!(error.contains(&format!("`{text}`")), "{error}");
        }
    }

    #[test]
    fn between_half_points_the_same_player_wins() {
        let komi = |points: f64| Komi::equivalent(points).unwrap();
        for (points, text) in
            [(7.25, "7.5"), (6.9, "6.5"), (7.5, "7.5"), (7.0, "7"), (-0.25, "-0.5"), (-7.0, "-7")]
        {
            assert_eq!(komi(points).to_string(), text, "{points}");
            for lead in -10_i32..=10 {
                let winner = (Score::from_points(lead) - komi(points)).half_points().signum();
                let by = f64::from(lead) - points;
                assert_eq!(
                    f64::from(winner),
                    if by == 0.0 { 0.0 } else { by.signum() },
                    "{points}"
                );
            }
        }
        for points in [f64::NAN, f64::INFINITY, 1000.25, -1000.25, 1e300] {
            assert!(Komi::equivalent(points).is_err(), "{points}");
        }
    }

    #[test]
    fn results_round_trip() {
        for half_points in -9..=9 {
            let score = Score { half_points };
            assert_eq!(Score::from_result(&score.to_result()), Some(score));
        }
        assert_eq!(Score { half_points: 7 }.to_result(), "B+3.5");
        assert_eq!(Score { half_points: -14 }.to_result(), "W+7");
        assert_eq!(Score::from_result("W+12.0"), Some(Score::from_points(-12)));
        assert_eq!(Score::from_result("B+3,5"), Some(Score { half_points: 7 }));
        assert_eq!(Score::from_result("Draw"), Some(Score::default()));
        for text in ["", "B+R", "B+", "+3", "B+-3", "B+0.25", "B+nan", "B+1e9", "Void", "X+1"] {
            assert_eq!(Score::from_result(text), None, "{text}");
        }
    }

    #[test]
    fn komi_goes_to_white() {
        let komi = "7.5".parse::<Komi>().unwrap();
        assert_eq!((Score::from_points(7) - komi).winner(), Some(Color::White));
        assert_eq!((Score::from_points(8) - komi).winner(), Some(Color::Black));
        assert_eq!((Score::from_points(8) - komi).to_string(), "0.5");
        assert_eq!((Score::from_points(-3) - komi).for_player(Color::White), 21);
        assert_eq!((Score::from_points(6) - "6".parse().unwrap()).winner(), None);
    }
}
