//! `tengen`: every command of Tengen.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: tengen::Allocator = tengen::Allocator;

fn main() -> ExitCode {
    tengen::main()
}
