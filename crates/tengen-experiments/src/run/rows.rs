//! The file with the rows of a run.
//!
//! A line of the file has the cells of a row, the fingerprint of what made it, and a check of the
//! line. Readers refuse a line that was changed after it was written.

use super::append::AppendFile;
use super::{Fingerprint, RunError, csv_lines, replace};
use crc::{CRC_32_ISO_HDLC, Crc, Digest};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The column with the fingerprint of what made a row; absent in some published runs.
const FINGERPRINT: &str = "fingerprint";

/// The last column, with the check of the line; absent in files of earlier versions.
pub const CHECK: &str = "check";

/// `zlib.crc32` of Python.
static CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// A row of a run, written to a CSV file with its fields as the columns. Its texts are single
/// lines, so that a row is one line of the file.
pub trait Row: Serialize + DeserializeOwned + Clone + Send + Sync {
    /// Columns that files of earlier versions lack.
    const ADDED: &'static [&'static str] = &[];

    /// Number of the unit of the run that the row is about, from 0.
    fn unit(&self) -> usize;

    /// An example, from which the names of the columns follow.
    fn example() -> Self;

    /// A contradiction in the row itself, such as a score of Black's win and White as the winner; none in
    /// a row that a run can have. Asked when a file is read; [`Experiment::differs`](super::Experiment::differs)
    /// then compares the row with the settings.
    fn contradiction(&self) -> Option<String>;
}

/// The rows of the units made so far, by the number of the unit.
pub type Rows<R> = BTreeMap<usize, Vec<R>>;

/// A row with the fingerprint of what made it; none in files of earlier versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Signed<R> {
    /// The row.
    pub row: R,
    /// Its fingerprint.
    pub fingerprint: Option<Fingerprint>,
}

/// A file to which rows are appended as they are made, the rows of a unit by one write.
///
/// A last line without a line break was cut off by a kill; it is removed when the file is opened,
/// and its unit is made again.
#[derive(Debug)]
pub struct RowFile {
    file: AppendFile,
    path: PathBuf,
    is_empty: bool,
    /// The rows of a file of an earlier version, with the columns of this version: written with the
    /// first rows that are appended.
    renewed: Option<String>,
}

impl RowFile {
    /// Opens the file at `path`, creating it if it is absent, and returns the rows in it. A file
    /// with the columns of an earlier version is written anew with today's columns once rows are
    /// appended.
    pub fn open<R: Row>(path: &Path) -> Result<(Self, Vec<Signed<R>>), RunError> {
        let file = AppendFile::open(path)?;
        let bytes =
            fs::read(path).map_err(|why: io::Error| RunError::file("cannot open", path, &why))?;
        let whole = whole_lines(&bytes);
        let rows = parse::<R>(whole, path)?;
        let is_empty = whole.is_empty();
        let is_current = is_empty || first_line(whole) == header::<R>()?.as_bytes();
        let renewed = if is_current {
            None
        } else {
            Some(to_csv(rows.iter().map(|signed| (&signed.row, signed.fingerprint)), true)?)
        };
        let file = file.continued_at(whole.len() as u64)?;
        Ok((Self { file, path: path.to_path_buf(), is_empty, renewed }, rows))
    }

    /// Appends the rows of a unit, made under `fingerprint`. If they cannot be written, the earlier
    /// rows stay.
    pub fn append<R: Row>(
        &mut self,
        rows: &[R],
        fingerprint: Option<Fingerprint>,
    ) -> Result<(), RunError> {
        if let Some(text) = self.renewed.take() {
            replace(&self.path, |file| file.write_all(text.as_bytes()))?;
            self.file = AppendFile::open(&self.path)?.continued_at(text.len() as u64)?;
        }
        let text = to_csv(rows.iter().map(|row| (row, fingerprint)), self.is_empty)?;
        self.file.append(text.as_bytes())?;
        self.is_empty &= rows.is_empty();
        Ok(())
    }

    /// Syncs all rows written so far to the disk.
    pub fn sync(&mut self) -> Result<(), RunError> {
        self.file.sync()
    }
}

