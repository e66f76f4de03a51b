//! `tournament`: plays a tournament between bots.

use std::process::ExitCode;
use tengen::commands::{self, tournament};

#[global_allocator]
static ALLOCATOR: tengen::Allocator = tengen::Allocator;

fn main() -> ExitCode {
    commands::experiment::<tournament::Play>()
}
