//! `tournament`: plays a tournament between bots.

use std::process::ExitCode;
use tengen::commands::{self, tournament};

/// The tournament that is played without `--bot` and `--config`.
const DEFAULT: &str = include_str!("configs/default.toml");

fn main() -> ExitCode {
    commands::run(|arguments, output| tournament::run(arguments, DEFAULT, output))
}
