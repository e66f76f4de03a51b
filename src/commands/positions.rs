//! `tengen positions`: makes files of solved positions.

use super::memory::MemoryArgument;
use super::progress::Progress;
use super::{Failure, Host, cores, pool};
use crate::convergence::{self as solved, Drawing, Limits, SolvedPosition, draw};
use crate::go::Size;
use crate::run::{RunDirectory, RunLock};
use crate::search::{Resource, ResourceFault};
use crate::settings::files;
use crate::solver::MAX_POINTS;
use crate::text::{Align, TextTable};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// Add solved positions to a file, for `convergence`
///
/// The command draws positions from random games and from quick self-play, solves every move of a
/// position, and adds the position to the file. It leaves out and counts positions that the solver
/// cannot solve within --nodes.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tengen positions my.csv --add 100 --size 5x5 --seed 7")]
pub struct Arguments {
    /// File of solved positions; the command creates a missing file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Number of positions to add, 1 to 1,000,000
    ///
    /// The command ends early after 2,000 games in a row without a new position.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    add: u32,
    /// Board size of the new positions, up to 30 points, such as 5 or 5x4
    #[arg(long)]
    size: Size,
    /// Random seed of the new positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Largest number of nodes that the solver searches for all moves of a position
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Number of threads [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    memory: MemoryArgument,
}

/// The file with the positions of the published run. The program contains a copy, so that it needs
/// no repository.
const PUBLISHED: &str = "experiments/positions/solved.csv";

/// Games in a row without a new position after which the command ends: small boards have few
/// positions, or none, in which moves differ in value.
const GAMES: u64 = 2_000;

/// The positions of the file `path`.
pub fn read(path: &Path) -> Result<Vec<SolvedPosition>, String> {
    let name = path.display();
    let there = files::read_to_string(path);
    let text = if there.is_err() && path == Path::new(PUBLISHED) {
        Ok(include_str!("../../experiments/positions/solved.csv").to_owned())
    } else {
        there
    };
    let text = text.map_err(|fault| {
        let remedy = if fault.kind() == ErrorKind::NotFound {
            ": name a file of positions, or make one with `tengen positions`"
        } else {
            ""
        };
        format!("cannot read {name}: {fault}{remedy}")
    })?;
    solved::read(&text).map_err(|fault| format!("{name}: {fault}"))
}

/// Adds positions to the file, and prints what became of all drawn positions.
pub fn run(arguments: &Arguments, host: &mut Host<'_>) -> Result<(), Failure> {
    let Arguments { file: path, add, size, seed, nodes, threads, memory } = arguments;
    memory.limit();
    let count = *add as usize;
    if size.points() > MAX_POINTS {
        return Err(Failure::usage(format!(
            "--size {size} has more than the {MAX_POINTS} points that can be solved"
        )));
    }
    let Some(name) = path.file_name().map(|name| name.to_string_lossy().into_owned()) else {
        return Err(Failure::usage(format!(
            "invalid name {}: expected the name of a file",
            path.display()
        )));
    };
    let pool = pool(threads.map_or_else(cores, usize::from))?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = RunDirectory::shared(parent.unwrap_or(Path::new(".")))?;
    // Locked before the file is read: else positions that another process adds would be lost.
    let _lock = RunLock::take(folder.path(), &format!("{name}.lock"))?;
    let mut positions =
        if path.exists() { read(path).map_err(Failure::Usage)? } else { Vec::new() };
    let limits = Limits { count, nodes: *nodes, games: GAMES };
    let stop = host.caller.stop()?;
    let mut progress = Progress::new(host.caller, count, 0, "positions");
    let found = |found| progress.reach(found);
    let drawing = pool.install(|| draw(*size, *seed, limits, &positions, &stop, found));
    drop(progress);
    // This fails only if memory for a solver's table is lacking.
    let drawing =
        drawing.map_err(|fault| ResourceFault::because(Resource::Memory, fault.to_string()))?;
    let found = drawing.positions.len();
    write!(host.output, "{}", table(&drawing))?;
    if found > 0 {
        positions.extend(drawing.positions);
        // Written as a whole or not at all, like the files of a run.
        folder.write(&name, &solved::write(&positions)?)?;
        let (file, all) = (path.display(), positions.len());
        writeln!(host.output, "{found} positions added to {file}: it has {all}")?;
    }
    if found < count {
        let why = if stop.load(Ordering::Relaxed) {
            String::new()
        } else {
            format!(
                ", since {GAMES} games had no new one: choose a larger --size, more --nodes or \
                 another --seed"
            )
        };
        return Err(anyhow::anyhow!("stopped with {found} of {count} positions found{why}").into());
    }
    Ok(())
}

/// What became of the drawn positions, by share of empty points.
fn table(drawing: &Drawing) -> TextTable {
    let columns = ["empty points", "kept", "all moves alike", "endless games", "unsolved", "unfit"];
    let columns: Vec<(&str, Align)> = columns
        .iter()
        .enumerate()
        .map(|(place, name)| (*name, if place == 0 { Align::Left } else { Align::Right }))
        .collect();
    let mut table = TextTable::new(&columns);
    for (stage, fates) in &drawing.tally.stages {
        let (low, high) = (25 * stage, 25 * (stage + 1));
        let cells = fates.iter().map(ToString::to_string);
        table.push(std::iter::once(format!("{low} to {high} %")).chain(cells));
    }
    table
}
