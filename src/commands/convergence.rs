//! The program `convergence`: UCT held against solved positions.

mod chunks;
mod positions;

use super::build::build;
use super::memory::MemoryArgument;
use super::tournament::folder;
use super::{Failure, cores, on_ctrl_c};
use crate::analysis::convergence::{Report, plots};
use crate::convergence::{
    MeasureError, PositionRow, Settings, SolvedPosition, SummaryRow, answers, measure, provenance,
    summarize, write,
};
use crate::go::Size;
use crate::input::files;
use crate::results::{Manifest, Provenance, RunDirectory, SessionRecord};
use crate::tournament::Chunk;
use anyhow::Context;
use indicatif::ProgressBar;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Measure how fast UCT finds the exact value of solved positions
///
/// Searches every position of a file, in which the value of each legal move is known, with
/// every bot of the settings, and counts after 16, 32, 64, ... playouts how often the move
/// to be played keeps the value, how many points it gives away, and by how much the value at
/// the root is wrong. Writes a folder: summary.csv, searches.csv (one row per position, bot
/// and number of playouts), positions.csv, plots, report.html, config.toml and
/// manifest.toml. The rows depend on the settings and the positions alone, not on threads.
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
  convergence --config my.toml --positions my.csv --out results/my-run
  convergence --config my.toml --out results/my-run --chunk 1/8
  convergence --merge results/my-run
  convergence --extend 100 --size 5x5 --seed 7 --positions my.csv"
)]
pub struct Arguments {
    /// Read the settings from a TOML file [default: those of the published run]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// File of solved positions [default: that of the settings]
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Output folder [default: `results/<date>-convergence`]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Measure only chunk K of N, every N-th position; all chunks write into the same --out
    /// folder, and --merge joins them
    #[arg(long, value_name = "K/N", requires = "out")]
    chunk: Option<Chunk>,
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
    /// Most nodes of the solver for all moves of a position
    #[arg(long, requires = "extend", default_value_t = 1_000_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
}

/// Measures, or extends the file of positions; `default` is the TOML of the settings where
/// none are given.
///
/// # Errors
/// If a setting is wrong, a file cannot be read or written, or the work was stopped.
pub fn run(arguments: &Arguments, default: &str, output: &mut dyn Write) -> Result<(), Failure> {
    arguments.memory.limit();
    if let Some(folder) = &arguments.merge {
        return chunks::merge_chunks(folder, output);
    }
    let mut settings: Settings = match &arguments.config {
        None => default.parse().context("the default settings")?,
        Some(path) => {
            let name = path.display();
            let text = files::read_to_string(path)
                .map_err(|fault| Failure::usage(format!("cannot read {name}: {fault}")))?;
            text.parse().map_err(|fault| Failure::usage(format!("{name}: {fault}")))?
        }
    };
    if let Some(path) = &arguments.positions {
        settings.positions.clone_from(path);
    }
    let threads = arguments.threads.map_or_else(cores, usize::from);
    let pool = super::pool(threads)?;
    let stop = stop_on_ctrl_c()?;
    if let Some(count) = arguments.extension.extend {
        let extension = (count as usize, &arguments.extension);
        return positions::extend(&settings.positions, extension, &pool, &stop, output);
    }
    let positions = positions::read(&settings.positions)?;
    if positions.is_empty() {
        let name = settings.positions.display();
        return Err(Failure::usage(format!("{name} has no positions: add some with --extend")));
    }
    let provenance = pool.install(|| provenance(&settings, &positions))?;
    let measurement = Measurement {
        settings: &settings,
        positions: &positions,
        provenance: &provenance,
        pool: &pool,
        stop: &stop,
    };
    if let (Some(chunk), Some(folder)) = (arguments.chunk, &arguments.out) {
        return chunks::measure(&measurement, folder, chunk, output);
    }
    let wanted = arguments.out.clone();
    let wanted = wanted.unwrap_or_else(|| RunDirectory::default_path(&settings.name));
    let (directory, _lock) = folder::claim(&wanted, &settings.to_toml()?)?;
    let all: Vec<usize> = (0..positions.len()).collect();
    let (rows, session) = match measurement.run(&all) {
        Ok(measured) => measured,
        Err(fault) => {
            if matches!(fault, MeasureError::Stopped) {
                directory.discard();
            }
            return Err(fault.into());
        }
    };
    folder::record(&directory, Manifest::default(), &provenance, session)?;
    finish(&directory, &settings, &positions, &rows, output)
}

/// Searches that are to be made, and where.
struct Measurement<'a> {
    settings: &'a Settings,
    positions: &'a [SolvedPosition],
    provenance: &'a Provenance,
    pool: &'a rayon::ThreadPool,
    stop: &'a AtomicBool,
}

impl Measurement<'_> {
    /// Searches the positions at the places `chosen`, with a progress bar.
    fn run(&self, chosen: &[usize]) -> Result<(Vec<PositionRow>, SessionRecord), MeasureError> {
        let mut session = SessionRecord::begin(self.pool.current_num_threads(), build());
        let started = Instant::now();
        let bar = ProgressBar::new(chosen.len() as u64);
        let rows = self
            .pool
            .install(|| measure(self.settings, self.positions, chosen, self.stop, || bar.inc(1)));
        bar.finish_and_clear();
        session.end(started.elapsed().as_secs_f64(), None);
        Ok((rows?, session))
    }
}

/// Writes the files of a run whose searches made `rows`, and prints its answers.
fn finish(
    directory: &RunDirectory,
    settings: &Settings,
    positions: &[SolvedPosition],
    rows: &[PositionRow],
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let summary = summarize(settings, positions, rows);
    save(directory, settings, positions, rows, &summary)?;
    for sentence in answers(settings, &summary) {
        writeln!(output, "{sentence}")?;
    }
    writeln!(output, "\n{}", directory.path().display())?;
    Ok(())
}

/// Writes what came out into `directory`.
fn save(
    directory: &RunDirectory,
    settings: &Settings,
    positions: &[SolvedPosition],
    rows: &[PositionRow],
    summary: &[SummaryRow],
) -> Result<(), Failure> {
    directory.write("positions.csv", &write(positions)?)?;
    directory.write_csv("searches.csv", rows)?;
    directory.write_csv("summary.csv", summary)?;
    let folder = directory.subfolder("plots")?;
    for (name, drawing) in plots(settings, summary) {
        drawing.save(&folder.join(name))?;
    }
    let report = Report { settings, positions, summary };
    directory.write("report.html", &report.to_html().map_err(anyhow::Error::msg)?)?;
    Ok(())
}

/// A flag that Ctrl-C sets; a second Ctrl-C ends the program.
fn stop_on_ctrl_c() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&stop);
    on_ctrl_c(move || {
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })?;
    Ok(stop)
}
