//! The file with the positions of a run.

use super::archive::Archive;
use super::index::Index;
use super::positions::{Positions, arrays};
use crate::run::{RunError, replace};
use crate::tournament::{GameRow, Outcome, Outline};
use std::path::Path;
use std::{fs, io};

/// Checks that the file `path` can be written, before the games that fill it. Its name must end in `.npz`.
pub fn check_file(path: &Path) -> Result<(), RunError> {
    let refused =
        |expected: &str| RunError::Input(format!("cannot write {}: {expected}", path.display()));
    if path.extension().is_none_or(|end| end != "npz") {
        return Err(refused("expected the name of a file that ends in .npz"));
    }
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(refused("expected a regular file, or none yet"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(refused("its folder is absent, make it first"));
    }
    let probe = path.with_extension("npz.partial");
    let write = || fs::write(&probe, "probe").and_then(|()| fs::remove_file(&probe));
    write().map_err(|why| RunError::file("cannot write", path, &why))
}

/// Writes the positions of the games `rows` that count, with the searches in the journals of
/// `folder`, to the file `path`, which is replaced as a whole. Returns the number of positions.
pub fn write(
    path: &Path,
    outline: &Outline,
    rows: &[GameRow],
    folder: &Path,
) -> Result<u64, RunError> {
    let rows = || rows.iter().filter(|row| row.outcome != Outcome::Void);
    let index = Index::of_all(rows(), folder, path)?;
    let count = rows().filter_map(|row| index.count(row)).map(u64::from).sum();
    replace(path, |file| {
        let archive = Archive::new(file, &arrays(outline.size), count);
        let mut positions = Positions::new(archive, outline);
        for row in rows() {
            positions
                .append(row, &index.searches(row)?)
                .map_err(|why| io::Error::new(why.kind(), format!("game {}: {why}", row.game)))?;
        }
        positions.finish()
    })?;
    Ok(count)
}
