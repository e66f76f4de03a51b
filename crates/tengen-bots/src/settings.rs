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
    use super::*;

    #[test]
    fn settings_are_read_and_changed_by_name() {
        let bot: BotConfig = "uct:playouts=60".parse().unwrap();
        let names: Vec<String> = bot.settings().into_iter().map(|(name, _)| name).collect();
        assert!(
            names.contains(&"exploration".to_owned()) && !names.contains(&"seconds".to_owned())
        );
        let slow = bot.with("seconds", "0.5").unwrap();
        assert_eq!(slow.to_string(), "uct:playouts=60,seconds=0.5");
        assert_eq!(slow.with("seconds", "none"), Ok(bot.clone()));
        // `none` is also the name of a value.
        assert_eq!(bot.with("rave", "none").unwrap().to_string(), "uct:playouts=60,rave=none");
        // A setting out of its range.
        let fault = bot.with("exploration", "-1").unwrap_err();
        assert_eq!(fault, "`exploration` is -1: it must be 0 to 1000000");
        for (name, value) in [("playout", "5"), ("kind", "random"), ("seconds", "soon")] {
            let fault = bot.with(name, value).unwrap_err();
            assert!(fault.contains(name) && !fault.contains('\n'), "{fault}");
        }
        assert!("random".parse::<BotConfig>().unwrap().with("playouts", "5").is_err());
    }
}
