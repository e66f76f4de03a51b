//! `scaling`: measures simulations per second, the Elo of a doubling of the
//! simulations, and the strength-speedup of parallel search.

use std::process::ExitCode;
use tengen::commands::{self, scaling};

#[global_allocator]
static ALLOCATOR: tengen::Allocator = tengen::Allocator;

fn main() -> ExitCode {
    commands::run(|arguments: scaling::Arguments, host| scaling::run(&arguments, host))
}
