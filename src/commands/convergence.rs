//! The program `convergence`: compares UCT with solved positions.

use super::front::{Answer, Front, RunArguments, saved, what_is_missing};
use super::{Caller, Failure, Host, front, positions};
use crate::analysis::convergence::{json, plots, report};
use crate::convergence::{Convergence, POSITIONS, Settings, answers, summarize};
use crate::run::{Experiment, Run, rows_of};
use crate::settings::{SettingError, Settings as _};
use std::path::Path;
use toml::Table;

/// Measure how fast UCT finds the exact value of solved positions
///
/// Every bot searches every position of a file, in which the value of each legal move is known.
/// After 16, 32, 64, ... simulations the command counts how often the move to be played keeps the
/// value, how many points this move gives away, and by how much the value at the root is wrong. The
/// rows depend on the settings and the positions alone, not on the number of threads.
///
/// The command writes a folder: summary.csv, searches.csv (one row per position, bot and number of
/// simulations), positions.csv, plots, report.html, config.toml and manifest.toml.
#[derive(Debug, clap::Parser)]
#[command(
    name = "convergence",
    version,
    after_help = "\
Without --config, settings that are not given have their values in the published run. \
`tengen positions` makes files of solved positions.

Examples:
  convergence
  convergence --config my.toml --positions my.csv --out runs/my-run
  convergence --config my.toml --out runs/my-run --chunk 1/8
  convergence --merge runs/my-run"
)]
pub struct Arguments {
    #[command(flatten)]
    run: RunArguments<Measure>,
}

/// Measures, resumes, merges or reports.
pub fn run(arguments: Arguments, host: &mut Host<'_>) -> Result<(), Failure> {
    front::run(arguments.run, host)
}

/// This kind of run, for the page that starts it.
#[cfg(feature = "serve")]
pub(super) fn startable() -> front::Startable {
    front::Startable::of::<Measure>(|table| front::plan(&Measure {}, table))
}

/// A measurement of convergence on the command line.
#[derive(Debug, clap::Args)]
struct Measure {}

impl Front for Measure {
    type Experiment = Convergence;
    const KINDS: &'static [&'static str] = &["convergence"];
    /// The settings of the published run.
    const DEFAULT: &'static str = include_str!("../../experiments/configs/convergence.toml");
    const EXTENT: Result<&'static str, &'static str> = Err(
        "a run keeps the positions that it began with: begin a new run with a larger file of --positions",
    );

    fn read(&self, table: Table) -> Result<Convergence, SettingError> {
        let settings = Settings::from_table(table)?;
        let refused = |said| SettingError::of("positions", said);
        let positions = positions::read(&settings.positions).map_err(refused)?;
        if positions.is_empty() {
            let name = settings.positions.display();
            let said = format!(
                "{name} has no positions: add some with `tengen positions FILE --add N --size SIZE`"
            );
            return Err(refused(said));
        }
        Ok(Convergence { settings, positions })
    }

    /// Runs of earlier versions name the file from which they copied their positions.
    fn name_own_files(&self, table: &mut Table, folder: &Path) {
        let positions = folder.join(POSITIONS).display().to_string();
        table.insert("positions".to_owned(), positions.into());
    }

    fn finish(&self, run: &Run, _: &dyn Caller) -> Result<Answer, Failure> {
        let directory = &run.directory;
        let measured = saved(self, run)?;
        let Convergence { settings, positions } = &measured;
        let rows = rows_of(&measured, directory.path())?;
        let summary = summarize(settings, positions, &rows);
        directory.write_csv("summary.csv", &summary)?;
        let folder = directory.subfolder("plots")?;
        for (name, drawing) in plots(settings, &summary) {
            drawing.save(&folder.join(name))?;
        }
        // The report names the positions as config.toml does, wherever the run is read from.
        let settings = &Settings { positions: POSITIONS.into(), ..settings.clone() };
        directory.write("report.html", report(settings, positions, &summary)?)?;
        let (sentences, folder) =
            (answers(settings, &summary).join("\n"), directory.path().display());
        let missing = what_is_missing(run, &measured, rows.len() / measured.rows_per_unit());
        Ok(Answer {
            text: format!("{sentences}\n\n{folder}\n{missing}"),
            json: json(directory, settings, &summary),
        })
    }
}
