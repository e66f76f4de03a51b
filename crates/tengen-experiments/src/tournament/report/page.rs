//! The report of a tournament.

use crate::report::page::{Page, picture};
use crate::report::plots::{Axis, DataPoint, Heading, Lines, ReferenceLine, Scale, Series};
use crate::report::text::{elo_texts, sentence_of};
use crate::tournament::GameRow;
use crate::tournament::report::arms;
use crate::tournament::report::ratings::{RatingList, ranking};
use crate::tournament::report::summary::{
    AGAINST, BOT, ELO, ELO_INTERVAL, FORFEITS, GAMES, INTERVAL, JIGO, LOSSES, Line, WIN_RATE, WINS,
    describe,
};
use crate::tournament::report::{Results, draw_cross_table, draw_win_rates};
use maud::{Markup, html};
use std::collections::BTreeMap;
use tengen_stats::{Games, Level, SequentialTest, Sprt, percent, percent_range};

impl Results<'_> {
    /// The report as an HTML page, with the resolved settings `config` as TOML. `distinct` is the
    /// number of distinct games up to symmetry; none where the run keeps no moves.
    pub(crate) fn to_html(&self, config: &str, distinct: Option<usize>) -> String {
        let Self { outline, summary, rows, .. } = self;
        let conditions = &outline.conditions();
        let ratings_or_why = self.ratings.as_ref().map_err(String::as_str);
        let has_table = summary.bots.len() > 2;
        let sections = html! {
            (picture(&draw_win_rates(summary, conditions)))
            h2 { "Results" }
            (self.results())
            @if has_table {
                h2 { "Cross-table" }
                (picture(&draw_cross_table(summary, conditions)))
            }
            h2 { "Ratings" }
            @if summary.pairings.iter().any(|line| line.stopped.is_some()) {
                p.note {
                    "Not corrected for the sequential test: these intervals are those of a match of \
                     fixed length. Use the Elo difference under Results, which allows for the stop."
                }
                (ratings(ratings_or_why, false))
            } @else {
                (ratings(ratings_or_why, true))
            }
            @if !self.arms.is_empty() {
                h2 { "Arms on the same openings" }
                (arms::table(&self.arms, "to").to_html())
                p.note {
                    "How much more the bot wins against " (summary.bots[0].bot) " than the other, \
                     in percentage points, opening by opening."
                }
            }
            @if let Some((test, verdict)) = self.test.zip(self.verdict()) {
                h2 { "Sequential test" }
                p { (verdict) }
                @for sentence in self.after_test().into_iter().chain(self.beyond()) { p { (sentence) "." } }
                (picture(&course(test.sprt(), rows).draw()))
            }
            @if let Some(table) = self.costs.table() {
                h2 { "CPU time" }
                (table.to_html())
                @if let Some(sentence) = self.costs.comparison() { p { (sentence_of(&sentence)) } }
                p.note {
                    "A move is a turn of the bot after the opening. Intervals come from the games. The                      time of a program is that of its processes, in its opponent's turns too; of a bot                      that shares a thread with other games it is an estimate."
                }
            }
            h2 { "Games" }
            @for sentence in self.origin() { p { (sentence) "." } }
            @for sentence in games(rows, distinct) { p { (sentence) } }
            @for line in &summary.forfeits { p { (line) "." } }
            @if distinct.is_some() {
                p {
                    "All games with their moves: "
                    a href="games.csv" { "games.csv" }
                    "; as SGF: "
                    code { "tengen sgf DIR" }
                    "."
                }
            } @else {
                p { "All games, without their moves: " a href="games.csv.xz" { "games.csv.xz" } "." }
            }
        };
        let page = Page {
            name: &outline.name,
            conditions,
            answer: self.answer(),
            note: html! {
                "Intervals hold the true value in 95 of 100 such runs. They come from pairs of \
                 games on one opening with the colours swapped."
                @if self.look() > 1 && self.test.is_none() {
                    " This run was extended after a look at its results: the intervals of tables and \
                     plots are for one look, and too narrow; those of the answer and of the verdicts \
                     allow for the looks."
                }
            },
            sections,
            files: &[("Commit, machine, times and command line of this run", "manifest.toml")],
            command: "tengen tournament --config config.toml",
            config,
        };
        page.to_html()
    }

    /// Two tables: the results of each bot against all opponents, and of each pairing.
    fn results(&self) -> Markup {
        let bots = [BOT, AGAINST, GAMES, WINS, LOSSES, JIGO, FORFEITS, WIN_RATE, INTERVAL];
        let pairings = [&bots[..], &[ELO, ELO_INTERVAL]].concat();
        let ranking = ranking(&self.summary, self.ratings.as_ref().ok());
        html! {
            (self.summary.table(&bots, ranking).to_html())
            (self.summary.table(&pairings, &self.summary.pairings).to_html())
            p.note {
                "Figures are those of the bot named first. A jigo counts as half a win; Elo is that of \
                 the first bot over the second."
                @if self.summary.pairings.iter().any(|line| line.stopped.is_some()) {
                    " It is median-unbiased after the sequential test, and its interval and that of \
                     the win rate allow for the stop."
                }
            }
        }
    }
}

