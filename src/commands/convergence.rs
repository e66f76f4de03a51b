//! The program `convergence`: UCT held against solved positions.

mod positions;

use super::memory::MemoryArgument;
use super::progress::Progress;
use super::run::{self, Made, stop, stopped};
use super::settings::{self, SettingsFile};
use super::{Failure, Host, build, cores};
use crate::analysis::convergence::{plots, report};
use crate::convergence::{Convergence, POSITIONS, PositionRow, Settings, answers, summarize};
use crate::go::Size;
use crate::run::{Chunk, Concurrency, Run, check_provenance, rows_of};
use crate::settings::Settings as _;
use anyhow::Context;
use std::io::Write;
use std::path::{Path, PathBuf};
use toml::Table;

/// The kind of its runs.
const KINDS: &[&str] = &["convergence"];

/// The settings where none are given: those of the published run.
const DEFAULT: &str = include_str!("../../experiments/configs/convergence.toml");

/// Measure how fast UCT finds the exact value of solved positions
///
/// Searches every position of a file, in which the value of each legal move is known, with every
/// bot of the settings, and counts after 16, 32, 64, ... simulations how often the move to be
/// played keeps the value, how many points it gives away, and by how much the value at the root
/// is wrong. Writes a folder: summary.csv, searches.csv (one row per position, bot and number of
/// simulations), positions.csv, plots, report.html, config.toml and manifest.toml. The rows
/// depend on the settings and the positions alone, not on the number of threads.
#[derive(Debug, clap::Parser)]
#[command(
    name = "convergence",
    version,
    after_help = "\
With --extend N the program measures nothing, but draws positions from random games and \
quick self-play, solves every move of them, and adds N to the file of positions; \
those that the solver cannot solve within --nodes are left out and counted.

Examples:
  convergence
  convergence --config my.toml --positions my.csv --out runs/my-run
  convergence --config my.toml --out runs/my-run --chunk 1/8
  convergence --merge runs/my-run
  convergence --extend 100 --size 5x5 --seed 7 --positions my.csv"
)]
pub struct Arguments {
    /// Read the settings from a TOML file [default: those of the published run]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// File of solved positions [default: that of the settings]
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Output folder [default: `runs/<date>-convergence`]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Measure only chunk K of N, every N-th position; all chunks write into the same --out
    /// folder, and --merge merges them
    #[arg(long, value_name = "K/N", requires = "out")]
    chunk: Option<Chunk>,
    /// Resume the stopped run in DIR; only --threads and --memory are allowed with it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["config", "positions", "out", "chunk", "merge", "extend"])]
    resume: Option<PathBuf>,
    /// Write summary, plots and report of the run in DIR again, whichever version made it, and measure
    /// nothing; no other option is allowed with it
    #[arg(long, value_name = "DIR", exclusive = true)]
    report: Option<PathBuf>,
    /// Merge the chunks in DIR into one run; no other option is allowed with it
    #[arg(long, value_name = "DIR", exclusive = true)]
    merge: Option<PathBuf>,
    /// Number of threads [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    extension: Extension,
    #[command(flatten)]
    memory: MemoryArgument,
}

/// Options of the search for positions.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "More positions")]
struct Extension {
    /// Add this many positions to the file, and measure nothing
    #[arg(long, value_name = "N", requires = "size", conflicts_with = "out",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    extend: Option<u32>,
    /// Board size of the new positions, two numbers as in 5x4 or one
    #[arg(long, requires = "extend")]
    size: Option<Size>,
    /// Random seed of the new positions
    #[arg(long, requires = "extend", default_value_t = 1)]
    seed: u64,
    /// Most nodes that the solver may search for all moves of a position
    #[arg(long, requires = "extend", default_value_t = 1_000_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
}

