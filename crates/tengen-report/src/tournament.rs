//! All that follows from the rows of a tournament: its files and its text.

use crate::{DistinctGames, RatingList, Report, Summary, unplayed};
use std::fmt::Write;
use tengen_go::{Color, Move};
use tengen_harness::run::{CONFIG, RunDirectory, RunError};
use tengen_harness::tournament::{GameRow, Outline};
use tengen_stats::{SequentialTest, State};

/// The summary of `rows`, games of the tournament of `outline`.
#[must_use]
pub fn summarize(outline: &Outline, rows: &[GameRow]) -> Summary {
    let schedule = outline.schedule();
    let pairings: Vec<(usize, usize)> =
        schedule.pairings().iter().map(|pairing| (pairing.first, pairing.second)).collect();
    Summary::of(&outline.names(), &pairings, rows)
}

/// Writes summary, ratings, plots and report of the games `rows` that count into `directory`, the
/// folder of the run, and returns the tables and the verdict of `test` as text.
///
/// # Errors
/// If a file cannot be written.
pub fn write(
    directory: &RunDirectory,
    outline: &Outline,
    rows: &[GameRow],
    test: Option<&SequentialTest>,
) -> Result<String, RunError> {
    let refused = |fault: &dyn ToString| RunError::Work(fault.to_string());
    let summary = summarize(outline, rows);
    let conditions = outline.conditions();
    directory.write_csv("summary.csv", summary.rows())?;
    let plots = directory.subfolder("plots")?;
    let saved = summary.win_rates(&conditions).draw().save(&plots.join("win_rates"));
    saved.map_err(|fault| refused(&fault))?;
    let saved = summary.cross_table(&conditions).draw().save(&plots.join("cross_table"));
    saved.map_err(|fault| refused(&fault))?;
    let bots = outline.names();
    let ratings = RatingList::of(&bots, rows).map_err(|reason| reason.to_string());
    if let Ok(ratings) = &ratings {
        directory.write_csv("ratings.csv", ratings.rows())?;
        directory.write_csv("differences.csv", ratings.differences())?;
    }
    let distinct = distinct(outline, rows);
    let said = test.map(|test| verdict(&bots, test));
    let report = Report {
        name: &outline.name,
        conditions: &conditions,
        rows,
        summary: &summary,
        ratings: ratings.as_ref().map_err(String::as_str),
        test: test.zip(said.as_deref()),
        distinct,
        config: &directory.read(CONFIG)?,
    };
    directory.write("report.html", report.to_html().map_err(|fault| refused(&fault))?)?;
    let mut printed = format!("{conditions}\n\n{summary}\n");
    // Writing to a string does not fail.
    if let (Ok(ratings), true) = (&ratings, bots.len() > 2) {
        let _ = writeln!(printed, "{ratings}\n");
    }
    for line in said.into_iter().chain(remarks(rows, distinct)) {
        let _ = writeln!(printed, "{line}");
    }
    let _ = writeln!(printed, "{} games in {}", rows.len(), directory.path().display());
    Ok(printed)
}

/// Number of distinct games among those played; none where the run keeps no moves.
fn distinct(outline: &Outline, rows: &[GameRow]) -> Option<usize> {
    if !rows.iter().all(GameRow::has_moves) {
        return None;
    }
    let mut distinct = DistinctGames::new(outline.size);
    for row in rows.iter().filter(|row| row.is_played()) {
        let moves = row.moves.split_whitespace().filter_map(|text| text.parse::<Move>().ok());
        let moves: Vec<(Color, Move)> = Color::BOTH.into_iter().cycle().zip(moves).collect();
        distinct.insert(&row.black, &moves);
    }
    Some(distinct.distinct())
}

/// Remarks below the table, on what the intervals do not show: games not played,
/// repeated games, and games whose winner an engine disputes.
fn remarks(rows: &[GameRow], distinct: Option<usize>) -> Vec<String> {
    let mut remarks: Vec<String> = unplayed(rows).into_iter().collect();
    let played = rows.iter().filter(|row| row.is_played()).count();
    if let Some(distinct) = distinct.filter(|&distinct| distinct < played) {
        remarks.push(format!(
            "only {distinct} of {played} games are different: a repeated game is no new evidence, so \
             the intervals are too narrow"
        ));
    }
    let counted =
        |row: &&GameRow| row.black_engine_score.is_some() || row.white_engine_score.is_some();
    let judged = rows.iter().filter(counted).count();
    if judged > 0 {
        let disputed = rows.iter().filter(|row| row.is_disputed()).count();
        remarks.push(format!(
            "{disputed} of {judged} games that an engine counted have another winner by its count"
        ));
    }
    remarks
}

/// The verdict of the sequential test in a sentence.
fn verdict(bots: &[String], test: &SequentialTest) -> String {
    let settings = test.sprt().settings();
    let said = match test.decision().map(|decision| decision.state) {
        Some(State::AcceptH1) => {
            format!("{} is more than {} Elo stronger than {}", bots[0], settings.elo0, bots[1])
        }
        Some(State::AcceptH0) => {
            format!("{} is not {} Elo stronger than {}", bots[0], settings.elo1, bots[1])
        }
        Some(State::Continue) | None => "undecided".to_owned(),
    };
    let bounds = test.sprt().bounds();
    format!(
        "sequential test {}: {said} (LLR {:.2} in {:.2} .. {:.2} after {} pairs)",
        test.sprt(),
        test.llr(),
        bounds.lower,
        bounds.upper,
        test.pairs().count(),
    )
}
