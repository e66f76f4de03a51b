//! `tengen gtp`.

use super::{Failure, pool};
use crate::bot::BotConfig;
use crate::choices::choices;
use crate::go::Preset;
use crate::gtp_engine::Engine;
use std::io::{self, Write};

/// Play through the Go Text Protocol, as programs with a board do
///
/// Reads commands from standard input and answers on standard output:
/// `list_commands` lists what it understands. Ends with `quit` or with its
/// input.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tengen gtp --bot uct:playouts=10000 --seed 1")]
pub struct Arguments {
    /// The bot: random, two-ply, uct[:key=value,...] or gtp:COMMAND
    #[arg(long, value_name = "SPEC", default_value = "uct")]
    bot: BotConfig,
    /// Seed of the first game; every later one has a seed that follows from it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Set of rules
    #[arg(long, default_value_t = Preset::Tengen, value_parser = choices::<Preset>())]
    rules: Preset,
    /// Threads for the workers of a search; the result does not depend on them
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// Answers until the input ends.
///
/// # Errors
/// If input or output fail, or threads cannot be started.
pub fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    let threads = usize::from(arguments.threads);
    let pool = pool(threads)?;
    let Arguments { bot, seed, rules, .. } = arguments;
    let mut engine = Engine::new(bot.clone(), *seed, *rules, Some(&pool));
    Ok(engine.serve(io::stdin().lock(), output)?)
}
