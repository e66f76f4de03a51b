//! `tournament` with registered code that panics: the program of `tests/fuzz.sh`.

#[path = "../shared/fragile.rs"]
mod fragile;

use std::process::ExitCode;
use tengen::commands::{self, tournament};

fn main() -> ExitCode {
    if let Err(error) = fragile::register() {
        eprintln!("error: {error}");
        return ExitCode::from(2);
    }
    commands::experiment::<tournament::Play>()
}
