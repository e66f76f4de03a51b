//! Ratings of the bots of a run.

use crate::text::{Align, TextTable};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use tengen_harness::tournament::GameRow;
use tengen_stats::percent;
use tengen_stats::ratings::{Prior, Ratings, RatingsError, Record, Residual, rate};
use tengen_stats::{Games, Interval, Level};

const LEVEL: Level = Level::P95;

/// Bradley–Terry ratings of the bots of a run in Elo, their mean being 0, with an
/// advantage for Black. See [`tengen_stats::ratings`].
#[derive(Clone, Debug)]
pub struct RatingList {
    bots: Vec<String>,
    games: Vec<u64>,
    ratings: Ratings,
    residuals: Vec<Residual>,
}

/// A row of `ratings.csv`: the rating of a bot. The fields are the columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatingRow<'a> {
    /// Name of the bot.
    pub bot: &'a str,
    /// Number of games, void ones left out.
    pub games: u64,
    /// Bradley–Terry rating in Elo, the mean of all bots being 0.
    pub rating: String,
    /// Lower end of the 95 % interval of the rating.
    pub rating_low: String,
    /// Upper end of the 95 % interval of the rating.
    pub rating_high: String,
    /// Standard error of the rating, in Elo.
    pub standard_error: String,
}

/// A row of `differences.csv`: the ratings of two bots that met, and how well
/// these predict their games. The fields are the columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DifferenceRow<'a> {
    /// Name of the first bot.
    pub bot: &'a str,
    /// Name of its opponent.
    pub opponent: &'a str,
    /// Number of games of the two, void ones left out.
    pub games: u64,
    /// Rating of the first bot less that of its opponent, in Elo.
    pub difference: String,
    /// Lower end of the 95 % interval of the difference.
    pub difference_low: String,
    /// Upper end of the 95 % interval of the difference.
    pub difference_high: String,
    /// Win rate of the first bot in these games, a jigo being half a win: 0 to 1.
    pub win_rate: String,
    /// Win rate of the first bot that the ratings predict: 0 to 1.
    pub expected: String,
    /// Win rate less the predicted one, in standard deviations.
    pub deviation: String,
}

impl RatingList {
    /// Rates the `bots` of a tournament by its `rows`.
    ///
    /// # Errors
    /// If the games do not connect all bots.
    pub fn of(bots: &[String], rows: &[GameRow]) -> Result<Self, RatingsError> {
        let place: BTreeMap<&str, usize> =
            bots.iter().enumerate().map(|(place, bot)| (bot.as_str(), place)).collect();
        let mut records = BTreeMap::<(usize, usize), Games>::new();
        let mut games = vec![0; bots.len()];
        for row in rows {
            let places = (place.get(row.black.as_str()), place.get(row.white.as_str()));
            if let (Some(result), (Some(&black), Some(&white))) = (row.outcome.of_black(), places) {
                records.entry((black, white)).or_default().record(result);
                games[black] += 1;
                games[white] += 1;
            }
        }
        let records: Vec<Record> = records
            .into_iter()
            .map(|((first_mover, second_mover), games)| Record { first_mover, second_mover, games })
            .collect();
        let ratings = rate(bots, &records, Prior::default())?;
        let residuals = ratings.residuals(&records);
        Ok(Self { bots: bots.to_vec(), games, ratings, residuals })
    }

