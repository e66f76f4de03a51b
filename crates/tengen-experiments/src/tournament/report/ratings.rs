//! Ratings of the bots of a run, and their ranking in sentences.

use crate::report::text::{Align, CsvRow, TextTable, cells, elo_texts, estimate_cells};
use crate::tournament::GameRow;
use crate::tournament::report::summary::{Line, Summary};
use std::collections::BTreeMap;
use std::fmt;
use tengen_stats::ratings::{
    Disconnected, Estimate, PairRecord, Ratings, Record, Residual, rate_in_pairs,
};
use tengen_stats::{Games, Level, Outcome, Pairs, Transitivity, percent, percent_range};

const LEVEL: Level = Level::P95;

/// The most bots in a table of differences: a larger table is wider than a page.
const MOST_COMPARED: usize = 8;

/// Bradley–Terry ratings of the bots of a run in Elo, with an advantage for Black. Their mean is 0,
/// without the bots that won or lost every game. See [`tengen_stats::ratings`].
#[derive(Clone, Debug)]
pub struct RatingList {
    bots: Vec<String>,
    games: Vec<u64>,
    ratings: Ratings,
    residuals: Vec<Residual>,
    transitivity: Option<Transitivity>,
}

impl RatingList {
    /// Rates the `bots` of a tournament by its `rows`. Fails if the games do not connect all bots.
    pub fn of(bots: &[String], rows: &[GameRow]) -> Result<Self, Disconnected> {
        let place: BTreeMap<&str, usize> =
            bots.iter().enumerate().map(|(place, bot)| (bot.as_str(), place)).collect();
        let mut records = BTreeMap::<(usize, usize), Games>::new();
        let mut pairs = BTreeMap::<(usize, usize), PairRecord>::new();
        let mut scores = BTreeMap::<(usize, usize), Pairs>::new();
        // The first games of pairs whose second game is still to come.
        let mut waiting = BTreeMap::<(usize, usize), (usize, Outcome)>::new();
        let mut games = vec![0; bots.len()];
        for row in rows {
            let places = (place.get(row.black.as_str()), place.get(row.white.as_str()));
            let (Some(result), (Some(&black), Some(&white))) = (row.outcome.of_black(), places)
            else {
                continue;
            };
            records.entry((black, white)).or_default().record(result);
            games[black] += 1;
            games[white] += 1;
            match waiting.remove(&(row.pairing, row.pair)) {
                // In the first game the opponent is White, and in the second Black.
                Some((player, first)) if player == white => {
                    let of = pairs.entry((player, black));
                    of.or_insert(PairRecord::new(player, black)).record(first, result.reversed());
                    let [first, second] = [first, result.reversed()];
                    let (lower, higher) = (player.min(black), player.max(black));
                    let seen =
                        |result: Outcome| if player == lower { result } else { result.reversed() };
                    scores.entry((lower, higher)).or_default().record(seen(first), seen(second));
                }
                _ => drop(waiting.insert((row.pairing, row.pair), (black, result))),
            }
        }
        let records: Vec<Record> = records
            .into_iter()
            .map(|((first_mover, second_mover), games)| Record { first_mover, second_mover, games })
            .collect();
        let pairs: Vec<PairRecord> = pairs.into_values().collect();
        let ratings = rate_in_pairs(bots, &records, &pairs)?;
        let residuals = ratings.residuals(&records);
        let transitivity =
            Transitivity::of(bots.len(), &residuals, |i, j| scores.get(&(i, j)).copied());
        Ok(Self { bots: bots.to_vec(), games, ratings, residuals, transitivity })
    }

