//! The program `tengen`: all commands.

use super::experiments::{ExperimentCall, RunKind};
use super::{Failure, Host, ProgramOption};
use crate::go::RegistryError;
use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::io::Write;
use std::iter::once;
use std::process::ExitCode;

/// A research harness for Monte Carlo tree search on the game of Go
#[derive(Parser)]
#[command(name = "tengen", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(flatten)]
    Experiment(ExperimentCall),
    #[command(flatten)]
    Other(Box<Other>),
}

#[derive(Subcommand)]
enum Other {
    Analyze(super::analyze::Arguments),
    Bots(super::bots::Arguments),
    Completions(super::completions::Arguments),
    Gtp(super::gtp::Arguments),
    Perft(super::perft::Arguments),
    Plan(super::plan::Arguments),
    Play(super::play::Arguments),
    Playouts(super::playouts::Arguments),
    Positions(super::positions::Arguments),
    Reproduce(super::reproduce::Arguments),
    Scaling(super::scaling::Arguments),
    Schema(super::schema::Arguments),
    Score(super::score::Arguments),
    #[cfg(feature = "serve")]
    Serve(super::serve::Arguments),
    Sgf(super::sgf::Arguments),
    Show(super::show::Arguments),
    Signature(super::signature::Arguments),
    Solve(super::solve::Arguments),
    Sprt(super::sprt::Arguments),
    Suite(super::convergence::SuiteArguments),
}

/// The program `tengen` with the arguments of the process and with the caller's own registered
/// code. First `register` registers this code ([`crate::register`]), which every command can then
/// use. If a registration fails, the program prints its error and ends with exit code 2.
///
/// # Examples
/// ```no_run
/// use tengen::playout::policy::{PlayoutPolicy, Turn};
/// use tengen::register;
///
/// struct First;
///
/// impl PlayoutPolicy for First {
///     fn draw<const W: usize>(&self, turn: &Turn<W>) -> usize {
///         turn.candidates.nth(0)
///     }
/// }
///
/// fn main() -> std::process::ExitCode {
///     tengen::main_with(|| {
///         register::program(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))?;
///         register::policy("first", "1", |_| Ok(First))
///     })
/// }
/// ```
#[must_use]
pub fn main_with(register: impl FnOnce() -> Result<(), RegistryError>) -> ExitCode {
    if let Err(error) = register() {
        // If standard error is closed, nobody reads this.
        let _ = writeln!(std::io::stderr(), "error: {error}");
        return ExitCode::from(2);
    }
    // A program that registers no name is named after its file.
    let path = std::env::current_exe().ok();
    let name = path.as_ref().and_then(|path| path.file_stem());
    crate::bots::name_program(
        name.map_or_else(|| "unknown".to_owned(), |name| name.to_string_lossy().into_owned()),
    );
    main()
}

/// The program `tengen` with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    super::run(|arguments: Arguments, host| arguments.command.run(host))
}

/// The program `tengen` with `words` as its arguments, the name of the program first. The process
/// acts as the whole program: it reads standard input, and answers Ctrl-C. Returns the exit code.
#[must_use]
pub fn main_of(words: impl IntoIterator<Item = OsString>) -> u8 {
    super::run_words(words, |arguments: Arguments, host| arguments.command.run(host))
}

/// Runs a command of `tengen`, whose name and arguments are `words`, in a process that is not `tengen`.
/// `--help` is written to the output. The commands that talk with a user or another program through
/// standard input are refused.
pub fn call(words: impl IntoIterator<Item = String>, host: &mut Host<'_>) -> Result<(), Failure> {
    super::register()?;
    let command = match Arguments::try_parse_from(once("tengen".to_owned()).chain(words)) {
        Ok(arguments) => arguments.command,
        Err(error) if !error.use_stderr() => {
            return Ok(write!(host.output, "{}", error.render())?);
        }
        Err(error) => return Err(Failure::Usage(super::one_line(&error))),
    };
    if command.talks() {
        refuse!("this command needs a process of its own: run the program");
    }
    super::check_environment()?;
    super::memory::guarded(|| command.run(host))
}

/// The options of the command `name` of `tengen`, in the order of its help; none if there is no such
/// command.
#[must_use]
pub fn options(name: &str) -> Option<Vec<ProgramOption>> {
    let mut program = Arguments::command();
    program.build();
    // The suite is measured as a convergence is.
    let kind = if name == "suite" { "convergence" } else { name };
    let settings = RunKind::named(kind).map(|kind| (kind.settings)()).unwrap_or_default();
    Some(ProgramOption::all(program.find_subcommand(name)?, &settings))
}

/// Whether a command that is no experiment has this name.
pub(super) fn has_command(name: &str) -> bool {
    name == "help" || Other::has_subcommand(name)
}

impl Command {
    fn run(self, host: &mut Host<'_>) -> Result<(), Failure> {
        match self {
            Self::Experiment(call) => call.run(host),
            Self::Other(other) => other.run(host),
        }
    }

    /// Whether it talks with a user or another program until the dialogue ends.
    fn talks(&self) -> bool {
        let Self::Other(other) = self else { return false };
        match &**other {
            Other::Gtp(_) | Other::Play(_) => true,
            #[cfg(feature = "serve")]
            Other::Serve(_) => true,
            _ => false,
        }
    }
}

impl Other {
    fn run(self, host: &mut Host<'_>) -> Result<(), Failure> {
        match self {
            Self::Analyze(arguments) => super::analyze::run(&arguments, host),
            Self::Bots(arguments) => super::bots::run(&arguments, host.output),
            Self::Completions(arguments) => {
                super::completions::run(&arguments, Arguments::command(), host.output)
            }
            Self::Gtp(arguments) => super::gtp::run(&arguments, host.output),
            Self::Perft(arguments) => super::perft::run(&arguments, host.output),
            Self::Plan(arguments) => super::plan::run(&arguments, host.output),
            Self::Play(arguments) => super::play::run(&arguments, host.output),
            Self::Playouts(arguments) => super::playouts::run(&arguments, host),
            Self::Positions(arguments) => super::positions::run(&arguments, host),
            Self::Reproduce(arguments) => super::reproduce::run(&arguments, host),
            Self::Scaling(arguments) => super::scaling::run(&arguments, host),
            Self::Schema(arguments) => super::schema::run(&arguments, host.output),
            Self::Score(arguments) => super::score::run(&arguments, host),
            #[cfg(feature = "serve")]
            Self::Serve(arguments) => super::serve::run(arguments, host.output),
            Self::Sgf(arguments) => super::sgf::run(&arguments, host.output),
            Self::Show(arguments) => super::show::run(&arguments, host),
            Self::Signature(arguments) => super::signature::run(&arguments, host.output),
            Self::Solve(arguments) => super::solve::run(&arguments, host),
            Self::Sprt(arguments) => super::sprt::run(&arguments, host.output),
            Self::Suite(arguments) => super::front::run(arguments.run, host),
        }
    }
}
