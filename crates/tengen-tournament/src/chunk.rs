//! Chunks of a run: shares of its games, played by any process on any machine and
//! merged later.

use super::config::Tournament;
use super::foreign::{Admission, ForeignGame};
use super::session::SessionError;
use super::threads::{self, Concurrency, Due};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use tengen_results::{
    Entry, Fingerprint, GameRow, Journal, LockError, PlayedGame, RunLock, journal,
};

/// One of N equal shares of a schedule: every N-th pair, counted over all pairings.
/// Written `K/N`, K from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// K of `K/N`, from 1.
    number: usize,
    of: usize,
}

/// A text that names no chunk.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{0}` is no chunk: write K/N with K from 1 to N, and N at most 100000")]
pub struct ChunkError(String);

impl FromStr for Chunk {
    type Err = ChunkError;

    fn from_str(text: &str) -> Result<Self, ChunkError> {
        let parse = || {
            let (number, of) = text.split_once('/')?;
            let (number, of): (usize, usize) = (number.parse().ok()?, of.parse().ok()?);
            (1..=of.min(100_000)).contains(&number).then_some(Self { number, of })
        };
        parse().filter(|chunk| chunk.of <= 100_000).ok_or_else(|| ChunkError(text.to_owned()))
    }
}

impl Chunk {
    /// The chunk's share of the numbers 0 to `count` - 1: every N-th.
    pub fn share(self, count: usize) -> impl Iterator<Item = usize> + Send {
        (self.number - 1..count).step_by(self.of)
    }

    /// The numbers of the chunk's games in a schedule of `games` games.
    pub fn games(self, games: usize) -> impl Iterator<Item = usize> + Send {
        self.share(games / 2).flat_map(|pair| [2 * pair, 2 * pair + 1])
    }

    /// Whether game `game` of the schedule belongs to the chunk.
    #[must_use]
    pub const fn holds(self, game: usize) -> bool {
        (game / 2) % self.of == self.number - 1
    }

    /// Number of the chunk's games in a schedule of `games` games.
    const fn count(self, games: usize) -> usize {
        2 * ((games / 2 + self.of - self.number) / self.of)
    }

    /// The name of the chunk's files, without extension.
    #[must_use]
    pub fn stem(self) -> String {
        format!("chunk-{}-of-{}", self.number, self.of)
    }

    /// The file in `folder` that holds the chunk's games once all are played.
    #[must_use]
    pub fn path(self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.csv", self.stem()))
    }

    /// The file in `folder` that holds the games of the chunk until all are played.
    #[must_use]
    pub fn partial(self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.partial", self.stem()))
    }

    /// Keeps other processes from playing the chunk in `folder`.
    ///
    /// # Errors
    /// If one does, or the lock cannot be written.
    pub fn lock(self, folder: &Path) -> Result<RunLock, LockError> {
        RunLock::take(folder, &format!("{}.lock", self.stem()))
    }

    /// Name of the file with the manifest of the chunk: which programs played it, when
    /// and on which machines.
    #[must_use]
    pub fn manifest(self) -> String {
        format!("{}.toml", self.stem())
    }

    /// Opens the file of this chunk of `tournament` in `folder`, with the games under
    /// `fingerprint` that are there; `None` if all are.
    ///
    /// # Errors
    /// If another process plays the chunk, a file cannot be read or written, or a game in
    /// the chunk's files belongs to another run or has another fingerprint.
    pub fn open(
        self,
        tournament: &Tournament,
        fingerprint: Fingerprint,
        folder: &Path,
    ) -> Result<Option<ChunkFile>, SessionError> {
        let lock = self.lock(folder)?;
        let mut admission = Admission::to_chunk(tournament, fingerprint);
        let path = self.path(folder);
        if path.exists() {
            admitted(&mut admission, &journal::read(&path)?, &path)?;
            return Ok(None);
        }
        let partial = self.partial(folder);
        let (journal, entries) = Journal::open(&partial)?;
        let mut there = admitted(&mut admission, &entries, &partial)?;
        there.retain(|game| self.holds(*game));
        let games = tournament.schedule().games();
        let left = self.count(games) - there.len();
        Ok(Some(ChunkFile {
            chunk: self,
            fingerprint,
            games,
            there,
            left,
            journal,
            partial,
            path,
            _lock: lock,
        }))
    }

    /// Plays the games of this chunk of `tournament` that are missing in
    /// `folder`, under `fingerprint`, and calls `told` with the row of each. The
    /// chunk's file appears when its last game is played.
    ///
    /// # Errors
    /// As [`Chunk::open`], or if a game cannot be played for lack of a resource.
    pub fn play(
        self,
        tournament: &Tournament,
        fingerprint: Fingerprint,
        folder: &Path,
        concurrency: impl Into<Concurrency>,
        stop: &AtomicBool,
        mut told: impl FnMut(&GameRow),
    ) -> Result<(), SessionError> {
        let Some(mut file) = self.open(tournament, fingerprint, folder)? else {
            return Ok(());
        };
        let due = Due::new(file.left, file.missing());
        let result: Result<(), SessionError> =
            threads::play_games(tournament, concurrency, due, stop, |played| {
                file.append(&played)?;
                told(&played.row);
                Ok(())
            });
        // What is there is kept, even after a failure.
        let closed = file.close();
        result.and(closed.map(|_| ()))
    }
}

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

