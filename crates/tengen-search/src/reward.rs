//! The reward of a playout: what a search maximises.

use super::setting::{SettingError, number_after, written_as_text};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tengen_go::{Color, Score};

/// Rewards are multiples of 2⁻²⁰, so that their sums are exact in whatever
/// order they are added.
const REWARD_STEPS: f64 = 1_048_576.0;

/// The reward that a search maximises. As text `win` or `score-blend:0.1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Reward {
    /// 1 for a win, ½ for jigo, 0 for a loss.
    #[default]
    Win,
    /// (1 − w) · win + w · (½ + lead / (2 · points)) with the weight w, 0 to 1, the points
    /// of the board, and the lead after komi, limited to ±points. Among moves that win
    /// equally often the one that wins by more is the better.
    ScoreBlend(f64),
}

impl Reward {
    /// The reward of `player`, 0 to 1, where Black leads by `lead` after komi on a board
    /// of `points` points. The rewards of both players add up to 1.
    #[inline]
    #[must_use]
    pub fn reward(self, lead: Score, points: usize, player: Color) -> f64 {
        let own = match lead.winner() {
            None => 0.5,
            Some(Color::Black) => 1.0,
            Some(Color::White) => 0.0,
        };
        let black = match self {
            Self::Win => own,
            Self::ScoreBlend(weight) => {
                let share = f64::from(lead.half_points()) / (2.0 * points as f64);
                let share = 0.5 + 0.5 * share.clamp(-1.0, 1.0);
                let blended = (1.0 - weight) * own + weight * share;
                (blended * REWARD_STEPS).round() / REWARD_STEPS
            }
        };
        if player == Color::Black { black } else { 1.0 - black }
    }
}

impl FromStr for Reward {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        if text == "win" {
            return Ok(Self::Win);
        }
        number_after(text, "score-blend", 0.0..=1.0).map(Self::ScoreBlend).ok_or(SettingError {
            text: text.to_owned(),
            setting: "value",
            expected: "win or score-blend:WEIGHT, from 0 to 1",
        })
    }
}

impl fmt::Display for Reward {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win => f.pad("win"),
            Self::ScoreBlend(weight) => f.pad(&format!("score-blend:{weight}")),
        }
    }
}

written_as_text!(Reward);

#[cfg(test)]
mod tests {
    use super::*;

    fn lead(half_points: i32) -> Score {
        Score::from_half_points(half_points)
    }

    #[test]
    fn a_win_is_one_and_jigo_one_half() {
        for (half_points, black) in [(1, 1.0), (-50, 0.0), (0, 0.5)] {
            assert_eq!(Reward::Win.reward(lead(half_points), 25, Color::Black), black);
            assert_eq!(Reward::Win.reward(lead(half_points), 25, Color::White), 1.0 - black);
        }
    }

    #[test]
    fn blended_by_hand() {
        let value = Reward::ScoreBlend(0.2);
        // Black by 12.5 of 25: 0.8 + 0.2·0.75 = 0.95. White by 5: 0.2·0.4 = 0.08.
        assert!((value.reward(lead(25), 25, Color::Black) - 0.95).abs() < 1e-6);
        assert!((value.reward(lead(-10), 25, Color::Black) - 0.08).abs() < 1e-6);
        assert!((value.reward(lead(-10), 25, Color::White) - 0.92).abs() < 1e-6);
        // Beyond the board the lead counts no more.
        let most = value.reward(lead(51), 25, Color::Black);
        assert!((most - 1.0).abs() < 1e-9, "{most}");
        // A multiple of 2⁻²⁰.
        let steps = value.reward(lead(7), 25, Color::Black) * REWARD_STEPS;
        assert_eq!(steps, steps.round());
    }

    #[test]
    fn text_round_trips() {
        for text in ["win", "score-blend:0.1", "score-blend:1"] {
            assert_eq!(text.parse::<Reward>().map(|value| value.to_string()), Ok(text.into()));
        }
        for text in ["", "score", "score-blend:2", "score-blend:x", "win:1"] {
            assert!(text.parse::<Reward>().is_err(), "{text}");
        }
    }
}
