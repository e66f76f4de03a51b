//! `tengen study`: what several runs answer together.

use super::{Failure, Host};
use crate::analysis::studies::{STUDY, Study};
use crate::run::RunError;
use std::fs;
use std::path::PathBuf;

/// Compute the tables and plots of a study, a question that several runs answer together
///
/// The folder of a study has its runs as folders, and the file study.toml, whose key `kind` is
/// regret-elo, openings, exchange or speed. The tables and plots follow from the rows of the runs; a study of the
/// speed of programs has the rows of its measurements in place of runs.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The question and the rule of each kind are in experiments/configs, those of speed in experiments/libego.sh.

Example: tengen study results/2026-11-24-openings-7x7")]
pub struct Arguments {
    /// The folder of the study
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the tables and plots of a study, and prints the tables.
///
/// # Errors
/// If the folder is no study, a run is missing or invalid, or a file cannot be written.
pub fn run(arguments: &Arguments, host: &mut Host<'_>) -> Result<(), Failure> {
    let folder = &arguments.folder;
    let study = Study::of(folder)?.ok_or_else(|| {
        Failure::usage(format!("{} is no study: it has no {STUDY}", folder.display()))
    })?;
    for (name, table) in study.tables()? {
        let path = folder.join(name);
        fs::write(&path, table).map_err(|why| RunError::write(&path, &why))?;
    }
    let plots = folder.join("plots");
    fs::create_dir_all(&plots).map_err(|why| RunError::write(&plots, &why))?;
    for (name, drawing) in study.plots() {
        drawing.save(&plots.join(name))?;
    }
    Ok(write!(host.output, "{}", study.text())?)
}
