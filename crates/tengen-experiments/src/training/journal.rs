//! The journal of searches: a record per finished game.
//!
//! ```text
//! magic, then for each game:
//!     length of the body (u32), CRC-32 of the body (u32)
//!     body: number of the game (u64), key of its row (u64), number of searches (u32), and of each
//!         ply (u32), value (f32, NaN for none), number of visited moves (u16),
//!         and of each its number (u16) and its visits (u32)
//! ```
//!
//! All numbers are little-endian. A record that a kill cut off is shorter than its length, or does
//! not match its CRC-32.

use crate::run::{AppendFile, RunError};
use crate::tournament::{GameRow, PlayedGame, SearchRecord};
use crc::{CRC_32_ISO_HDLC, Crc, Table};
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::Path;

/// The first bytes of a journal.
const MAGIC: &[u8; 16] = b"tengen searches\n";

/// The checksum of a record, and of an array in a file.
pub static SUM: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISO_HDLC);

/// The key that a row and the record of its game share: the number of the game, and a hash of its
/// seed, moves and numbers of simulations. A game played again by the clock has another key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameKey {
    game: u64,
    hash: u64,
}

impl GameKey {
    pub fn of(row: &GameRow) -> Self {
        let mut digest = crate::run::Digest::default();
        digest.number(row.seed);
        digest.text(&row.moves);
        for simulations in [row.black_simulations, row.white_simulations] {
            digest.number(simulations.unwrap_or(u64::MAX));
        }
        Self { game: row.game as u64, hash: digest.get() }
    }
}

/// A journal to which finished games are appended.
#[derive(Debug)]
pub struct Journal(AppendFile);

impl Journal {
    /// Opens the journal at `path`, creating it if it is absent. An incomplete last record is cut
    /// off.
    pub fn open(path: &Path) -> Result<Self, RunError> {
        let file = AppendFile::open(path)?;
        let end = scan(path, |_| {})?;
        let mut file = file.continued_at(end)?;
        if end == 0 {
            file.append(MAGIC)?;
        }
        Ok(Self(file))
    }

    /// Appends the searches of `played`; earlier records stay if that fails.
    pub fn append(&mut self, played: &PlayedGame) -> Result<(), RunError> {
        let body = encoded(GameKey::of(&played.row), &played.searches);
        let length = u32::try_from(body.len())
            .map_err(|_| RunError::Work("the searches of a game take over 4 GiB".to_owned()))?;
        let mut record = Vec::with_capacity(8 + body.len());
        record.extend(length.to_le_bytes());
        record.extend(SUM.checksum(&body).to_le_bytes());
        record.extend(body);
        self.0.append(&record)
    }

    /// Syncs the journal to the disk.
    pub fn sync(&mut self) -> Result<(), RunError> {
        self.0.sync()
    }
}

/// The body of a record.
fn encoded(key: GameKey, searches: &[SearchRecord]) -> Vec<u8> {
    let mut body = Vec::new();
    body.extend(key.game.to_le_bytes());
    body.extend(key.hash.to_le_bytes());
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    body.extend(count(searches.len()).to_le_bytes());
    for search in searches {
        body.extend(search.ply.to_le_bytes());
        body.extend(search.value.unwrap_or(f32::NAN).to_le_bytes());
        // 361 points and the pass at most.
        let moves = u16::try_from(search.visits.len()).unwrap_or(u16::MAX);
        body.extend(moves.to_le_bytes());
        for (number, visits) in &search.visits {
            body.extend(number.to_le_bytes());
            body.extend(visits.to_le_bytes());
        }
    }
    body
}

/// A record in a journal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    pub key: GameKey,
    /// Where its body begins in the file.
    pub offset: u64,
    /// Length of its body.
    pub bytes: u32,
    /// Number of its searches.
    pub searches: u32,
}

