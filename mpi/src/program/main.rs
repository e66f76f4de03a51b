//! `tengen-mpi`: one search over many processes and hosts.

mod engine;
mod front_end;
mod ranks;

use std::io::Write;
use std::process::ExitCode;
use tengen::commands::{self, Failure, gtp};

/// Search with many processes, on one host or on many
///
/// For `mpirun`: each process (rank) is one worker of each search. Rank 0 answers; with a
/// budget of simulations it finds what `tengen gtp` finds with as many `workers`.
#[derive(Debug, clap::Parser)]
#[command(
    name = "tengen-mpi",
    version,
    after_help = "Examples: mpirun --enable-recovery -n 8 tengen-mpi gtp --bot uct:simulations=80000\n\
                  tengen-mpi gtp --mpirun \"mpirun -n 8\" --bot uct:simulations=80000"
)]
struct Arguments {
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
// Trees are on the ranks, which keep none.
#[command(mut_arg("bot", |bot| bot.default_value("strong:reuse=false")))]
struct Play {
    #[command(flatten)]
    gtp: gtp::Arguments,
    #[command(flatten)]
    patience: ranks::PatienceArgument,
    /// Start the ranks with this command, such as "mpirun -n 8", and stay outside of MPI: plays
    /// on alone if all ranks end
    #[arg(long, value_name = "COMMAND")]
    mpirun: Option<String>,
}

fn main() -> ExitCode {
    commands::run(|arguments, host| run(&arguments, host.output))
}

/// Answers on rank 0, or on the process that starts the ranks, until the input ends; on other
/// ranks, searches until rank 0 ends.
fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    match &arguments.command {
        Command::Ranks(arguments) => ranks::serve(arguments, output),
        Command::Gtp(arguments) => match &arguments.mpirun {
            Some(command) => front_end::play(&arguments.gtp, command, arguments.patience, output),
            None => ranks::play(&arguments.gtp, arguments.patience, output),
        },
    }
}
