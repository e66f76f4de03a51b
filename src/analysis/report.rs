//! The report of a run: one page that stands alone.

use super::ranking::Ranking;
use super::rating_list::RatingList;
use super::summary::{Line, Summary};
use crate::plots::{Axis, DataPoint, Heading, Lines, Reference, Series};
use crate::results::{GameRow, Termination};
use crate::stats::{Interval, Level, Outcome, SequentialTest, Sprt, wilson};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Up to so many games are linked one by one.
const LINKED: usize = 5_000;

/// What goes into a report.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// Name of the run.
    pub name: &'a str,
    /// What was played, in a line.
    pub conditions: &'a str,
    /// The games that count.
    pub rows: &'a [GameRow],
    /// Their summary.
    pub summary: &'a Summary,
    /// Their ratings, or why there are none.
    pub ratings: Result<&'a RatingList, &'a str>,
    /// The sequential test and what it says.
    pub test: Option<(&'a SequentialTest, &'a str)>,
    /// How many of the games are different.
    pub distinct: Option<usize>,
    /// The resolved settings as TOML.
    pub config: &'a str,
    /// The folder of the records and the file of each game, if there are any.
    pub records: bool,
}

impl Report<'_> {
    /// The page.
    ///
    /// # Errors
    /// If the drawing library refuses a plot.
    pub fn to_html(&self) -> Result<String, String> {
        let mut page = String::new();
        let name = escape(self.name);
        let _ = write!(
            page,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <title>{name}: Tengen</title>\n<style>\n{}</style>\n</head>\n<body>\n\
             <h1>{name}</h1>\n<p class=\"conditions\">{}</p>\n",
            include_str!("report.css"),
            escape(self.conditions),
        );
        self.answer(&mut page);
        page.push_str(&inline(&self.summary.win_rates(self.conditions).draw().to_svg()?));
        self.tables(&mut page);
        if self.summary.bots.len() > 2 {
            section(&mut page, "Cross-table");
            page.push_str(&inline(&self.summary.cross_table(self.conditions).draw().to_svg()?));
        }
        self.ratings(&mut page);
        if let Some((test, said)) = self.test {
            section(&mut page, "Sequential test");
            let _ = writeln!(page, "<p>{}</p>", escape(said));
            page.push_str(&inline(&course(test.sprt(), self.rows).draw().to_svg()?));
        }
        self.games(&mut page);
        section(&mut page, "Settings");
        let _ = writeln!(
            page,
            "<p>Who made it, when, where and from which commit: \
             <a href=\"manifest.toml\">manifest.toml</a>. To repeat it at that commit: \
             <code>tournament --config config.toml</code>.</p>\n<pre>{}</pre>",
            escape(self.config)
        );
        page.push_str("</body>\n</html>\n");
        Ok(page)
    }

    /// Who is stronger, by how much, and how sure that is.
    fn answer(&self, page: &mut String) {
        page.push_str("<div class=\"answer\">\n");
        if self.summary.bots.len() == 2 {
            for line in &self.summary.pairings {
                let _ = writeln!(page, "<p>{}</p>", escape(&comparison(line)));
            }
        } else {
            for line in self.ranking().sentences() {
                let _ = writeln!(page, "<p>{}</p>", escape(&line));
            }
        }
        if let Some((_, said)) = self.test {
            let _ = writeln!(page, "<p>{}</p>", escape(said));
        }
        page.push_str(
            "<p class=\"note\">Intervals hold the true value in 95 of 100 such runs. They come from \
             pairs of games on one opening with the colours swapped.</p>\n</div>\n",
        );
    }

    fn ranking(&self) -> Ranking<'_> {
        Ranking { summary: self.summary, ratings: self.ratings.ok() }
    }

    fn tables(&self, page: &mut String) {
        section(page, "Results");
        page.push_str(
            "<table>\n<tr><th class=\"name\">bot</th><th class=\"name\">against</th>\
             <th>games</th><th>wins</th><th>losses</th>\
             <th>jigo</th><th>forfeits</th><th>win rate</th><th>95 % interval</th></tr>\n",
        );
        for line in self.ranking().lines() {
            let names = cell(&line.bot) + &cell(&self.summary.opponents(&line.bot));
            let _ = writeln!(page, "<tr>{names}{}</tr>", figures(line));
        }
        page.push_str(
            "</table>\n<table>\n<tr><th class=\"name\">bot</th><th class=\"name\">against</th>\
             <th>games</th><th>wins</th><th>losses</th><th>jigo</th><th>forfeits</th>\
             <th>win rate</th><th>95 % interval</th><th>Elo</th><th>95 % interval</th></tr>\n",
        );
        for line in &self.summary.pairings {
            let elo = line.elo().map_or("<td></td><td></td>".to_owned(), |(elo, ends)| {
                format!("<td>{elo:+.0}</td><td>{:+.0} to {:+.0}</td>", ends.low, ends.high)
            });
            let opponent = line.opponent.as_deref().unwrap_or("");
            let names = cell(&line.bot) + &cell(opponent);
            let _ = writeln!(page, "<tr>{names}{}{elo}</tr>", figures(line));
        }
        page.push_str(
            "</table>\n<p class=\"note\">Figures are those of the bot named first. A jigo counts \
             as half a win; Elo is that of the first bot over the second.</p>\n",
        );
    }

    fn ratings(&self, page: &mut String) {
        section(page, "Ratings");
        let ratings = match self.ratings {
            Ok(ratings) => ratings,
            Err(reason) => {
                let _ = writeln!(page, "<p>There are none: {}.</p>", escape(reason));
                return;
            }
        };
        page.push_str(
            "<table>\n<tr><th class=\"name\">bot</th><th>games</th><th>Elo</th>\
             <th>95 % interval</th></tr>\n",
        );
        for (bot, games, rating, Interval { low, high }) in ratings.lines() {
            let _ = writeln!(
                page,
                "<tr>{}<td>{games}</td><td>{rating:+.0}</td><td>{low:+.0} to {high:+.0}</td></tr>",
                cell(bot)
            );
        }
        page.push_str(
            "</table>\n<p class=\"note\">Bradley–Terry over all games, the mean being 0: \
             differences.csv has the error of each difference.</p>\n",
        );
        for (bot, opponent, score, expected, z) in ratings.surprises() {
            let line = format!(
                "{bot} against {opponent}: {} where the ratings predict {} ({z:+.1} standard \
                 deviations). The bots are not on one scale there.",
                percent(score),
                percent(expected)
            );
            let _ = writeln!(page, "<p>{}</p>", escape(&line));
        }
    }

    fn games(&self, page: &mut String) {
        section(page, "Games");
        let counted: Vec<Outcome> =
            self.rows.iter().filter_map(|row| row.outcome.of_black()).collect();
        let games = self.rows.len();
        let played: Vec<&GameRow> = self.rows.iter().filter(|row| row.is_played()).collect();
        let black_points: f64 = counted
            .iter()
            .map(|outcome| match outcome {
                Outcome::Win => 1.0,
                Outcome::Draw => 0.5,
                Outcome::Loss => 0.0,
            })
            .sum();
        if !counted.is_empty() {
            let rate = black_points / counted.len() as f64;
            if let Some(interval) = wilson(rate, counted.len() as f64, Level::P95) {
                let _ = writeln!(
                    page,
                    "<p>Black wins {} of {} games ({}).</p>",
                    percent(rate),
                    counted.len(),
                    range(interval)
                );
            }
        }
        let mut lengths: Vec<u32> = played.iter().map(|row| row.plies).collect();
        lengths.sort_unstable();
        if let (Some(least), Some(most)) = (lengths.first(), lengths.last()) {
            let _ = writeln!(
                page,
                "<p>Games last {least} to {most} plies, half of them at most {}.</p>",
                lengths[lengths.len() / 2]
            );
        }
        let mut ends = BTreeMap::<String, usize>::new();
        for row in self.rows {
            *ends.entry(describe(row.termination).to_owned()).or_default() += 1;
        }
        let ends: Vec<String> = ends.iter().map(|(end, count)| format!("{count} {end}")).collect();
        let _ = writeln!(page, "<p>Ends: {}.</p>", ends.join(", "));
        if let Some(remark) = unplayed(self.rows) {
            let _ = writeln!(page, "<p>{}</p>", escape(&remark));
        }
        if let Some(distinct) = self.distinct {
            let games = played.len();
            let note = if distinct < games {
                " Repeated games say nothing new: the intervals are too narrow by as much."
            } else {
                ""
            };
            let _ = writeln!(page, "<p>{distinct} of {games} games are different.{note}</p>");
        }
        let _ = writeln!(
            page,
            "<p>All of them: <a href=\"games.csv\">games.csv</a>; in the order in which they ended, \
             with their records: <a href=\"journal.csv\">journal.csv</a>.</p>"
        );
        if self.records && games <= LINKED {
            page.push_str("<details><summary>Records</summary>\n<div class=\"games\">\n");
            for row in self.rows {
                let number = row.game;
                let _ = writeln!(page, "<a href=\"sgf/{number}.sgf\">game {number}</a><br>");
            }
            page.push_str("</div>\n</details>\n");
        }
    }
}

