//! The report of a run: one HTML page that needs no other file.

mod games;
mod page;
mod tables;

pub use games::unplayed;
pub use page::{page, picture};

use super::ranking::Ranking;
use super::rating_list::RatingList;
use super::summary::{Line, Summary};
use crate::plots::{Axis, DataPoint, Heading, Lines, ReferenceLine, Series};
use maud::{Markup, html};
use tengen_harness::tournament::GameRow;
use tengen_stats::{SequentialTest, Sprt};
use tengen_stats::{percent, percent_range};

/// The content of a report.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// Name of the run.
    pub name: &'a str,
    /// Board, komi, rules, pairs, openings and seed, in one line.
    pub conditions: &'a str,
    /// The games, in the order of the schedule.
    pub rows: &'a [GameRow],
    /// The summary of the games.
    pub summary: &'a Summary,
    /// The ratings of the bots, or why there are none.
    pub ratings: Result<&'a RatingList, &'a str>,
    /// The sequential test and its verdict in a sentence.
    pub test: Option<(&'a SequentialTest, &'a str)>,
    /// Number of distinct games up to symmetry; none where they were not counted.
    pub distinct: Option<usize>,
    /// The resolved settings as TOML.
    pub config: &'a str,
}

impl Report<'_> {
    /// The report as an HTML page.
    ///
    /// # Errors
    /// If the drawing library refuses a plot.
    pub fn to_html(&self) -> Result<String, String> {
        let win_rates = picture(&self.summary.win_rates(self.conditions).draw())?;
        let cross_table = match self.summary.bots.len() {
            0..=2 => None,
            _ => Some(picture(&self.summary.cross_table(self.conditions).draw())?),
        };
        let test = match self.test {
            Some((test, verdict)) => {
                Some((verdict, picture(&course(test.sprt(), self.rows).draw())?))
            }
            None => None,
        };
        let body = html! {
            p.conditions { (self.conditions) }
            (self.answer())
            (win_rates)
            h2 { "Results" }
            (tables::results(self.summary, &self.ranking()))
            @if let Some(cross_table) = cross_table {
                h2 { "Cross-table" }
                (cross_table)
            }
            h2 { "Ratings" }
            (tables::ratings(self.ratings))
            @if let Some((verdict, course)) = test {
                h2 { "Sequential test" }
                p { (verdict) }
                (course)
            }
            h2 { "Games" }
            (games::section(self.rows, self.distinct))
            h2 { "Settings" }
            p {
                "Commit, machine, times and command line of this run: "
                a href="manifest.toml" { "manifest.toml" }
                ". To repeat the run at that commit: "
                code { "tournament --config config.toml" }
                "."
            }
            pre { (self.config) }
        };
        Ok(page(self.name, &body))
    }

    /// Which bot is stronger, by how much, and how certain that is.
    fn answer(&self) -> Markup {
        let sentences = if self.summary.bots.len() == 2 {
            self.summary.pairings.iter().map(comparison).collect()
        } else {
            self.ranking().sentences()
        };
        html! {
            div.answer {
                @for sentence in sentences {
                    p { (sentence) }
                }
                @if let Some((_, verdict)) = self.test {
                    p { (verdict) }
                }
                p.note {
                    "Intervals hold the true value in 95 of 100 such runs. They come from pairs of \
                     games on one opening with the colours swapped."
                }
            }
        }
    }

    fn ranking(&self) -> Ranking<'_> {
        Ranking { summary: self.summary, ratings: self.ratings.ok() }
    }
}

/// The plot of the log-likelihood ratio after each pair, with the bounds of the test.
fn course(sprt: &Sprt, rows: &[GameRow]) -> Lines {
    let mut test = SequentialTest::new(*sprt);
    let mut points = vec![DataPoint { x: 0.0, y: 0.0, interval: None }];
    for pair in rows.chunks_exact(2) {
        let [Some(one), Some(other)] = [0, 1].map(|game| pair[game].outcome.of_black()) else {
            continue;
        };
        test.finish(pair[0].pair as u64, [one, other.reversed()]);
        points.push(DataPoint { x: points.len() as f64, y: test.llr(), interval: None });
    }
    let bounds = sprt.bounds();
    let reference = |y: f64, label: &str| ReferenceLine { y, label: label.to_owned() };
    Lines {
        heading: Heading {
            title: "Log-likelihood ratio".to_owned(),
            subtitle: format!("sequential test {sprt}"),
        },
        x: Axis { label: "pairs of games".to_owned(), ..Axis::default() },
        y: Axis { label: "log-likelihood ratio".to_owned(), ..Axis::default() },
        series: vec![Series { name: String::new(), points, ..Series::default() }],
        references: vec![
            reference(bounds.upper, "elo1 is accepted"),
            reference(bounds.lower, "elo0 is accepted"),
        ],
    }
}

