//! `--training FILE`: the positions of a run's games, for networks.

use crate::commands::Failure;
use crate::harness::training;
use crate::run::{Run, RunError};
use crate::tournament::{GameRow, Outline};
use std::io::Write;
use std::path::Path;

/// Writes the positions of `rows`, the games of `run` that count, to `file`, and says how many.
pub fn write(
    file: &Path,
    run: &Run,
    rows: &[GameRow],
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let outline = Outline::of(&run.config()?)?;
    let folder = run.directory.path();
    let count = training::write(file, &outline, rows, folder).map_err(|fault| match fault {
        RunError::Work(said) => {
            let (folder, file) = (folder.display(), file.display());
            let again = format!("write it again with --report {folder} --training {file}");
            RunError::Work(format!("{said}; the games are kept: {again}"))
        }
        other => other,
    })?;
    writeln!(output, "{count} positions in {}", file.display())?;
    Ok(())
}
