//! The ranks of MPI, of which this process is one.

use crate::engine::{self, note};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tengen::commands::memory::MemoryArgument;
use tengen::commands::{Failure, gtp, refused};
use tengen_mpi::{Coordinator, End, Helper, Mailbox, Notes, join};

/// Seconds after which a helper ends that hears nothing from rank 0, in times the patience.
const HELPER_PATIENCE: u32 = 6;

/// The option `--patience`.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct PatienceArgument {
    /// Seconds of silence after which a rank is lost; searches then go on without it. With
    /// --mpirun also the time limit of each answer of rank 0
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(2..))]
    patience: u16,
}

impl PatienceArgument {
    /// The time after which a silent rank is lost.
    pub fn duration(self) -> Duration {
        Duration::from_secs(self.patience.into())
    }
}

/// Search as the ranks of `tengen-mpi gtp --mpirun COMMAND`, which starts this
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    patience: PatienceArgument,
    #[command(flatten)]
    memory: MemoryArgument,
}

/// The arguments with which this program is started as a rank for another process.
pub fn command(arguments: &gtp::Arguments, patience: PatienceArgument) -> Vec<String> {
    let own = ["ranks".to_owned(), format!("--patience={}", patience.patience)];
    own.into_iter().chain(arguments.memory.word()).collect()
}

/// Searches for the process at the other end of input and output.
pub fn serve(arguments: &Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    as_rank(arguments.memory, arguments.patience, output, |mailbox, ranks, output| {
        let notes = Notes::default();
        let unread = Arc::clone(&notes);
        let add = move |said| unread.lock().unwrap_or_else(PoisonError::into_inner).push(said);
        let patience = arguments.patience.duration();
        let mut coordinator = Coordinator::new(mailbox, ranks, patience, Box::new(add));
        let input = io::stdin().lock();
        let done = tengen_mpi::serve(&mut coordinator, ranks, &notes, input, output);
        (done.map_err(Failure::from), coordinator.quit())
    })
}

/// Answers GTP commands on rank 0, and searches for it on the others.
pub fn play(
    arguments: &gtp::Arguments,
    patience: PatienceArgument,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    as_rank(arguments.memory, patience, output, |mailbox, ranks, output| {
        let say = Box::new(|said: String| note(&said));
        let coordinator = Coordinator::new(mailbox, ranks, patience.duration(), say);
        let coordinator = Arc::new(Mutex::new(coordinator));
        let done = match Coordinator::config_for(&arguments.bot, ranks) {
            Ok(bot) => {
                if ranks > 1 && std::env::var_os("OMPI_MCA_orte_enable_recovery").is_none() {
                    note(
                        "if a rank dies, this run may end: `mpirun --enable-recovery` goes on \
                         without it",
                    );
                }
                let searching = Arc::clone(&coordinator);
                let search = move |game: &_, config: &_, seed| {
                    let mut coordinator = searching.lock().unwrap_or_else(PoisonError::into_inner);
                    coordinator.search(game, config, seed)
                };
                engine::play(arguments, bot, Arc::new(Mutex::new(search)), output)
            }
            Err(fault) => Err(refused(&fault)),
        };
        (done, coordinator.lock().unwrap_or_else(PoisonError::into_inner).quit())
    })
}

/// Takes part in the MPI run: on rank 0 by `answer`, which is given the number of ranks and
/// returns also whether all of them end with it; on the others by searching for rank 0.
fn as_rank(
    memory: MemoryArgument,
    patience: PatienceArgument,
    output: &mut dyn Write,
    answer: impl FnOnce(Mailbox, usize, &mut dyn Write) -> (Result<(), Failure>, bool),
) -> Result<(), Failure> {
    let (membership, mailbox) = join()?;
    memory.limit();
    let rank = membership.rank;
    if rank == 0 {
        let (done, all_ranks_end) = answer(mailbox, membership.ranks, output);
        let flushed = output.flush();
        membership.leave(all_ranks_end);
        done?;
        return Ok(flushed?);
    }
    let end = Helper::new(mailbox).serve(HELPER_PATIENCE * patience.duration());
    membership.leave(end == End::OfAll);
    match end {
        End::OfAll | End::OfThoseLeft => Ok(()),
        End::OfSilence => Err(anyhow::anyhow!("rank {rank}: rank 0 says nothing any more").into()),
    }
}