/// The CSV text of `rows` with their fingerprints, with the header if `has_header`.
pub(crate) fn to_csv<'a, R: Row + 'a>(
    rows: impl Iterator<Item = (&'a R, Option<Fingerprint>)>,
    has_header: bool,
) -> Result<String, RunError> {
    let header = header::<R>()?;
    let checks = Checks::of(header.as_bytes());
    let cells = rows.map(|(row, fingerprint)| (row, fingerprint.map(|own| own.to_string())));
    let lines = csv_lines(cells, false)?;
    let mut text = if has_header { header + "\n" } else { String::new() };
    for line in lines.split('\n').filter(|line| !line.is_empty()) {
        text.extend([line, ",", &checks.of_line(line.as_bytes()), "\n"]);
    }
    Ok(text)
}

/// The first line of a file with rows of this kind: the names of the columns.
fn header<R: Row>() -> Result<String, RunError> {
    Ok(format!("{},{FINGERPRINT},{CHECK}", fields::<R>()?))
}

/// The names of the fields of a row, separated by commas.
fn fields<R: Row>() -> Result<String, RunError> {
    let example = super::to_csv([R::example()])?;
    Ok(example.lines().next().unwrap_or_default().to_owned())
}

/// The checks of the lines of a file: the CRC-32 of the header, a line break and the line without
/// its check, so that a changed name of a column is noticed too. It guards against accidents, not
/// against attacks.
struct Checks(Digest<'static, u32>);

impl Checks {
    fn of(header: &[u8]) -> Self {
        let mut begun = CRC.digest();
        begun.update(header);
        begun.update(b"\n");
        Self(begun)
    }

    /// The check of `line`, which ends before the comma of the check.
    fn of_line(&self, line: &[u8]) -> String {
        let mut digest = self.0.clone();
        digest.update(line);
        format!("{:08x}", digest.finalize())
    }
}

/// The first line of `text`, without its end.
fn first_line(text: &[u8]) -> &[u8] {
    without_end(text.split(|&byte| byte == b'\n').next().unwrap_or_default())
}

/// `line` without a carriage return at its end, which git adds on some systems.
fn without_end(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn refused(path: &Path, line: u64, why: &dyn ToString) -> RunError {
    RunError::Input(format!("{}, line {line}: {}", path.display(), why.to_string()))
}

/// Checks that no line of `text`, which begins with the header of the file `path`, was changed
/// after it was written. A file of an earlier version has no checks and passes.
fn verify(text: &[u8], path: &Path) -> Result<(), RunError> {
    let header = first_line(text);
    if header.rsplit(|&byte| byte == b',').next() != Some(CHECK.as_bytes()) {
        return Ok(());
    }
    let checks = Checks::of(header);
    let lines = text.split(|&byte| byte == b'\n').map(without_end);
    for (line, number) in lines.zip(1..).skip(1).filter(|(line, _)| !line.is_empty()) {
        let (own, check) = match line.iter().rposition(|&byte| byte == b',') {
            Some(comma) => (&line[..comma], &line[comma + 1..]),
            None => (line, &[][..]),
        };
        if checks.of_line(own).as_bytes() != check {
            let why = "the line was changed after it was written (its check does not match): restore \
                       the line, or delete it and let --resume (of a chunk: --chunk) compute it again";
            return Err(refused(path, number, &why));
        }
    }
    Ok(())
}

/// Checks that `text` has the columns of a file with rows of this kind, and that no line was
/// changed after it was written; `path` is its file.
pub fn verify_as<R: Row>(text: &[u8], path: &Path) -> Result<(), RunError> {
    let header = csv::Reader::from_reader(text).headers().cloned();
    let header = header.map_err(|why| refused(path, 1, &why))?;
    if !header.is_empty() {
        check_columns::<R>(&header).map_err(|why| refused(path, 1, &why))?;
    }
    verify(text, path)
}

/// Checks that `found` are the columns of a file with rows of this kind.
fn check_columns<R: Row>(found: &csv::StringRecord) -> Result<(), String> {
    let known = fields::<R>().map_err(|fault| fault.to_string())?;
    let is_found = |name: &str| found.iter().any(|column| column == name);
    let is_known = |name: &str| known.split(',').any(|own| own == name);
    if found.iter().rev().skip(1).any(|column| column == CHECK) {
        return Err(format!("the column `{CHECK}` is not the last one"));
    }
    let missing = known.split(',').find(|name| !is_found(name) && !R::ADDED.contains(name));
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for column in found {
        *places.entry(column).or_default() += 1;
    }
    let expected =
        missing.map_or(String::new(), |name| format!(", and the column `{name}` is missing"));
    for (column, count) in places {
        if !is_known(column) && ![FINGERPRINT, CHECK].contains(&column) {
            return Err(format!("unknown column `{column}`{expected}"));
        }
        if count > 1 {
            return Err(format!("{count} columns are called `{column}`{expected}"));
        }
    }
    missing.map_or(Ok(()), |name| Err(format!("the column `{name}` is missing")))
}

/// The rows of the file `name` in `folder`, or of `name.xz` if only that exists, in their order;
/// none if neither exists. A cut-off last line is left out.
pub fn read<R: Row>(folder: &Path, name: &str) -> Result<Vec<Signed<R>>, RunError> {
    find(folder, name).map_or(Ok(Vec::new()), |path| read_file(&path))
}

/// The file `name` in `folder`, or `name.xz` if only that exists.
#[must_use]
pub fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let plain = folder.join(name);
    let packed = folder.join(format!("{name}.xz"));
    [plain, packed].into_iter().find(|path| path.exists())
}

/// The rows of the file `path`, compressed by xz if its name ends in `.xz`.
pub fn read_file<R: Row>(path: &Path) -> Result<Vec<Signed<R>>, RunError> {
    parse(&read_text(path)?, path)
}

/// The text of the file `path`, without a cut-off last line; unpacked if its name ends in `.xz`.
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

/// The rows in `text`, which begins with the header of the file `path`. Refuses an unknown or
/// missing column, a row that contradicts itself, and a line that was changed after it was written;
/// messages name the line of `path`.
pub fn parse<R: Row>(text: &[u8], path: &Path) -> Result<Vec<Signed<R>>, RunError> {
    verify_as::<R>(text, path)?;
    let refused = |line: u64, why: &dyn ToString| refused(path, line, why);
    let line_of = |place: Option<&csv::Position>| place.map_or(0, csv::Position::line);
    let mut reader = csv::Reader::from_reader(text);
    let header = reader.headers().map_err(|why| refused(1, &why))?.clone();
    let place = header.iter().position(|column| column == FINGERPRINT);
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|why| refused(line_of(why.position()), &why))?;
        let line = line_of(record.position());
        let row: R = record.deserialize(Some(&header)).map_err(|why| refused(line, &why))?;
        if let Some(fault) = row.contradiction() {
            return Err(refused(line, &fault));
        }
        let text = place.and_then(|place| record.get(place)).filter(|text| !text.is_empty());
        let fingerprint = text.map(str::parse).transpose().map_err(|why| refused(line, &why))?;
        rows.push(Signed { row, fingerprint });
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convergence::PositionRow;
    use crate::learn::RoundRow;
    use crate::tournament::{GameRow, Outcome, Termination};

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

    /// `xz` packed this file: `game,fingerprint` and three rows.
    #[test]
    fn a_compressed_file_is_read() {
        #[derive(Clone, Default, serde::Serialize, serde::Deserialize)]
        struct Game {
            game: usize,
        }
        impl Row for Game {
            fn unit(&self) -> usize {
                self.game
            }
            fn example() -> Self {
                Self::default()
            }
            fn contradiction(&self) -> Option<String> {
                None
            }
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

    /// Whether reading `text` silently misses `written`: only a cut-off last line may be missing.
    fn is_silently_wrong<R: Row + PartialEq>(text: &[u8], written: &[R]) -> bool {
        let Ok(found) = parse::<R>(whole_lines(text), Path::new("rows.csv")) else { return false };
        let found: Vec<R> = found.into_iter().map(|signed| signed.row).collect();
        let is_cut = !text.ends_with(b"\n");
        found != written && !(is_cut && found == written[..written.len() - 1])
    }

    /// Turns every bit of a file, renames or leaves out every column, and swaps every two columns
    /// in the header.
    fn damage_is_noticed<R: Row + PartialEq>(rows: &[R]) {
        let signed = rows.iter().map(|row| (row, Some(Fingerprint::sample(7))));
        let text = to_csv(signed, true).unwrap();
        assert!(!is_silently_wrong(text.as_bytes(), rows));
        assert_eq!(parse::<R>(text.as_bytes(), Path::new("rows.csv")).unwrap().len(), rows.len());
        for (place, bit) in (0..text.len()).flat_map(|place| (0..8).map(move |bit| (place, bit))) {
            let mut turned = text.clone().into_bytes();
            turned[place] ^= 1 << bit;
            assert!(!is_silently_wrong(&turned, rows), "bit {bit} of byte {place}");
        }
        let (header, lines) = text.split_once('\n').unwrap();
        let names: Vec<&str> = header.split(',').collect();
        let refused = |names: &[&str]| {
            let text = format!("{}\n{lines}", names.join(","));
            assert!(parse::<R>(text.as_bytes(), Path::new("rows.csv")).is_err(), "{names:?}");
        };
        for place in 0..names.len() {
            for other in 0..place {
                let mut swapped = names.clone();
                swapped.swap(place, other);
                refused(&swapped);
            }
            for name in ["", "other", "rnu", names[0]] {
                let mut renamed = names.clone();
                renamed[place] = name;
                if name != names[place] {
                    refused(&renamed);
                }
            }
            let mut without = names.clone();
            without.remove(place);
            refused(&without);
        }
    }

    #[test]
    fn damage_of_every_kind_of_row_is_noticed() {
        let games = [row(0), row(1), GameRow { outcome: Outcome::Black, score: None, ..row(2) }];
        let games = games.map(|row| match row.score {
            Some(_) => row,
            None => GameRow { termination: Termination::Resign, ..row },
        });
        damage_is_noticed(&games);
        let position = |position| PositionRow { position, bot: "uct".into(), ..Row::example() };
        damage_is_noticed(&[position(1), position(2)]);
        let weights = "0123456789abcdef".to_owned();
        let round = |round| RoundRow { round, weights: weights.clone(), ..Row::example() };
        damage_is_noticed(&[round(1), round(2)]);
    }

    #[test]
    fn what_contradicts_itself_is_named_without_a_check() {
        let text = to_csv([(&row(0), None)].into_iter(), true).unwrap();
        let without: Vec<&str> =
            text.lines().map(|line| line.rsplit_once(',').unwrap().0).collect();
        let text = without.join("\n") + "\n";
        let read = |text: &str| parse::<GameRow>(text.as_bytes(), Path::new("games.csv"));
        assert_eq!(read(&text).unwrap().len(), 1);
        for (written, changed, said) in [
            (",white,-2.5,", ",black,-2.5,", "its outcome is black, but its score makes it white"),
            (",-2.5,passes,", ",nan,passes,", "invalid score"),
            (",-2.5,passes,", ",,passes,", "its termination is passes, but it has no score"),
            (",-2.5,passes,", ",-2.5,resign,", "its termination is resign, but it has a score"),
            ("C3 A1", "Z9 A1", "invalid move `Z9` on 3x3"),
            ("C3 A1", "D3 A1", "invalid move `D3` on 3x3"),
            ("C3 A1", "C3A1", "invalid move"),
            ("C3 A1 ", "C3 ", "it has 5 plies, but 4 moves"),
            (",0.125,", ",-0.125,", "invalid seconds"),
            (",0.062500,", ",-0.062500,", "invalid seconds"),
            (
                "score,termination",
                "scord,termination",
                "unknown column `scord`, and the column `score` is missing",
            ),
            (
                "komi,black,white",
                "komi,white,white",
                "2 columns are called `white`, and the column `black` is missing",
            ),
        ] {
            assert!(text.contains(written), "{written} in {text}");
            let error = read(&text.replacen(written, changed, 1)).unwrap_err().to_string();
            assert!(error.contains(said), "{changed}: {error}");
        }
    }

    #[test]
    fn a_file_of_an_earlier_version_is_continued_with_checks() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("games.csv");
        let text = to_csv([(&row(4), Some(Fingerprint::sample(4)))].into_iter(), true).unwrap();
        let without: Vec<&str> =
            text.lines().map(|line| line.rsplit_once(',').unwrap().0).collect();
        fs::write(&path, without.join("\n") + "\n").unwrap();
        let old = fs::read(&path).unwrap();
        let (mut file, before) = RowFile::open::<GameRow>(&path).unwrap();
        assert_eq!(games(&before), [4]);
        assert_eq!(fs::read(&path).unwrap(), old, "nothing changes before a row is added");
        append(&mut file, 5);
        let written = fs::read_to_string(&path).unwrap();
        assert!(written.starts_with(&text), "{written}");
        assert_eq!(games(&read::<GameRow>(scratch.path(), "games.csv").unwrap()), [4, 5]);
    }

    #[test]
    fn anybody_can_compute_a_check() {
        // By `zlib.crc32(b"a,check\\n1")` of Python.
        assert_eq!(Checks::of(b"a,check").of_line(b"1"), "cac341be");
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
