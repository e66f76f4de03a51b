//! A model of the games of a tournament, fitted to the rows of a run.

use rand::RngExt;
use rand_distr::{Distribution, Normal};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::fmt::Write;
use tengen_go::Color;
use tengen_go::seed::mix;
use tengen_results::{GameRow, Outcome, PlayedGame, Termination};
use tengen_stats::Elo;
use tengen_tournament::{GamePlan, Seat, Tournament};

/// The number under which the seed of a simulated game is derived from that of its pair,
/// whose numbers below are those of the opening and the players.
const STREAM: u64 = 100;

/// The fewest plies of a game.
const LEAST_PLIES: f64 = 20.0;

/// A model of games between two bots of nearly equal strength. Its parts are independent of
/// each other:
///
/// - plies: normal;
/// - seconds per ply, both bots together: log-normal;
/// - winner: by the logistic curve of the Elo difference, with White's advantage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameModel {
    /// Mean and standard deviation of the plies of a game.
    pub plies: (f64, f64),
    /// Mean and standard deviation of the logarithm of the seconds per ply.
    pub log_seconds: (f64, f64),
    /// The advantage of White, in Elo.
    pub white: f64,
    /// Number of rows to which the model was fitted.
    pub rows: usize,
}

/// A simulated game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Game {
    /// Plies.
    pub plies: u32,
    /// Seconds of work on a worker of speed 1.
    pub seconds: f64,
    /// Whether Black wins.
    pub black_wins: bool,
}

impl Game {
    /// The result as the first bot of the pairing sees it.
    #[must_use]
    pub fn of_first(&self, plan: &GamePlan) -> tengen_stats::Outcome {
        let first_wins = self.black_wins == (plan.black == Seat::First);
        if first_wins { tengen_stats::Outcome::Win } else { tengen_stats::Outcome::Loss }
    }
}

impl GameModel {
    /// The model of the played games of `rows`, each of which takes `longer` times as long;
    /// none where there are fewer than two, or nobody won as Black or as White.
    #[must_use]
    pub fn fit(rows: &[GameRow], longer: f64) -> Option<Self> {
        let seconds = |row: &GameRow| row.black_seconds + row.white_seconds;
        let played: Vec<&GameRow> =
            rows.iter().filter(|row| row.plies > 0 && seconds(row) > 0.0).collect();
        let count = |outcome| played.iter().filter(|row| row.outcome == outcome).count() as f64;
        let (black, white) = (count(Outcome::Black), count(Outcome::White));
        if played.len() < 2 || black == 0.0 || white == 0.0 {
            return None;
        }
        let per_ply = |row: &&GameRow| (longer * seconds(row) / f64::from(row.plies)).ln();
        Some(Self {
            plies: moments(played.iter().map(|row| f64::from(row.plies))),
            log_seconds: moments(played.iter().map(per_ply)),
            white: Elo::from_score(white / (white + black)).0,
            rows: played.len(),
        })
    }

    /// The game of `plan`, in which the first bot is stronger by `elo`; the same whenever it
    /// is drawn.
    ///
    /// # Panics
    /// Never: the deviations of a fitted model are finite.
    #[must_use]
    pub fn draw(&self, plan: &GamePlan, elo: f64) -> Game {
        let number = STREAM + plan.game as u64 % 2;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(mix(plan.seed, number));
        let mut normal = |(mean, deviation): (f64, f64)| {
            Normal::new(mean, deviation).expect("a finite deviation").sample(&mut random)
        };
        let plies = normal(self.plies).round().max(LEAST_PLIES);
        let seconds = plies * normal(self.log_seconds).exp();
        let first = if plan.black == Seat::First { elo } else { -elo };
        let black_wins = random.random_bool(Elo(first - self.white).score());
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // some hundreds
        Game { plies: plies as u32, seconds, black_wins }
    }

    /// Mean seconds of a game on a worker of speed 1.
    #[must_use]
    pub fn mean_seconds(&self) -> f64 {
        let (mean, deviation) = self.log_seconds;
        // The mean of a log-normal variable.
        self.plies.0 * (mean + deviation * deviation / 2.0).exp()
    }
}

/// Mean and standard deviation.
fn moments(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, variance.sqrt())
}

