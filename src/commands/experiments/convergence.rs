//! The programs that compare bots with solved positions: `convergence` by numbers of simulations,
//! `tengen suite` by one move of each bot.

use crate::commands::front::{Answer, Front, RunArguments, saved, what_is_missing};
use crate::commands::{Caller, Failure, positions};
use crate::convergence::report::{json, moves_table, plots, report};
use crate::convergence::{Convergence, POSITIONS, Settings, answers, summarize};
use crate::kind::Kind;
use crate::run::{Experiment, Run, rows_of};
use crate::settings::{SettingError, Settings as _};
use std::path::Path;
use toml::Table;

/// Measure how often bots find the best move of solved positions
///
/// Every bot moves once, by its own settings, in each position of a suite in which the value of each
/// legal move is known. The command counts how often the move keeps the value, and how many points
/// it gives away. Bots of any kind can be measured, also programs, as in gtp:'gnugo --mode gtp'. The
/// positions of the suite are 3x3 to 5x5: --size leaves out boards that a program does not support.
///
/// The command writes a folder: summary.csv, searches.csv (one row per position and bot),
/// positions.csv, plots, report.html, config.toml and manifest.toml.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Without --config, settings that are not given have these values: the bots are plain, uct and strong, \
with 1,000 simulations each; every bot moves once in each position; and the positions are \
experiments/positions/suite-test.csv, which the program contains. Fit bots to suite-train.csv beside it, and not to the test positions.

Examples:
  tengen suite
  tengen suite --bot uct:simulations=400 --bot two-ply --size 4x4,5x5
  tengen suite --bot strong --bot gtp:'gnugo --mode gtp --level 10' --size 5x5")]
pub struct SuiteArguments {
    /// Those of every experiment.
    #[command(flatten)]
    pub run: RunArguments<Measure<true>>,
}

/// Measure how fast UCT finds the exact value of solved positions
///
/// Every bot searches every position of a file, in which the value of each legal move is known.
/// After 16, 32, 64, ... simulations the command counts how often the move to be played keeps the
/// value, how many points this move gives away, and by how much the value at the root is wrong. The
/// rows depend on the settings and the positions alone, not on the number of threads.
///
/// The command writes a folder: summary.csv, searches.csv (one row per position, bot and number of
/// simulations), positions.csv, plots, report.html, config.toml and manifest.toml.
#[derive(Debug, Default, clap::Args)]
#[command(after_help = "\
Without --config, settings that are not given have their values in the published run. \
`tengen positions` makes files of solved positions.

Examples:
  convergence
  convergence --config my.toml --positions my.csv --out runs/my-run
  convergence --config my.toml --out runs/my-run --chunk 1/8
  convergence --merge runs/my-run")]
pub struct Measure<const OF_SUITE: bool> {}

impl<const OF_SUITE: bool> Front for Measure<OF_SUITE> {
    type Experiment = Convergence;
    const KINDS: &'static [Kind] = &[Kind::CONVERGENCE];
    const DEFAULT: &'static str = if OF_SUITE {
        include_str!("../../../experiments/configs/suite.toml")
    } else {
        include_str!("../../../experiments/configs/convergence.toml")
    };
    const SHOWN_FIRST: &'static [&'static str] =
        &["bot", "positions", "searches", "simulations", "doublings"];
    const EXTENT: Result<&'static str, &'static str> = Err(
        "a run keeps the positions that it began with: begin a new run with a larger file of --positions",
    );

    fn read(&self, table: Table) -> Result<Convergence, SettingError> {
        let settings = Settings::from_table(table)?;
        let refused = |said| SettingError::of("positions", said);
        let mut positions = positions::read(&settings.positions).map_err(refused)?;
        let name = settings.positions.display();
        if positions.is_empty() {
            return Err(refused(format!(
                "{name} has no positions: add some with `tengen positions FILE --add N --size SIZE`"
            )));
        }
        let has = |size| positions.iter().any(|position| position.size() == size);
        if let Some(size) = settings.size.iter().find(|size| !has(**size)) {
            let said = format!("{name} has no position on {size}: name a size that it has");
            return Err(SettingError::of("size", said));
        }
        let is_measured = |size| settings.size.is_empty() || settings.size.contains(&size);
        positions.retain(|position| is_measured(position.size()));
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
        crate::report::plots::save(directory, plots(settings, &summary))?;
        // The report names the positions as config.toml does, wherever the run is read from.
        let settings = &Settings { positions: POSITIONS.into(), ..settings.clone() };
        directory.write("report.html", report(settings, positions, &summary)?)?;
        let answer = match settings.simulations {
            Some(_) => answers(settings, &summary).join("\n") + "\n",
            None => moves_table(&summary).to_string(),
        };
        let folder = directory.path().display();
        let missing = what_is_missing(run, &measured, rows.len() / measured.rows_per_unit());
        Ok(Answer {
            text: format!("{answer}\n{folder}\n{missing}"),
            json: json(directory, settings, &summary),
        })
    }
}
