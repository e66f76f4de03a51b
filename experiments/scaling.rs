//! `scaling`: how fast searches are, what a doubling of playouts is worth, and
//! what parallel search makes of its playouts.

use std::process::ExitCode;
use tengen::commands::{self, scaling};

fn main() -> ExitCode {
    commands::run(|arguments: scaling::Arguments, output| scaling::run(&arguments, output))
}
