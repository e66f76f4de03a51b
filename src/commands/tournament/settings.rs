//! Settings from the command line and TOML files, resolved to a tournament.

use crate::commands::{Failure, refused};
use crate::input::files;
use crate::run::{CONFIG, Run};
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

/// The tournament of `run` in `folder`, to be continued.
pub fn saved(run: &Run, folder: &Path) -> Result<Tournament, Failure> {
    let fault = |fault: String| {
        let origin = run.manifest.origin();
        let path = folder.join(CONFIG);
        Failure::usage(format!("{}: {fault} ({origin})", path.display()))
    };
    let text = run.directory.read(CONFIG)?;
    let settings: Settings =
        text.parse().map_err(|error: SettingsTextError| fault(error.to_string()))?;
    settings.resolve().map_err(|error| fault(error.to_string()))
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