    /// Indices of the bots, best first.
    fn best_first(&self) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.bots.len()).collect();
        // Ratings that differ only by rounding keep the order of the configuration.
        let rating = |bot| (self.ratings.rating(bot).value.0 * 1e6).round();
        places.sort_by(|&a, &b| rating(b).total_cmp(&rating(a)));
        places
    }

    /// Name, number of games and rating of each bot, best first.
    pub fn lines(&self) -> impl Iterator<Item = (&str, u64, Estimate)> {
        self.best_first()
            .into_iter()
            .map(|bot| (self.bots[bot].as_str(), self.games[bot], self.ratings.rating(bot)))
    }

    /// A sentence for each pairing whose win rate lies at least two standard deviations from the
    /// predicted one.
    pub(crate) fn surprises(&self) -> impl Iterator<Item = String> {
        self.residuals.iter().filter(|residual| residual.z().abs() >= 2.0).map(|residual| {
            format!(
                "{} against {}: {} where the ratings predict {} ({:+.1} standard deviations)",
                self.bots[residual.player],
                self.bots[residual.opponent],
                percent(residual.score),
                percent(residual.expected),
                residual.z()
            )
        })
    }

    /// Whether one rating per bot describes all pairings together, in a sentence; none if the
    /// ratings need all pairings.
    pub(crate) fn transitivity_sentence(&self) -> Option<String> {
        let test = self.transitivity?;
        let p = test.p_value();
        let p = if p < 0.001 { "p below 0.001".to_owned() } else { format!("p = {p:.3}") };
        let Transitivity { chi_square, freedom } = test;
        let said = if test.p_value() <= 1.0 - LEVEL.probability() {
            "one rating per bot does not describe all pairings"
        } else {
            "these games do not show that strength is not transitive"
        };
        Some(format!(
            "transitivity: {said} (chi-square {chi_square:.1}, degrees of freedom {freedom}, {p})"
        ))
    }

    /// The rows of `ratings.csv`, best bot first: Bradley–Terry ratings in Elo.
    pub fn csv_rows(&self) -> impl Iterator<Item = CsvRow> {
        self.best_first().into_iter().map(|bot| {
            let mut row = cells([("bot", &self.bots[bot]), ("games", &self.games[bot])]);
            let rating = self.ratings.rating(bot);
            row.extend(estimate_cells(
                "rating",
                Some(rating.value),
                Some(rating.interval(LEVEL)),
                1,
            ));
            row.extend(cells([("standard_error", &format!("{:.1}", rating.standard_error))]));
            row
        })
    }

    /// The rows of `differences.csv`, one for any two bots: the difference of their ratings in Elo.
    /// If the bots have met, the row compares the first bot's win rate with the predicted one. The
    /// last two cells are the ends of an interval of the difference: the intervals of all rows hold
    /// together with the probability 95 % (Šidák).
    pub fn differences(&self) -> impl Iterator<Item = CsvRow> {
        let bots = 0..self.bots.len();
        let comparisons = bots.len() * bots.len().saturating_sub(1) / 2;
        let others = bots.clone();
        let any_two = bots.flat_map(move |bot| others.clone().skip(bot + 1).map(move |o| (bot, o)));
        any_two.map(move |(player, opponent)| {
            let met =
                |residual: &&Residual| (residual.player, residual.opponent) == (player, opponent);
            let met = self.residuals.iter().find(met);
            let (bot, other) = (&self.bots[player], &self.bots[opponent]);
            let games = met.map_or(0, |residual| residual.games);
            let mut row = cells([("bot", bot), ("opponent", other), ("games", &games)]);
            let difference = self.ratings.difference(player, opponent);
            let ends = difference.interval(LEVEL);
            row.extend(estimate_cells("difference", Some(difference.value), Some(ends), 1));
            let cell = |value: fn(&Residual) -> f64, decimals: usize| {
                met.map_or(String::new(), |residual| format!("{:.decimals$}", value(residual)))
            };
            row.extend(cells([
                ("win_rate", &cell(|residual| residual.score, 4)),
                ("expected", &cell(|residual| residual.expected, 4)),
                ("deviation", &cell(Residual::z, 2)),
            ]));
            let together = difference.interval(LEVEL.of_each(comparisons));
            row.extend(cells([
                ("together_low", &format!("{:.1}", together.low)),
                ("together_high", &format!("{:.1}", together.high)),
            ]));
            row
        })
    }

    /// The table of the differences, best bot first: the row bot's rating minus the column bot's
    /// rating, with its interval. None for more than [`MOST_COMPARED`] bots.
    pub(crate) fn difference_table(&self) -> Option<TextTable> {
        let bots = self.best_first();
        let [_, columns @ ..] = &bots[..] else { return None };
        if bots.len() > MOST_COMPARED {
            return None;
        }
        let headings = columns.iter().map(|&bot| (self.bots[bot].as_str(), Align::Right));
        let headings: Vec<_> = [("bot", Align::Left)].into_iter().chain(headings).collect();
        let mut table = TextTable::new(&headings);
        for (place, &bot) in bots.iter().enumerate().take(bots.len() - 1) {
            let cell = |(column, &other): (usize, &usize)| {
                // Every two bots meet in one cell, with the better bot in the row.
                if column < place {
                    return String::new();
                }
                let [difference, ends] = texts(self.ratings.difference(bot, other), "to");
                format!("{difference} ({ends})")
            };
            let cells = columns.iter().enumerate().map(cell);
            table.push([self.bots[bot].clone()].into_iter().chain(cells));
        }
        Some(table)
    }

    /// Which mean is zero: `mean zero`, or that of the bots whose ratings have bounds.
    pub(crate) fn mean(&self) -> String {
        let reference = self.ratings.reference();
        let outside = (0..self.bots.len()).filter(|bot| !reference.contains(bot));
        let names: Vec<&str> = outside.map(|bot| self.bots[bot].as_str()).collect();
        if names.is_empty() {
            "mean zero".to_owned()
        } else {
            format!("mean zero without {}", names.join(" and "))
        }
    }

    /// The table of the ratings, best first; `to` joins the ends of an interval.
    pub(crate) fn table(&self, rating: &str, to: &str) -> TextTable {
        TextTable::of(
            self.lines(),
            &[
                ("bot", Align::Left, &|(bot, ..)| (*bot).to_owned()),
                ("games", Align::Right, &|(_, games, _)| games.to_string()),
                (rating, Align::Right, &|(.., rating)| texts(*rating, to)[0].clone()),
                ("95 % interval", Align::Right, &|(.., rating)| texts(*rating, to)[1].clone()),
            ],
        )
    }
}

