//! `games.csv`: one row per game.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use tengen_settings::one_line;

/// A row of `games.csv`: a finished game. The fields are the columns, in order;
/// what does not apply is empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRow {
    /// Number of the game in the schedule, from 0.
    pub game: usize,
    /// Number of the colour-swapped pair within its pairing, from 0.
    pub pair: usize,
    /// Number of the pairing, from 0.
    pub pairing: usize,
    /// Name of the bot that played Black.
    #[serde(serialize_with = "on_one_line")]
    pub black: String,
    /// Name of the bot that played White.
    #[serde(serialize_with = "on_one_line")]
    pub white: String,
    /// Random seed of the pair, which both of its games share.
    pub seed: u64,
    /// Moves of the opening, played before the bots begin, as GTP vertices.
    #[serde(serialize_with = "on_one_line")]
    pub opening: String,
    /// Winner: `black`, `white`, `jigo` (a draw) or `void` (does not count).
    pub outcome: Outcome,
    /// Area score of the last position: Black's area minus White's minus komi;
    /// empty where the game was not played to its end.
    pub score: Option<f64>,
    /// How the game ended: `passes`, `resign`, `limit`, `illegal`, `crash`,
    /// `time` or `unplayed`.
    pub termination: Termination,
    /// Number of moves, those of the opening and passes included.
    pub plies: u32,
    /// Number of simulations that Black made; empty for a bot that makes none.
    pub black_playouts: Option<u64>,
    /// Number of simulations that White made; empty for a bot that makes none.
    pub white_playouts: Option<u64>,
    /// Thinking time of Black, in wall-clock seconds.
    #[serde(serialize_with = "milliseconds")]
    pub black_seconds: f64,
    /// Thinking time of White, in wall-clock seconds.
    #[serde(serialize_with = "milliseconds")]
    pub white_seconds: f64,
    /// Why a player forfeited the game, how an engine's score differs, or why
    /// the game was not played; else empty.
    #[serde(default, serialize_with = "on_one_line")]
    pub reason: String,
    /// Score of the game by Black's GTP engine (`final_score`), seen from Black;
    /// empty for other bots.
    #[serde(default)]
    pub black_engine_score: Option<f64>,
    /// Score of the game by White's GTP engine (`final_score`), seen from Black;
    /// empty for other bots.
    #[serde(default)]
    pub white_engine_score: Option<f64>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // what serde calls
fn milliseconds<S: serde::Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format!("{seconds:.3}"))
}

fn on_one_line<S: serde::Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&one_line(text))
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Black won.
    Black,
    /// White won.
    White,
    /// Nobody won.
    Jigo,
    /// The game does not count.
    Void,
}

impl Outcome {
    /// The result as Black sees it: win, loss or draw; none for a void game.
    #[must_use]
    pub const fn of_black(self) -> Option<tengen_stats::Outcome> {
        match self {
            Self::Black => Some(tengen_stats::Outcome::Win),
            Self::White => Some(tengen_stats::Outcome::Loss),
            Self::Jigo => Some(tengen_stats::Outcome::Draw),
            Self::Void => None,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Termination {
    /// By two passes.
    Passes,
    /// A player resigned.
    Resign,
    /// By the limit of plies, scored as it stood.
    Limit,
    /// A player made an illegal move.
    Illegal,
    /// A player's program ended.
    Crash,
    /// A player ran out of time.
    Time,
    /// The game was not played, and does not count: its pair has no balanced
    /// opening.
    Unplayed,
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Passes => "passes",
            Self::Resign => "resign",
            Self::Limit => "limit",
            Self::Illegal => "illegal",
            Self::Crash => "crash",
            Self::Time => "time",
            Self::Unplayed => "unplayed",
        })
    }
}

/// Writes rows to a file as they come, each by one write.
#[derive(Debug)]
pub struct RowWriter {
    file: File,
}

