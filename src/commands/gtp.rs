//! `tengen gtp`.

use super::memory::MemoryArgument;
use super::setting_options::choices;
use super::{Failure, bots, cores, pool};
use crate::bots::BotConfig;
use crate::engine::Engine;
use crate::go::{Komi, Preset, Size};
use crate::gtp::Log;
use crate::search::ResourceFault;
use std::io::{self, BufReader, Write};
use std::path::PathBuf;

/// Play through the Go Text Protocol (GTP), for graphical boards such as Sabaki
///
/// The engine reads GTP commands from standard input and answers on standard output; the command
/// `list_commands` lists all commands. The engine ends with the command `quit`. At the end of the
/// input it ends when all commands are answered, and it ends immediately when its output is closed.
/// The details of an error go to standard error.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Example: tengen gtp --bot strong:simulations=10000 --seed 1")]
pub struct Arguments {
    /// Bot that answers the GTP commands, such as strong:simulations=10000
    #[arg(long, value_name = "SPEC", default_value = "strong", long_help = bots::with_kinds(
        "Bot that answers the GTP commands, such as strong:simulations=10000"
    ))]
    pub bot: BotConfig,
    /// Random seed of the first game
    ///
    /// The seeds of later games follow from this seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Board size at the start, such as 19 or 9x7
    ///
    /// 9x7 has 9 columns and 7 rows. The GTP command `boardsize` changes the size.
    #[arg(long, default_value = "19")]
    size: Size,
    /// Komi in points, a multiple of 0.5 [default: 2.5 up to 5x5, 8.5 on 7x7, else 7.5]
    ///
    /// White receives the komi for moving second.
    #[arg(long, allow_negative_numbers = true)]
    komi: Option<Komi>,
    /// Rule set for ko, suicide and White's points for handicap stones
    #[arg(long, default_value_t = Preset::Tengen, value_parser = choices::<Preset>())]
    rules: Preset,
    /// Number of threads for the workers of a search [default: one per core]
    ///
    /// Set 1 if the engine plays in a match on the same machine as its opponent. If the bot has a
    /// fixed number of simulations, the number of threads changes no move. Under a clock a uct bot
    /// with one worker gets one worker per thread.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Ignore the clock of the client: the settings of the bot alone end a search
    ///
    /// The client sets the clock by `time_settings` and `time_left`. Without --ignore-clock a uct
    /// bot under a clock searches by the clock, and its `simulations` have no effect.
    #[arg(long)]
    ignore_clock: bool,
    /// Write the dialogue to FILE, with times and the details of errors
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// The limit of the memory.
    #[command(flatten)]
    pub memory: MemoryArgument,
}

/// Answers until the input ends.
pub fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    serve(arguments, output, |engine| engine)
}

/// Answers until the input ends, with the engine that `fit` makes from the default engine.
pub fn serve(
    arguments: &Arguments,
    output: &mut dyn Write,
    fit: impl for<'pool> FnOnce(Engine<'pool>) -> Engine<'pool>,
) -> Result<(), Failure> {
    arguments.memory.limit();
    let Arguments { bot, seed, rules, size, komi, .. } = arguments;
    let threads = arguments.threads.map_or_else(cores, usize::from);
    // Enough threads for a clock that the client sets later, or for more workers.
    let pool = pool(threads.min(bot.workers().max(cores())))?;
    end_with_reader()?;
    let log = Log::default();
    log.to(arguments.log.as_deref()).map_err(|fault| Failure::usage(format!("--log: {fault}")))?;
    let engine = Engine::new(bot.clone(), *seed, *rules, Some(&pool)).at(*size, *komi);
    let mut engine = engine.with_threads(threads.min(cores()));
    if arguments.ignore_clock {
        engine = engine.without_clocks();
    }
    engine = fit(engine);
    let input = BufReader::new(io::stdin());
    Ok(engine.serve_logged(input, output, &log, &mut io::stderr())?)
}

/// Ends this process as soon as nobody reads its output any more, even during a
/// search: the controller has died or left. Its commands need no answer, and
/// everything that is open ends with the process. The end of the input is no
/// such sign: answers may still be read, for example by a script that sends its
/// commands through a pipe.
#[cfg(unix)]
fn end_with_reader() -> Result<(), ResourceFault> {
    use rustix::event::{PollFd, PollFlags, poll};
    let watch = || {
        let output = io::stdout();
        // Without flags `poll` reports only errors: for a pipe or a socket, that
        // its other end is closed.
        let mut watched = [PollFd::new(&output, PollFlags::empty())];
        loop {
            let gone = PollFlags::ERR | PollFlags::HUP;
            match poll(&mut watched, None) {
                Ok(_) if watched[0].revents().intersects(gone) => std::process::exit(0),
                Err(rustix::io::Errno::INTR) => {}
                // The output cannot be watched: writing the next answer will fail.
                Ok(_) | Err(_) => return,
            }
        }
    };
    let watch = std::thread::Builder::new().name("reader watch".into()).spawn(watch);
    watch.map(drop).map_err(|why| ResourceFault::new("cannot start a thread", &why))
}

/// Does nothing: writing the next answer fails when nobody reads it.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)] // as above
fn end_with_reader() -> Result<(), ResourceFault> {
    Ok(())
}
