//! `scaling`: measures simulations per second, the Elo of a doubling of the
//! simulations, and the strength-speedup of parallel search.

use std::process::ExitCode;
use tengen::commands::{self, scaling};

fn main() -> ExitCode {
    commands::run(|arguments: scaling::Arguments, host| scaling::run(&arguments, host))
}
