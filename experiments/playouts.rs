//! `playouts`: random games a second, by board size, instruction set and
//! threads.

use std::process::ExitCode;
use tengen::cli::{self, playouts};

fn main() -> ExitCode {
    cli::run(|arguments: playouts::Arguments, output| playouts::run(&arguments, output))
}
