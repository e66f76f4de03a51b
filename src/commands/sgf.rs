//! `tengen sgf`.

use super::Failure;
use crate::input::files;
use crate::sgf::{Severity, check, decode};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Look after game records in SGF
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Check(CheckArguments),
}

/// Report what is wrong with records, and where
///
/// Prints a line for each fault: the file, the line and the column from 1, and
/// what is wrong there, whether in the structure, in the values of properties or
/// because a move is illegal. Variations are checked like the main line. The exit
/// code is 1 if any file has an error; warnings alone leave it 0.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tengen sgf check games/*.sgf")]
struct CheckArguments {
    /// Game records; - is the standard input
    #[arg(value_name = "FILES", required = true)]
    files: Vec<PathBuf>,
    /// Report errors only
    #[arg(long)]
    errors_only: bool,
}

/// Does what the command says.
///
/// # Errors
/// If a record has errors, or the output cannot be written.
pub fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    let Command::Check(arguments) = &arguments.command;
    let mut bad = 0;
    for file in &arguments.files {
        bad += usize::from(!check_file(file, arguments.errors_only, output)?);
    }
    if bad == 0 {
        return Ok(());
    }
    let count = arguments.files.len();
    Err(Failure::Work(anyhow::anyhow!("{bad} of {count} records have errors")))
}

/// Reports on one file; whether it has no errors.
fn check_file(file: &Path, errors_only: bool, output: &mut dyn Write) -> Result<bool, Failure> {
    let name = file.display();
    let bytes = match files::read(file) {
        Ok(bytes) => bytes,
        Err(fault) => {
            writeln!(output, "{name}: error: cannot be read: {fault}")?;
            return Ok(false);
        }
    };
    let (games, faults) = check(&decode(&bytes));
    let mut errors = 0;
    for fault in &faults {
        errors += usize::from(fault.severity == Severity::Error);
        if fault.severity == Severity::Error || !errors_only {
            let line: String = fault.to_string().chars().filter(|c| !c.is_control()).collect();
            writeln!(output, "{name}:{line}")?;
        }
    }
    let nodes: usize = games.iter().map(|game| game.nodes().len()).sum();
    let warnings = faults.len() - errors;
    writeln!(
        output,
        "{name}: {}, {}, {}, {}",
        counted(games.len(), "game"),
        counted(nodes, "node"),
        counted(errors, "error"),
        counted(warnings, "warning")
    )?;
    Ok(errors == 0)
}

/// `1 game`, `2 games`.
fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}
