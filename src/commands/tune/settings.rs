//! From arguments and files to the settings of a tuning.

use crate::commands::Failure;
use crate::input::files;
use crate::tuning::Settings;
use anyhow::Context;
use std::path::Path;

/// The settings `given` over those of the file `config`; where neither asks for
/// anything, those of `default`, a text in TOML.
pub fn resolve(given: Settings, config: Option<&Path>, default: &str) -> Result<Settings, Failure> {
    let is_asked = !given.params.is_empty() || !given.synthetic.is_empty();
    let below = match config {
        Some(path) => {
            let fault = |said: String| Failure::Usage(format!("{}: {said}", path.display()));
            let text = files::read_to_string(path).map_err(|said| {
                Failure::Usage(format!("cannot read {}: {said}", path.display()))
            })?;
            text.parse::<Settings>().map_err(|said| fault(said.to_string()))?
        }
        None if is_asked => Settings::default(),
        None => default.parse::<Settings>().context("the default tuning")?,
    };
    given.or(below).map_err(|fault| super::refused(&fault))
}
