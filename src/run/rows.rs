//! One row a game: `games.csv`.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// A finished game. The fields are the columns, in order; what does not apply
/// is empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRow {
    /// Number in the schedule, from 0.
    pub game: usize,
    /// Number of the colour-swapped pair within its pairing, from 0.
    pub pair: usize,
    /// Number of the pairing, from 0.
    pub pairing: usize,
    /// Name of the bot that played Black.
    pub black: String,
    /// Name of the bot that played White.
    pub white: String,
    /// Seed of the pair: both of its games share it.
    pub seed: u64,
    /// The plies made before the bots took over, as GTP vertices.
    pub opening: String,
    /// Who won.
    pub outcome: Outcome,
    /// Black's area minus White's minus komi, of the last position; empty
    /// where the game was not played out.
    pub score: Option<f64>,
    /// How the game ended.
    pub termination: Termination,
    /// Plies, those of the opening and passes included.
    pub plies: u32,
    /// Playouts that Black made; empty for a bot that makes none.
    pub black_playouts: Option<u64>,
    /// Playouts that White made.
    pub white_playouts: Option<u64>,
    /// Seconds that Black thought, by the clock.
    #[serde(serialize_with = "milliseconds")]
    pub black_seconds: f64,
    /// Seconds that White thought, by the clock.
    #[serde(serialize_with = "milliseconds")]
    pub white_seconds: f64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // what serde calls
fn milliseconds<S: serde::Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format!("{seconds:.3}"))
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
        })
    }
}

/// Writes rows to a file as they come, each whole.
#[derive(Debug)]
pub struct RowWriter {
    file: File,
    has_header: bool,
}

impl RowWriter {
    /// Begins the file at `path`.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { file: File::create(path)?, has_header: false })
    }

    /// Appends `row` in one write, the header first where it is the first.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, row: &GameRow) -> io::Result<()> {
        let mut writer =
            csv::WriterBuilder::new().has_headers(!self.has_header).from_writer(Vec::new());
        writer.serialize(row).map_err(io::Error::other)?;
        let line = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
        self.has_header = true;
        self.file.write_all(&line)
    }
}

impl GameRow {
    /// Reads the rows of a `games.csv`.
    ///
    /// # Errors
    /// If the file is absent or a row is not of this form.
    pub fn read_all(path: &Path) -> Result<Vec<Self>, csv::Error> {
        csv::Reader::from_path(path)?.deserialize().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn rows_round_trip_under_the_published_header() {
        let row = GameRow {
            game: 5,
            pair: 1,
            pairing: 0,
            black: "uct:playouts=10,workers=2".into(),
            white: "random".into(),
            seed: u64::MAX,
            opening: "C3 D3".into(),
            outcome: Outcome::White,
            score: Some(-2.5),
            termination: Termination::Passes,
            plies: 31,
            black_playouts: Some(150),
            white_playouts: None,
            black_seconds: 0.125,
            white_seconds: 0.0,
        };
        let forfeit = GameRow { score: None, termination: Termination::Illegal, ..row.clone() };
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("games.csv");
        let mut writer = RowWriter::create(&path).unwrap();
        writer.write(&row).unwrap();
        writer.write(&forfeit).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(
            text.lines().next().unwrap(),
            "game,pair,pairing,black,white,seed,opening,outcome,score,termination,plies,\
             black_playouts,white_playouts,black_seconds,white_seconds"
        );
        assert!(text.contains(",white,-2.5,passes,31,150,,0.125,0.000\n"), "{text}");
        assert_eq!(GameRow::read_all(&path).unwrap(), [row, forfeit]);
    }
}