impl fmt::Display for RatingList {
    /// A table of the ratings, best first, and the pairings that do not fit them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.table("rating", ".."))?;
        let [advantage, ends] = texts(self.ratings.advantage(), "..");
        write!(f, "ratings in Elo, {}; Black is worth {advantage} ({ends})", self.mean())?;
        let said = self.surprises().chain(self.transitivity_sentence());
        said.into_iter().try_for_each(|sentence| write!(f, "\n{sentence}"))
    }
}

/// A rating and its 95 % interval, whose ends `to` joins.
fn texts(rating: Estimate, to: &str) -> [String; 2] {
    elo_texts(Some((rating.value, rating.interval(LEVEL))), to)
}

/// The bots, the strongest first: by rating, or by win rate if the games give no ratings.
/// Win rates against different opponents, as in a gauntlet, cannot be compared.
pub fn ranking<'a>(summary: &'a Summary, ratings: Option<&RatingList>) -> Vec<&'a Line> {
    let by_win_rate: Vec<&Line> = summary.by_win_rate().collect();
    let Some(ratings) = ratings else { return by_win_rate };
    let line = |bot: &str| by_win_rate.iter().copied().find(|line| line.bot == bot);
    ratings.lines().filter_map(|(bot, ..)| line(bot)).collect()
}