/// The file of a chunk that is being played: it holds the games so far, and takes its
/// place among the finished chunks when it is closed with all of them.
#[derive(Debug)]
pub struct ChunkFile {
    chunk: Chunk,
    fingerprint: Fingerprint,
    /// Number of games of the whole schedule.
    games: usize,
    /// The games that were there when the file was opened.
    there: BTreeSet<usize>,
    /// Number of games still to be played.
    left: usize,
    journal: Journal,
    partial: PathBuf,
    path: PathBuf,
    _lock: RunLock,
}

impl ChunkFile {
    /// The numbers of the games that were not there when the file was opened, in order.
    pub fn missing(&self) -> impl Iterator<Item = usize> + Send + use<> {
        let there = self.there.clone();
        self.chunk.games(self.games).filter(move |game| !there.contains(game))
    }

    /// Appends a game of [`ChunkFile::missing`].
    ///
    /// # Errors
    /// If it cannot be written; what was there before stays.
    pub fn append(&mut self, played: &PlayedGame) -> Result<(), SessionError> {
        self.journal.append(played, Some(self.fingerprint))?;
        self.left -= 1;
        Ok(())
    }

    /// Syncs the games to the disk, and returns whether all are there.
    ///
    /// # Errors
    /// If the file cannot be written or renamed.
    pub fn close(mut self) -> Result<bool, SessionError> {
        self.journal.sync()?;
        if self.left == 0 {
            let refused = |source| SessionError::Table { path: self.path.clone(), source };
            fs::rename(&self.partial, &self.path).map_err(refused)?;
        }
        Ok(self.left == 0)
    }
}

/// The numbers of the games in `entries`, which were read from the file `path`; an
/// error if one of them does not belong to the run.
fn admitted(
    admission: &mut Admission,
    entries: &[Entry],
    path: &Path,
) -> Result<BTreeSet<usize>, ForeignGame> {
    let number = |entry: &Entry| {
        admission.check(entry, path)?;
        Ok(entry.played.row.game)
    };
    entries.iter().map(number).collect()
}

/// Merges the finished chunks in the folder of `lock`: appends those of their games
/// that its journal lacks, in the order of the schedule. All of them must have been
/// played under `fingerprint`. Returns how many games of the schedule are still
/// missing.
///
/// # Errors
/// If a file cannot be read or written, or is another run's; the journal is
/// then left as it was.
pub fn merge(
    tournament: &Tournament,
    fingerprint: Fingerprint,
    lock: &RunLock,
) -> Result<usize, SessionError> {
    let folder = lock.folder();
    let unreadable = |source| SessionError::Table { path: folder.to_path_buf(), source };
    let chunks = chunk_files(folder, "csv").map_err(unreadable)?;
    let mut entries = Vec::new();
    let mut admission = Admission::to_chunk(tournament, fingerprint);
    for path in chunks {
        let chunk = journal::read(&path)?;
        admitted(&mut admission, &chunk, &path)?;
        entries.extend(chunk);
    }
    let path = folder.join("journal.csv");
    let (mut journal, before) = Journal::open(&path)?;
    let mut admission = Admission::to_journal(tournament, Some(fingerprint));
    let mut there = admitted(&mut admission, &before, &path)?;
    entries.sort_by_key(|entry| entry.played.row.game);
    for Entry { played, fingerprint } in &entries {
        if there.insert(played.row.game) {
            journal.append(played, *fingerprint)?;
        }
    }
    journal.sync()?;
    Ok(tournament.schedule().games() - there.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_share_the_games_without_splitting_pairs() {
        for of in 1..7 {
            for games in [0, 2, 4, 10, 100] {
                let mut all = BTreeSet::new();
                for number in 1..=of {
                    let chunk = Chunk { number, of };
                    let own: BTreeSet<usize> = chunk.games(games).collect();
                    assert_eq!(own.len(), chunk.count(games), "{number}/{of} of {games}");
                    assert!(own.iter().all(|game| chunk.holds(*game) && own.contains(&(game ^ 1))));
                    assert!(own.iter().all(|game| all.insert(*game)), "{number}/{of} of {games}");
                }
                assert_eq!(all, (0..games).collect());
            }
        }
    }

    #[test]
    fn refuses_what_is_no_chunk() {
        assert_eq!("2/3".parse(), Ok(Chunk { number: 2, of: 3 }));
        for text in ["0/3", "4/3", "1/0", "1", "a/b", "-1/3", "1/100001", ""] {
            assert!(text.parse::<Chunk>().is_err(), "{text}");
        }
    }
}
