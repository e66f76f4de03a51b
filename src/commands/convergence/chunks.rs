//! Chunks of a run: measured by any processes on any machines, and merged.

use super::{Measurement, finish, positions};
use crate::commands::tournament::folder::{CONFIG, MANIFEST, difference, manifest_at};
use crate::commands::{Failure, refused};
use crate::convergence::{PositionRow, Settings, SolvedPosition, merge, write};
use crate::results::{Manifest, RunDirectory, RunLock, SessionRecord};
use crate::tournament::{Chunk, LOCK, chunk_files};
use std::io::Write;
use std::path::Path;

/// The file with the positions of a run.
const POSITIONS: &str = "positions.csv";

/// Measures one chunk of a run, in the folder that all its chunks share.
pub fn measure(
    measurement: &Measurement<'_>,
    folder: &Path,
    chunk: Chunk,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let directory = RunDirectory::shared(folder).map_err(|fault| refused(&fault))?;
    share(&directory, measurement.settings, measurement.positions)?;
    let path = chunk.path(folder);
    let name = |end: &str| format!("{}.{end}", chunk.stem());
    let _lock = chunk.lock(folder).map_err(|fault| refused(&fault))?;
    if path.exists() {
        writeln!(output, "the chunk is complete: {}", path.display())?;
        return Ok(());
    }
    let chosen: Vec<usize> = chunk.share(measurement.positions.len()).collect();
    let (rows, session) = measurement.run(&chosen)?;
    let manifest = Manifest { sessions: vec![session], ..Manifest::default() };
    directory.write(&chunk.manifest(), &manifest.to_toml()?)?;
    // Last, since it says that the chunk is complete.
    directory.write_csv(&name("csv"), &rows)?;
    writeln!(output, "{} positions measured: {}", chosen.len(), path.display())?;
    Ok(())
}

/// Puts the settings and the positions into the folder that all chunks share, or refuses if
/// those of another run are there.
fn share(
    directory: &RunDirectory,
    settings: &Settings,
    positions: &[SolvedPosition],
) -> Result<(), Failure> {
    let folder = directory.path();
    // Chunks that are begun at once wait for each other here, and nowhere else.
    let _lock = RunLock::wait(folder, LOCK).map_err(|fault| refused(&fault))?;
    let positions = write(positions)?;
    if !folder.join(CONFIG).exists() {
        directory.write(POSITIONS, &positions)?;
        directory.write(CONFIG, &settings.to_toml()?)?;
        return Ok(());
    }
    let found = directory.read(CONFIG).map_err(|fault| refused(&fault))?;
    let holds = |what: String| {
        Err(Failure::Usage(format!("{} holds another run ({what})", folder.display())))
    };
    // The path of the positions may be another on each machine.
    if let Some(difference) = difference(&found, &settings.to_toml()?, &["positions"])? {
        return holds(difference);
    }
    if directory.read(POSITIONS).map_err(|fault| refused(&fault))? != positions {
        return holds(format!("{POSITIONS} has other positions"));
    }
    Ok(())
}

/// Merges the chunks in `folder` into one run.
pub fn merge_chunks(folder: &Path, output: &mut dyn Write) -> Result<(), Failure> {
    let directory = RunDirectory::existing(folder).map_err(|fault| refused(&fault))?;
    let _lock = RunLock::take(folder, LOCK).map_err(|fault| refused(&fault))?;
    let config = directory.read(CONFIG).map_err(|fault| refused(&fault))?;
    let path = folder.join(CONFIG);
    let settings: Settings =
        config.parse().map_err(|fault| Failure::Usage(format!("{}: {fault}", path.display())))?;
    let positions = positions::read(&folder.join(POSITIONS))?;
    let (mut rows, mut sessions): (Vec<PositionRow>, Vec<SessionRecord>) = Default::default();
    for path in chunk_files(folder, "csv")? {
        let wrong = |fault: String| Failure::Usage(format!("{}: {fault}", path.display()));
        let mut reader = csv::Reader::from_path(&path).map_err(|fault| wrong(fault.to_string()))?;
        for row in reader.deserialize() {
            rows.push(row.map_err(|fault: csv::Error| wrong(fault.to_string()))?);
        }
        sessions.extend(manifest_at(&path.with_extension("toml"))?.sessions);
    }
    let rows = merge(&settings, positions.len(), rows)
        .map_err(|fault| Failure::Usage(format!("{}: {fault}", folder.display())))?;
    sessions.sort_by(|one, other| one.started.cmp(&other.started));
    one_commit(&sessions)?;
    directory.write(MANIFEST, &Manifest { sessions, ..Manifest::default() }.to_toml()?)?;
    finish(&directory, &settings, &positions, &rows, output)
}

/// Refuses chunks that programs of unlike commits have measured.
fn one_commit(sessions: &[SessionRecord]) -> Result<(), Failure> {
    let mut commits: Vec<&str> = sessions.iter().map(|one| one.build.commit.as_str()).collect();
    commits.sort_unstable();
    commits.dedup();
    if commits.len() > 1 {
        return Err(Failure::Usage(format!(
            "the chunks were measured by programs of the commits {}: measure all with one",
            commits.join(" and ")
        )));
    }
    Ok(())
}