/// Measures, or extends the file of positions.
///
/// # Errors
/// If a setting is wrong, a file cannot be read or written, or the work was stopped.
pub fn run(arguments: &Arguments, host: &mut Host<'_>) -> Result<(), Failure> {
    arguments.memory.limit();
    let on: Concurrency = arguments.threads.map_or_else(cores, usize::from).into();
    if let Some(folder) = &arguments.report {
        let run = run::open(folder, host.caller)?;
        return finish(&run, &saved(&run, folder)?, host.output);
    }
    if let Some(folder) = arguments.merge.as_ref().or(arguments.resume.as_ref()) {
        let mut run = run::open(folder, host.caller)?;
        let experiment = saved(&run, folder)?;
        if arguments.resume.is_some() {
            return make(&mut run, &experiment, on, host);
        }
        let provenance = experiment.provenance()?;
        check_provenance(folder, &run.manifest, &provenance, &build())?;
        run.merge(&experiment, &provenance)?;
        return finish(&run, &experiment, host.output);
    }
    let mut settings: Settings = match &arguments.config {
        None => DEFAULT.parse().context("the default settings")?,
        Some(path) => read_settings(path)?,
    };
    if let Some(path) = &arguments.positions {
        settings.positions.clone_from(path);
    }
    if let Some(count) = arguments.extension.extend {
        let pool = super::pool(on.threads)?;
        let extension = (count as usize, &arguments.extension);
        return positions::extend(&settings.positions, extension, &pool, host);
    }
    let positions = positions::read(&settings.positions)?;
    if positions.is_empty() {
        let name = settings.positions.display();
        return Err(Failure::usage(format!("{name} has no positions: add some with --extend")));
    }
    let experiment = Convergence { settings, positions };
    if let Some(chunk) = arguments.chunk {
        let provenance = experiment.provenance()?;
        let out = arguments.out.as_deref();
        return run::chunk(&experiment, out, chunk, &provenance, on, host);
    }
    let mut run =
        run::begin(&experiment, &experiment.settings.name, arguments.out.as_deref(), host.caller)?;
    make(&mut run, &experiment, on, host)
}

fn read_settings(path: &Path) -> Result<Settings, Failure> {
    let file = SettingsFile::read(path, KINDS)?;
    Settings::from_table(file.table.clone())
        .map_err(|error| settings::refused(&error, &Table::new(), Some(&file)))
}

/// The experiment of `run` in `folder`.
fn saved(run: &Run, folder: &Path) -> Result<Convergence, Failure> {
    let settings = settings::saved(run, folder, KINDS, Settings::from_table)?;
    let positions = Convergence::positions_of(&run.directory)?;
    Ok(Convergence { settings, positions })
}

/// Searches the positions of `run` that are missing, with a progress bar, and writes what came out.
fn make(
    run: &mut Run,
    experiment: &Convergence,
    on: Concurrency,
    host: &mut Host<'_>,
) -> Result<(), Failure> {
    let (provenance, stop) = (experiment.provenance()?, stop(host.caller)?);
    let all = experiment.positions.len();
    let Made { session, lacking } =
        run::make(experiment, run, &provenance, on, &stop, |session| {
            let mut progress = Progress::new(host.caller, all, session.rows().len(), "positions");
            move |_: &[PositionRow]| progress.advance()
        })?;
    let made = session.rows().len();
    if !session.is_over() {
        return Err(stopped(run.directory.path(), "", lacking, (made, all, "position")));
    }
    session.finish()?;
    finish(run, experiment, host.output)
}

/// Writes the files that follow from the rows of `run`, and prints its answers.
fn finish(run: &Run, experiment: &Convergence, output: &mut dyn Write) -> Result<(), Failure> {
    let Convergence { settings, positions } = experiment;
    let directory = &run.directory;
    let rows: Vec<PositionRow> = rows_of(experiment, directory.path())?;
    let summary = summarize(settings, positions, &rows);
    directory.write_csv("summary.csv", &summary)?;
    let folder = directory.subfolder("plots")?;
    for (name, drawing) in plots(settings, &summary) {
        drawing.save(&folder.join(name))?;
    }
    // As config.toml names the positions, from wherever the run is read.
    let settings = &Settings { positions: POSITIONS.into(), ..settings.clone() };
    directory.write("report.html", report(settings, positions, &summary)?)?;
    for sentence in answers(settings, &summary) {
        writeln!(output, "{sentence}")?;
    }
    writeln!(output, "\n{}", directory.path().display())?;
    Ok(())
}
