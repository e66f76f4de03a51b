//! Index of the searches of a run's games.

use super::journal::{Entry, GameKey, scan, searches};
use crate::run::{Chunk, Experiment, RunError, SEARCHES, chunk_files};
use crate::tournament::{GameRow, SearchRecord, Tournament};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The extension of a chunk's journal of searches.
const OF_CHUNK: &str = "journal";

/// The journal of the run in `folder`, or of its `chunk`.
pub fn journal_path(folder: &Path, chunk: Option<Chunk>) -> PathBuf {
    let of_chunk = |chunk: Chunk| format!("{}.{OF_CHUNK}", chunk.stem());
    folder.join(chunk.map_or_else(|| SEARCHES.to_owned(), of_chunk))
}

/// The records in the journals of a run.
#[derive(Debug)]
pub struct Index {
    journals: Vec<PathBuf>,
    /// The number of the journal, and the place there, of each record.
    entries: HashMap<GameKey, (usize, Entry)>,
}

impl Index {
    /// Reads the journals of the run in `folder` that may have searches of the games of `chunk`, or
    /// of all games.
    pub fn read(folder: &Path, chunk: Option<Chunk>) -> Result<Self, RunError> {
        let own = journal_path(folder, chunk);
        // Before a first merge, the games of a chunk are in its own files.
        let journals = if chunk.is_some() && !folder.join(Tournament::ROWS).exists() {
            vec![own]
        } else {
            let mut journals = chunk_files(folder, OF_CHUNK)?;
            journals.push(journal_path(folder, None));
            journals
        };
        let mut entries = HashMap::new();
        for (number, path) in journals.iter().enumerate() {
            scan(path, |entry| {
                entries.insert(entry.key, (number, entry));
            })?;
        }
        Ok(Self { journals, entries })
    }

    /// Reads the journals of the run in `folder`, which must have the searches of all games `rows`;
    /// an error says that `--training file` plays games without searches again.
    pub fn of_all<'a>(
        rows: impl Iterator<Item = &'a GameRow>,
        folder: &Path,
        file: &Path,
    ) -> Result<Self, RunError> {
        let index = Self::read(folder, None)?;
        let missing = rows.filter(|row| index.count(row).is_none()).count();
        if missing > 0 {
            let (folder, file) = (folder.display(), file.display());
            return Err(RunError::Input(format!(
                "{folder} lacks the searches of {missing} of its games: --resume {folder} \
                 --training {file} plays them again"
            )));
        }
        Ok(index)
    }

    /// Number of the searches of the game of `row`; none if it has no record.
    pub fn count(&self, row: &GameRow) -> Option<u32> {
        self.entries.get(&GameKey::of(row)).map(|(_, entry)| entry.searches)
    }

    /// The searches of the game of `row`, which has a record.
    pub fn searches(&self, row: &GameRow) -> io::Result<Vec<SearchRecord>> {
        let damaged = || io::Error::other(format!("the searches of game {} are damaged", row.game));
        let (journal, entry) = self.entries.get(&GameKey::of(row)).ok_or_else(damaged)?;
        let mut file = File::open(&self.journals[*journal])?;
        file.seek(SeekFrom::Start(entry.offset))?;
        let mut body = vec![0; entry.bytes as usize];
        file.read_exact(&mut body)?;
        searches(&body).ok_or_else(damaged)
    }
}
