//! `tengen`: every command of Tengen.

use std::process::ExitCode;

fn main() -> ExitCode {
    tengen::main()
}