/// Calls `found` with each whole record of the journal at `path`, in order, and returns where the
/// last one ends; 0 if there is no journal, or only a part of its magic.
pub fn scan(path: &Path, mut found: impl FnMut(Entry)) -> Result<u64, RunError> {
    let io = |why: io::Error| RunError::file("cannot read", path, &why);
    let file = match File::open(path) {
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(0),
        file => file.map_err(io)?,
    };
    let size = file.metadata().map_err(io)?.len();
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut magic = Vec::new();
    reader.by_ref().take(MAGIC.len() as u64).read_to_end(&mut magic).map_err(io)?;
    if magic != MAGIC {
        // A kill may have cut off the magic too.
        if MAGIC.starts_with(&magic) {
            return Ok(0);
        }
        let path = path.display();
        return Err(RunError::Input(format!("{path} is not a journal of searches: take it away")));
    }
    let (mut end, mut body) = (MAGIC.len() as u64, Vec::new());
    while end + 8 <= size {
        let mut head = [0; 8];
        reader.read_exact(&mut head).map_err(io)?;
        let [a, b, c, d, sum @ ..] = head;
        let bytes = u32::from_le_bytes([a, b, c, d]);
        let offset = end + 8;
        if offset + u64::from(bytes) > size {
            break;
        }
        body.resize(bytes as usize, 0);
        reader.read_exact(&mut body).map_err(io)?;
        let Some((key, searches)) = head_of(&mut Fields(&body)) else { break };
        if SUM.checksum(&body) != u32::from_le_bytes(sum) {
            break;
        }
        found(Entry { key, offset, bytes, searches });
        end = offset + u64::from(bytes);
    }
    Ok(end)
}

/// The numbers in the body of a record that are still to be read.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }
}

/// The key and the number of searches of a record.
fn head_of(fields: &mut Fields<'_>) -> Option<(GameKey, u32)> {
    let game = u64::from_le_bytes(fields.take()?);
    let hash = u64::from_le_bytes(fields.take()?);
    Some((GameKey { game, hash }, u32::from_le_bytes(fields.take()?)))
}

/// The searches in the body of a record; none if it is damaged.
pub fn searches(body: &[u8]) -> Option<Vec<SearchRecord>> {
    let mut fields = Fields(body);
    let (_, count) = head_of(&mut fields)?;
    let search = |_| {
        let ply = u32::from_le_bytes(fields.take()?);
        let value = f32::from_le_bytes(fields.take()?);
        let moves = u16::from_le_bytes(fields.take()?);
        let visit =
            |_| Some((u16::from_le_bytes(fields.take()?), u32::from_le_bytes(fields.take()?)));
        let visits = (0..moves).map(visit).collect::<Option<_>>()?;
        Some(SearchRecord { ply, value: (!value.is_nan()).then_some(value), visits })
    };
    (0..count).map(search).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn played(game: usize) -> PlayedGame {
        let row = GameRow { game, seed: 3, ..GameRow::example() };
        let search = |ply: u32| SearchRecord {
            ply,
            value: (ply != 4).then_some(0.25),
            visits: vec![(0, 17 + ply), (9, u32::MAX)],
        };
        PlayedGame { row, searches: (2..2 + game as u32).map(search).collect() }
    }

    fn entries(path: &Path) -> Vec<Entry> {
        let mut entries = Vec::new();
        scan(path, |entry| entries.push(entry)).unwrap();
        entries
    }

    #[test]
    fn a_record_cut_off_or_changed_anywhere_is_taken_off() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("searches.journal");
        assert_eq!(scan(&path, |_| {}).unwrap(), 0, "no file");
        let mut journal = Journal::open(&path).unwrap();
        journal.append(&played(3)).unwrap();
        let one = fs::read(&path).unwrap();
        journal.append(&played(0)).unwrap();
        let two = fs::read(&path).unwrap();
        for cut in 0..=two.len() {
            for damaged in [false, true] {
                let mut bytes = two[..cut].to_vec();
                if let (true, Some(last)) = (damaged && cut > one.len(), bytes.last_mut()) {
                    *last ^= 0x40;
                }
                fs::write(&path, &bytes).unwrap();
                let whole =
                    usize::from(cut >= one.len()) + usize::from(cut == two.len() && !damaged);
                assert_eq!(entries(&path).len(), whole, "cut at {cut}");
                // What is appended then follows the last whole record.
                Journal::open(&path).unwrap().append(&played(5)).unwrap();
                let found = entries(&path);
                assert_eq!(found.len(), whole + 1, "cut at {cut}");
                assert_eq!(found[whole].searches, 5);
            }
        }
    }

    #[test]
    fn a_game_that_went_otherwise_has_another_key() {
        let row = GameRow::example();
        let key = GameKey::of(&row);
        assert_eq!(key, GameKey::of(&GameRow { black_seconds: 9.0, ..row.clone() }));
        for other in [
            GameRow { game: 6, ..row.clone() },
            GameRow { seed: 6, ..row.clone() },
            GameRow { moves: "C3 A1 B2 pass".to_owned(), ..row.clone() },
            GameRow { black_simulations: Some(151), ..row.clone() },
            GameRow { white_simulations: Some(0), ..row },
        ] {
            assert_ne!(key, GameKey::of(&other));
        }
    }
}
