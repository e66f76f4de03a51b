//! The program `cluster`: a tournament on a simulated cluster.

use super::{Failure, refused};
use crate::cluster::{ClusterError, Settings, SettingsError, write_tables};
use crate::input::files;
use anyhow::Context;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

/// Simulate a tournament on a cluster
///
/// Workers of unlike speed come, go, stall and lie, on virtual time; the schedule, the chunks,
/// their files, merging and the sequential test are those of `tournament`, and games are drawn
/// from a model of a published run. Prints tables in Markdown, which depend on the settings and
/// that run alone: time, work lost and bytes by number of workers; the time to a sequential
/// test's decision; and which false games are noticed. The settings of docs/scale.md read a run
/// in `results`: run the program in the folder of the repository.
#[derive(Debug, clap::Parser)]
#[command(
    name = "cluster",
    version,
    after_help = "\
Examples:
  cluster
  cluster --workers 10,100 --pairs 1000
  cluster --config my.toml"
)]
pub struct Arguments {
    /// Read the settings from a TOML file [default: those of docs/scale.md]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Numbers of workers [default: those of the settings]
    #[arg(long, value_delimiter = ',')]
    workers: Vec<usize>,
    /// Colour-swapped pairs of games of the tournament [default: that of the settings]
    #[arg(long)]
    pairs: Option<usize>,
    /// Random seed [default: that of the settings]
    #[arg(long)]
    seed: Option<u64>,
    /// Folder for the files of the simulated tournament, which are deleted again [default:
    /// that of the system for temporary files]
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
}

/// Simulates and prints the tables; `default` is the TOML of the settings where none are
/// given.
///
/// # Errors
/// If a setting is wrong, or a file cannot be read or written.
pub fn run(arguments: &Arguments, default: &str, output: &mut dyn Write) -> Result<(), Failure> {
    let mut settings: Settings = match &arguments.config {
        None => default.parse().context("the default settings")?,
        Some(path) => {
            let name = path.display();
            let text = files::read_to_string(path)
                .map_err(|fault| Failure::usage(format!("cannot read {name}: {fault}")))?;
            let wrong = |fault: SettingsError| Failure::usage(format!("{name}: {fault}"));
            text.parse().map_err(wrong)?
        }
    };
    if !arguments.workers.is_empty() {
        settings.workers.clone_from(&arguments.workers);
    }
    settings.pairs = arguments.pairs.unwrap_or(settings.pairs);
    settings.seed = arguments.seed.unwrap_or(settings.seed);
    settings.validate().map_err(|fault| refused(&fault))?;
    let scratch = arguments.scratch.clone().unwrap_or_else(std::env::temp_dir);
    let is_watched = io::stderr().is_terminal();
    let told = |line: String| {
        if is_watched {
            // If standard error is closed, nobody reads this.
            let _ = writeln!(io::stderr(), "{line}");
        }
    };
    let tables = write_tables(&settings, &scratch, told).map_err(|fault| match fault {
        ClusterError::Settings(_) | ClusterError::Rows { .. } | ClusterError::NoModel(_) => {
            refused(&fault)
        }
        fault => Failure::Work(fault.into()),
    })?;
    write!(output, "{tables}")?;
    Ok(())
}
