//! Chunks of a run: shares of its games, played by any process on any machine and
//! merged later.

use crate::results::{LockError, RunLock};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// One of N equal shares of a schedule: every N-th pair, counted over all pairings.
/// Written `K/N`, K from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chunk {
    /// K of `K/N`, from 1.
    number: usize,
    of: usize,
}

/// An invalid chunk.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("invalid chunk `{0}`: expected K/N with K from 1 to N, and N at most 100000")]
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

impl fmt::Display for Chunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Chunk {
    /// Of `of` chunks, the one whose [`Chunk::share`] has `number`.
    pub(crate) const fn with(number: usize, of: usize) -> Self {
        Self { number: number % of + 1, of }
    }

    /// Number of chunks that the run is cut into.
    pub(crate) const fn of(self) -> usize {
        self.of
    }

    /// The chunk's share of the numbers 0 to `count` - 1: every N-th.
    pub fn share(self, count: usize) -> impl Iterator<Item = usize> + Send {
        (self.number - 1..count).step_by(self.of)
    }

    /// The numbers of the chunk's games in a schedule of `games` games.
    pub(crate) fn games(self, games: usize) -> impl Iterator<Item = usize> + Send {
        self.share(games / 2).flat_map(|pair| [2 * pair, 2 * pair + 1])
    }

    /// Whether game `game` of the schedule belongs to the chunk.
    #[must_use]
    pub const fn holds(self, game: usize) -> bool {
        (game / 2) % self.of == self.number - 1
    }

    /// Number of the chunk's games in a schedule of `games` games.
    pub(crate) const fn count(self, games: usize) -> usize {
        2 * ((games / 2 + self.of - self.number) / self.of)
    }

    /// The chunk that a file of this name belongs to, if it is one.
    pub(crate) fn of_file(path: &Path) -> Option<Self> {
        let (number, of) =
            path.file_stem()?.to_str()?.strip_prefix("chunk-")?.split_once("-of-")?;
        format!("{number}/{of}").parse().ok()
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
    pub(crate) fn partial(self, folder: &Path) -> PathBuf {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

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
