//! `learn`: weights of features of moves that searches teach.

use std::process::ExitCode;
use tengen::commands::{self, learn};

fn main() -> ExitCode {
    commands::run(|arguments: learn::Arguments, host| learn::run(arguments, host))
}
