//! `tune`: finds the settings of a bot that win most, and how certain the result is.

use std::process::ExitCode;
use tengen::commands::{self, tune};

#[global_allocator]
static ALLOCATOR: tengen::Allocator = tengen::Allocator;

fn main() -> ExitCode {
    commands::experiment::<tune::Tune>()
}