/// What a reader must know of games that were not played; nothing if all were.
#[must_use]
pub fn unplayed(rows: &[GameRow]) -> Option<String> {
    let count = rows.iter().filter(|row| !row.is_played()).count();
    (count > 0).then(|| {
        format!(
            "{count} of {} games were not played, since no balanced opening was found for their \
             pairs: they count nowhere.",
            rows.len()
        )
    })
}

/// The log-likelihood ratio after each pair, between the bounds of the test.
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
    let reference = |y: f64, label: &str| Reference { y, label: label.to_owned() };
    Lines {
        heading: Heading {
            title: "Log-likelihood ratio".to_owned(),
            subtitle: format!("sequential test {sprt}"),
        },
        x: Axis { label: "pairs of games".to_owned(), ..Axis::default() },
        y: Axis { label: "log-likelihood ratio".to_owned(), ..Axis::default() },
        series: vec![Series { name: String::new(), points }],
        references: vec![
            reference(bounds.upper, "elo1 is accepted"),
            reference(bounds.lower, "elo0 is accepted"),
        ],
    }
}

fn section(page: &mut String, title: &str) {
    let _ = writeln!(page, "<h2>{title}</h2>");
}

/// One bot against the other in a sentence.
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
        format!("These games do not tell which of {} and {opponent} is stronger", line.bot)
    };
    format!(
        "{verdict}: {} wins {} of {} games ({}), that is {elo:+.0} Elo ({:+.0} to {:+.0}).",
        line.bot,
        percent(rate),
        line.games.count(),
        range(interval),
        ends.low,
        ends.high
    )
}

