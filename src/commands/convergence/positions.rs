//! The file of solved positions: reading it, and adding to it.

use super::Extension;
use crate::commands::progress::Progress;
use crate::commands::{Failure, Host, run};
use crate::convergence::{self as solved, Drawing, Limits, SolvedPosition, draw};
use crate::run::{RunDirectory, RunLock};
use crate::search::{Resource, ResourceFault};
use crate::settings::files;
use crate::solver::MAX_POINTS;
use crate::text::{Align, TextTable};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::Ordering;

/// Where the positions of the published run are, which are here too: the program needs no
/// repository around it.
const PUBLISHED: &str = "experiments/positions/solved.csv";

/// Games without a new position after which no more are drawn: small boards have few positions
/// on which moves differ, or none.
const GAMES: u64 = 2_000;

/// The positions of the file `path`.
pub fn read(path: &Path) -> Result<Vec<SolvedPosition>, Failure> {
    let name = path.display();
    let there = files::read_to_string(path);
    let text = if there.is_err() && path == Path::new(PUBLISHED) {
        Ok(include_str!("../../../experiments/positions/solved.csv").to_owned())
    } else {
        there
    };
    let text = text.map_err(|fault| {
        let remedy = if fault.kind() == ErrorKind::NotFound {
            ": name a file of positions with --positions, or make one with --extend"
        } else {
            ""
        };
        Failure::usage(format!("cannot read {name}: {fault}{remedy}"))
    })?;
    solved::read(&text).map_err(|fault| Failure::usage(format!("{name}: {fault}")))
}

/// Adds `count` positions to the file `path`, which need not exist, and prints what became of
/// all that were drawn.
pub fn extend(
    path: &Path,
    (count, extension): (usize, &Extension),
    pool: &rayon::ThreadPool,
    host: &mut Host<'_>,
) -> Result<(), Failure> {
    let Some(size) = extension.size else {
        return Err(Failure::usage("--extend needs --size"));
    };
    if size.points() > MAX_POINTS {
        return Err(Failure::usage(format!(
            "--size {size} has more than the {MAX_POINTS} points that can be solved"
        )));
    }
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let Some(name) = name else {
        return Err(Failure::usage(format!(
            "invalid name {}: expected the name of a file",
            path.display()
        )));
    };
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = RunDirectory::shared(parent.unwrap_or(Path::new(".")));
    let folder = folder?;
    // Locked before the file is read: what another process added meanwhile would be lost.
    let lock = RunLock::take(folder.path(), &format!("{name}.lock"));
    let _lock = lock?;
    let mut positions = if path.exists() { read(path)? } else { Vec::new() };
    let limits = Limits { count, nodes: extension.nodes, games: GAMES };
    let stop = run::stop(host.caller)?;
    let mut progress = Progress::new(host.caller, count, 0, "positions");
    let found = |found| progress.reach(found);
    let drawing = pool.install(|| draw(size, extension.seed, limits, &positions, &stop, found));
    drop(progress);
    // Nothing but memory for the table of a solver can be lacking.
    let drawing =
        drawing.map_err(|fault| ResourceFault::because(Resource::Memory, fault.to_string()))?;
    let found = drawing.positions.len();
    write!(host.output, "{}", table(&drawing))?;
    if found > 0 {
        positions.extend(drawing.positions);
        // As a whole or not at all, as the files of a run are.
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

/// What became of the positions drawn, by the share of points that are empty.
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
