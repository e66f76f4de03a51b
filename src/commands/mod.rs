//! The command lines: arguments in, text out, and exit codes.
//!
//! 0: done. 1: the work could not be finished. 2: the input is wrong and
//! nothing was begun. Every failure is one line on standard error.

/// Returns the failure for wrong input that the arguments describe, as those of [`format!`].
macro_rules! refuse {
    ($($said:tt)*) => {
        return Err($crate::commands::Failure::Usage(format!($($said)*)))
    };
}

mod analyze;
mod bots;
mod build;
mod completions;
mod experiments;
mod front;
pub mod gtp;
mod host;
mod inspect;
pub mod memory;
mod options;
mod output;
mod perft;
mod plan;
mod play;
pub mod playouts;
mod positions;
mod program;
mod progress;
mod record;
mod reproduce;
mod run;
pub mod scaling;
mod schema;
mod score;
#[cfg(feature = "serve")]
mod serve;
mod setting_options;
mod settings;
mod sgf;
mod show;
pub mod signature;
mod solve;
mod sprt;

pub use build::build;
pub use experiments::{
    convergence, learn, names as experiment_names, register as register_experiment, tournament,
    tune, verify_rows,
};
pub use front::{
    Answer, Front, General, RowOf, SettingsOf, Told, Work, saved, there, what_is_missing,
};
pub use host::{Caller, Host, LAST_WORK, Shown, Terminal};
pub use options::{OptionKind, ProgramOption};
pub use program::{call, main, main_of, main_with, options};
pub use progress::Units;
pub use setting_options::Options;

use crate::go::{Board, Color, Size};
use crate::gtp::adopt_orphans;
use crate::playout::Isa;
use crate::run::{FileFault, RunError};
use crate::search::{Resource, ResourceFault, check_room_for_threads, not_started};
use crate::settings::message;
use clap::Parser;
use clap::error::ErrorKind;
use std::env;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::iter::successors;
use std::process::ExitCode;
use tengen_system::{reserve_stack, survive_limit_of_file_size};

/// Why a command did not do its work.
#[derive(Debug)]
pub enum Failure {
    /// The input is wrong, and nothing was begun: exit code 2.
    Usage(String),
    /// The system refuses a file: exit code 2 if its path is wrong, else 1.
    File(FileFault),
    /// The work could not be finished: exit code 1.
    Work(anyhow::Error),
}

impl Failure {
    /// A failure for wrong input, described by `fault`.
    pub fn usage(fault: impl Into<String>) -> Self {
        Self::Usage(fault.into())
    }

    /// The system's error number (errno), if a file or the disk is to blame.
    #[must_use]
    pub fn os_code(&self) -> Option<i32> {
        let of_disk = |fault: &ResourceFault| {
            let is_disk = matches!(fault.resource(), Resource::Disk | Resource::FileSize);
            fault.os_code().filter(|_| is_disk)
        };
        match self {
            Self::Usage(_) => None,
            Self::File(fault) => fault.code,
            Self::Work(error) => match error.downcast_ref() {
                Some(RunError::Resource(fault)) => of_disk(fault),
                _ => error.downcast_ref().and_then(of_disk),
            },
        }
    }
}

impl fmt::Display for Failure {
    /// One line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = match self {
            Self::Usage(fault) => fault.clone(),
            Self::File(fault) => fault.said.clone(),
            Self::Work(error) => chain(error),
        };
        f.write_str(&message(&said))
    }
}

/// The failure for wrong input that `error` describes. If the cause is that the system lacks
/// something, such as room on a disk, the failure is of the system, and not of the input.
#[must_use]
pub fn refused(error: &(dyn std::error::Error + 'static)) -> Failure {
    let causes = successors(Some(error), |cause| cause.source());
    let mut faults = causes.filter_map(|cause| cause.downcast_ref::<io::Error>());
    if let Some(fault) = faults.find(|fault| Resource::of(fault) != Resource::File) {
        let (said, code) = (error.to_string(), fault.raw_os_error());
        return Failure::File(FileFault { said, code, is_input: false });
    }
    Failure::Usage(error.to_string())
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        match error.into().downcast() {
            Ok(RunError::Input(said)) => Self::Usage(said),
            Ok(RunError::File(fault)) => Self::File(fault),
            Ok(other) => Self::Work(other.into()),
            Err(error) => Self::Work(error),
        }
    }
}

