//! The file with the rows of a run.

use super::append::AppendFile;
use super::{Fingerprint, RunError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The column after those of a row.
const FINGERPRINT: &str = "fingerprint";

/// A row of a run, written to a CSV file with its fields as the columns. Its texts are single
/// lines, so that a row is one line of the file.
pub trait Row: Serialize + DeserializeOwned + Clone + Send + Sync {
    /// Number of the unit of the run that the row is about, from 0.
    fn unit(&self) -> usize;
}

/// The rows of the units that are there, by the number of the unit.
pub type Rows<R> = BTreeMap<usize, Vec<R>>;

/// A row with the fingerprint of what made it; none in files of earlier versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Signed<R> {
    /// The row.
    pub row: R,
    /// Its fingerprint.
    pub fingerprint: Option<Fingerprint>,
}

/// A file to which rows are appended as they are made, those of a unit by one write.
///
/// A last line without a line break was cut off by a kill; it is removed when the file is opened,
/// and its unit is made again.
#[derive(Debug)]
pub struct RowFile {
    file: AppendFile,
    is_empty: bool,
}

impl RowFile {
    /// Opens the file at `path`, creating it if it is absent, and returns the rows in it.
    ///
    /// # Errors
    /// If it cannot be opened, or holds an invalid row.
    pub fn open<R: Row>(path: &Path) -> Result<(Self, Vec<Signed<R>>), RunError> {
        let io = |why: io::Error| RunError::file("cannot open", path, &why);
        let file = AppendFile::open(path)?;
        let bytes = fs::read(path).map_err(io)?;
        let whole = whole_lines(&bytes);
        let rows = parse(whole, path)?;
        let file = file.continued_at(whole.len() as u64)?;
        Ok((Self { file, is_empty: whole.is_empty() }, rows))
    }

    /// Appends the rows of a unit, made under `fingerprint`.
    ///
    /// # Errors
    /// If they cannot be written; what was there before stays.
    pub fn append<R: Row>(
        &mut self,
        rows: &[R],
        fingerprint: Option<Fingerprint>,
    ) -> Result<(), RunError> {
        let text = to_csv(rows.iter().map(|row| (row, fingerprint)), self.is_empty)?;
        self.file.append(&text)?;
        self.is_empty &= rows.is_empty();
        Ok(())
    }

    /// Syncs all rows written so far to the disk.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn sync(&mut self) -> Result<(), RunError> {
        self.file.sync()
    }
}

/// The CSV text of `rows` with their fingerprints, with the header if `has_header`.
pub(super) fn to_csv<'a, R: Row + 'a>(
    rows: impl Iterator<Item = (&'a R, Option<Fingerprint>)>,
    has_header: bool,
) -> Result<Vec<u8>, RunError> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let mut needs_header = has_header;
    for (row, fingerprint) in rows {
        if std::mem::take(&mut needs_header) {
            let mut names = header(row)?;
            names.push(FINGERPRINT.to_owned());
            writer.write_record(names)?;
        }
        writer.serialize((row, fingerprint.map(|fingerprint| fingerprint.to_string())))?;
    }
    writer.into_inner().map_err(|fault| RunError::Work(fault.to_string()))
}

/// The names of the columns of `row`.
///
/// # Errors
/// Never in practice: writing to memory does not fail.
pub fn header(row: &impl Serialize) -> Result<Vec<String>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.serialize(row)?;
    let text = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
    let mut reader = csv::Reader::from_reader(&text[..]);
    Ok(reader.headers()?.iter().map(str::to_owned).collect())
}

/// The rows of the file `name` in `folder`, in their order; of `name.xz` if that is there instead,
/// and none if neither is. A cut-off last line is left out.
///
/// # Errors
/// If the file cannot be read, or holds an invalid row.
pub fn read<R: DeserializeOwned>(folder: &Path, name: &str) -> Result<Vec<Signed<R>>, RunError> {
    find(folder, name).map_or(Ok(Vec::new()), |path| read_file(&path))
}

/// The file `name` in `folder`, or `name.xz` if that is there instead.
#[must_use]
pub fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let plain = folder.join(name);
    let packed = folder.join(format!("{name}.xz"));
    [plain, packed].into_iter().find(|path| path.exists())
}

/// The rows of the file `path`, compressed by xz if its name ends in `.xz`.
///
/// # Errors
/// As [`read`], and if there is no such file.
pub fn read_file<R: DeserializeOwned>(path: &Path) -> Result<Vec<Signed<R>>, RunError> {
    parse(&read_text(path)?, path)
}

/// The text of the file `path`, without a cut-off last line; unpacked if its name ends in `.xz`.
///
/// # Errors
/// If it cannot be read or unpacked.
pub fn read_text(path: &Path) -> Result<Vec<u8>, RunError> {
    let mut bytes = fs::read(path).map_err(|why| RunError::file("cannot read", path, &why))?;
    if path.extension().is_some_and(|end| end == "xz") {
        let mut text = Vec::new();
        lzma_rs::xz_decompress(&mut &bytes[..], &mut text)
            .map_err(|why| RunError::Input(format!("cannot unpack {}: {why}", path.display())))?;
        return Ok(text);
    }
    bytes.truncate(whole_lines(&bytes).len());
    Ok(bytes)
}

