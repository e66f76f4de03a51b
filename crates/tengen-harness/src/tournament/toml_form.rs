//! Settings and tournaments in TOML: reads, writes and compares them.

use super::{Settings, Tournament};
use std::collections::BTreeSet;
use std::str::FromStr;
use tengen_settings::faults;
use toml::{Table, Value};

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
    ///
    /// # Errors
    /// Never in practice: every setting has a form in TOML.
    pub fn to_table(&self) -> Result<Table, toml::ser::Error> {
        Table::try_from(self)
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
