//! The tables of a report.

use crate::ranking::Ranking;
use crate::rating_list::RatingList;
use crate::summary::{Line, Summary};
use maud::{Markup, html};
use tengen_stats::{Games, Interval};
use tengen_stats::{percent, percent_range};

/// Two tables: the results of each bot against all opponents, and of each pairing.
pub fn results(summary: &Summary, ranking: &Ranking<'_>) -> Markup {
    let heads = html! {
        th.name { "bot" }
        th.name { "against" }
        @for head in
            ["games", "wins", "losses", "jigo", "forfeits", "win rate", "95 % interval"]
        {
            th { (head) }
        }
    };
    html! {
        table {
            tr { (heads) }
            @for line in ranking.lines() {
                tr {
                    td.name { (line.bot) }
                    td.name { (summary.opponents(&line.bot)) }
                    (figures(line))
                }
            }
        }
        table {
            tr {
                (heads)
                th { "Elo" }
                th { "95 % interval" }
            }
            @for line in &summary.pairings {
                tr {
                    td.name { (line.bot) }
                    td.name { (line.opponent.as_deref().unwrap_or("")) }
                    (figures(line))
                    (elo(line))
                }
            }
        }
        p.note {
            "Figures are those of the bot named first. A jigo counts as half a win; Elo is that of \
             the first bot over the second."
        }
    }
}

fn figures(line: &Line) -> Markup {
    let Games { wins, losses, draws } = line.games;
    html! {
        td { (line.games.count()) }
        td { (wins) }
        td { (losses) }
        td { (draws) }
        td { (line.forfeits) }
        td { (line.win_rate().map_or(String::new(), percent)) }
        td { (line.interval().map_or(String::new(), percent_range)) }
    }
}

fn elo(line: &Line) -> Markup {
    let (elo, interval) = line.elo().map_or_else(Default::default, |(elo, ends)| {
        (format!("{elo:+.0}"), format!("{:+.0} to {:+.0}", ends.low, ends.high))
    });
    html! {
        td { (elo) }
        td { (interval) }
    }
}

/// The table of ratings, with the pairings that do not fit them; or why there is none.
pub fn ratings(ratings: Result<&RatingList, &str>) -> Markup {
    let ratings = match ratings {
        Ok(ratings) => ratings,
        Err(reason) => return html! { p { "There are no ratings: " (reason) "." } },
    };
    html! {
        table {
            tr {
                th.name { "bot" }
                th { "games" }
                th { "Elo" }
                th { "95 % interval" }
            }
            @for (bot, games, rating, Interval { low, high }) in ratings.lines() {
                tr {
                    td.name { (bot) }
                    td { (games) }
                    td { (format!("{rating:+.0}")) }
                    td { (format!("{low:+.0} to {high:+.0}")) }
                }
            }
        }
        p.note {
            "Bradley–Terry over all games, the mean being 0: differences.csv has the error of each \
             difference."
        }
        @for (bot, opponent, score, expected, z) in ratings.surprises() {
            p {
                (bot) " against " (opponent) ": " (percent(score))
                " where the ratings predict " (percent(expected))
                " (" (format!("{z:+.1}")) " standard deviations). One rating per bot does not \
                 describe this pairing."
            }
        }
    }
}
