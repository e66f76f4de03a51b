//! Settings from the command line and TOML files, resolved to a tournament.

use crate::commands::{Failure, refused};
use crate::input::files;
use crate::tournament::{Settings, SettingsTextError, Tournament};
use anyhow::Context;
use std::path::Path;

/// The tournament of the settings `given` on the command line, then those of the file
/// `config`, then the defaults. With neither a file nor a bot, `default`, a TOML text,
/// is taken for the file.
pub fn resolve(
    given: Settings,
    config: Option<Settings>,
    default: &str,
) -> Result<Tournament, Failure> {
    let below = match config {
        Some(config) => config,
        None if given.bot.is_empty() => default.parse().context("the default tournament")?,
        None => Settings::default(),
    };
    given.or(below).resolve().map_err(|fault| refused(&fault))
}

/// The tournament of the `config.toml` in `folder`, which has the contents `text`;
/// `origin` is the part of an error that names the program which wrote it.
///
/// A saved file has every setting. A setting that is missing did not exist when the
/// run was played, or has been deleted: it is an error, and never filled in by
/// today's default.
pub fn saved(folder: &Path, text: &str, origin: &str) -> Result<Tournament, Failure> {
    let fault = |fault: String| {
        Failure::usage(format!("{}: {fault}", folder.join("config.toml").display()))
    };
    let settings: Settings =
        text.parse().map_err(|error: SettingsTextError| fault(error.to_string()))?;
    let tournament = settings.resolve().map_err(|error| fault(error.to_string()))?;
    let missing = tournament.missing_in(text)?;
    if missing.is_empty() {
        return Ok(tournament);
    }
    Err(fault(format!(
        "missing {}: add what the games of the run were played with ({origin})",
        missing.join(", ")
    )))
}

/// The tournament that the settings `given` and those of the file `config` would make
/// of the run whose `config.toml` is `saved`.
pub fn over(given: Settings, config: Option<Settings>, saved: &str) -> Result<Tournament, Failure> {
    let below: Settings = saved.parse()?;
    let given = given.or(config.unwrap_or_default());
    given.or(below).resolve().map_err(|fault| refused(&fault))
}

/// Reads the settings in the TOML file `path`.
pub fn file(path: &Path) -> Result<Settings, Failure> {
    let text = files::read_to_string(path)
        .map_err(|fault| Failure::usage(format!("cannot read {}: {fault}", path.display())))?;
    text.parse()
        .map_err(|fault: SettingsTextError| Failure::usage(format!("{}: {fault}", path.display())))
}
