//! `tengen`: look at positions, play through GTP, check the rules.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use tengen::cli;

/// A research harness for Monte Carlo tree search on the game of Go.
///
/// Tournaments are run by the program `tournament`.
#[derive(Parser)]
#[command(name = "tengen", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Analyze(cli::analyze::Arguments),
    Gtp(cli::gtp::Arguments),
    Perft(cli::perft::Arguments),
    Signature(cli::signature::Arguments),
    Sprt(cli::sprt::Arguments),
}

fn main() -> ExitCode {
    cli::run(|arguments: Arguments, output| match arguments.command {
        Command::Analyze(arguments) => cli::analyze::run(&arguments, output),
        Command::Gtp(arguments) => cli::gtp::run(&arguments, output),
        Command::Perft(arguments) => cli::perft::run(&arguments, output),
        Command::Signature(arguments) => cli::signature::run(&arguments, output),
        Command::Sprt(arguments) => cli::sprt::run(&arguments, output),
    })
}
