//! `tengen completions`: what a shell completes, and pages for `man`.

use super::Failure;
use crate::bots::program;
use clap::Command;
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use std::io::Write;

/// Print completions for a shell, or a manual page
///
/// In bash: source <(tengen completions bash). As a manual page: tengen completions man | man -l -
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Shell to print completions for, or man for a manual page
    #[arg(value_name = "SHELL", value_parser = ["bash", "elvish", "fish", "powershell", "zsh", "man"])]
    shell: String,
}

/// Prints completions or the manual page of `command`, the whole program.
pub fn run(
    arguments: &Arguments,
    mut command: Command,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let mut text = Vec::new();
    if let Ok(shell) = arguments.shell.parse::<Shell>() {
        let name = program().map_or_else(|| "tengen".to_owned(), |program| program.name);
        generate(shell, &mut command, name, &mut text);
    } else {
        command.build();
        Man::new(command.clone()).render(&mut text)?;
        for command in command.get_subcommands() {
            Man::new(command.clone()).render(&mut text)?;
        }
    }
    Ok(output.write_all(&text)?)
}