fn figures(line: &Line) -> String {
    let rate = line.win_rate().map_or(String::new(), percent);
    let interval = line.interval().map_or(String::new(), range);
    let crate::stats::Games { wins, losses, draws } = line.games;
    format!(
        "<td>{}</td><td>{wins}</td><td>{losses}</td><td>{draws}</td><td>{}</td>\
         <td>{rate}</td><td>{interval}</td>",
        line.games.count(),
        line.forfeits
    )
}

const fn describe(termination: Termination) -> &'static str {
    match termination {
        Termination::Passes => "by two passes",
        Termination::Resign => "by resignation",
        Termination::Limit => "by the limit of plies",
        Termination::Illegal => "by an illegal move",
        Termination::Crash => "by a crash",
        Termination::Time => "on time",
        Termination::Unplayed => "unplayed",
    }
}

fn cell(name: &str) -> String {
    format!("<td class=\"name\">{}</td>", escape(name))
}

pub(super) fn percent(rate: f64) -> String {
    format!("{:.1} %", 100.0 * rate)
}

pub(super) fn range(interval: Interval) -> String {
    format!("{:.1} to {:.1} %", 100.0 * interval.low, 100.0 * interval.high)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A picture inside a page: without the head of a file of its own.
fn inline(svg: &str) -> String {
    let start = svg.find("<svg").unwrap_or(0);
    format!("{}\n", &svg[start..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::ranking::tests::gauntlet;
    use crate::results::Outcome;

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
                    ..GameRow::sample()
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
            records: true,
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
        assert!(report(51, 100).contains("do not tell which"));
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
            records: false,
        };
        let page = report.to_html().unwrap();
        assert!(page.contains("<p>First by rating: equal, rated +"), "{page}");
        assert!(!page.contains("Best:"));
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
        assert!(page.contains("href=\"sgf/99.sgf\""));
    }
}
