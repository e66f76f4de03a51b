//! From arguments and files to the tournament that is played.

use crate::commands::{Failure, refused};
use crate::input::files;
use crate::tournament::{Settings, SettingsTextError, Tournament};
use anyhow::Context;
use std::path::Path;

/// The settings `given` over those of a file, `config`, filled in; `default`
/// is the TOML of what is played where neither names a bot.
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

/// The tournament of the `config.toml` in `folder`, of which `text` is the
/// contents; `origin` says where to find the program that wrote it.
///
/// A saved file has every setting. One that is missing was unknown when the run
/// was played, or was taken out: whatever its default is today, it is not
/// filled in.
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
        "the settings of a run leave nothing out, and here is no {}: add what its games were \
         played with ({origin})",
        missing.join(", no ")
    )))
}

/// The tournament of a run with the `config.toml` in `saved`, were it given
/// these settings too.
pub fn over(given: Settings, config: Option<Settings>, saved: &str) -> Result<Tournament, Failure> {
    let below: Settings = saved.parse()?;
    let given = given.or(config.unwrap_or_default());
    given.or(below).resolve().map_err(|fault| refused(&fault))
}

/// The settings in the file `path`.
pub fn file(path: &Path) -> Result<Settings, Failure> {
    let text = files::read_to_string(path)
        .map_err(|fault| Failure::usage(format!("cannot read {}: {fault}", path.display())))?;
    text.parse()
        .map_err(|fault: SettingsTextError| Failure::usage(format!("{}: {fault}", path.display())))
}