/// `text` without a cut-off last line.
#[must_use]
pub fn whole_lines(text: &[u8]) -> &[u8] {
    &text[..text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)]
}

/// The rows in `text`, which begins with the header of the file `path`.
///
/// # Errors
/// If it holds an invalid row, which is named as one of `path`.
pub fn parse<R: DeserializeOwned>(text: &[u8], path: &Path) -> Result<Vec<Signed<R>>, RunError> {
    let refused = |line: u64, why: &dyn ToString| {
        RunError::Input(format!("{}, line {line}: {}", path.display(), why.to_string()))
    };
    let line_of = |place: Option<&csv::Position>| place.map_or(0, csv::Position::line);
    let mut reader = csv::Reader::from_reader(text);
    let header = reader.headers().map_err(|why| refused(1, &why))?.clone();
    let place = header.iter().position(|column| column == FINGERPRINT);
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|why| refused(line_of(why.position()), &why))?;
        let line = line_of(record.position());
        let row = record.deserialize(Some(&header)).map_err(|why| refused(line, &why))?;
        let text = place.and_then(|place| record.get(place)).filter(|text| !text.is_empty());
        let fingerprint = text.map(str::parse).transpose().map_err(|why| refused(line, &why))?;
        rows.push(Signed { row, fingerprint });
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::GameRow;

    fn row(game: usize) -> GameRow {
        GameRow { game, reason: format!("a \"quoted\", text {game}"), ..GameRow::example() }
    }

    fn append(file: &mut RowFile, game: usize) {
        file.append(&[row(game)], Some(Fingerprint::sample(game as u64))).unwrap();
    }

    fn games(rows: &[Signed<GameRow>]) -> Vec<usize> {
        rows.iter().map(|signed| signed.row.game).collect()
    }

    #[test]
    fn a_line_cut_off_anywhere_is_taken_off() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("games.csv");
        let (mut file, before) = RowFile::open::<GameRow>(&path).unwrap();
        assert!(before.is_empty());
        append(&mut file, 3);
        let whole = fs::read(&path).unwrap();
        append(&mut file, 1);
        let both = fs::read(&path).unwrap();
        for cut in 0..both.len() {
            fs::write(&path, &both[..cut]).unwrap();
            let (mut file, before) = RowFile::open::<GameRow>(&path).unwrap();
            let expected = if cut >= whole.len() { vec![3] } else { vec![] };
            assert_eq!(games(&before), expected, "cut at {cut}");
            append(&mut file, 7);
            let found = read::<GameRow>(scratch.path(), "games.csv").unwrap();
            let last = Signed { row: row(7), fingerprint: Some(Fingerprint::sample(7)) };
            assert_eq!(found.last(), Some(&last), "cut at {cut}");
        }
    }

    #[test]
    fn a_whole_line_that_is_no_row_is_named() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("games.csv");
        let (mut file, _) = RowFile::open::<GameRow>(&path).unwrap();
        append(&mut file, 0);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace(",black,", ",purple,")).unwrap();
        let error = RowFile::open::<GameRow>(&path).unwrap_err().to_string();
        assert!(error.contains("games.csv, line 2"), "{error}");
    }

    /// `xz` packed this file: `game,fingerprint` and three rows.
    #[test]
    fn a_compressed_file_is_read() {
        #[derive(serde::Deserialize)]
        struct Game {
            game: usize,
        }
        const PACKED: &[u8] = include_bytes!("../../../../tests/data/games.csv.xz");
        let scratch = tempfile::tempdir().unwrap();
        fs::write(scratch.path().join("games.csv.xz"), PACKED).unwrap();
        let rows = read::<Game>(scratch.path(), "games.csv").unwrap();
        assert_eq!(rows.iter().map(|signed| signed.row.game).collect::<Vec<_>>(), [0, 1, 2]);
        fs::write(scratch.path().join("games.csv.xz"), &PACKED[..PACKED.len() / 2]).unwrap();
        let error = read::<Game>(scratch.path(), "games.csv").err().unwrap().to_string();
        assert!(error.contains("cannot unpack"), "{error}");
    }

    #[test]
    fn a_row_is_one_line() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("games.csv");
        let (mut file, _) = RowFile::open::<GameRow>(&path).unwrap();
        // Text that would break lines, if anything let it.
        let pieces = "\n|\r|\r\n|\n\n|\u{85}|\u{2028}|\u{0}|\"|,|é|a b|= 1";
        for reason in pieces.split('|').chain([pieces]) {
            let (black, comments) = (reason.to_owned(), reason.to_owned());
            file.append(&[GameRow { black, comments, reason: reason.into(), ..row(0) }], None)
                .unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1 + 13);
        assert_eq!(read_file::<GameRow>(&path).unwrap().len(), 13);
    }
}
