//! Dynamic komi: a komi for playouts that keeps win rates away from 0 and 1.

use super::setting::{SettingError, number_after, written_as_text};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tengen_go::{Color, Komi, Score};

/// The mean reward below which the komi moves in favour of the player at the root.
const DISTRESSED: f64 = 0.45;
/// The mean reward above which the komi moves against that player.
const CONTENT: f64 = 0.5;

/// Dynamic komi: how the komi of playouts differs from that of the game. As text
/// `none` or `situational:500`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum DynamicKomi {
    /// No dynamic komi.
    #[default]
    None,
    /// Value-situational (Baudiš, "Balancing MCTS by dynamically adjusting the
    /// komi value", 2011, section 4.2): each time this number of simulations has been made,
    /// the komi moves by a point against the player to move at the root if their mean
    /// reward was above 0.5, and in favour of that player if it was below 0.45. The extra
    /// komi begins at 0 in every search. Two refinements of the paper are left out: the
    /// ratchet, and the end of dynamic komi late in a game.
    Situational(u32),
}

impl FromStr for DynamicKomi {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        if text == "none" {
            return Ok(Self::None);
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // of the range
        number_after(text, "situational", 1.0..=1e9)
            .filter(|number| number.fract() == 0.0)
            .map(|number| Self::Situational(number as u32))
            .ok_or(SettingError {
                text: text.to_owned(),
                setting: "dynamic_komi",
                expected: "none or situational:SIMULATIONS",
            })
    }
}

impl fmt::Display for DynamicKomi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.pad("none"),
            Self::Situational(interval) => f.pad(&format!("situational:{interval}")),
        }
    }
}

written_as_text!(DynamicKomi);

/// The current komi of a search's playouts.
#[derive(Clone, Debug)]
pub(super) struct RunningKomi {
    komi: Komi,
    mode: DynamicKomi,
    player: Color,
    most: i32,
    /// The extra komi in half points, which the player at the root gives the opponent.
    extra: i32,
    /// The sum of the rewards of the player at the root since the komi was last adjusted.
    rewards: f64,
    /// The number of simulations since then.
    count: u32,
}

impl RunningKomi {
    /// The komi of a search with `player` to move at the root; the extra komi never
    /// exceeds `points` points.
    pub(super) fn new(komi: Komi, mode: DynamicKomi, player: Color, points: usize) -> Self {
        let most = 2 * i32::try_from(points).unwrap_or(0);
        Self { komi, mode, player, most, extra: 0, rewards: 0.0, count: 0 }
    }

    /// Black's lead after the current komi, where `score` is the lead on the board.
    #[inline]
    pub(super) fn lead(&self, score: Score) -> Score {
        let lead = score - self.komi;
        if self.extra == 0 {
            return lead;
        }
        let given = if self.player == Color::Black { -self.extra } else { self.extra };
        Score::from_half_points(lead.half_points() + given)
    }

    /// Counts `count` simulations whose rewards for the player at the root add up to `rewards`,
    /// with the mean of them for each.
    #[inline]
    pub(super) fn learn_all(&mut self, rewards: f64, count: u32) {
        if self.mode != DynamicKomi::None {
            for _ in 0..count {
                self.learn(rewards / f64::from(count));
            }
        }
    }

    /// Counts a simulation with this reward for the player at the root, and adjusts the
    /// komi when it is time.
    #[inline]
    pub(super) fn learn(&mut self, reward: f64) {
        let DynamicKomi::Situational(interval) = self.mode else { return };
        self.rewards += reward;
        self.count += 1;
        if self.count < interval {
            return;
        }
        let mean = self.rewards / f64::from(self.count);
        if mean > CONTENT {
            self.extra = (self.extra + 2).min(self.most);
        } else if mean < DISTRESSED {
            self.extra = (self.extra - 2).max(-self.most);
        }
        (self.rewards, self.count) = (0.0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running(mode: DynamicKomi, player: Color) -> RunningKomi {
        RunningKomi::new(Komi::from_half_points(5).unwrap(), mode, player, 25)
    }

    #[test]
    fn fixed_komi_is_that_of_the_game() {
        let mut komi = running(DynamicKomi::None, Color::Black);
        (0..100).for_each(|_| komi.learn(1.0));
        assert_eq!(komi.lead(Score::from_points(3)).half_points(), 1);
    }

    #[test]
    fn a_winner_is_hindered_and_a_loser_helped() {
        for (player, sign) in [(Color::Black, 1), (Color::White, -1)] {
            let mut komi = running(DynamicKomi::Situational(10), player);
            let base = 2 * 3 - 5;
            (0..9).for_each(|_| komi.learn(1.0));
            assert_eq!(komi.lead(Score::from_points(3)).half_points(), base);
            komi.learn(1.0);
            assert_eq!(komi.lead(Score::from_points(3)).half_points(), base - 2 * sign);
            // Between the bounds it stays.
            (0..100).for_each(|_| komi.learn(0.47));
            assert_eq!(komi.lead(Score::from_points(3)).half_points(), base - 2 * sign);
            (0..20).for_each(|_| komi.learn(0.2));
            assert_eq!(komi.lead(Score::from_points(3)).half_points(), base + 2 * sign);
        }
    }

    #[test]
    fn the_board_bounds_it() {
        let mut komi = running(DynamicKomi::Situational(1), Color::Black);
        (0..1_000).for_each(|_| komi.learn(1.0));
        assert_eq!(komi.lead(Score::from_points(25)).half_points(), 50 - 5 - 50);
    }

    #[test]
    fn text_round_trips() {
        for text in ["none", "situational:500"] {
            let komi: DynamicKomi = text.parse().unwrap();
            assert_eq!(komi.to_string(), text);
        }
        for text in ["", "linear", "situational", "situational:0", "situational:1.5"] {
            assert!(text.parse::<DynamicKomi>().is_err(), "{text}");
        }
    }
}
