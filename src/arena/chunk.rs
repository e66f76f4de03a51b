//! Parts of a run, played anywhere and joined later.

use super::config::Tournament;
use super::session::SessionError;
use super::tournament;
use crate::run::{GameRow, Journal, PlayedGame, RunLock, journal};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

/// One of several shares of a schedule: the pairs whose number, counted over
/// all pairings, has the same remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// From 1.
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
    /// Whether game `game` of the schedule belongs to it.
    #[must_use]
    pub const fn holds(self, game: usize) -> bool {
        (game / 2) % self.of == self.number - 1
    }

    /// The name of its files, without what follows the dot.
    fn stem(self) -> String {
        format!("chunk-{}-of-{}", self.number, self.of)
    }

    /// The file that holds its games once all are played.
    #[must_use]
    pub fn path(self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.csv", self.stem()))
    }

    /// Plays the games of this chunk of `tournament` that are missing in
    /// `folder` and tells `told` of each. The chunk's file appears, as a
    /// whole, when the last is played.
    ///
    /// # Errors
    /// If another process plays the chunk, or a file cannot be written.
    pub fn play(
        self,
        tournament: &Tournament,
        folder: &Path,
        threads: usize,
        stop: &AtomicBool,
        mut told: impl FnMut(&GameRow),
    ) -> Result<(), SessionError> {
        let _lock = RunLock::take(folder, &format!("{}.lock", self.stem()))?;
        let path = self.path(folder);
        if path.exists() {
            return Ok(());
        }
        let partial = folder.join(format!("{}.partial", self.stem()));
        let (mut file, played) = Journal::open(&partial)?;
        let there = numbers(tournament, &played)?;
        let due: Vec<usize> = (0..tournament.schedule().games())
            .filter(|game| self.holds(*game) && !there.contains(game))
            .collect();
        let mut left = due.len();
        let result: Result<(), SessionError> =
            tournament::run(tournament, threads, &due, stop, |played| {
                file.append(&played)?;
                left -= 1;
                told(&played.row);
                Ok(())
            });
        file.sync()?;
        result?;
        if left == 0 {
            let refused = |source| SessionError::Table { path: path.clone(), source };
            fs::rename(&partial, &path).map_err(refused)?;
        }
        Ok(())
    }
}

/// The numbers of games that `tournament` planned.
fn numbers(
    tournament: &Tournament,
    played: &[PlayedGame],
) -> Result<BTreeSet<usize>, SessionError> {
    let schedule = tournament.schedule();
    played
        .iter()
        .map(|PlayedGame { row, .. }| {
            let planned = tournament.is_planned(&schedule, row);
            if planned { Ok(row.game) } else { Err(SessionError::Stranger { game: row.game }) }
        })
        .collect()
}

/// Writes the games of all finished chunks in `folder` that its journal lacks
/// into that journal, in the order of the schedule. Returns how many games of
/// the schedule are still missing.
///
/// # Errors
/// If a file cannot be read or written, or is another run's.
pub fn merge(tournament: &Tournament, folder: &Path) -> Result<usize, SessionError> {
    let unreadable = |source| SessionError::Table { path: folder.to_path_buf(), source };
    let mut chunks: Vec<PathBuf> = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .map_err(unreadable)?;
    chunks.retain(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        name.starts_with("chunk-") && path.extension().is_some_and(|end| end == "csv")
    });
    let mut played = Vec::new();
    for path in chunks {
        played.extend(journal::read(&path)?);
    }
    let (mut journal, before) = Journal::open(&folder.join("journal.csv"))?;
    let mut there = numbers(tournament, &before)?;
    numbers(tournament, &played)?;
    played.sort_by_key(|played| played.row.game);
    for game in &played {
        if there.insert(game.row.game) {
            journal.append(game)?;
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
            for game in 0..100 {
                let holders = (1..=of).filter(|number| Chunk { number: *number, of }.holds(game));
                assert_eq!(holders.count(), 1);
                let chunk = Chunk { number: 1, of };
                assert_eq!(chunk.holds(game), chunk.holds(game ^ 1));
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
