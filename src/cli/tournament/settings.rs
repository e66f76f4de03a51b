//! From arguments and files to the tournament that is played.

use crate::arena::{Settings, Tournament};
use crate::cli::{Failure, refused};
use crate::faults::Reading;
use crate::input;
use anyhow::Context;
use std::collections::BTreeSet;
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
        None if given.bot.is_empty() => read(default).context("the default tournament")?,
        None => Settings::default(),
    };
    given.or(below).resolve().map_err(|fault| refused(&fault))
}

/// The tournament of the `config.toml` in `folder`, of which `text` is the
/// contents.
pub fn saved(folder: &Path, text: &str) -> Result<Tournament, Failure> {
    let fault = |fault: String| {
        Failure::usage(format!("{}: {fault}", folder.join("config.toml").display()))
    };
    let settings = read(text).map_err(|error| fault(error.to_string()))?;
    settings.resolve().map_err(|error| fault(error.to_string()))
}

/// The tournament of a run with the `config.toml` in `saved`, were it given
/// these settings too.
pub fn over(given: Settings, config: Option<Settings>, saved: &str) -> Result<Tournament, Failure> {
    let below = read(saved)?;
    let given = given.or(config.unwrap_or_default());
    given.or(below).resolve().map_err(|fault| refused(&fault))
}

/// The settings in the file `path`.
pub fn file(path: &Path) -> Result<Settings, Failure> {
    let text = input::read_to_string(path)
        .map_err(|fault| Failure::usage(format!("cannot read {}: {fault}", path.display())))?;
    read(&text).map_err(|fault| Failure::usage(format!("{}: {fault}", path.display())))
}

/// The settings in `text`; a fault is told with its line.
fn read(text: &str) -> anyhow::Result<Settings> {
    toml::from_str(text).map_err(|fault| {
        let number = fault.span().map(|span| text[..span.start].matches('\n').count());
        let place = number.map_or(String::new(), |number| format!("line {}: ", number + 1));
        let said = match text.parse::<toml::Table>() {
            Ok(table) => {
                let line = number.and_then(|number| text.lines().nth(number));
                let reading = Reading { table: &table, owner: "a tournament", required: &[], line };
                reading.explain::<Settings>(&fault)
            }
            Err(_) => fault.message().to_owned(),
        };
        anyhow::anyhow!("{place}{said}")
    })
}

/// What differs between the tournament of a run and the one that is wanted, a
/// line a setting.
pub fn differences(run: &Tournament, wanted: &Tournament) -> anyhow::Result<Vec<String>> {
    let (run, wanted) = (toml::Table::try_from(run)?, toml::Table::try_from(wanted)?);
    let keys: BTreeSet<&String> = run.keys().chain(wanted.keys()).collect();
    let text = |value: Option<&toml::Value>| {
        value.map_or("nothing".to_owned(), |value| value.to_string().replace('\n', " "))
    };
    Ok(keys
        .into_iter()
        .filter(|&key| run.get(key) != wanted.get(key))
        .map(|key| format!("{key} is {} and not {}", text(run.get(key)), text(wanted.get(key))))
        .collect())
}
