//! `tengen`: every command of Tengen.

use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;
use tengen::commands;

/// A research harness for Monte Carlo tree search on the game of Go
#[derive(Parser)]
#[command(name = "tengen", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Analyze(commands::analyze::Arguments),
    Bots(commands::bots::Arguments),
    Completions(commands::completions::Arguments),
    Convergence(commands::convergence::Arguments),
    Gtp(commands::gtp::Arguments),
    Perft(commands::perft::Arguments),
    Play(commands::play::Arguments),
    Playouts(commands::playouts::Arguments),
    Scaling(commands::scaling::Arguments),
    Score(commands::score::Arguments),
    #[cfg(feature = "serve")]
    Serve(commands::serve::Arguments),
    Sgf(commands::sgf::Arguments),
    Show(commands::show::Arguments),
    Signature(commands::signature::Arguments),
    Solve(commands::solve::Arguments),
    Sprt(commands::sprt::Arguments),
    Tournament(commands::tournament::Arguments),
    Tune(commands::tune::Arguments),
}

fn main() -> ExitCode {
    commands::run(|arguments: Arguments, output| match arguments.command {
        Command::Analyze(arguments) => commands::analyze::run(&arguments, output),
        Command::Bots(arguments) => commands::bots::run(&arguments, output),
        Command::Completions(arguments) => {
            commands::completions::run(&arguments, Arguments::command(), output)
        }
        Command::Convergence(arguments) => commands::convergence::run(&arguments, output),
        Command::Gtp(arguments) => commands::gtp::run(&arguments, output),
        Command::Perft(arguments) => commands::perft::run(&arguments, output),
        Command::Play(arguments) => commands::play::run(&arguments, output),
        Command::Playouts(arguments) => commands::playouts::run(&arguments, output),
        Command::Scaling(arguments) => commands::scaling::run(&arguments, output),
        Command::Score(arguments) => commands::score::run(&arguments, output),
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => commands::serve::run(arguments, output),
        Command::Sgf(arguments) => commands::sgf::run(&arguments, output),
        Command::Show(arguments) => commands::show::run(&arguments, output),
        Command::Signature(arguments) => commands::signature::run(&arguments, output),
        Command::Solve(arguments) => commands::solve::run(&arguments, output),
        Command::Sprt(arguments) => commands::sprt::run(&arguments, output),
        Command::Tournament(arguments) => commands::tournament::run(arguments, output),
        Command::Tune(arguments) => commands::tune::run(arguments, output),
    })
}
