//! `cluster`: a tournament on a simulated cluster of workers that come, go, stall and lie.

use std::process::ExitCode;
use tengen::commands::{self, cluster};

/// The settings of the tables in docs/scale.md.
const DEFAULT: &str = include_str!("configs/cluster.toml");

fn main() -> ExitCode {
    commands::run(|arguments, output| cluster::run(&arguments, DEFAULT, output))
}
