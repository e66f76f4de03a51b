//! The program `tengen`: all commands.

use crate::go::RegistryError;
use clap::{CommandFactory, Parser, Subcommand};
use std::io::Write;
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
    Analyze(super::analyze::Arguments),
    Bots(super::bots::Arguments),
    Completions(super::completions::Arguments),
    Convergence(super::convergence::Arguments),
    Gtp(super::gtp::Arguments),
    Perft(super::perft::Arguments),
    Play(super::play::Arguments),
    Playouts(super::playouts::Arguments),
    Scaling(super::scaling::Arguments),
    Score(super::score::Arguments),
    #[cfg(feature = "serve")]
    Serve(super::serve::Arguments),
    Sgf(super::sgf::Arguments),
    Show(super::show::Arguments),
    Signature(super::signature::Arguments),
    Solve(super::solve::Arguments),
    Sprt(super::sprt::Arguments),
    Tournament(super::tournament::Arguments),
    Tune(super::tune::Arguments),
}

/// The program `tengen` with the arguments of the process, after `register`, which registers what a
/// program of one's own adds ([`crate::register`]): what it has registered is there in every command.
/// If a registration fails, the program prints its error and ends with exit code 2.
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
///     tengen::main_with(|| register::policy("first", "1", |_| Ok(First)))
/// }
/// ```
#[must_use]
pub fn main_with(register: impl FnOnce() -> Result<(), RegistryError>) -> ExitCode {
    if let Err(error) = register() {
        // If standard error is closed, nobody reads this.
        let _ = writeln!(std::io::stderr(), "error: {error}");
        return ExitCode::from(2);
    }
    main()
}

/// The program `tengen` with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    super::run(|arguments: Arguments, output| match arguments.command {
        Command::Analyze(arguments) => super::analyze::run(&arguments, output),
        Command::Bots(arguments) => super::bots::run(&arguments, output),
        Command::Completions(arguments) => {
            super::completions::run(&arguments, Arguments::command(), output)
        }
        Command::Convergence(arguments) => super::convergence::run(&arguments, output),
        Command::Gtp(arguments) => super::gtp::run(&arguments, output),
        Command::Perft(arguments) => super::perft::run(&arguments, output),
        Command::Play(arguments) => super::play::run(&arguments, output),
        Command::Playouts(arguments) => super::playouts::run(&arguments, output),
        Command::Scaling(arguments) => super::scaling::run(&arguments, output),
        Command::Score(arguments) => super::score::run(&arguments, output),
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => super::serve::run(arguments, output),
        Command::Sgf(arguments) => super::sgf::run(&arguments, output),
        Command::Show(arguments) => super::show::run(&arguments, output),
        Command::Signature(arguments) => super::signature::run(&arguments, output),
        Command::Solve(arguments) => super::solve::run(&arguments, output),
        Command::Sprt(arguments) => super::sprt::run(&arguments, output),
        Command::Tournament(arguments) => super::tournament::run(arguments, output),
        Command::Tune(arguments) => super::tune::run(arguments, output),
    })
}
