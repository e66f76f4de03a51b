//! The question `playouts`: who owns each point at the ends of playouts, and with which scores.

use super::{Offers, after, from_one, game_and_bot, one};
use crate::page::{GameText, Limits, Position, Refusal};
use serde::{Deserialize, Serialize};
use tengen_bots::sample;
use tengen_go::{Color, Move, Score};
use tengen_search::UctConfig;

/// The question: from which position, and how many playouts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayoutsRequest {
    /// The game.
    pub game: GameText,
    /// Moves after its last position.
    #[serde(default)]
    pub path: Vec<Move>,
    /// The bot whose policy plays the playouts; if the bot makes none, the policy of `uct` does.
    pub bot: String,
    /// The random seed. Playout number n, from 0, has a seed derived from this seed and n.
    #[serde(default = "one")]
    pub seed: u64,
    /// The number of playouts.
    pub playouts: u64,
}

/// The results of the playouts.
#[derive(Debug, Serialize)]
pub struct PlayoutsAnswer {
    /// The number of playouts.
    pub playouts: u64,
    /// Their policy.
    pub policy: String,
    /// The owner of each point from the top left by rows: 1 if it was always Black's, −1 if it was
    /// always White's.
    pub ownership: Vec<f64>,
    /// The scores before komi, Black's lead in points, and how many playouts ended with each.
    pub scores: Vec<(f64, u64)>,
    /// The mean score before komi, in points.
    pub mean: Option<f64>,
    /// The standard deviation of the scores, in points.
    pub deviation: Option<f64>,
    /// What White receives before scores are compared, in points: komi, and points for handicap stones.
    pub komi: f64,
    /// Numbers of playouts that Black wins after komi, that White wins, and that nobody wins.
    pub wins: [u64; 3],
    /// The position from which they begin.
    pub position: Position,
}

impl PlayoutsRequest {
    /// Plays the playouts.
    pub fn answer(&self, offers: &Offers, limits: &Limits) -> Result<PlayoutsAnswer, Refusal> {
        from_one("playouts", self.playouts, limits.counted_playouts)?;
        let (game, config) = game_and_bot(&self.game, &self.bot, offers, limits)?;
        let game = after(&game, &self.path)?;
        let sample = sample(&config, &game, self.seed, self.playouts);
        let komi = game.rules().komi;
        let winner = |score: &Score| match (*score - komi).winner() {
            Some(Color::Black) => 0,
            Some(Color::White) => 1,
            None => 2,
        };
        let mut wins = [0; 3];
        sample.scores().iter().for_each(|(score, count)| wins[winner(score)] += count);
        let policy = config.uct().unwrap_or(&UctConfig::default()).policy;
        Ok(PlayoutsAnswer {
            playouts: sample.playouts(),
            policy: policy.to_string(),
            ownership: sample.ownership_from_top(),
            scores: sample.scores().iter().map(|(s, &count)| (s.points(), count)).collect(),
            mean: sample.mean(),
            deviation: sample.deviation(),
            komi: f64::from(komi),
            wins,
            position: Position::of(&game)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(json: &str) -> Result<PlayoutsAnswer, Refusal> {
        let request: PlayoutsRequest = serde_json::from_str(json).unwrap();
        request.answer(&Offers::default(), &Limits::default())
    }

    #[test]
    fn owners_and_scores_of_a_divided_board() {
        let game = r#"{"size":"5x5","komi":0.5,"setup":".X.X./XXXXX/OOOOO/.O.O./OOOOO"}"#;
        let answer =
            ask(&format!(r#"{{"game":{game},"bot":"uct","playouts":200,"path":["pass"]}}"#))
                .unwrap();
        assert_eq!((answer.playouts, answer.position.game.moves.as_str()), (200, "pass"));
        let (top, bottom) = answer.ownership.split_at(10);
        assert!(top.iter().all(|&share| share == 1.0), "{top:?}");
        assert!(bottom.iter().all(|&share| share == -1.0), "{bottom:?}");
        assert_eq!((answer.scores, answer.wins), (vec![(-5.0, 200)], [0, 200, 0]));
        assert_eq!((answer.mean, answer.deviation), (Some(-5.0), Some(0.0)));
    }

    #[test]
    fn counts_agree() {
        let answer = ask(r#"{"game":{"size":"7x5","komi":3},"bot":"random","playouts":500}"#);
        let answer = answer.unwrap();
        assert_eq!(answer.scores.iter().map(|(_, count)| count).sum::<u64>(), 500);
        assert_eq!(answer.wins.iter().sum::<u64>(), 500);
        let own: f64 = answer.ownership.iter().sum();
        assert!((own - answer.mean.unwrap()).abs() < 1e-9, "the owned points are the score");
        assert!(ask(r#"{"game":{"size":"5x5"},"bot":"uct","playouts":0}"#).is_err());
    }
}
