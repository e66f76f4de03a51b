//! `tengen signature`: prints a hash of the trees of fixed, seeded searches.

use super::Failure;
use crate::bots::BotConfig;
use crate::go::{Game, Move, Preset, Rules, Size, default_komi};
use crate::search::{UctConfig, shared, signature};
use std::io::Write;

/// The table: signature, number of nodes, bot. Each bot uses a different part of the search.
pub const TABLE: &str = include_str!("../../tests/data/signatures.txt");

/// The bots of the table. A line may have its bot alone before the table is written anew.
pub fn family() -> impl Iterator<Item = &'static str> {
    TABLE.lines().filter_map(|line| line.split_whitespace().last())
}

/// The searched positions: board and moves.
const POSITIONS: [(u8, &str); 3] = [(5, ""), (9, "E5 C3"), (3, "B2 pass A1 A2 B1")];

const SEED: u64 = 2026;

/// Print the signature of a search: a hash of the trees of fixed, seeded searches
///
/// The signature changes when the search finds something else. It never changes with the machine or
/// the number of threads. Without --bot the command prints the table of
/// `tests/data/signatures.txt`: signature, number of nodes, bot.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tengen signature --bot uct:simulations=5000,exploration=0.3")]
pub struct Arguments {
    /// Bot of kind uct, such as uct:simulations=5000 [default: a table of fixed bots]
    #[arg(long, value_name = "SPEC")]
    bot: Option<BotConfig>,
}

/// The signature of the searches of `config`, and the number of nodes of their trees. Refuses
/// searches that stop by the clock: they cannot be repeated.
pub fn of(config: &UctConfig) -> Result<(u64, usize), Failure> {
    if config.seconds.is_some() {
        refuse!("a search that stops by the clock has no signature");
    }
    let mut trees = Vec::new();
    for (side, moves) in POSITIONS {
        let size = Size::square(side)?;
        let rules = Rules::new(Preset::Tengen, size, default_komi(size));
        let mut game = Game::new(size, rules);
        for mv in moves.split_whitespace() {
            let mv: Move = mv.parse()?;
            game.play(game.to_play(), mv)?;
        }
        trees.extend(shared::search(&game, config, SEED, Vec::new(), None)?.1);
    }
    Ok((signature::of(&trees), trees.iter().map(crate::search::tree::Tree::len).sum()))
}

/// The line of `bot` in the table.
pub fn line(bot: &BotConfig) -> Result<String, Failure> {
    let Some(config) = bot.uct() else {
        refuse!("{bot} has no tree: a signature needs uct");
    };
    let (signature, nodes) = of(config)?;
    Ok(format!("{signature:016x} {nodes:>6} {bot}"))
}

/// Prints the line of one bot, or the whole table.
pub fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    let bots = match &arguments.bot {
        Some(bot) => vec![bot.clone()],
        None => family().map(str::parse).collect::<Result<_, _>>()?,
    };
    for bot in bots {
        writeln!(output, "{}", line(&bot)?)?;
    }
    Ok(())
}
