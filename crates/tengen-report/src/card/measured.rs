//! The cards of runs that measure: learning, convergence and speed.

use super::table;
use super::{Files, Found, rows_of, text};
use crate::plots::{Axis, DataPoint, Heading, Lines, Scale, Series};
use crate::speed::{playouts as of_playouts, searches as of_searches};
use crate::{convergence as of_convergence, learning as of_learning};
use tengen_harness::convergence::{
    POSITIONS, PositionRow, Settings, SummaryRow, answers, read, summarize,
};
use tengen_harness::learn::{RoundRow, Study};
use tengen_settings::Settings as _;
use toml::Table;

/// What came of each round; win rates and log loss by round, and the learning curve.
pub(super) fn learning(files: &impl Files) -> Result<Found, String> {
    let rounds: Vec<RoundRow> = rows_of(files, "rounds.csv")?;
    if rounds.is_empty() {
        return Ok(Found::default());
    }
    let study = Study {
        predictions: table::read(files, "prediction.csv")?,
        curve: table::read(files, "learning_curve.csv")?,
    };
    let answer = of_learning::answers(&rounds).into_iter().map(|said| said + ".").collect();
    let mut plots = of_learning::plots(&rounds, &study);
    let losses =
        rounds.iter().filter_map(|row| Some(DataPoint::new(row.round as f64, row.log_loss?, None)));
    let losses: Vec<DataPoint> = losses.collect();
    if losses.len() > 1 {
        let lines = Lines {
            heading: Heading::new("Log loss of each round's weights", "held-out positions"),
            x: Axis::new("round", Scale::Whole),
            y: Axis::new("mean of −ln P", Scale::Linear),
            series: vec![Series::line("", losses)],
            references: Vec::new(),
        };
        plots.push(("loss".to_owned(), lines.draw()));
    }
    // The rounds first, which grow while the run goes on.
    plots.sort_by_key(|(name, _)| name != "rounds");
    Ok((answer, plots))
}

/// How many simulations find the exact value: from `summary.csv`, or, before it is written, from
/// the searches.
pub(super) fn convergence(config: &Table, files: &impl Files) -> Result<Found, String> {
    let settings = Settings::from_table(config.clone());
    let settings = settings.map_err(|fault| format!("config.toml: {fault}"))?;
    let mut summary: Vec<SummaryRow> = table::read(files, "summary.csv")?;
    if summary.is_empty() {
        let positions = text(files, POSITIONS)?.unwrap_or_default();
        let positions = read(&positions).map_err(|fault| format!("{POSITIONS}: {fault}"))?;
        let rows: Vec<PositionRow> = rows_of(files, "searches.csv")?;
        if rows.is_empty() || rows.iter().any(|row| !(1..=positions.len()).contains(&row.position))
        {
            return Ok(Found::default());
        }
        summary = summarize(&settings, &positions, &rows);
    }
    Ok((answers(&settings, &summary), of_convergence::plots(&settings, &summary)))
}

/// How many simulations a second the searches make.
pub(super) fn speed(files: &impl Files) -> Result<Found, String> {
    let rows = table::read(files, "speed.csv")?;
    if rows.is_empty() {
        return Ok(Found::default());
    }
    let drawing = of_searches::draw_sizes(&rows, "median and range of the repeats");
    Ok((of_searches::answers(&rows), vec![("speed_by_size".to_owned(), drawing)]))
}

/// How many playouts run per second.
pub(super) fn playouts(files: &impl Files) -> Result<Found, String> {
    let rows = table::read(files, "playouts.csv")?;
    if rows.is_empty() {
        return Ok(Found::default());
    }
    let drawing = of_playouts::draw_sizes(&rows, &[], "median and range of the repeats");
    Ok((of_playouts::answers(&rows), vec![("playouts_by_size".to_owned(), drawing)]))
}
