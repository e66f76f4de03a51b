//! `tengen analyze`: searches a position and prints what the bot finds.

use super::inspect::{self, Wanted};
use super::memory::MemoryArgument;
use super::{Failure, pool};
use crate::bots::{BotConfig, Decision, genmove_with_trees};
use crate::go::{Color, Game, Komi, Move, Preset, Rules, Size, default_komi};
use crate::input::choices::choices;
use std::io::Write;

/// Search a position and print what the bot finds
///
/// Prints the position, the bot's move and, for a search, the visits and win
/// rates of the moves, the principal variation, depth, nodes, memory and
/// speed.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tengen analyze --size 5 --bot uct:playouts=10000 --seed 1")]
pub struct Arguments {
    /// Board size, two numbers as in 9x7 or one [default: 9]
    #[arg(long)]
    size: Option<Size>,
    /// Starting position: rows from the top joined by /; X is Black, O is White,
    /// . is empty
    #[arg(long, value_name = "ROWS")]
    position: Option<String>,
    /// Colour to move in the starting position, b or w
    #[arg(long, value_name = "COLOR", default_value = "b")]
    to_play: Color,
    /// Moves played from the starting position, as GTP vertices: "C3 D3 pass"
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// Komi, in points [default: 2.5 up to 5x5, 8.5 on 7x7, else 7.5]
    #[arg(long, allow_negative_numbers = true)]
    komi: Option<Komi>,
    /// Rule set: ko, suicide and superko
    #[arg(long, default_value_t = Preset::Tengen, value_parser = choices::<Preset>())]
    rules: Preset,
    /// The bot.
    #[arg(
        long,
        value_name = "SPEC",
        default_value = "uct",
        help = format!("The bot\n{}", BotConfig::help())
    )]
    bot: BotConfig,
    /// Random seed of the bot
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads for the workers of a search (root parallelism); the
    /// result does not depend on it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    #[command(flatten)]
    memory: MemoryArgument,
    #[command(flatten)]
    wanted: Wanted,
}

/// Asks the bot for a move in the position and prints its answer.
///
/// # Errors
/// If the position or a move is illegal, or the output cannot be written.
pub fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    arguments.memory.limit();
    let size = match (arguments.size, &arguments.position) {
        (None, None) => Some(Size::square(9).map_err(|fault| super::refused(&fault))?),
        (size, _) => size,
    };
    let start = super::position(arguments.position.as_deref(), size, arguments.to_play)?;
    let komi = arguments.komi.unwrap_or_else(|| default_komi(start.size()));
    let rules = Rules::new(arguments.rules, start.size(), komi);
    let mut game = Game::from_position(start, rules);
    for text in arguments.moves.split_whitespace() {
        let mv: Move = text.parse().map_err(|fault| super::refused(&fault))?;
        game.play(game.to_play(), mv)
            .map_err(|reason| Failure::usage(format!("{mv} in --moves: {reason}")))?;
    }
    if game.end().is_some() {
        return Err(Failure::usage("the game is over after --moves: there is no move to find"));
    }
    let searches = arguments.wanted.check(&arguments.bot)?;
    let threads = usize::from(arguments.threads).min(arguments.bot.workers());
    let pool = pool(threads)?;
    let (turn, trees) = match searches {
        Some(config) => genmove_with_trees(config, arguments.seed, Some(&pool), &game)?,
        None => (arguments.bot.build(arguments.seed, Some(&pool)).genmove(&game)?, Vec::new()),
    };
    writeln!(output, "{}", game.board())?;
    writeln!(output, "{} to move, komi {komi}, {} rules", game.to_play(), arguments.rules)?;
    match turn.decision {
        Decision::Move(mv) => writeln!(output, "{} plays {mv}", arguments.bot)?,
        Decision::Resign => writeln!(output, "{} resigns", arguments.bot)?,
    }
    if let Some(report) = &turn.report {
        writeln!(output, "{report}")?;
    }
    if searches.is_some() {
        let found = inspect::Found {
            game: &game,
            bot: &arguments.bot,
            seed: arguments.seed,
            report: turn.report.as_ref(),
            trees: &trees,
        };
        arguments.wanted.write(&found, output)?;
    }
    Ok(())
}
