//! `convergence`: how fast UCT finds the truth, on positions whose moves are all solved.

use std::process::ExitCode;
use tengen::commands::{self, convergence};

/// What the published run measures.
const DEFAULT: &str = include_str!("configs/convergence.toml");

fn main() -> ExitCode {
    commands::run(|arguments, output| convergence::run(&arguments, DEFAULT, output))
}
