//! The program `tengen-mpi`: one search over many processes and hosts.

mod front_end;
mod ranks;

use super::gtp::Arguments as GtpArguments;
use super::{Failure, gtp};
use crate::bots::{BotConfig, RemoteUct};
use crate::engine::Engine;
use crate::go::Game;
use crate::search::driver::OutOfMemory;
use crate::search::{SearchReport, UctConfig};
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// Search with many processes, on one host or on many
///
/// For `mpirun`: each process (rank) is one worker of each search. Rank 0 answers; with a
/// budget of playouts it finds what `tengen gtp` finds with as many `workers`.
#[derive(Debug, clap::Parser)]
#[command(
    name = "tengen-mpi",
    version,
    after_help = "Examples: mpirun --enable-recovery -n 8 tengen-mpi gtp --bot uct:playouts=80000\n\
                  tengen-mpi gtp --mpirun \"mpirun -n 8\" --bot uct:playouts=80000"
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Gtp(Box<Play>),
    #[command(hide = true)]
    Ranks(ranks::Arguments),
}

/// Play through the Go Text Protocol (GTP), on rank 0
///
/// As `tengen gtp`, of which each rank makes a share of the simulations. Analyses are made
/// without the other ranks. --memory is the limit of each rank.
#[derive(Debug, clap::Args)]
struct Play {
    #[command(flatten)]
    gtp: GtpArguments,
    #[command(flatten)]
    patience: ranks::PatienceArgument,
    /// Start the ranks with this command, such as "mpirun -n 8", and stay outside of MPI: plays
    /// on alone if all ranks end
    #[arg(long, value_name = "COMMAND")]
    mpirun: Option<String>,
}

/// Answers on rank 0, or on the process that starts the ranks, until the input ends; on other
/// ranks, searches until rank 0 ends.
///
/// # Errors
/// If MPI does not start, the bot cannot be shared, or as `tengen gtp`.
pub fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    match &arguments.command {
        Command::Ranks(arguments) => ranks::serve(arguments, output),
        Command::Gtp(arguments) => match &arguments.mpirun {
            Some(command) => front_end::play(&arguments.gtp, command, arguments.patience, output),
            None => ranks::play(&arguments.gtp, arguments.patience, output),
        },
    }
}

/// A search of a position by the settings of a bot, with a seed.
type RanksSearch =
    dyn FnMut(&Game, &UctConfig, u64) -> Result<SearchReport, OutOfMemory> + Send + 'static;

/// Answers GTP commands, for a bot whose searches are made by `search`.
fn play(
    arguments: &GtpArguments,
    bot: BotConfig,
    search: Arc<Mutex<RanksSearch>>,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    gtp::serve(&arguments.with_bot(bot), output, |engine| by_ranks(engine, search))
}

/// `engine` with bots whose searches are made by `search`.
fn by_ranks(engine: Engine<'_>, search: Arc<Mutex<RanksSearch>>) -> Engine<'_> {
    engine.with_bots(Box::new(move |bot, seed| {
        let BotConfig::Uct(config) = bot else { unreachable!("only uct is suitable") };
        let search = Arc::clone(&search);
        let by_workers = move |game: &_, config: &_, seed| {
            let mut search = search.lock().unwrap_or_else(PoisonError::into_inner);
            search(game, config, seed)
        };
        Box::new(RemoteUct::new(config.clone(), seed, Box::new(by_workers)))
    }))
}

/// Says something to the user.
fn note(said: &str) {
    eprintln!("tengen-mpi: {said}");
}
