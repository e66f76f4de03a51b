//! `journal.csv`: every finished game, in the order in which they ended.

use super::rows::{GameRow, to_line};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The name of the column behind those of the row: the game as SGF.
const RECORD: &str = "record";

/// The journal is handed to the disk at most so often; a kill of the process
/// loses nothing even in between, only a failure of the machine does.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// A finished game with its record.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame {
    /// Its row.
    pub row: GameRow,
    /// The game as SGF, on one line.
    pub record: String,
}

/// A file to which finished games are appended, each by one write.
///
/// A row is one line; a line without its end was cut off by a kill and is
/// taken off when the journal is opened: its game is played again.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    synced: Instant,
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
    /// A whole line is no row.
    #[error("{}, line {line}: {fault}", path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: u64,
        /// What is wrong with it.
        fault: String,
    },
}

impl Journal {
    /// Opens the journal at `path`, making it if there is none, and returns
    /// what it holds.
    ///
    /// # Errors
    /// If it cannot be opened, or holds what is no row.
    pub fn open(path: &Path) -> Result<(Self, Vec<PlayedGame>), JournalError> {
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
        let played = parse(&text[..whole], path)?;
        let mut journal = Self { file, path: path.to_path_buf(), synced: Instant::now() };
        if whole == 0 {
            journal.write(&header().map_err(io)?)?;
        }
        Ok((journal, played))
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If it cannot be written; what was there before stays.
    pub fn append(&mut self, played: &PlayedGame) -> Result<(), JournalError> {
        let line = line(played).map_err(|source| self.io(source))?;
        self.write(&line)?;
        if self.synced.elapsed() >= SYNC_EVERY {
            self.sync()?;
        }
        Ok(())
    }

    /// Hands what was written to the disk.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.file.sync_data().map_err(|source| self.io(source))?;
        self.synced = Instant::now();
        Ok(())
    }

    /// One write; if only a part of it fits on the disk, that part is taken
    /// off again.
    fn write(&mut self, line: &[u8]) -> Result<(), JournalError> {
        let before = self.file.stream_position().map_err(|source| self.io(source))?;
        self.file.write_all(line).map_err(|source| {
            // Opening takes a cut-off line off too, should this fail as well.
            let _ = self.file.set_len(before);
            self.io(source)
        })
    }

    fn io(&self, source: io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), source }
    }
}

/// The games of a journal, in order of completion; a cut-off last line is left
/// out.
///
/// # Errors
/// If it cannot be read, or holds what is no row.
pub fn read(path: &Path) -> Result<Vec<PlayedGame>, JournalError> {
    let text = std::fs::read(path)
        .map_err(|source| JournalError::Io { path: path.to_path_buf(), source })?;
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    parse(&text[..whole], path)
}

fn parse(text: &[u8], path: &Path) -> Result<Vec<PlayedGame>, JournalError> {
    let fault = |line, fault: String| JournalError::Row { path: path.to_path_buf(), line, fault };
    let mut reader = csv::ReaderBuilder::new().from_reader(text);
    let header = reader.headers().map_err(|error| fault(1, error.to_string()))?.clone();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    if header.iter().next_back() != Some(RECORD) {
        return Err(fault(1, "this is the header of no journal".to_owned()));
    }
    let mut played = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| {
            fault(error.position().map_or(0, csv::Position::line), error.to_string())
        })?;
        let line = record.position().map_or(0, csv::Position::line);
        let row = record.deserialize(Some(&header)).map_err(|e| fault(line, e.to_string()))?;
        let record = record.iter().next_back().unwrap_or_default().to_owned();
        played.push(PlayedGame { row, record });
    }
    Ok(played)
}

fn header() -> io::Result<Vec<u8>> {
    let mut header = GameRow::header();
    header.push(RECORD.to_owned());
    to_line(&header)
}

fn line(played: &PlayedGame) -> io::Result<Vec<u8>> {
    let mut fields = played.row.fields()?;
    fields.push(played.record.clone());
    to_line(&fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::fs;

    fn played(game: usize) -> PlayedGame {
        PlayedGame {
            row: GameRow { game, ..GameRow::sample() },
            record: format!("(;FF[4]C[a \"quoted\", text {game}];B[aa])"),
        }
    }

    #[test]
    fn what_was_written_is_there_after_opening_again() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("journal.csv");
        let (mut journal, before) = Journal::open(&path).unwrap();
        assert!(before.is_empty());
        journal.append(&played(3)).unwrap();
        journal.append(&played(0)).unwrap();
        drop(journal);
        let (mut journal, before) = Journal::open(&path).unwrap();
        assert_eq!(before, [played(3), played(0)]);
        journal.append(&played(1)).unwrap();
        assert_eq!(read(&path).unwrap().len(), 3);
    }

    #[test]
    fn a_line_cut_off_anywhere_is_taken_off() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("journal.csv");
        let (mut journal, _) = Journal::open(&path).unwrap();
        journal.append(&played(0)).unwrap();
        let whole = fs::read(&path).unwrap();
        journal.append(&played(1)).unwrap();
        let both = fs::read(&path).unwrap();
        for cut in 0..both.len() {
            fs::write(&path, &both[..cut]).unwrap();
            let expected = usize::from(cut >= whole.len());
            let (mut journal, before) = Journal::open(&path).unwrap();
            assert_eq!(before.len(), expected, "cut at {cut}");
            journal.append(&played(7)).unwrap();
            assert_eq!(read(&path).unwrap().last(), Some(&played(7)), "cut at {cut}");
        }
    }

    #[test]
    fn a_whole_line_that_is_no_row_is_named() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("journal.csv");
        let (mut journal, _) = Journal::open(&path).unwrap();
        journal.append(&played(0)).unwrap();
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
                let row = GameRow { reason: reason.clone(), black: name.clone(), ..played(game).row };
                PlayedGame { row, record: record.clone() }
            };
            journal.append(&game(0)).unwrap();
            let one = fs::read(&path).unwrap();
            journal.append(&game(1)).unwrap();
            let both = fs::read(&path).unwrap();
            let text = String::from_utf8(both.clone()).unwrap();
            prop_assert_eq!(text.lines().count(), 3, "{}", text);
            let expected = read(&path).unwrap();
            prop_assert_eq!(expected.len(), 2);
            for cut in one.len()..both.len() {
                fs::write(&path, &both[..cut]).unwrap();
                let (mut journal, before) = Journal::open(&path).unwrap();
                prop_assert_eq!(&before[..], &expected[..1], "cut at {}", cut);
                journal.append(&game(1)).unwrap();
                prop_assert_eq!(&fs::read(&path).unwrap(), &both, "cut at {}", cut);
            }
        }
    }
}
