//! `tengen show`.

use super::record::RecordArguments;
use super::{Failure, Host};
use crate::sgf::GameTree;
use std::io::Write;

/// Show a position of a game record
///
/// Prints who plays, the board with coordinates, the last move, captured stones
/// and who is to move.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tengen show game.sgf --move 30")]
pub struct Arguments {
    #[command(flatten)]
    record: RecordArguments,
}

pub fn run(arguments: &Arguments, host: &mut Host<'_>) -> Result<(), Failure> {
    let Host { output, caller } = host;
    let (tree, game) = arguments.record.open(*caller)?;
    write_players(&tree, output)?;
    writeln!(output, "{}", game.board())?;
    match game.moves().next_back() {
        Some((color, mv)) => {
            writeln!(
                output,
                "move {}: {color} {mv}; {} to move",
                game.moves().len(),
                game.to_play()
            )?;
        }
        None => writeln!(output, "{} to move", game.to_play())?,
    }
    let [black, white] = game.captures();
    writeln!(output, "captured: {black} by black, {white} by white; {}", game.conditions())?;
    Ok(())
}

/// Writes players and result, if the root node names them.
fn write_players(tree: &GameTree, output: &mut dyn Write) -> Result<(), Failure> {
    let of = |key: &str| tree.main_line().find_map(|node| node.text(key));
    let one_line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let keys =
        [("black", "PB"), ("white", "PW"), ("event", "EV"), ("date", "DT"), ("result", "RE")];
    for (name, key) in keys {
        if let Some(text) = of(key) {
            let text: String = one_line(text).chars().filter(|c| !c.is_control()).collect();
            writeln!(output, "{name}: {text}")?;
        }
    }
    Ok(())
}
