//! `journal.csv`: every finished game with its SGF, in order of completion.

use super::fingerprint::{Fingerprint, ParseFingerprintError};
use super::rows::{GameRow, to_line};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tengen_settings::one_line;

/// The columns after those of `games.csv`: the game as SGF, and its fingerprint,
/// which the journals of earlier versions do not have.
const RECORD: &str = "record";
const FINGERPRINT: &str = "fingerprint";

/// Shortest interval between two syncs of the journal to the disk. Between them a
/// kill of the process loses nothing; only a failure of the machine does.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// A finished game with its record.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame {
    /// The row of the game in `games.csv`.
    pub row: GameRow,
    /// The game as SGF, on one line.
    pub record: String,
}

/// A line of the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The game.
    pub played: PlayedGame,
    /// Fingerprint of the game; none if an earlier version played it.
    pub fingerprint: Option<Fingerprint>,
}

/// A file to which finished games are appended, each by one write.
///
/// A row is one line. A last line without a line break was cut off by a kill; it is
/// removed when the journal is opened, and its game is played again.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    synced: Instant,
    /// Whether the file has the columns of an earlier version.
    is_old: bool,
}

/// A journal that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file system refused.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A complete line is not a valid row.
    #[error("{}, line {line}: {fault}", path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: u64,
        /// The error.
        fault: String,
    },
}

/// The journal of the run in `folder`.
#[must_use]
pub fn path(folder: &Path) -> PathBuf {
    folder.join("journal.csv")
}

impl Journal {
    /// Opens the journal at `path`, creating it if it is absent, and returns the
    /// games in it.
    ///
    /// # Errors
    /// If it cannot be opened, or holds an invalid row.
    pub fn open(path: &Path) -> Result<(Self, Vec<Entry>), JournalError> {
        let io = |source| JournalError::Io { path: path.to_path_buf(), source };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(io)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(io)?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            file.set_len(whole as u64).map_err(io)?;
        }
        file.seek(SeekFrom::Start(whole as u64)).map_err(io)?;
        let entries = parse(&text[..whole], path)?;
        let header = header().map_err(io)?;
        let is_old = whole > 0 && !text.starts_with(&header);
        let mut journal = Self { file, path: path.to_path_buf(), synced: Instant::now(), is_old };
        if whole == 0 {
            journal.write(&header)?;
        }
        Ok((journal, entries))
    }

    /// Appends a game that was played under `fingerprint`.
    ///
    /// # Errors
    /// If it cannot be written; what was there before stays.
    pub fn append(
        &mut self,
        played: &PlayedGame,
        fingerprint: Option<Fingerprint>,
    ) -> Result<(), JournalError> {
        if self.is_old {
            self.renew()?;
        }
        let line = line(played, fingerprint).map_err(|source| self.io(source))?;
        self.write(&line)?;
        if self.synced.elapsed() >= SYNC_EVERY {
            self.sync()?;
        }
        Ok(())
    }

    /// Rewrites a journal of an earlier version with today's columns: to a file of
    /// another name first, which is then renamed.
    fn renew(&mut self) -> Result<(), JournalError> {
        let partial = self.path.with_extension("csv.partial");
        let entries = read(&self.path)?;
        let write = || -> io::Result<File> {
            let mut text = header()?;
            for Entry { played, fingerprint } in &entries {
                text.extend(line(played, *fingerprint)?);
            }
            let mut file = File::create(&partial)?;
            file.write_all(&text)?;
            file.sync_all()?;
            std::fs::rename(&partial, &self.path)?;
            Ok(file)
        };
        self.file = write().map_err(|source| self.io(source))?;
        self.is_old = false;
        Ok(())
    }

    /// Syncs all games written so far to the disk.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.file.sync_data().map_err(|source| self.io(source))?;
        self.synced = Instant::now();
        Ok(())
    }

    /// Appends `line` by one write; if only a part of it fits on the disk, removes
    /// that part.
    fn write(&mut self, line: &[u8]) -> Result<(), JournalError> {
        let before = self.file.stream_position().map_err(|source| self.io(source))?;
        self.file.write_all(line).map_err(|source| {
            // Should this fail too, the next opening removes the cut-off line.
            let _ = self.file.set_len(before);
            self.io(source)
        })
    }

    fn io(&self, source: io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), source }
    }
}

/// Reads the games of the journal at `path`, in order of completion; a cut-off last
/// line is left out.
///
/// # Errors
/// If it cannot be read, or holds an invalid row.
pub fn read(path: &Path) -> Result<Vec<Entry>, JournalError> {
    let text = std::fs::read(path)
        .map_err(|source| JournalError::Io { path: path.to_path_buf(), source })?;
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    parse(&text[..whole], path)
}

fn parse(text: &[u8], path: &Path) -> Result<Vec<Entry>, JournalError> {
    let fault = |line, fault: String| JournalError::Row { path: path.to_path_buf(), line, fault };
    let mut reader = csv::ReaderBuilder::new().from_reader(text);
    let header = reader.headers().map_err(|error| fault(1, error.to_string()))?.clone();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let place = |name: &str| header.iter().position(|column| column == name);
    let Some(record_place) = place(RECORD) else {
        return Err(fault(1, "invalid header: expected that of a journal".to_owned()));
    };
    let fingerprint_place = place(FINGERPRINT);
    let mut entries = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| {
            fault(error.position().map_or(0, csv::Position::line), error.to_string())
        })?;
        let line = record.position().map_or(0, csv::Position::line);
        let row = record.deserialize(Some(&header)).map_err(|e| fault(line, e.to_string()))?;
        let field = |place: usize| record.get(place).unwrap_or_default();
        let fingerprint = match fingerprint_place.map(field) {
            None | Some("") => None,
            Some(text) => Some(
                text.parse()
                    .map_err(|error: ParseFingerprintError| fault(line, error.to_string()))?,
            ),
        };
        let played = PlayedGame { row, record: field(record_place).to_owned() };
        entries.push(Entry { played, fingerprint });
    }
    Ok(entries)
}