/// Reads the arguments of the process, runs `command`, prints its failure and
/// returns the exit code.
pub fn run<A: Parser>(command: impl FnOnce(A, &mut Host<'_>) -> Result<(), Failure>) -> ExitCode {
    run_words(env::args_os(), command).into()
}

/// The program that is the experiment of `F` alone.
#[must_use]
pub fn experiment<F: Front>() -> ExitCode {
    run(front::run::<F>)
}

/// [`run`] with `words` as the arguments, the name of the program first.
fn run_words<A: Parser>(
    words: impl IntoIterator<Item = OsString>,
    command: impl FnOnce(A, &mut Host<'_>) -> Result<(), Failure>,
) -> u8 {
    if let Err(failure) = register() {
        return fail(&failure);
    }
    let arguments = match parsed::<A>(words) {
        Ok(arguments) => arguments,
        // Help and version: clap shows them.
        Err(error) if !error.use_stderr() => {
            return ended(error.print().map_err(|why| output::named(&why).into()));
        }
        Err(error) => return fail(&Failure::Usage(one_line(&error))),
    };
    survive_limit_of_file_size();
    // The program needs memory for at least one thread; the allocator reports a later lack.
    if let Err(fault) = check_room_for_threads(1) {
        return fail(&Failure::Work(fault.into()));
    }
    reserve_stack();
    // Every program refuses a wrong instruction set, even if it plays no playouts.
    if let Err(failure) = check_environment() {
        return fail(&failure);
    }
    // The only children of these programs are engines.
    adopt_orphans();
    let mut output = output::Output(io::stdout().lock());
    let host = &mut Host { output: &mut output, caller: &Terminal };
    let done = memory::guarded(|| command(arguments, host));
    // Text that was printed before a failure is output too.
    let flushed = output.flush();
    ended(done.and_then(|()| Ok(flushed?)))
}

/// Prints the failure of a command that ended, if there is one, and returns its exit code. A closed pipe is
/// the reader's choice.
fn ended(done: Result<(), Failure>) -> u8 {
    match done {
        Ok(()) => 0,
        Err(Failure::Work(error)) if is_closed_pipe(&error) => 0,
        Err(failure) => fail(&failure),
    }
}

/// Parses `words`. A user's own program shows its own name and version in help texts.
fn parsed<A: Parser>(words: impl IntoIterator<Item = OsString>) -> Result<A, clap::Error> {
    let Some(program) = crate::bots::program() else { return A::try_parse_from(words) };
    let version = program.versions(env!("CARGO_PKG_VERSION"));
    let mut command = A::command().name(program.name).version(version);
    let matches = command.try_get_matches_from_mut(words)?;
    A::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Registers built-in parts that the crates which read specifications of bots do not contain.
#[cfg_attr(not(feature = "onnx"), allow(clippy::unnecessary_wraps))] // nothing else can fail
fn register() -> Result<(), Failure> {
    #[cfg(feature = "onnx")]
    tengen_onnx::register().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(())
}

/// Number of threads that the machine runs at once: the default of `--threads`.
/// Unlike rayon's function for it, this starts no thread pool.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A pool of `threads` threads, including the calling thread. The calling thread must give the pool
/// its work, and can be in no other such pool.
fn pool(threads: usize) -> Result<rayon::ThreadPool, ResourceFault> {
    check_room_for_threads(threads - 1)?;
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads).use_current_thread();
    builder.build().map_err(|why| not_started(threads, why))
}

/// Calls `pressed` at each Ctrl-C, on a thread of its own, instead of ending the program.
fn on_ctrl_c(pressed: impl FnMut() + Send + 'static) -> anyhow::Result<()> {
    let what = "cannot listen for Ctrl-C";
    check_room_for_threads(1)?;
    ctrlc::set_handler(pressed).map_err(|fault| match fault {
        ctrlc::Error::System(why) => ResourceFault::new(what, &why).into(),
        other => anyhow::Error::from(other).context(what),
    })
}

/// Refuses a value of `TENGEN_ISA` that names no instruction set.
fn check_environment() -> Result<(), Failure> {
    if let Some(text) = env::var_os(Isa::VARIABLE) {
        let said = Isa::parse(&text.to_string_lossy());
        said.map_err(|fault| Failure::Usage(format!("{}: {fault}", Isa::VARIABLE)))?;
    }
    Ok(())
}

/// `error` and its causes on one line, without causes that the preceding text already
/// contains.
fn chain(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |said, cause| {
        match (said.is_empty(), said.contains(&cause)) {
            (true, _) => cause,
            (false, true) => said,
            (false, false) => format!("{said}: {cause}"),
        }
    })
}

/// The position in `rows`, or the empty board of `size`.
fn position(rows: Option<&str>, size: Option<Size>, to_play: Color) -> Result<Board<6>, Failure> {
    let Some(rows) = rows else {
        let size = size.ok_or_else(|| Failure::usage("--size or --position is needed"))?;
        let mut board = Board::new(size);
        board.turn_to(to_play);
        return Ok(board);
    };
    let board = Board::from_diagram(rows, to_play)
        .map_err(|fault| Failure::usage(format!("--position `{rows}`: {fault}")))?;
    match size {
        Some(size) if size != board.size() => Err(Failure::usage(format!(
            "--size is {size}, but --position is {}: leave --size out",
            board.size()
        ))),
        _ => Ok(board),
    }
}

/// Prints `failure`, and returns its exit code.
fn fail(failure: &Failure) -> u8 {
    // If standard error is closed too, only the exit code reports the failure.
    let _ = writeln!(io::stderr(), "error: {failure}");
    match failure {
        Failure::Work(_) | Failure::File(FileFault { is_input: false, .. }) => 1,
        Failure::Usage(_) | Failure::File(_) => 2,
    }
}

/// Whether the error is that the reader of the output has closed it, as `head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// The error of clap without usage and hints, which `--help` shows.
fn one_line(error: &clap::Error) -> String {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // The text of this error is the whole help.
        return "a command is missing (--help shows them)".to_owned();
    }
    let text = error.to_string();
    let said = text.split("\n\nUsage:").next().unwrap_or(&text);
    let said = said.split("\n\nFor more information").next().unwrap_or(said);
    let said = said.strip_prefix("error: ").unwrap_or(said);
    format!("{} (--help shows the options)", said.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn a_cause_is_named_once() {
        #[derive(Debug, thiserror::Error)]
        #[error("cannot write games.csv: {source}")]
        struct Outer {
            source: io::Error,
        }
        let source = io::Error::new(io::ErrorKind::StorageFull, "no space");
        let error = anyhow::Error::from(Outer { source }).context("the run");
        assert_eq!(chain(&error), "the run: cannot write games.csv: no space");
        let plain = Err::<(), _>(io::Error::other("gone")).context("cannot read x").unwrap_err();
        assert_eq!(chain(&plain), "cannot read x: gone");
    }
}
