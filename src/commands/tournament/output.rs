//! Writes summary, ratings, plots, records and report of a finished run.

use crate::analysis::{self, DistinctGames, RatingList, Report, Summary};
use crate::commands::Failure;
use crate::results::{GameRow, PlayedGame, RunDirectory, journal};
use crate::sgf::{Overrides, Record};
use crate::stats::{SequentialTest, State};
use crate::tournament::{Session, Tournament};
use anyhow::{Context, anyhow};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;

/// Writes the files that follow from the rows into `directory`, and the tables to
/// `output`.
pub fn write(
    tournament: &Tournament,
    directory: &RunDirectory,
    session: &Session,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let rows = session.rows();
    let summary = summarize(tournament, rows);
    directory.write_csv("summary.csv", summary.rows())?;
    draw(tournament, &summary, directory)?;
    let bots: Vec<String> = tournament.bots.iter().map(|bot| bot.name.clone()).collect();
    let ratings = RatingList::of(&bots, rows).map_err(|reason| reason.to_string());
    if let Ok(ratings) = &ratings {
        directory.write_csv("ratings.csv", ratings.rows())?;
        directory.write_csv("differences.csv", ratings.differences())?;
    }
    let distinct = records(tournament, directory, rows)?;
    let said = session.test().map(|test| verdict(tournament, test));
    let report = Report {
        name: &tournament.name,
        conditions: &conditions(tournament),
        rows,
        summary: &summary,
        ratings: ratings.as_ref().map_err(String::as_str),
        test: session.test().zip(said.as_deref()),
        distinct: Some(distinct),
        config: &directory.read("config.toml")?,
        records: true,
    };
    directory.write("report.html", &report.to_html().map_err(|fault| anyhow!(fault))?)?;
    writeln!(output, "{}\n", conditions(tournament))?;
    writeln!(output, "{summary}")?;
    if let (Ok(ratings), true) = (&ratings, bots.len() > 2) {
        writeln!(output, "{ratings}\n")?;
    }
    if let Some(said) = said {
        writeln!(output, "{said}")?;
    }
    for line in remarks(rows, distinct) {
        writeln!(output, "{line}")?;
    }
    writeln!(output, "{} games in {}", rows.len(), directory.path().display())?;
    Ok(())
}

/// Remarks below the table, on what the intervals do not show: games not played,
/// repeated games, and games whose winner an engine disputes.
fn remarks(rows: &[GameRow], distinct: usize) -> Vec<String> {
    let mut remarks: Vec<String> = analysis::unplayed(rows).into_iter().collect();
    let played = rows.iter().filter(|row| row.is_played()).count();
    if distinct < played {
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

/// Writes the missing SGF records, one per game, and returns the number of
/// distinct games among those played.
fn records(
    tournament: &Tournament,
    directory: &RunDirectory,
    rows: &[GameRow],
) -> anyhow::Result<usize> {
    let folder = directory.subfolder("sgf")?;
    let mut distinct = DistinctGames::new(tournament.size);
    let mut wanted: BTreeSet<usize> = rows.iter().map(|row| row.game).collect();
    for entry in journal::read(&directory.path().join("journal.csv"))? {
        let PlayedGame { row, record } = entry.played;
        if !wanted.remove(&row.game) {
            continue;
        }
        let path = folder.join(format!("{}.sgf", row.game));
        if !path.exists() {
            fs::write(&path, &record)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        let rules = Some((tournament.ko, tournament.suicide).into());
        let rules = Overrides { rules, ..Overrides::default() };
        let read = Record::read(&record, rules)
            .with_context(|| format!("the record of game {} in journal.csv", row.game))?;
        if row.is_played() {
            distinct.insert(&row.black, &read.game.moves().collect::<Vec<_>>());
        }
    }
    Ok(distinct.distinct())
}

pub(in crate::commands) fn summarize(tournament: &Tournament, rows: &[GameRow]) -> Summary {
    let bots: Vec<String> = tournament.bots.iter().map(|bot| bot.name.clone()).collect();
    let schedule = tournament.schedule();
    let pairings: Vec<(usize, usize)> =
        schedule.pairings().iter().map(|pairing| (pairing.first, pairing.second)).collect();
    Summary::of(&bots, &pairings, rows)
}

/// Writes the plots of `summary`, each as SVG and as PNG.
fn draw(
    tournament: &Tournament,
    summary: &Summary,
    directory: &RunDirectory,
) -> Result<(), Failure> {
    let folder = directory.subfolder("plots")?;
    let conditions = conditions(tournament);
    summary.win_rates(&conditions).draw().save(&folder.join("win_rates"))?;
    summary.cross_table(&conditions).draw().save(&folder.join("cross_table"))?;
    Ok(())
}

/// Board, komi, rules, pairs, openings and seed, in one line.
pub(in crate::commands) fn conditions(tournament: &Tournament) -> String {
    let Tournament { size, komi, rules, pairs, opening_plies, seed, sprt, .. } = tournament;
    let most = if sprt.is_some() { "at most " } else { "" };
    format!(
        "{size}, komi {komi}, {rules} rules, {most}{pairs} pairs per pairing, \
         openings of {opening_plies} plies, seed {seed}"
    )
}

/// The verdict of the sequential test in a sentence.
fn verdict(tournament: &Tournament, test: &SequentialTest) -> String {
    let [first, second] = [0, 1].map(|bot| tournament.bots[bot].name.as_str());
    let settings = test.sprt().settings();
    let said = match test.decision().map(|decision| decision.state) {
        Some(State::AcceptH1) => {
            format!("{first} is more than {} Elo stronger than {second}", settings.elo0)
        }
        Some(State::AcceptH0) => {
            format!("{first} is not {} Elo stronger than {second}", settings.elo1)
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