    /// Indices of the bots, best first.
    fn best_first(&self) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.bots.len()).collect();
        places.sort_by(|&a, &b| self.ratings.rating(b).0.total_cmp(&self.ratings.rating(a).0));
        places
    }

    /// Name, number of games, rating in Elo and its 95 % interval of each bot,
    /// best first.
    pub fn lines(&self) -> impl Iterator<Item = (&str, u64, f64, Interval)> {
        self.best_first().into_iter().map(|bot| {
            let interval = self.ratings.interval(bot, LEVEL).map(|elo| elo.0);
            (self.bots[bot].as_str(), self.games[bot], self.ratings.rating(bot).0, interval)
        })
    }

    /// The two best bots, and how far the first is rated above the second in
    /// Elo, with the 95 % interval of that difference.
    #[must_use]
    pub fn leaders(&self) -> Option<(&str, &str, f64, Interval)> {
        let [first, second, ..] = self.best_first()[..] else { return None };
        let interval = self.ratings.difference_interval(first, second, LEVEL).map(|elo| elo.0);
        let difference = self.ratings.difference(first, second).0;
        Some((&self.bots[first], &self.bots[second], difference, interval))
    }

    /// The advantage of playing Black, in Elo, and its 95 % interval.
    #[must_use]
    pub fn advantage(&self) -> (f64, Interval) {
        let interval = self.ratings.advantage_interval(LEVEL).map(|elo| elo.0);
        (self.ratings.advantage().0, interval)
    }

    /// The pairings whose win rate lies at least two standard deviations from the
    /// predicted one: bot, opponent, win rate, predicted win rate and number of
    /// standard deviations.
    pub fn surprises(&self) -> impl Iterator<Item = (&str, &str, f64, f64, f64)> {
        self.residuals.iter().filter(|residual| residual.z().abs() >= 2.0).map(|residual| {
            let Residual { player, opponent, score, expected, .. } = *residual;
            let names = (self.bots[player].as_str(), self.bots[opponent].as_str());
            (names.0, names.1, score, expected, residual.z())
        })
    }

    /// The rows of `ratings.csv`, best bot first.
    pub fn rows(&self) -> impl Iterator<Item = RatingRow<'_>> {
        self.best_first().into_iter().map(|bot| {
            let interval = self.ratings.interval(bot, LEVEL);
            RatingRow {
                bot: &self.bots[bot],
                games: self.games[bot],
                rating: format!("{:.1}", self.ratings.rating(bot)),
                rating_low: format!("{:.1}", interval.low),
                rating_high: format!("{:.1}", interval.high),
                standard_error: format!("{:.1}", self.ratings.standard_error(bot)),
            }
        })
    }

    /// The rows of `differences.csv`, one per pairing.
    pub fn differences(&self) -> impl Iterator<Item = DifferenceRow<'_>> {
        self.residuals.iter().map(|residual| {
            let Residual { player, opponent, games, score, expected, .. } = *residual;
            let interval = self.ratings.difference_interval(player, opponent, LEVEL);
            DifferenceRow {
                bot: &self.bots[player],
                opponent: &self.bots[opponent],
                games,
                difference: format!("{:.1}", self.ratings.difference(player, opponent)),
                difference_low: format!("{:.1}", interval.low),
                difference_high: format!("{:.1}", interval.high),
                win_rate: format!("{score:.4}"),
                expected: format!("{expected:.4}"),
                deviation: format!("{:.2}", residual.z()),
            }
        })
    }
}

impl fmt::Display for RatingList {
    /// A table of the ratings, best first, and the pairings that do not fit them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = TextTable::new(&[
            ("bot", Align::Left),
            ("games", Align::Right),
            ("rating", Align::Right),
            ("95 % interval", Align::Right),
        ]);
        for (bot, games, rating, Interval { low, high }) in self.lines() {
            let interval = format!("{low:+.0} .. {high:+.0}");
            table.push([bot.to_owned(), games.to_string(), format!("{rating:+.0}"), interval]);
        }
        write!(f, "{table}")?;
        let (advantage, Interval { low, high }) = self.advantage();
        write!(
            f,
            "ratings in Elo, mean zero; Black is worth {advantage:+.0} ({low:+.0} .. {high:+.0})"
        )?;
        for (bot, opponent, score, expected, z) in self.surprises() {
            write!(
                f,
                "\n{bot} against {opponent}: {} where the ratings predict {} ({z:+.1} standard \
                 deviations)",
                percent(score),
                percent(expected)
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_harness::run::to_csv;
    use tengen_harness::tournament::Outcome;

    fn rows() -> Vec<GameRow> {
        let row = |black: &str, white: &str, outcome| GameRow {
            black: black.into(),
            white: white.into(),
            outcome,
            ..GameRow::example()
        };
        let mut rows = Vec::new();
        for round in 0..20 {
            let upset = round % 4 == 0;
            let (strong, weak) = if upset {
                (Outcome::White, Outcome::Black)
            } else {
                (Outcome::Black, Outcome::White)
            };
            rows.push(row("a", "b", strong));
            rows.push(row("b", "a", weak));
            rows.push(row("b", "c", strong));
            rows.push(row("c", "b", weak));
        }
        rows
    }

    #[test]
    fn the_better_bot_is_rated_higher() {
        let bots = ["c", "b", "a"].map(String::from);
        let list = RatingList::of(&bots, &rows()).unwrap();
        let order: Vec<&str> = list.lines().map(|line| line.0).collect();
        assert_eq!(order, ["a", "b", "c"]);
        // 75 % is 191 Elo; the prior draws the ratings together a little.
        let ratings: Vec<f64> = list.lines().map(|line| line.2).collect();
        assert!((150.0..191.0).contains(&(ratings[0] - ratings[1])), "{ratings:?}");
        let text = to_csv(list.rows()).unwrap();
        assert!(text.starts_with("bot,games,rating,rating_low,rating_high,standard_error\na,40,"));
        assert_eq!(list.differences().count(), 2);
    }

    #[test]
    fn bots_without_common_games_are_not_rated() {
        let bots = ["a", "b", "c", "d"].map(String::from);
        let error = RatingList::of(&bots, &rows()).unwrap_err().to_string();
        assert!(error.contains("{d}"), "{error}");
    }
}
