//! The card of a tournament.

use crate::report::cells::Cells;
use crate::report::files::{Declaration, Extent, Files, Found, RowsFile, rows_of, text};
use crate::report::text::csv_text;
use crate::run::{MANIFEST, Manifest};
use crate::tournament::report::{Results, counted, draw_cross_table, draw_win_rates, summarize};
use crate::tournament::{GameRow, Outline, TOURNAMENT_KEY, Tournament};
use toml::Table;

pub(crate) const TOURNAMENT: Declaration = Declaration {
    name: "tournament",
    keys: &[TOURNAMENT_KEY],
    table: "summary.csv",
    own_table: Some("games.csv"),
    rows: Some(RowsFile::of::<Tournament>(|config, _| {
        let units = Outline::of(config).ok()?.schedule().games();
        Some(Extent { units, rows_per_unit: 1 })
    })),
    card: tournament,
    brief: |rows, _| strongest(rows),
};

/// The answer of a tournament, and the plots of win rates and of all pairings.
pub(crate) fn tournament(config: &Table, files: &dyn Files) -> Result<Found, String> {
    let outline = Outline::of(config).map_err(|fault| format!("config.toml: {fault}"))?;
    let rows: Vec<GameRow> = rows_of(files, "games.csv")?;
    if rows.is_empty() {
        return Ok(Found::default());
    }
    let (rows, test) = counted(&outline, rows).map_err(|fault| format!("games.csv: {fault}"))?;
    let manifest = manifest(files);
    let results = Results::of(&outline, &rows, test.as_ref(), &manifest);
    let conditions = outline.conditions();
    let mut plots = vec![("win_rates".to_owned(), draw_win_rates(&results.summary, &conditions))];
    if outline.bots.len() > 2 {
        plots.push(("cross_table".to_owned(), draw_cross_table(&results.summary, &conditions)));
    }
    Ok((results.said_first(), plots))
}

/// The manifest of the run; without sessions if it cannot be read.
fn manifest(files: &dyn Files) -> Manifest {
    let text = text(files, MANIFEST).ok().flatten();
    text.and_then(|text| toml::from_str(&text).ok()).unwrap_or_default()
}

/// `summary.csv` computed from the games of a tournament, for a run that has not stored it. None if
/// settings or games cannot be read.
pub(crate) fn summary(config: &Table, files: &dyn Files) -> Option<String> {
    let outline = Outline::of(config).ok()?;
    let rows: Vec<GameRow> = rows_of(files, "games.csv").ok()?;
    let (rows, _) = counted(&outline, rows).ok()?;
    csv_text(summarize(&outline, &rows).csv_rows()).ok()
}

/// The bot with the highest win rate.
pub(crate) fn strongest(rows: &[Cells]) -> Option<String> {
    let bots = rows.iter().filter(|row| row.text("kind") == "bot");
    let best = bots.filter_map(|row| Some((row.number("win_rate")?, row)));
    let (_, best) = best.max_by(|one, other| one.0.total_cmp(&other.0))?;
    let rate = best.percent("win_rate")?;
    let ends = best.percent("win_rate_low").zip(best.percent("win_rate_high"));
    let ends = ends.map_or(String::new(), |(low, high)| format!(" ({low} to {high})"));
    Some(format!("{} wins {rate} %{ends}", best.text("bot")))
}
