//! `tengen-mpi`: one search over many processes and hosts.

use std::process::ExitCode;
use tengen::commands;

fn main() -> ExitCode {
    commands::run(|arguments, output| commands::mpi::run(&arguments, output))
}
