//! The program `tengen-mpi`: one search over many processes and hosts.

use super::gtp::Arguments as GtpArguments;
use super::{Failure, gtp, refused};
use crate::bots::{BotConfig, uct_by};
use crate::engine::Engine;
use crate::mpi::{Coordinator, Helper, Mailbox, join};
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Seconds after which a helper ends that hears nothing from rank 0, in times the patience.
const HELPER_PATIENCE: u32 = 6;

/// Search with many processes, on one host or on many
///
/// For `mpirun`: each process (rank) is one worker of each search. Rank 0 answers; with a
/// budget of playouts it finds what `tengen gtp` finds with as many `workers`.
#[derive(Debug, clap::Parser)]
#[command(
    name = "tengen-mpi",
    version,
    after_help = "Example: mpirun --enable-recovery -n 8 tengen-mpi gtp --bot uct:playouts=80000"
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Gtp(Box<Gtp>),
}

/// Play through the Go Text Protocol (GTP), on rank 0
///
/// As `tengen gtp`, of which each rank makes a share of the simulations. Analyses are made
/// by rank 0 alone.
#[derive(Debug, clap::Args)]
struct Gtp {
    #[command(flatten)]
    gtp: GtpArguments,
    /// Seconds of silence after which a rank is lost; searches then go on without it
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(2..))]
    patience: u16,
}

/// Answers on rank 0 until the input ends; on other ranks, searches until rank 0 ends.
///
/// # Errors
/// If MPI does not start, the bot cannot be shared, or as `tengen gtp`.
pub fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    let Command::Gtp(arguments) = &arguments.command;
    let patience = Duration::from_secs(arguments.patience.into());
    let (membership, mailbox) = join()?;
    let (rank, ranks) = (membership.rank, membership.ranks);
    if rank > 0 {
        arguments.gtp.limit_memory();
        let all_ranks_end = Helper::new(mailbox).serve(HELPER_PATIENCE * patience);
        membership.leave(all_ranks_end);
        if all_ranks_end {
            return Ok(());
        }
        return Err(anyhow::anyhow!("rank {rank}: rank 0 says nothing any more").into());
    }
    let (done, all_ranks_end) = answer(arguments, output, mailbox, ranks, patience);
    output.flush()?;
    membership.leave(all_ranks_end);
    done
}

/// Answers, as rank 0. Returns also whether all ranks end with it.
fn answer(
    arguments: &Gtp,
    output: &mut dyn Write,
    mailbox: Mailbox,
    ranks: usize,
    patience: Duration,
) -> (Result<(), Failure>, bool) {
    let note = Box::new(|note| eprintln!("tengen-mpi: {note}"));
    let coordinator = Arc::new(Mutex::new(Coordinator::new(mailbox, ranks, patience, note)));
    let done = match Coordinator::config_for(arguments.gtp.bot(), ranks) {
        Ok(bot) => {
            if ranks > 1 && std::env::var_os("OMPI_MCA_orte_enable_recovery").is_none() {
                eprintln!(
                    "tengen-mpi: if a rank dies, this run may end: `mpirun --enable-recovery` \
                     goes on without it"
                );
            }
            let arguments = arguments.gtp.with_bot(bot);
            gtp::serve(&arguments, output, |engine| by_ranks(engine, &coordinator))
        }
        Err(fault) => Err(refused(&fault)),
    };
    let all_ranks_end = coordinator.lock().unwrap_or_else(PoisonError::into_inner).quit();
    (done, all_ranks_end)
}

/// `engine` with bots whose searches are made by all ranks.
fn by_ranks<'pool>(engine: Engine<'pool>, coordinator: &Arc<Mutex<Coordinator>>) -> Engine<'pool> {
    let coordinator = Arc::clone(coordinator);
    engine.with_bots(Box::new(move |bot, seed| {
        let BotConfig::Uct(config) = bot else { unreachable!("only uct is suitable") };
        let coordinator = Arc::clone(&coordinator);
        let search = move |game: &_, config: &_, seed, _| {
            let mut coordinator = coordinator.lock().unwrap_or_else(PoisonError::into_inner);
            Ok((coordinator.search(game, config, seed)?, Vec::new()))
        };
        uct_by(config.clone(), seed, Box::new(search))
    }))
}