/// The row and the record that a worker writes for `game`, of the length that those of a
/// real game have.
#[must_use]
pub fn played(tournament: &Tournament, plan: &GamePlan, game: &Game) -> PlayedGame {
    let name = |color| tournament.bots[plan.bot(color)].name.clone();
    let (outcome, score) =
        if game.black_wins { (Outcome::Black, 9.5) } else { (Outcome::White, -9.5) };
    let playouts = Some(u64::from(game.plies / 2) * 60_000);
    let (black, white) = (name(Color::Black), name(Color::White));
    let mut record = format!(
        "(;GM[1]FF[4]CA[UTF-8]AP[Tengen]SZ[9]KM[7.5]PB[{black}]PW[{white}]RE[{score:+}]RU[tengen]"
    );
    for ply in 0..game.plies {
        // Which points are played does not matter here.
        let _ = write!(record, ";{}[ee]", if ply % 2 == 0 { 'B' } else { 'W' });
    }
    record.push(')');
    let row = GameRow {
        game: plan.game,
        pair: plan.pair,
        pairing: plan.pairing,
        black,
        white,
        seed: plan.seed,
        opening: "A4 D4 D5 C7".to_owned(),
        outcome,
        score: Some(score),
        termination: Termination::Passes,
        plies: game.plies,
        black_playouts: playouts,
        white_playouts: playouts,
        black_seconds: game.seconds / 2.0,
        white_seconds: game.seconds / 2.0,
        white_engine_score: None,
        // What no simulated worker reads; the length of a real row is enough.
        ..GameRow::example()
    };
    PlayedGame { row, record }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_tournament::{Format, Schedule};

    /// Rows of 90 and 110 plies, 0.005 or 0.02 s per ply, of which White wins three in four.
    fn rows() -> Vec<GameRow> {
        let row = |game: usize| {
            let plies = if game.is_multiple_of(2) { 90 } else { 110 };
            let per_ply = if game % 8 < 4 { 0.005 } else { 0.02 };
            let outcome = if game % 4 == 1 { Outcome::Black } else { Outcome::White };
            let black_seconds = f64::from(plies) * per_ply;
            GameRow { game, plies, black_seconds, outcome, ..GameRow::example() }
        };
        (0..800).map(row).collect()
    }

    #[test]
    fn drawn_games_are_like_those_of_the_rows() {
        let model = GameModel::fit(&rows(), 2.0).unwrap();
        assert_eq!(model.rows, 800);
        assert!((model.plies.0 - 100.0).abs() < 1e-9 && (model.plies.1 - 10.0).abs() < 0.01);
        // The geometric mean of 0.01 and 0.04.
        assert!((model.log_seconds.0.exp() - 0.02).abs() < 1e-9);
        let schedule = Schedule::new(Format::AllPlayAll, 2, 10_000, 3);
        let plans = (0..schedule.games()).map(|game| schedule.plan(game));
        let games: Vec<(GamePlan, Game)> =
            plans.map(|plan| (plan, model.draw(&plan, 0.0))).collect();
        let share = |holds: &dyn Fn(&(GamePlan, Game)) -> bool| {
            games.iter().filter(|game| holds(game)).count() as f64 / games.len() as f64
        };
        // Four standard deviations of a share of 20,000.
        assert!((share(&|(_, game)| !game.black_wins) - 0.75).abs() < 0.0125);
        let first = |plan: &GamePlan, game: &Game| game.of_first(plan).halves() == 2;
        assert!((share(&|(plan, game)| first(plan, game)) - 0.5).abs() < 0.0142);
        let drawn =
            moments(games.iter().map(|(_, game)| (game.seconds / f64::from(game.plies)).ln()));
        assert!((drawn.0 - model.log_seconds.0).abs() < 0.03, "{drawn:?}");
        assert!((drawn.1 - model.log_seconds.1).abs() < 0.03, "{drawn:?}");
        let mean = games.iter().map(|(_, game)| game.seconds).sum::<f64>() / games.len() as f64;
        assert!((mean / model.mean_seconds() - 1.0).abs() < 0.03, "{mean}");
    }

    #[test]
    fn a_stronger_bot_wins_as_often_as_its_elo_says() {
        let model = GameModel { white: 0.0, ..GameModel::fit(&rows(), 1.0).unwrap() };
        let schedule = Schedule::new(Format::AllPlayAll, 2, 10_000, 3);
        let won = (0..schedule.games()).filter(|&game| {
            let plan = schedule.plan(game);
            model.draw(&plan, 100.0).of_first(&plan).halves() == 2
        });
        // 100 Elo are 64.0 %.
        assert!((won.count() as f64 / 20_000.0 - 0.640).abs() < 0.0136);
    }

    #[test]
    fn rows_without_games_have_no_model() {
        assert_eq!(GameModel::fit(&[], 1.0), None);
        let lost = GameRow { outcome: Outcome::White, ..GameRow::example() };
        assert_eq!(GameModel::fit(&[lost.clone(), lost], 1.0), None);
    }
}
