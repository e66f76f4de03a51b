//! `tournament`: pit bots against each other.

use std::process::ExitCode;
use tengen::commands::{self, tournament};

/// What a newcomer sees first.
const DEFAULT: &str = include_str!("configs/default.toml");

fn main() -> ExitCode {
    commands::run(|arguments, output| tournament::run(arguments, DEFAULT, output))
}
