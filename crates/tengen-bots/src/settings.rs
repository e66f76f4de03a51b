//! The settings of a bot, one by one.

use super::BotConfig;
use super::spec::{from_table, parse_value};

impl BotConfig {
    /// The settings by name, as TOML writes their values; those without a value are
    /// left out.
    #[must_use]
    pub fn settings(&self) -> Vec<(String, String)> {
        let table = toml::Table::try_from(self).unwrap_or_default();
        let text = |value: toml::Value| match value {
            toml::Value::String(text) => text,
            other => other.to_string(),
        };
        let settings = table.into_iter().filter(|(key, _)| key != "kind");
        settings.map(|(key, value)| (key, text(value))).collect()
    }

    /// The same bot with the setting `key` at `value`, which is written as on the
    /// command line; `none` takes a setting away that need not be there.
    ///
    /// # Errors
    /// Why there is no such bot, in one line.
    pub fn with(&self, key: &str, value: &str) -> Result<Self, String> {
        let mut table = toml::Table::try_from(self).map_err(|fault| fault.to_string())?;
        if key == "kind" {
            return Err("`kind` cannot be set: begin with another --bot".to_owned());
        }
        table.insert(key.to_owned(), parse_value(value));
        let with = from_table(&table);
        if with.is_err() && value == "none" {
            table.remove(key);
            if let Some(without) = from_table(&table).ok().filter(|without| without != self) {
                return Ok(without);
            }
        }
        with
    }
}