/// A sentence on each of the first three bots, and one on the Elo difference
/// of the first two.
pub fn ranking_sentences(summary: &Summary, ratings: Option<&RatingList>) -> Vec<String> {
    let places = ["First", "Second", "Third"].into_iter().zip(ranking(summary, ratings));
    let mut sentences: Vec<String> = places
        .map(|(place, line)| {
            let rated = ratings.and_then(|list| list.lines().find(|(bot, ..)| *bot == line.bot));
            let by = if rated.is_some() { "rating" } else { "win rate" };
            let rated = rated.map_or(String::new(), |(.., rating)| {
                let [rating, ends] = texts(rating, "to");
                format!(", rated {rating} Elo ({ends}) over the mean,")
            });
            let won = match (line.win_rate(), line.interval()) {
                (Some(rate), Some(interval)) => format!(
                    "wins {} of {} games against {} ({})",
                    percent(rate),
                    line.games.count(),
                    summary.opponents(&line.bot),
                    percent_range(interval)
                ),
                _ => "has played no complete pair".to_owned(),
            };
            format!("{place} by {by}: {}{rated} {won}.", line.bot)
        })
        .collect();
    if let Some(list) = ratings
        && let [first, second, ..] = list.best_first()[..]
    {
        let difference = list.ratings.difference(first, second);
        let is_sure = difference.interval(LEVEL).low.0 > 0.0;
        let doubt = if is_sure { "" } else { ": these games do not show which is stronger" };
        let [difference, ends] = texts(difference, "to");
        let [first, second] = [first, second].map(|bot| &list.bots[bot]);
        sentences.push(format!("{first} is rated {difference} Elo ({ends}) over {second}{doubt}."));
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::text::csv_text;
    use crate::tournament::report::testing;

    /// A gauntlet of "first" against "equal", which wins 52 of 100 games, and
    /// "weaker", which wins 40.
    fn gauntlet() -> (Summary, RatingList) {
        let bots = ["first", "equal", "weaker"].map(String::from);
        let row = |pairing: usize, game: usize| {
            let (wins, opponent) = [(52, "equal"), (40, "weaker")][pairing];
            testing::game(game, pairing, [opponent, "first"], game < wins)
        };
        let rows: Vec<GameRow> =
            (0..2).flat_map(|pairing| (0..100).map(move |game| row(pairing, game))).collect();
        let ratings = RatingList::of(&bots, &rows).unwrap();
        (Summary::of(&bots, &[(0, 1), (0, 2)], &rows), ratings)
    }

    #[test]
    fn a_gauntlet_is_ranked_by_rating_and_says_whom_each_met() {
        let (summary, ratings) = gauntlet();
        // The first bot wins 54 % of its games. The second wins 52 %, but met only the
        // first.
        assert_eq!(summary.by_win_rate().next().unwrap().bot, "first");
        let order = ranking(&summary, Some(&ratings));
        let order: Vec<&str> = order.iter().map(|line| line.bot.as_str()).collect();
        assert_eq!(order, ["equal", "first", "weaker"]);
        let text = csv_text(ratings.csv_rows()).unwrap();
        assert!(
            text.starts_with("bot,games,rating,rating_low,rating_high,standard_error\nequal,100,")
        );
        assert!(csv_text(ratings.differences()).unwrap().contains("\nfirst,weaker,100,"));
        let said = ranking_sentences(&summary, Some(&ratings));
        assert!(said[0].starts_with("First by rating: equal, rated +"), "{said:?}");
        assert!(said[0].contains("over the mean, wins 52.0 % of 100 games against first ("));
        assert!(said[1].contains("wins 54.0 % of 200 games against all others ("), "{said:?}");
        assert!(said[3].starts_with("equal is rated +"), "{said:?}");
        assert!(said[3].ends_with("over first: these games do not show which is stronger."));
    }

    #[test]
    fn who_lost_every_game_has_no_lower_bound_and_is_not_in_the_mean() {
        let bots = ["one", "other", "hopeless"].map(String::from);
        let row = |pairing: usize, game: usize| match pairing {
            // Each bot wins two of four games, one as Black.
            0 => testing::game(game, 0, ["one", "other"], [0, 3].contains(&(game % 4))),
            1 => testing::game(game, 1, ["one", "hopeless"], true),
            _ => testing::game(game, 2, ["hopeless", "other"], false),
        };
        let rows: Vec<GameRow> =
            (0..3).flat_map(|pairing| (0..40).map(move |game| row(pairing, game))).collect();
        let ratings = RatingList::of(&bots, &rows).unwrap();
        let text = ratings.to_string();
        assert!(text.contains("ratings in Elo, mean zero without hopeless; Black is"), "{text}");
        let text = csv_text(ratings.csv_rows()).unwrap();
        let last: Vec<&str> = text.lines().last().unwrap().split(',').collect();
        assert_eq!((last[0], last[3]), ("hopeless", "-inf"));
        let differences = csv_text(ratings.differences()).unwrap();
        let cells: Vec<&str> = differences.lines().nth(2).unwrap().split(',').collect();
        assert_eq!((&cells[..3], cells[5]), (&["one", "hopeless", "40"][..], "inf"));
    }

    #[test]
    fn without_ratings_win_rates_are_named() {
        let (summary, _) = gauntlet();
        let said = ranking_sentences(&summary, None);
        assert_eq!(said.len(), 3);
        assert!(said[0].starts_with("First by win rate: first wins 54.0 % of 200 games against"));
    }

    #[test]
    fn opponents_are_those_met() {
        let bots = ["a", "b", "c", "d", "e"].map(String::from);
        let row = |pairing, black: &str, white: &str| GameRow {
            pairing,
            black: black.into(),
            white: white.into(),
            ..GameRow::example()
        };
        let pairings = [(0, 1), (1, 2), (1, 3), (1, 4), (0, 4)];
        let rows = [row(0, "a", "b"), row(1, "b", "c"), row(2, "b", "d"), row(3, "b", "e")];
        let met = |rows: &[GameRow], bot| Summary::of(&bots, &pairings, rows).opponents(bot);
        assert_eq!(met(&rows, "b"), "all others");
        assert_eq!(met(&rows, "c"), "b");
        assert_eq!(met(&rows[..3], "b"), "3 of the 4 others");
        assert_eq!(met(&rows[..2], "b"), "a and c");
        assert_eq!(met(&rows, "nobody"), "nobody");
    }
}
