//! The program `tengen-mpi`: one search over many processes and hosts.

use super::gtp::Arguments as GtpArguments;
use super::{Failure, gtp, refused};
use crate::bots::{BotConfig, uct_by};
use crate::engine::Engine;
use crate::mpi::{Front, Helper, Post, join};
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
    let (membership, post) = join()?;
    let (rank, ranks) = (membership.rank, membership.ranks);
    if rank > 0 {
        arguments.gtp.limit_memory();
        let is_orderly = Helper::new(post).serve(HELPER_PATIENCE * patience);
        membership.leave(is_orderly);
        if is_orderly {
            return Ok(());
        }
        return Err(anyhow::anyhow!("rank {rank}: rank 0 says nothing any more").into());
    }
    let (done, is_orderly) = answer(arguments, output, post, ranks, patience);
    output.flush()?;
    membership.leave(is_orderly);
    done
}

/// Answers, as rank 0. Returns also whether all ranks end with it.
fn answer(
    arguments: &Gtp,
    output: &mut dyn Write,
    post: Post,
    ranks: usize,
    patience: Duration,
) -> (Result<(), Failure>, bool) {
    let note = Box::new(|note| eprintln!("tengen-mpi: {note}"));
    let front = Arc::new(Mutex::new(Front::new(post, ranks, patience, note)));
    let done = match Front::suit(arguments.gtp.bot(), ranks) {
        Ok(bot) => {
            if ranks > 1 && std::env::var_os("OMPI_MCA_orte_enable_recovery").is_none() {
                eprintln!(
                    "tengen-mpi: if a rank dies, this run may end: `mpirun --enable-recovery` \
                     goes on without it"
                );
            }
            let arguments = arguments.gtp.with_bot(bot);
            gtp::serve(&arguments, output, |engine| by_ranks(engine, &front))
        }
        Err(fault) => Err(refused(&fault)),
    };
    let is_orderly = front.lock().unwrap_or_else(PoisonError::into_inner).quit();
    (done, is_orderly)
}

/// `engine` with bots whose searches are made by all ranks.
fn by_ranks<'pool>(engine: Engine<'pool>, front: &Arc<Mutex<Front>>) -> Engine<'pool> {
    let front = Arc::clone(front);
    engine.with_bots(Box::new(move |bot, seed| {
        let BotConfig::Uct(config) = bot else { unreachable!("only uct is suitable") };
        let front = Arc::clone(&front);
        let search = move |game: &_, config: &_, seed, _| {
            let mut front = front.lock().unwrap_or_else(PoisonError::into_inner);
            Ok((front.search(game, config, seed)?, Vec::new()))
        };
        uct_by(config.clone(), seed, Box::new(search))
    }))
}
