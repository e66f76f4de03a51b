//! `tengen positions`: makes files of solved positions.

use super::memory::MemoryArgument;
use super::progress::Progress;
use super::{Failure, Host, cores, pool};
use crate::convergence::{self as solved, Drawing, Limits, SolvedPosition, draw};
use crate::go::Size;
use crate::report::text::{Align, TextTable};
use crate::run::{RunDirectory, RunLock};
use crate::search::{Resource, ResourceFault};
use crate::settings::files;
use crate::solver::{MAX_POINTS, SolveError};
use crate::suite::Split;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// Add solved positions to a file, for `convergence`
///
/// The command draws positions from random games and from quick self-play, solves every move of a
/// position, and adds the position to the file. It leaves out and counts positions that the solver
/// cannot solve within --nodes. New positions are written as they are found: after Ctrl-C the same
/// command with another --seed goes on.
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
    /// File whose positions are not added, given once or more
    ///
    /// The command also leaves out turned and mirrored positions, and those with swapped colors, of
    /// FILE and of the files of --apart.
    #[arg(long, value_name = "FILE")]
    apart: Vec<PathBuf>,
    /// Largest number of nodes that the solver searches for all moves of a position
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Number of threads [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    memory: MemoryArgument,
}

/// The file of the published run of convergence. The program contains a copy, so that it needs no
/// repository.
const PUBLISHED: &str = "experiments/positions/solved.csv";

/// The files that the program contains: path and text.
fn built_in() -> [(&'static str, &'static str); 3] {
    let [test, train] = [Split::Test, Split::Train].map(|split| (split.path(), split.text()));
    [(PUBLISHED, include_str!("../../experiments/positions/solved.csv")), test, train]
}

/// Games in a row without a new position after which the command ends: small boards have few
/// positions, or none, in which moves differ in value.
const GAMES: u64 = 2_000;

/// The positions of the file `path`.
pub fn read(path: &Path) -> Result<Vec<SolvedPosition>, String> {
    let name = path.display();
    let built_in = built_in().into_iter().find(|(name, _)| path == Path::new(name));
    let text = match (files::read_to_string(path), built_in) {
        (Err(_), Some((_, text))) => Ok(text.to_owned()),
        (there, _) => there,
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
    let Arguments { file: path, add, size, seed, apart, nodes, threads, memory } = arguments;
    memory.limit();
    let count = *add as usize;
    if size.points() > MAX_POINTS {
        refuse!("--size {size} has more than the {MAX_POINTS} points that can be solved");
    }
    let mut known = Vec::new();
    for other in apart {
        known.extend(read(other).map_err(|fault| Failure::Usage(format!("--apart: {fault}")))?);
    }
    let Some(name) = path.file_name().map(|name| name.to_string_lossy().into_owned()) else {
        refuse!("invalid name {}: expected the name of a file", path.display());
    };
    let pool = pool(threads.map_or_else(cores, usize::from))?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = RunDirectory::shared(parent.unwrap_or(Path::new(".")))?;
    // Locked before the file is read: else positions that another process adds would be lost.
    let _lock = RunLock::take(folder.path(), &format!("{name}.lock"))?;
    let mut positions =
        if path.exists() { read(path).map_err(Failure::Usage)? } else { Vec::new() };
    known.extend(positions.iter().cloned());
    let limits = Limits { count, nodes: *nodes, games: GAMES };
    let stop = host.caller.stop()?;
    let mut progress = Progress::new(host.caller, count, 0, "positions");
    let mut found = 0;
    // Written as a whole or not at all, like the files of a run, and whenever there are new ones: a
    // stopped command loses few.
    let keep = |new: &[SolvedPosition]| -> anyhow::Result<()> {
        if !new.is_empty() {
            positions.extend_from_slice(new);
            folder.write(&name, &solved::write(&positions)?)?;
            found += new.len();
            progress.reach(found);
        }
        Ok(())
    };
    let drawing = pool.install(|| draw(*size, *seed, limits, &known, &stop, keep));
    drop(progress);
    let drawing = drawing.map_err(|fault| match fault.downcast::<SolveError>() {
        // This fails only if memory for a solver's table is lacking.
        Ok(fault) => ResourceFault::because(Resource::Memory, fault.to_string()).into(),
        Err(fault) => Failure::Work(fault),
    })?;
    write!(host.output, "{}", table(&drawing))?;
    if found > 0 {
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
    let fates = ["kept", "all moves alike", "endless games", "unsolved", "unfit"];
    let fates = fates.map(|name| (name, Align::Right));
    let mut table = TextTable::new(&[&[("empty points", Align::Left)], &fates[..]].concat());
    for (stage, fates) in &drawing.tally {
        let (low, high) = (25 * stage, 25 * (stage + 1));
        let cells = fates.iter().map(ToString::to_string);
        table.push(std::iter::once(format!("{low} to {high} %")).chain(cells));
    }
    table
}
