//! `tune`: find the settings of a bot that win most, and how sure that is.

use std::process::ExitCode;
use tengen::commands::{self, tune};

/// What a newcomer sees first.
const DEFAULT: &str = include_str!("configs/tune.toml");

fn main() -> ExitCode {
    commands::run(|arguments, output| tune::run(arguments, DEFAULT, output))
}
