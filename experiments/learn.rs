//! `learn`: learns weights of features of moves from searches.

use std::process::ExitCode;
use tengen::commands::{self, learn};

#[global_allocator]
static ALLOCATOR: tengen::Allocator = tengen::Allocator;

fn main() -> ExitCode {
    commands::experiment::<learn::Learn>()
}
