//! Chunks of a run: measured by any processes on any machines, and merged.

use super::{Measurement, finish, positions};
use crate::commands::tournament::chunk::warn_of_lost_rows;
use crate::commands::tournament::folder::{self, CONFIG, MANIFEST, difference};
use crate::commands::{Failure, pool, refused};
use crate::convergence::{PositionRow, Rows, Settings, SolvedPosition, provenance, write};
use crate::results::{RunDirectory, RunLock};
use crate::tournament::{Chunk, LOCK, Missing, chunk_files};
use std::io::Write;
use std::path::Path;

/// The file with the positions of a run.
const POSITIONS: &str = "positions.csv";
/// The files that a run is begun with.
const BEGUN_WITH: &str = "config.toml or positions.csv";

/// Measures one chunk of a run, in the folder that all its chunks share.
pub fn measure(
    measurement: &Measurement<'_>,
    folder: &Path,
    chunk: Chunk,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let Measurement { settings, positions, provenance, pool, .. } = measurement;
    let config = settings.to_toml()?;
    let threads = pool.current_num_threads();
    let directory = folder::shared(folder, &config, provenance, threads, |directory, manifest| {
        let found = directory.read(CONFIG).map_err(|fault| refused(&fault))?;
        // The path of the positions may be another on each machine.
        let mut difference = difference(&found, &config, &["positions"])?;
        if share(directory, positions)? {
            difference = difference.or(Some(format!("{POSITIONS} has other positions")));
        }
        folder::refuse_other(directory, difference)?;
        folder::check_provenance(directory, BEGUN_WITH, manifest, provenance)
    })?;
    let _lock = chunk.lock(folder).map_err(|fault| refused(&fault))?;
    let (path, fingerprint) = (chunk.path(folder), provenance.fingerprint());
    let mut rows = Rows::new(settings, positions.len(), fingerprint);
    let had_file = path.exists();
    if had_file {
        rows.add_file(&path).map_err(|fault| refused(&fault))?;
    }
    let chosen: Vec<usize> =
        chunk.share(positions.len()).filter(|place| rows.lacks(*place)).collect();
    if chosen.is_empty() && had_file {
        writeln!(output, "the chunk is complete: {}", path.display())?;
        return Ok(());
    }
    if had_file {
        warn_of_lost_rows(&path);
    }
    let (measured, session) = measurement.run(&chosen)?;
    let signed = |row| PositionRow { fingerprint: Some(fingerprint), ..row };
    rows.add(measured.into_iter().map(signed).collect(), &path).map_err(|fault| refused(&fault))?;
    let before = folder::manifest_at(&folder.join(chunk.manifest()))?;
    folder::record_as(&chunk.manifest(), &directory, before, provenance, session)?;
    // Last, since it says that the chunk is complete.
    directory.write_csv(&format!("{}.csv", chunk.stem()), rows.into_rows())?;
    writeln!(output, "{} positions measured: {}", chosen.len(), path.display())?;
    Ok(())
}

/// Puts `positions` into the folder that all chunks share, if there are none. Returns whether
/// others are there.
fn share(directory: &RunDirectory, positions: &[SolvedPosition]) -> Result<bool, Failure> {
    let positions = write(positions)?;
    if !directory.path().join(POSITIONS).exists() {
        directory.write(POSITIONS, &positions)?;
    }
    Ok(directory.read(POSITIONS).map_err(|fault| refused(&fault))? != positions)
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
    let mut manifest = folder::manifest(&directory)?;
    let provenance = pool(1)?.install(|| provenance(&settings, &positions))?;
    folder::check_provenance(&directory, BEGUN_WITH, &manifest, &provenance)?;
    let mut rows = Rows::new(&settings, positions.len(), provenance.fingerprint());
    let files = chunk_files(folder, "csv")?;
    for path in &files {
        rows.add_file(path).map_err(|fault| refused(&fault))?;
    }
    let missing = (0..positions.len()).filter(|place| rows.lacks(*place));
    Missing::check("position", folder, &files, missing).map_err(|fault| refused(&fault))?;
    manifest.provenance = Some(provenance);
    folder::add_sessions_of_chunks(&mut manifest, folder)?;
    directory.write(MANIFEST, &manifest.to_toml()?)?;
    let unsigned = |row| PositionRow { fingerprint: None, ..row };
    let rows: Vec<PositionRow> = rows.into_rows().map(unsigned).collect();
    finish(&directory, &settings, &positions, &rows, output)
}
