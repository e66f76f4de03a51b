//! `tengen score`.

use super::record::RecordArguments;
use super::{Failure, Host};
use crate::go::{Bits, Board, Color};
use crate::report::text::{Align, TextTable};
use std::io::Write;

/// Count the area score of a game record
///
/// The command prints the board, the stones of each player, and the owner of each region of empty
/// points: the player whose stones alone touch the region. The board is counted as it stands: a
/// dead stone is alive until it is captured.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tengen score game.sgf")]
pub struct Arguments {
    #[command(flatten)]
    record: RecordArguments,
}

/// A connected set of empty points.
struct Region {
    points: Bits<6>,
    owner: Option<Color>,
}

pub fn run(arguments: &Arguments, host: &mut Host<'_>) -> Result<(), Failure> {
    let Host { output, caller } = host;
    let (tree, game) = arguments.record.open(*caller)?;
    let board = game.board();
    writeln!(output, "{board}\n")?;
    let regions = regions(board);
    let whose = |region: &&Region| region.owner.map_or("nobody".to_owned(), |it| it.to_string());
    let table = TextTable::of(
        &regions,
        &[
            ("region", Align::Left, &|it| Bits::<6>::vertex(it.points.nth(0)).to_string()),
            ("points", Align::Right, &|it| it.points.count().to_string()),
            ("owner", Align::Left, &whose),
        ],
    );
    write!(output, "{table}")?;
    let points = |owner: Option<Color>| -> u32 {
        let owned = regions.iter().filter(|region| region.owner == owner);
        owned.map(|region| region.points.count()).sum()
    };
    for color in Color::BOTH {
        let (stones, territory) = (board.stones(color).count(), points(Some(color)));
        let area = stones + territory;
        writeln!(output, "{color}: {area}, of stones {stones}, of empty points {territory}")?;
    }
    writeln!(output, "nobody: {}", points(None))?;
    writeln!(output, "komi: {}", game.komi())?;
    let handicap = game.handicap();
    if handicap.stones > 0 {
        writeln!(output, "handicap: {}, points to White: {}", handicap.stones, handicap.points)?;
    }
    writeln!(output, "score: {}", game.score().to_result())?;
    if let Some(result) = tree.main_line().find_map(|node| node.text("RE")) {
        let result: String = result.chars().filter(|c| !c.is_control()).collect();
        writeln!(output, "result of the record: {}", result.trim())?;
    }
    Ok(())
}

/// The regions of empty points, in the order of their first points.
fn regions(board: &Board<6>) -> Vec<Region> {
    let [black, white] = Color::BOTH.map(|color| board.stones(color));
    let mut left = board.empty();
    let mut regions = Vec::new();
    while !left.is_empty() {
        let points = Bits::point(left.nth(0)).flood(board.empty());
        left = left - points;
        let beside = points.neighbors();
        let owner = match (beside.intersects(black), beside.intersects(white)) {
            (true, false) => Some(Color::Black),
            (false, true) => Some(Color::White),
            _ => None,
        };
        regions.push(Region { points, owner });
    }
    regions
}
