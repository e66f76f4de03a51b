//! The section of a report on the games: lengths, how they ended.

use maud::{Markup, html};
use std::collections::BTreeMap;
use tengen_harness::tournament::{GameRow, Termination};
use tengen_stats::{Level, Outcome, wilson};
use tengen_stats::{percent, percent_range};

/// The section on the games: Black's win rate, lengths, how games ended, and the number
/// of `distinct` games.
pub fn section(rows: &[GameRow], distinct: Option<usize>) -> Markup {
    let played: Vec<&GameRow> = rows.iter().filter(|row| row.is_played()).collect();
    let mut lengths: Vec<u32> = played.iter().map(|row| row.plies).collect();
    lengths.sort_unstable();
    let lengths = lengths.first().zip(lengths.last()).map(|(least, most)| {
        let middle = lengths[lengths.len() / 2];
        format!("Games last {least} to {most} plies, half of them at most {middle}.")
    });
    let mut ends = BTreeMap::<&str, usize>::new();
    for row in rows {
        *ends.entry(describe(row.termination)).or_default() += 1;
    }
    let ends: Vec<String> = ends.iter().map(|(end, count)| format!("{count} {end}")).collect();
    let distinct = distinct.map(|distinct| {
        let games = played.len();
        let note = if distinct < games {
            " A repeated game is no new evidence, so the intervals are too narrow."
        } else {
            ""
        };
        format!("{distinct} of {games} games are different.{note}")
    });
    let ends = format!("How the games ended: {}.", ends.join(", "));
    let sentences = [black_wins(rows), lengths, Some(ends), unplayed(rows), distinct];
    html! {
        @for sentence in sentences.into_iter().flatten() {
            p { (sentence) }
        }
        @if rows.iter().all(GameRow::has_moves) {
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
    }
}

/// The win rate of Black over all games.
fn black_wins(rows: &[GameRow]) -> Option<String> {
    let counted: Vec<Outcome> = rows.iter().filter_map(|row| row.outcome.of_black()).collect();
    let points = |outcome: &Outcome| match outcome {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.5,
        Outcome::Loss => 0.0,
    };
    let games = counted.len() as f64;
    let rate = counted.iter().map(points).sum::<f64>() / games;
    let interval = if counted.is_empty() { None } else { wilson(rate, games, Level::P95) };
    interval.map(|interval| {
        let (wins, range) = (percent(rate), percent_range(interval));
        format!("Black wins {wins} of {games} games ({range}).")
    })
}

/// A remark on games that were not played; none if all were.
#[must_use]
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