/// A sentence that says which bot of a pairing is stronger, and by how much.
fn comparison(line: &Line) -> String {
    let opponent = line.opponent.as_deref().unwrap_or("its opponent");
    let (Some(rate), Some(interval), Some((elo, ends))) =
        (line.win_rate(), line.interval(), line.elo())
    else {
        return format!("{} and {opponent} have played no complete pair.", line.bot);
    };
    let verdict = if interval.low > 0.5 {
        format!("{} is stronger than {opponent}", line.bot)
    } else if interval.high < 0.5 {
        format!("{opponent} is stronger than {}", line.bot)
    } else {
        format!("These games do not show which of {} and {opponent} is stronger", line.bot)
    };
    format!(
        "{verdict}: {} wins {} of {} games ({}), that is {elo:+.0} Elo ({:+.0} to {:+.0}).",
        line.bot,
        percent(rate),
        line.games.count(),
        percent_range(interval),
        ends.low,
        ends.high
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::tests::gauntlet;
    use tengen_harness::tournament::Outcome;

    fn report(wins: usize, games: usize) -> String {
        let bots = ["one<b>", "two"].map(String::from);
        let rows: Vec<GameRow> = (0..games)
            .map(|game| {
                let (black, white) = if game % 2 == 0 { (0, 1) } else { (1, 0) };
                let first_wins = game < wins;
                GameRow {
                    game,
                    pair: game / 2,
                    pairing: 0,
                    black: bots[black].clone(),
                    white: bots[white].clone(),
                    outcome: if first_wins == (black == 0) {
                        Outcome::Black
                    } else {
                        Outcome::White
                    },
                    ..GameRow::example()
                }
            })
            .collect();
        let summary = Summary::of(&bots, &[(0, 1)], &rows);
        let ratings = RatingList::of(&bots, &rows).unwrap();
        let test = SequentialTest::new("elo0=0 elo1=100".parse().unwrap());
        Report {
            name: "a & b",
            conditions: "5x5",
            rows: &rows,
            summary: &summary,
            ratings: Ok(&ratings),
            test: Some((&test, "undecided")),
            distinct: Some(games),
            config: "name = \"a & b\"",
        }
        .to_html()
        .unwrap()
    }

    #[test]
    fn says_who_is_stronger_and_how_sure_that_is() {
        let page = report(70, 100);
        assert!(page.contains(
            "one&lt;b&gt; is stronger than two: one&lt;b&gt; wins 70.0 % of 100 games ("
        ));
        assert!(page.contains("that is +147 Elo ("));
        assert!(report(30, 100).contains("two is stronger than one&lt;b&gt;"));
        assert!(report(51, 100).contains("do not show which"));
    }

    #[test]
    fn a_gauntlet_is_ranked_by_rating() {
        let (summary, ratings) = gauntlet();
        let report = Report {
            name: "gauntlet",
            conditions: "5x5",
            rows: &[],
            summary: &summary,
            ratings: Ok(&ratings),
            test: None,
            distinct: None,
            config: "",
        };
        let page = report.to_html().unwrap();
        assert!(page.contains("<p>First by rating: equal, rated +"), "{page}");
        assert!(!page.contains("Best:"));
        let cell = |name| format!("<td class=\"name\">{name}</td>");
        let row = |bot, against| page.find(&format!("<tr>{}{}", cell(bot), cell(against)));
        let rows = [row("equal", "first"), row("first", "all others"), row("weaker", "first")];
        assert!(rows.is_sorted() && rows[0].is_some(), "{rows:?}");
    }

    #[test]
    fn stands_alone_and_escapes() {
        let page = report(70, 100);
        assert!(page.contains("<title>a &amp; b: Tengen</title>"));
        assert!(!page.contains("<b>"), "a name makes no markup");
        assert_eq!(page.matches("<svg").count(), 2);
        assert!(
            !page.contains("http://") || page.matches("http://").all(|_| page.contains("w3.org"))
        );
        assert!(!page.contains("<script") && !page.contains("<link") && !page.contains("src="));
    }
}