impl RowWriter {
    /// Creates the file at `path` with its header and `rows`. They are written to a
    /// file of another name first, so that an old file is replaced as a whole.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(path: &Path, rows: &[GameRow]) -> io::Result<Self> {
        let partial = path.with_extension("csv.partial");
        let mut text = to_line(&GameRow::header()?)?;
        for row in rows {
            text.extend(to_line(row)?);
        }
        let mut file = File::create(&partial)?;
        file.write_all(&text)?;
        fs::rename(&partial, path)?;
        Ok(Self { file })
    }

    /// Appends `row`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, row: &GameRow) -> io::Result<()> {
        self.file.write_all(&to_line(row)?)
    }
}

/// One CSV row with the fields of `record`, whose texts are [`one_line`] each: exactly one
/// line, so that a row that was cut off is recognized by its missing line break.
pub(super) fn to_line(record: impl Serialize) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.serialize(record).map_err(io::Error::other)?;
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

impl GameRow {
    /// The names of the columns: those of the fields.
    ///
    /// # Errors
    /// Never in practice: writing to memory does not fail.
    pub fn header() -> io::Result<Vec<String>> {
        Self::example().first_line(true)
    }

    /// The row as text, one field per column.
    ///
    /// # Errors
    /// Never in practice: writing to memory does not fail.
    pub fn fields(&self) -> io::Result<Vec<String>> {
        self.first_line(false)
    }

    /// The fields as serde writes them, or before them their names.
    fn first_line(&self, has_headers: bool) -> io::Result<Vec<String>> {
        let mut writer = csv::WriterBuilder::new().has_headers(has_headers).from_writer(Vec::new());
        writer.serialize(self).map_err(io::Error::other)?;
        let text = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&text[..]);
        let line = reader.records().next().ok_or(io::ErrorKind::InvalidData)??;
        Ok(line.iter().map(str::to_owned).collect())
    }

    /// Whether the game was played, however it ended.
    #[must_use]
    pub fn is_played(&self) -> bool {
        self.termination != Termination::Unplayed
    }

    /// Whether the final score of a GTP engine that played names another winner than
    /// the row's own score.
    #[must_use]
    pub fn is_disputed(&self) -> bool {
        let sign = |score: f64| score.partial_cmp(&0.0);
        let other = |theirs: f64| self.score.is_some_and(|ours| sign(ours) != sign(theirs));
        [self.black_engine_score, self.white_engine_score].into_iter().flatten().any(other)
    }

    /// Reads the rows of a `games.csv`.
    ///
    /// # Errors
    /// If the file is absent or a row is not of this form.
    pub fn read_all(path: &Path) -> Result<Vec<Self>, csv::Error> {
        csv::Reader::from_path(path)?.deserialize().collect()
    }
}

impl GameRow {
    /// An example of a row, for the header and for tests, which change the fields
    /// that they are about.
    #[must_use]
    pub fn example() -> Self {
        Self {
            game: 5,
            pair: 1,
            pairing: 0,
            black: "uct:playouts=10,workers=2".into(),
            white: "random".into(),
            seed: u64::MAX,
            opening: "C3 D3".into(),
            outcome: Outcome::Black,
            score: Some(-2.5),
            termination: Termination::Passes,
            plies: 31,
            black_playouts: Some(150),
            white_playouts: None,
            black_seconds: 0.125,
            white_seconds: 0.0,
            reason: String::new(),
            black_engine_score: None,
            white_engine_score: Some(-3.5),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_names_the_fields() {
        let header = GameRow::header().unwrap();
        assert_eq!((header[0].as_str(), header.len()), ("game", 18));
        assert_eq!(header.last().map(String::as_str), Some("white_engine_score"));
    }

    #[test]
    fn rows_round_trip() {
        let row = GameRow::example();
        assert!(!row.is_disputed());
        assert!(GameRow { black_engine_score: Some(0.5), ..row.clone() }.is_disputed());
        let forfeit = GameRow { score: None, termination: Termination::Illegal, ..row.clone() };
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("games.csv");
        let mut writer = RowWriter::create(&path, std::slice::from_ref(&row)).unwrap();
        writer.write(&forfeit).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(&GameRow::header().unwrap().join(",")), "{text}");
        assert!(text.contains(",black,-2.5,passes,31,150,,0.125,0.000,,,-3.5\n"), "{text}");
        assert_eq!(GameRow::read_all(&path).unwrap(), [row, forfeit]);
    }
}
