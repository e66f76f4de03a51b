//! Merging the finished chunks of a run into one journal.

use super::admission::Admission;
use super::config::Tournament;
use super::missing::Missing;
use super::session::SessionError;
use crate::results::{Entry, Fingerprint, ForeignRow, Journal, RunLock, journal};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The files in `folder` with the extension `extension` that belong to chunks, sorted: `csv`
/// for what finished chunks hold, `toml` for their manifests.
///
/// # Errors
/// If the folder cannot be listed.
pub fn chunk_files(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?;
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.retain(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        name.starts_with("chunk-") && path.extension().is_some_and(|end| end == extension)
    });
    paths.sort();
    Ok(paths)
}

/// Appends the games `due` of the finished chunks in `folder` to the journal of the run
/// whose lock is `lock`, in their order.
///
/// # Errors
/// If `check` refuses a game or one is missing: the journal is then left as it was. If a file
/// cannot be read or written: a second merge adds what is missing.
pub fn merge_chunks(
    lock: &RunLock,
    folder: &Path,
    due: impl IntoIterator<Item = usize>,
    mut check: impl FnMut(&Entry, &Path) -> Result<(), ForeignRow>,
) -> Result<(), SessionError> {
    let files = chunk_files(folder, "csv")
        .map_err(|source| SessionError::Folder { path: folder.to_path_buf(), source })?;
    let mut there = BTreeMap::new();
    for path in &files {
        for entry in journal::read(path)? {
            check(&entry, path)?;
            there.entry(entry.played.row.game).or_insert(entry);
        }
    }
    let mut joined = Vec::new();
    let missing = due.into_iter().filter(|game| match there.remove(game) {
        Some(entry) => {
            joined.push(entry);
            false
        }
        None => true,
    });
    Missing::check("game", folder, &files, missing.map(|game| game / 2))?;
    let (mut journal, _) = Journal::open(&journal::path(lock.folder()))?;
    for Entry { played, fingerprint } in &joined {
        journal.append(played, *fingerprint)?;
    }
    Ok(journal.sync()?)
}

/// Merges the finished chunks in the folder of `lock`: appends those of their games
/// that its journal lacks, in the order of the schedule. All of them must have been
/// played under `fingerprint`.
///
/// # Errors
/// As [`merge_chunks`].
pub fn merge(
    tournament: &Tournament,
    fingerprint: Fingerprint,
    lock: &RunLock,
) -> Result<(), SessionError> {
    let path = journal::path(lock.folder());
    let mut there = BTreeSet::new();
    let mut admission = Admission::to_journal(tournament, Some(fingerprint));
    for entry in if path.exists() { journal::read(&path)? } else { Vec::new() } {
        admission.check(&entry, &path)?;
        there.insert(entry.played.row.game);
    }
    let mut admission = Admission::to_chunk(tournament, fingerprint);
    let due = (0..tournament.schedule().games()).filter(|game| !there.contains(game));
    merge_chunks(lock, lock.folder(), due, |entry, path| admission.check(entry, path))
}
