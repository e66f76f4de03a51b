//! `convergence`: how fast UCT finds the truth, on positions whose moves are all solved.

use std::process::ExitCode;
use tengen::commands::{self, convergence};

#[global_allocator]
static ALLOCATOR: tengen::Allocator = tengen::Allocator;

fn main() -> ExitCode {
    commands::experiment::<convergence::Measure<false>>()
}
