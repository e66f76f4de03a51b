//! `tengen sgf`.

use super::Failure;
use crate::run::{RunDirectory, config_of};
use crate::tournament::Outline;
use std::io::Write;
use std::path::PathBuf;

/// Write the games of a run as one SGF collection
///
/// The command writes to standard output all games of games.csv or games.csv.xz in the order of the
/// file, or the one game of --game.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tengen sgf results/2026-11-29-default --game 17 > 17.sgf")]
pub struct Arguments {
    /// Folder of the run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Write only the game with this number, counted from 0
    ///
    /// Games have their number in the column game of games.csv.
    #[arg(long, value_name = "NUMBER")]
    game: Option<usize>,
}

pub fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    let Arguments { folder, game } = arguments;
    let directory = RunDirectory::existing(folder)?;
    let refused = |said: String| Failure::usage(format!("{}: {said}", folder.display()));
    let outline = Outline::of(&config_of(&directory)?)?;
    let mut written = 0;
    for row in outline.read(folder)? {
        if game.is_some_and(|game| game != row.game) {
            continue;
        }
        let record =
            outline.record(&row).map_err(|why| refused(format!("game {}: {why}", row.game)))?;
        output.write_all(record.to_sgf().as_bytes())?;
        written += 1;
    }
    match (written, game) {
        (0, Some(game)) => Err(refused(format!("unknown game {game}"))),
        (0, None) => Err(refused("no games".to_owned())),
        _ => Ok(()),
    }
}
