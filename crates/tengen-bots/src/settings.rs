//! The settings of a bot, one by one.

use super::spec::{from_table, parse_value};
use super::{BotConfig, Kind};

/// A setting of a kind of bot, as help texts and the manual show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingHelp {
    /// Its key.
    pub key: String,
    /// The values that it may have; empty for any text.
    pub values: String,
    /// Its default; empty for none.
    pub default: String,
    /// What it is, in sentences.
    pub meaning: String,
}

impl Kind {
    /// The settings of this kind of bot.
    #[must_use]
    pub fn settings(&self) -> Vec<SettingHelp> {
        let defaults = self.default.settings();
        let default_of = |key: &str| defaults.iter().find(|(name, _)| name == key);
        let keys = self.meanings.iter().map(|&(key, meaning)| (key.to_owned(), meaning));
        let is_told = |key: &String| self.meanings.iter().any(|(told, _)| told == key);
        let others = defaults.iter().filter(|(key, _)| !is_told(key));
        let keys = keys.chain(others.map(|(key, _)| (key.clone(), "")));
        let described = keys.filter_map(|(key, meaning)| {
            let values = self.default.values(&key)?;
            let default = default_of(&key).map_or(String::new(), |(_, value)| value.clone());
            let meaning = meaning.split_whitespace().collect::<Vec<_>>().join(" ");
            Some(SettingHelp { key, values, default, meaning })
        });
        described.collect()
    }
}

impl BotConfig {
    /// The values that the setting `key` may have, which the errors for invalid ones name; none
    /// where `key` is no setting.
    fn values(&self, key: &str) -> Option<String> {
        let error = |value: &str| {
            self.with_setting(key, parse_value(value)).err().filter(|said| said.contains(key))
        };
        if error("?").is_some_and(|said| said.starts_with("unknown setting")) {
            return None;
        }
        let range = ["0", "-1"].iter().find_map(|value| {
            let said = error(value)?;
            said.split_once("it must be ").map(|(_, range)| range.to_owned())
        });
        Some(range.unwrap_or_else(|| {
            let said = error("?").unwrap_or_default();
            let values = [": expected ", ": write "].iter().find_map(|it| said.rsplit_once(it));
            let values = values.map_or("", |(_, values)| values);
            values.strip_prefix("one of ").unwrap_or(values).to_owned()
        }))
    }

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
        if key == "kind" {
            return Err("`kind` cannot be set: begin with another --bot".to_owned());
        }
        let with = self.with_setting(key, parse_value(value));
        if with.is_err() && value == "none" {
            let mut table = toml::Table::try_from(self).map_err(|error| error.to_string())?;
            table.remove(key);
            if let Some(without) = from_table(&table).ok().filter(|without| without != self) {
                return Ok(without);
            }
        }
        with
    }
}

#[cfg(test)]
mod tests {

    use crate::Kind;

    #[test]
    fn every_setting_is_described() {
        for kind in Kind::all() {
            let settings = kind.settings();
            for (key, _) in kind.default.settings() {
                let help = settings.iter().find(|help| help.key == key);
                assert!(help.is_some_and(|help| !help.meaning.is_empty()), "{}: {key}", kind.name);
            }
        }
        let kinds = Kind::all();
        let uct = kinds.iter().find(|kind| kind.name == "uct").unwrap().settings();
        let values = |key: &str| {
            let help = uct.iter().find(|help| help.key == key).unwrap();
            (help.values.as_str(), help.default.as_str())
        };
        assert_eq!(values("workers"), ("1 to 1024", "1"));
        assert_eq!(values("resign"), ("0 to 1", "0.0"));
        assert_eq!(values("final_move"), ("visits, value or lower-bound", "visits"));
        assert_eq!(
            values("rave"),
            (
                "none, equivalence:VISITS (above 0, at most 1000000000) or min-mse:BIAS (0 to 1)",
                "equivalence:3000"
            )
        );
        assert_eq!(values("seconds"), ("above 0 and at most 1000000", ""));
    }
}
