//! `playouts`: measures playouts per second, by board size, instruction set and
//! threads.

use std::process::ExitCode;
use tengen::commands::{self, playouts};

#[global_allocator]
static ALLOCATOR: tengen::Allocator = tengen::Allocator;

fn main() -> ExitCode {
    commands::run(|arguments: playouts::Arguments, host| playouts::run(&arguments, host))
}