fn header() -> io::Result<Vec<u8>> {
    let mut header = GameRow::header()?;
    header.extend([RECORD, FINGERPRINT].map(str::to_owned));
    to_line(&header)
}

fn line(played: &PlayedGame, fingerprint: Option<Fingerprint>) -> io::Result<Vec<u8>> {
    let fingerprint = fingerprint.map_or_else(String::new, |fingerprint| fingerprint.to_string());
    to_line((&played.row, one_line(&played.record), fingerprint))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::fs;

    fn entry(game: usize) -> Entry {
        let played = PlayedGame {
            row: GameRow { game, ..GameRow::example() },
            record: format!("(;FF[4]C[a \"quoted\", text {game}];B[aa])"),
        };
        Entry { played, fingerprint: Some(Fingerprint::sample(game as u64)) }
    }

    fn append(journal: &mut Journal, game: usize) {
        let Entry { played, fingerprint } = entry(game);
        journal.append(&played, fingerprint).unwrap();
    }

    #[test]
    fn what_was_written_is_there_after_opening_again() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("journal.csv");
        let (mut journal, before) = Journal::open(&path).unwrap();
        assert!(before.is_empty());
        append(&mut journal, 3);
        append(&mut journal, 0);
        drop(journal);
        let (mut journal, before) = Journal::open(&path).unwrap();
        assert_eq!(before, [entry(3), entry(0)]);
        append(&mut journal, 1);
        assert_eq!(read(&path).unwrap().len(), 3);
    }

    #[test]
    fn a_line_cut_off_anywhere_is_taken_off() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("journal.csv");
        let (mut journal, _) = Journal::open(&path).unwrap();
        append(&mut journal, 0);
        let whole = fs::read(&path).unwrap();
        append(&mut journal, 1);
        let both = fs::read(&path).unwrap();
        for cut in 0..both.len() {
            fs::write(&path, &both[..cut]).unwrap();
            let expected = usize::from(cut >= whole.len());
            let (mut journal, before) = Journal::open(&path).unwrap();
            assert_eq!(before.len(), expected, "cut at {cut}");
            append(&mut journal, 7);
            assert_eq!(read(&path).unwrap().last(), Some(&entry(7)), "cut at {cut}");
        }
    }

    #[test]
    fn a_whole_line_that_is_no_row_is_named() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("journal.csv");
        let (mut journal, _) = Journal::open(&path).unwrap();
        append(&mut journal, 0);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace(",black,", ",purple,")).unwrap();
        let error = Journal::open(&path).unwrap_err().to_string();
        assert!(error.contains("journal.csv, line 2"), "{error}");
        fs::write(&path, "game,pair\n1,2\n").unwrap();
        assert!(Journal::open(&path).unwrap_err().to_string().contains("line 1"));
    }

    /// Text that would break lines, if anything let it.
    fn any_text() -> impl Strategy<Value = String> {
        let piece = proptest::sample::select(vec![
            "\n", "\r", "\r\n", "\n\n", "\u{85}", "\u{2028}", "\u{0}", "\"", ",", "é", "a b", "= 1",
        ]);
        proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn a_row_is_one_line_and_may_be_cut_anywhere(
            (reason, name, record) in (any_text(), any_text(), any_text()),
        ) {
            let scratch = tempfile::tempdir().unwrap();
            let path = scratch.path().join("journal.csv");
            let (mut journal, _) = Journal::open(&path).unwrap();
            let game = |game| {
                let row = entry(game).played.row;
                let row = GameRow { reason: reason.clone(), black: name.clone(), ..row };
                PlayedGame { row, record: record.clone() }
            };
            journal.append(&game(0), entry(0).fingerprint).unwrap();
            let one = fs::read(&path).unwrap();
            journal.append(&game(1), entry(0).fingerprint).unwrap();
            let both = fs::read(&path).unwrap();
            let text = String::from_utf8(both.clone()).unwrap();
            prop_assert_eq!(text.lines().count(), 3, "{}", text);
            let expected = read(&path).unwrap();
            prop_assert_eq!(expected.len(), 2);
            for cut in one.len()..both.len() {
                fs::write(&path, &both[..cut]).unwrap();
                let (mut journal, before) = Journal::open(&path).unwrap();
                prop_assert_eq!(&before[..], &expected[..1], "cut at {}", cut);
                journal.append(&game(1), entry(0).fingerprint).unwrap();
                prop_assert_eq!(&fs::read(&path).unwrap(), &both, "cut at {}", cut);
            }
        }
    }

    #[test]
    fn the_journal_of_an_earlier_version_goes_on() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("journal.csv");
        let (mut journal, _) = Journal::open(&path).unwrap();
        append(&mut journal, 0);
        // As it was written before there were fingerprints.
        let text = fs::read_to_string(&path).unwrap();
        let cut = |line: &str| format!("{}\n", line.rsplit_once(',').unwrap().0);
        let old: String = text.lines().map(cut).collect();
        fs::write(&path, &old).unwrap();
        let unsigned = Entry { fingerprint: None, ..entry(0) };
        let (mut journal, before) = Journal::open(&path).unwrap();
        assert_eq!(before, std::slice::from_ref(&unsigned));
        assert_eq!(fs::read_to_string(&path).unwrap(), old, "reading changes nothing");
        append(&mut journal, 1);
        append(&mut journal, 2);
        assert_eq!(read(&path).unwrap(), [unsigned, entry(1), entry(2)]);
    }
}
