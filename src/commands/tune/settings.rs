//! From arguments and files to the settings of a tuning.

use crate::commands::Failure;
use crate::input::faults::Reading;
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
            read(&text).map_err(|said| fault(said.to_string()))?
        }
        None if is_asked => Settings::default(),
        None => read(default).context("the default tuning")?,
    };
    given.or(below).map_err(|fault| super::refused(&fault))
}

/// The settings in `text`; an error names the line.
pub fn read(text: &str) -> anyhow::Result<Settings> {
    toml::from_str(text).map_err(|fault| {
        let number = fault.span().map(|span| text[..span.start].matches('\n').count());
        let place = number.map_or(String::new(), |number| format!("line {}: ", number + 1));
        let said = match text.parse::<toml::Table>() {
            Ok(table) => {
                let line = number.and_then(|number| text.lines().nth(number));
                let reading = Reading { table: &table, owner: "a tuning", required: &[], line };
                reading.explain::<Settings>(&fault)
            }
            Err(_) => fault.message().to_owned(),
        };
        anyhow::anyhow!("{place}{}", said.replace('\n', " "))
    })
}
