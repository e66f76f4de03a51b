//! The ranking of the bots of a run, and its description in sentences.

use super::rating_list::RatingList;
use super::summary::{Line, Summary};
use tengen_stats::Interval;
use tengen_stats::{percent, percent_range};

/// The ranking of the bots: by rating, since win rates against different opponents,
/// as in a gauntlet, cannot be compared; by win rate only where the games give no
/// ratings.
#[derive(Clone, Copy, Debug)]
pub struct Ranking<'a> {
    /// The win rates of the bots.
    pub summary: &'a Summary,
    /// The ratings of the bots, if the games give any.
    pub ratings: Option<&'a RatingList>,
}

impl<'a> Ranking<'a> {
    /// The bots, the strongest first.
    pub fn lines(self) -> Vec<&'a Line> {
        let by_win_rate: Vec<&Line> = self.summary.by_win_rate().collect();
        let Some(ratings) = self.ratings else { return by_win_rate };
        let line = |bot: &str| by_win_rate.iter().copied().find(|line| line.bot == bot);
        ratings.lines().filter_map(|(bot, ..)| line(bot)).collect()
    }

    /// A sentence on each of the first three bots, and one on the Elo difference
    /// of the first two.
    pub fn sentences(self) -> Vec<String> {
        let places = ["First", "Second", "Third"].into_iter().zip(self.lines());
        let mut sentences: Vec<String> =
            places.map(|(place, line)| self.sentence(place, line)).collect();
        let leaders = self.ratings.and_then(RatingList::leaders);
        sentences.extend(leaders.map(|(first, second, difference, Interval { low, high })| {
            let doubt = if low > 0.0 { "" } else { ": these games do not show which is stronger" };
            format!(
                "{first} is rated {difference:+.0} Elo ({low:+.0} to {high:+.0}) over \
                 {second}{doubt}."
            )
        }));
        sentences
    }

    fn sentence(self, place: &str, line: &Line) -> String {
        let rated = |(.., rating, Interval { low, high }): (&str, u64, f64, Interval)| {
            format!(", rated {rating:+.0} Elo ({low:+.0} to {high:+.0}) over the mean,")
        };
        let rating = self
            .ratings
            .and_then(|ratings| ratings.lines().find(|(bot, ..)| *bot == line.bot).map(rated));
        let by = if rating.is_some() { "rating" } else { "win rate" };
        let won = match (line.win_rate(), line.interval()) {
            (Some(rate), Some(interval)) => format!(
                "wins {} of {} games against {} ({})",
                percent(rate),
                line.games.count(),
                self.summary.opponents(&line.bot),
                percent_range(interval)
            ),
            _ => "has played no complete pair".to_owned(),
        };
        format!("{place} by {by}: {}{} {won}.", line.bot, rating.unwrap_or_default())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use tengen_harness::tournament::{GameRow, Outcome};

    /// A gauntlet of "first" against "equal", which wins 52 of 100 games, and
    /// "weaker", which wins 40.
    pub(crate) fn gauntlet() -> (Summary, RatingList) {
        let bots = ["first", "equal", "weaker"].map(String::from);
        let row = |pairing: usize, game: usize| {
            let (wins, opponent) = [(52, "equal"), (40, "weaker")][pairing];
            let opponent_is_black = game.is_multiple_of(2);
            let names = if opponent_is_black { [opponent, "first"] } else { ["first", opponent] };
            let opponent_wins = game < wins;
            let outcome =
                if opponent_wins == opponent_is_black { Outcome::Black } else { Outcome::White };
            let [black, white] = names.map(str::to_owned);
            GameRow { game, pair: game / 2, pairing, black, white, outcome, ..GameRow::example() }
        };
        let rows: Vec<GameRow> =
            (0..2).flat_map(|pairing| (0..100).map(move |game| row(pairing, game))).collect();
        let ratings = RatingList::of(&bots, &rows).unwrap();
        (Summary::of(&bots, &[(0, 1), (0, 2)], &rows), ratings)
    }

    #[test]
    fn a_gauntlet_is_ranked_by_rating_and_says_whom_each_met() {
        let (summary, ratings) = gauntlet();
        // The first bot wins 54 % of its games, the second 52 %, but against
        // the first alone.
        assert_eq!(summary.by_win_rate().next().unwrap().bot, "first");
        let ranking = Ranking { summary: &summary, ratings: Some(&ratings) };
        let order: Vec<&str> = ranking.lines().iter().map(|line| line.bot.as_str()).collect();
        assert_eq!(order, ["equal", "first", "weaker"]);
        let said = ranking.sentences();
        assert!(said[0].starts_with("First by rating: equal, rated +"), "{said:?}");
        assert!(said[0].contains("over the mean, wins 52.0 % of 100 games against first ("));
        assert!(said[1].contains("wins 54.0 % of 200 games against all others ("), "{said:?}");
        assert!(said[3].starts_with("equal is rated +"), "{said:?}");
        assert!(said[3].ends_with("over first: these games do not show which is stronger."));
    }

    #[test]
    fn without_ratings_win_rates_are_named() {
        let (summary, _) = gauntlet();
        let said = Ranking { summary: &summary, ratings: None }.sentences();
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
