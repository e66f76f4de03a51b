//! `tune --synthetic`: measures methods of tuning on synthetic surfaces.

use crate::commands::progress::Progress;
use crate::commands::run::Measurement;
use crate::commands::{Failure, Host, cores, pool};
use crate::report::text::Align::{Left, Right};
use crate::report::text::TextTable;
use crate::run::{CONFIG, Execution};
use crate::stats::percent;
use crate::tuning::{Comparison, RegretRow};
use serde_json::json;
use std::path::Path;

/// Runs `comparison`, prints a table or a JSON object, and writes `regret.csv` to the output
/// folder, if any.
pub fn run(
    comparison: &Comparison,
    execution: &Execution,
    json: bool,
    host: &mut Host<'_>,
) -> Result<(), Failure> {
    if let Some(left_out) = comparison.left_out() {
        host.caller.say(&format!("warning: left out: {left_out}"));
    }
    let threads = execution.concurrency(cores()).threads;
    let mut measurement = Measurement::begin(execution.out.as_deref(), threads, host.caller)?;
    if let Some(Measurement { directory, .. }) = &measurement {
        directory.write(CONFIG, &toml::to_string(&comparison.settings)?)?;
    }
    let pool = pool(threads)?;
    let cells = comparison.cells();
    let mut progress = Progress::new(host.caller, cells.len(), 0, "measurements");
    let mut rows: Vec<RegretRow> = Vec::new();
    for cell in cells {
        host.go_on()?;
        rows.extend(pool.install(|| comparison.measure(cell)));
        progress.advance();
        // Written again and again: a comparison may take hours.
        if let Some(Measurement { directory, .. }) = &measurement {
            directory.write_csv("regret.csv", &rows)?;
        }
    }
    drop(progress);
    if let Some(measurement) = &mut measurement {
        measurement.end()?;
    }
    let folder = measurement.as_ref().map(|measurement| measurement.directory.path());
    if json {
        let folder = folder.map(Path::to_string_lossy);
        return Ok(writeln!(host.output, "{}", json!({ "folder": folder, "regret": rows }))?);
    }
    write!(host.output, "{}", table(&rows))?;
    writeln!(
        host.output,
        "\nmean simple regret: win probability lost at the estimate, and its 95 % interval; coverage: \
         how often the interval of the optimum holds it; width: of that interval, in shares of the \
         range"
    )?;
    if let Some(folder) = folder {
        writeln!(host.output, "{}", folder.join("regret.csv").display())?;
    }
    Ok(())
}

fn table(rows: &[RegretRow]) -> TextTable {
    let interval = |row: &&RegretRow| {
        let ends = row.low.zip(row.high);
        ends.map_or(String::new(), |(low, high)| format!("{low:.4} to {high:.4}"))
    };
    TextTable::of(
        rows,
        &[
            ("surface", Left, &|row| row.surface.to_string()),
            ("method", Left, &|row| row.method.to_string()),
            ("opponent", Left, &|row| if row.duels { "a point" } else { "fixed" }.to_owned()),
            ("games", Right, &|row| row.games.to_string()),
            ("repeats", Right, &|row| row.repeats.to_string()),
            ("mean regret", Right, &|row| format!("{:.4}", row.mean_regret)),
            ("95 % interval", Right, &interval),
            ("coverage", Right, &|row| percent(row.coverage)),
            ("width", Right, &|row| format!("{:.3}", row.width)),
        ],
    )
}
