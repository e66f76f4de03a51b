//! Settings and tournaments in TOML: reads, writes and compares them.

use super::{Settings, Tournament};
use std::collections::BTreeSet;
use std::str::FromStr;
use tengen_settings::faults;
use toml::{Table, Value};

/// The most missing settings that [`Tournament::missing_in`] names.
const MAX_NAMED: usize = 4;

/// An error in the TOML text of a tournament's settings, with its line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SettingsTextError(String);

impl FromStr for Settings {
    type Err = SettingsTextError;

    /// Reads settings from a TOML text.
    fn from_str(text: &str) -> Result<Self, SettingsTextError> {
        faults::read(text, "a tournament").map_err(SettingsTextError)
    }
}

impl Tournament {
    /// All settings as TOML text, the contents of `config.toml`.
    ///
    /// # Errors
    /// Never in practice: every setting has a form in TOML.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// All settings as a TOML table.
    pub(super) fn to_table(&self) -> Result<Table, toml::ser::Error> {
        Table::try_from(self)
    }

    /// The settings that the TOML `text` lacks, in words: the first four, and how many
    /// more. The settings of a bot are listed with the bot's name.
    ///
    /// # Errors
    /// Never in practice: every setting has a form in TOML.
    pub fn missing_in(&self, text: &str) -> Result<Vec<String>, toml::ser::Error> {
        let there = text.parse::<Table>().unwrap_or_default();
        Ok(missing(&there, &self.to_table()?))
    }

    /// The settings in which `wanted` differs from this tournament, one text per
    /// setting.
    ///
    /// # Errors
    /// Never in practice: every setting has a form in TOML.
    pub fn differences(&self, wanted: &Self) -> Result<Vec<String>, toml::ser::Error> {
        let (run, wanted) = (self.to_table()?, wanted.to_table()?);
        let keys: BTreeSet<&String> = run.keys().chain(wanted.keys()).collect();
        let text = |value: Option<&Value>| {
            value.map_or("nothing".to_owned(), |value| value.to_string().replace('\n', " "))
        };
        Ok(keys
            .into_iter()
            .filter(|&key| run.get(key) != wanted.get(key))
            .map(|key| format!("{key} is {} and not {}", text(run.get(key)), text(wanted.get(key))))
            .collect())
    }
}

/// The keys that `whole` has and `there` lacks; the keys of a bot are listed with the
/// bot's name.
fn missing(there: &Table, whole: &Table) -> Vec<String> {
    let keys = |there: Option<&Table>, whole: &Table| -> Vec<String> {
        let is_missing = |key: &&String| there.is_none_or(|there| !there.contains_key(*key));
        whole.keys().filter(is_missing).map(|key| format!("`{key}`")).collect()
    };
    let mut missing = keys(Some(there), whole);
    let bots =
        |table: &Table| table.get("bot").and_then(Value::as_array).cloned().unwrap_or_default();
    for (there, whole) in bots(there).iter().zip(&bots(whole)) {
        let Some(whole) = whole.as_table() else { continue };
        let missing_here = keys(there.as_table(), whole);
        if !missing_here.is_empty() {
            let name = whole.get("name").and_then(Value::as_str).unwrap_or("without a name");
            missing.push(format!("{} of bot {name}", missing_here.join(" and ")));
        }
    }
    if missing.len() > MAX_NAMED {
        let more = missing.len() - MAX_NAMED;
        missing.truncate(MAX_NAMED);
        missing.push(format!("{more} more"));
    }
    missing
}
