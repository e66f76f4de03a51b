//! From arguments and files to the tournament that is played.

use crate::commands::{Failure, refused};
use crate::input::faults::Reading;
use crate::input::files;
use crate::tournament::{Settings, Tournament};
use anyhow::Context;
use std::collections::BTreeSet;
use std::path::Path;

/// The most missing settings that an error names.
const MOST_NAMED: usize = 4;

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
/// contents; `origin` says where to find the program that wrote it.
///
/// A saved file has every setting. One that is missing was unknown when the run
/// was played, or was taken out: whatever its default is today, it is not
/// filled in.
pub fn saved(folder: &Path, text: &str, origin: &str) -> Result<Tournament, Failure> {
    let fault = |fault: String| {
        Failure::usage(format!("{}: {fault}", folder.join("config.toml").display()))
    };
    let settings = read(text).map_err(|error| fault(error.to_string()))?;
    let tournament = settings.resolve().map_err(|error| fault(error.to_string()))?;
    let there: toml::Table = text.parse().map_err(|_| fault("it is no TOML".to_owned()))?;
    let missing = missing(&there, &toml::Table::try_from(&tournament)?);
    if missing.is_empty() {
        return Ok(tournament);
    }
    Err(fault(format!(
        "the settings of a run leave nothing out, and here is no {}: add what its games were \
         played with ({origin})",
        missing.join(", no ")
    )))
}

/// The keys that `whole` has and `there` has not, those of bots with the name
/// of the bot.
fn missing(there: &toml::Table, whole: &toml::Table) -> Vec<String> {
    let keys = |there: Option<&toml::Table>, whole: &toml::Table| -> Vec<String> {
        let is_missing = |key: &&String| there.is_none_or(|there| !there.contains_key(*key));
        whole.keys().filter(is_missing).map(|key| format!("`{key}`")).collect()
    };
    let mut missing = keys(Some(there), whole);
    let bots = |table: &toml::Table| {
        table.get("bot").and_then(toml::Value::as_array).cloned().unwrap_or_default()
    };
    for (there, whole) in bots(there).iter().zip(&bots(whole)) {
        let Some(whole) = whole.as_table() else { continue };
        let missing_here = keys(there.as_table(), whole);
        if !missing_here.is_empty() {
            let name = whole.get("name").and_then(toml::Value::as_str).unwrap_or("without a name");
            missing.push(format!("{} of bot {name}", missing_here.join(" and ")));
        }
    }
    if missing.len() > MOST_NAMED {
        let more = missing.len() - MOST_NAMED;
        missing.truncate(MOST_NAMED);
        missing.push(format!("{more} more"));
    }
    missing
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
    let text = files::read_to_string(path)
        .map_err(|fault| Failure::usage(format!("cannot read {}: {fault}", path.display())))?;
    read(&text).map_err(|fault| Failure::usage(format!("{}: {fault}", path.display())))
}

/// The settings in `text`; an error names the line.
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

/// The differences between the tournament of a run and the one that is wanted,
/// one line per setting.
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