/// The table of ratings, with the pairings that do not fit them; or why there is none. The
/// differences of the ratings are left out where `has_differences` is false.
fn ratings(ratings: Result<&RatingList, &str>, has_differences: bool) -> Markup {
    match ratings {
        Err(reason) => html! { p { "There are no ratings: " (reason) "." } },
        Ok(ratings) => html! {
            (ratings.table("Elo", "to").to_html())
            p.note {
                "Bradley–Terry over all games; " (ratings.mean()) "."
            }
            @if !has_differences {
                p.note { "The same holds for the intervals in ratings.csv and differences.csv." }
            } @else if let Some(table) = ratings.difference_table() {
                h3 { "Differences" }
                (table.to_html())
                p.note {
                    "Rating of the bot of the row minus that of the bot of the column, in Elo, whether \
                     they have met or not. Two ratings whose intervals overlap may differ surely: use \
                     these. Intervals that hold for all differences together are in differences.csv."
                }
            } @else {
                p.note { "The difference of any two bots, with its interval, is in differences.csv." }
            }
            @for surprise in ratings.surprises() {
                p { (surprise) ". One rating per bot does not describe this pairing." }
            }
            @if let Some(sentence) = ratings.transitivity_sentence() { p { (sentence) "." } }
        },
    }
}

/// Sentences on the games: Black's win rate, lengths, how games ended, and the number of
/// `distinct` games.
fn games(rows: &[GameRow], distinct: Option<usize>) -> impl Iterator<Item = String> {
    let played = rows.iter().filter(|row| row.is_played());
    let mut lengths: Vec<u32> = played.map(|row| row.plies).collect();
    lengths.sort_unstable();
    let games = lengths.len();
    let lengths = lengths.first().zip(lengths.last()).map(|(least, most)| {
        let middle = lengths[games / 2];
        format!("Games last {least} to {most} plies, half of them at most {middle}.")
    });
    let mut ends = BTreeMap::<&str, usize>::new();
    for row in rows {
        *ends.entry(describe(row.termination)).or_default() += 1;
    }
    let ends: Vec<String> = ends.iter().map(|(end, count)| format!("{count} {end}")).collect();
    let ends = format!("How the games ended: {}.", ends.join(", "));
    let distinct = distinct.map(|distinct| {
        let note = " A repeated game is no new evidence, so the intervals are too narrow.";
        let note = if distinct < games { note } else { "" };
        format!("{distinct} of {games} games are different.{note}")
    });
    let sentences = [black_wins(rows), lengths, Some(ends), unplayed(rows), distinct];
    sentences.into_iter().flatten()
}

/// The win rate of Black over all games.
fn black_wins(rows: &[GameRow]) -> Option<String> {
    let mut games = Games::default();
    rows.iter().filter_map(|row| row.outcome.of_black()).for_each(|result| games.record(result));
    let (rate, range) = (games.score()?, games.interval(Level::P95)?);
    let (wins, range) = (percent(rate), percent_range(range));
    Some(format!("Black wins {wins} of {} games ({range}).", games.count()))
}

/// A remark on games that were not played; none if all were.
pub fn unplayed(rows: &[GameRow]) -> Option<String> {
    let count = rows.iter().filter(|row| !row.is_played()).count();
    (count > 0).then(|| {
        format!(
            "{count} of {} games were not played, since no balanced opening was found for their \
             pairs: they do not count.",
            rows.len()
        )
    })
}

/// The plot of the log-likelihood ratio after each pair, with the bounds of the test.
fn course(sprt: &Sprt, rows: &[GameRow]) -> Lines {
    let mut test = SequentialTest::new(*sprt);
    let mut points = vec![DataPoint::new(0.0, 0.0, None)];
    for pair in rows.chunks_exact(2) {
        let [Some(one), Some(other)] = [0, 1].map(|game| pair[game].of_first()) else { continue };
        test.finish(pair[0].pair as u64, [one, other]);
        points.push(DataPoint::new(points.len() as f64, test.llr(), None));
    }
    let bounds = sprt.bounds();
    Lines {
        heading: Heading::new("Log-likelihood ratio", format!("sequential test {sprt}")),
        x: Axis::new("pairs of games", Scale::Linear),
        y: Axis::new("log-likelihood ratio", Scale::Linear),
        series: vec![Series::line("", points)],
        references: vec![
            ReferenceLine::new(bounds.upper, "elo1 is accepted"),
            ReferenceLine::new(bounds.lower, "elo0 is accepted"),
        ],
    }
}

/// A sentence that says which bot of a pairing is stronger, and by how much, with the interval of
/// look `look`.
pub(crate) fn comparison(line: &Line, look: u32) -> String {
    let opponent = line.opponent.as_deref().unwrap_or("its opponent");
    let (Some(rate), Some(interval)) = (line.win_rate(), line.interval_at_look(look)) else {
        return format!("{} and {opponent} have played no complete pair.", line.bot);
    };
    let verdict = if interval.low > 0.5 {
        format!("{} is stronger than {opponent}", line.bot)
    } else if interval.high < 0.5 {
        format!("{opponent} is stronger than {}", line.bot)
    } else {
        format!("These games do not show which of {} and {opponent} is stronger", line.bot)
    };
    let [elo, ends] = elo_texts(line.elo_at_look(look), "to");
    format!(
        "{verdict}: {} wins {} of {} games ({}), that is {elo} Elo ({ends}).",
        line.bot,
        percent(rate),
        line.games.count(),
        percent_range(interval),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Manifest;
    use crate::tournament::report::testing;

    fn report(wins: usize, games: usize) -> String {
        let mut outline = testing::outline("sprt = 'elo0=0 elo1=100'\n", &["one<b>", "two"]);
        outline.name = "a & b".to_owned();
        let row = |game| testing::game(game, 0, ["one<b>", "two"], game < wins);
        let rows: Vec<GameRow> = (0..games).map(row).collect();
        // The test has seen no games: it is undecided.
        let test = SequentialTest::new("elo0=0 elo1=100".parse().unwrap());
        let manifest = Manifest::default();
        let results = Results::of(&outline, &rows, Some(&test), &manifest);
        results.to_html("name = \"a & b\"", Some(games))
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
