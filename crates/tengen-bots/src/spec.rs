//! Bots as text: `uct:playouts=1000,exploration=0.7`.

use super::config::{BotConfig, BuiltIn};
use super::own::{self, names};
use super::retired;
use std::fmt;
use std::str::FromStr;
use tengen_search::UctConfig;
use tengen_search::evaluator::{self, EvaluatorError};
use tengen_settings::{drop_retired, read_table, suggestion};

/// An error in the text form of a bot.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("bot `{spec}`: {reason}")]
pub struct SpecError {
    spec: String,
    reason: String,
}

impl SpecError {
    pub(super) fn new(spec: &str, reason: String) -> Self {
        Self { spec: spec.to_owned(), reason }
    }
}

impl FromStr for BotConfig {
    type Err = SpecError;

    /// Reads `kind` or `kind:key=value,key=value`; keys and values are those
    /// of the TOML form, and what is left out has its default. After `gtp:`
    /// all the rest is the command line of the program.
    fn from_str(text: &str) -> Result<Self, SpecError> {
        config_of(text, &table_of(text)?)
    }
}

/// The settings that `text` gives, with the kind.
pub(super) fn table_of(text: &str) -> Result<toml::Table, SpecError> {
    let error = |reason: String| SpecError::new(text, reason);
    let (kind, settings) = text.split_once(':').unwrap_or((text, ""));
    if !names().iter().any(|name| name == kind) {
        return Err(error(no_kind(kind)));
    }
    let mut table = toml::Table::from_iter([("kind".to_owned(), kind.into())]);
    let is_command = kind == "gtp";
    if is_command {
        table.insert("command".to_owned(), settings.trim().into());
    }
    for setting in settings.split(',').filter(|_| text.contains(':') && !is_command) {
        let Some((key, value)) = setting.split_once('=') else {
            return Err(error(format!("invalid setting `{setting}`: expected key=value")));
        };
        let key = key.trim();
        if table.insert(key.to_owned(), parse_value(value.trim())).is_some() {
            return Err(error(format!("`{key}` is set twice")));
        }
    }
    Ok(table)
}

/// The bot of the settings in `table`, which `text` gave.
pub(super) fn config_of(text: &str, table: &toml::Table) -> Result<BotConfig, SpecError> {
    from_table(table).map_err(|reason| SpecError::new(text, reason))
}

/// The bot that `table` describes, or what is wrong with it in one line.
pub(super) fn from_table(table: &toml::Table) -> Result<BotConfig, String> {
    let Some(kind) = table.get("kind").and_then(toml::Value::as_str) else {
        return Err(format!("`kind` is missing: write one of {}", names().join(", ")));
    };
    if let Some(own) = own::of_kind(kind, table)? {
        return Ok(own);
    }
    if !names().iter().any(|name| name == kind) {
        return Err(no_kind(kind));
    }
    let mut complete = table.clone();
    if kind == "uct" {
        drop_retired(&mut complete, &retired::UCT)?;
    }
    let name = table.get("evaluator").and_then(toml::Value::as_str);
    if let (Some(name), "uct") = (name, kind) {
        let own = of_evaluator(name).map_err(|error| error.to_string())?;
        for (key, value) in own.into_iter().filter(|(key, _)| key != "playouts") {
            complete.entry(key).or_insert(value);
        }
    }
    read_table(&complete, kind).map(|BuiltIn(bot)| bot)
}

/// The default settings of a search whose leaves the evaluator `name` judges.
fn of_evaluator(name: &str) -> Result<toml::Table, EvaluatorError> {
    let config = UctConfig::with_evaluator(evaluator::registered(name)?);
    // Every setting has a form in TOML.
    Ok(toml::Table::try_from(BotConfig::Uct(config)).unwrap_or_default())
}

fn no_kind(kind: &str) -> String {
    format!(
        "invalid kind of bot `{kind}`: {}",
        suggestion(kind, &names().iter().map(String::as_str).collect::<Vec<_>>())
    )
}

/// A number or a truth value as TOML writes it; anything else is a string.
pub fn parse_value(text: &str) -> toml::Value {
    match text.parse::<toml::Value>() {
        Ok(value) if !value.is_table() && !value.is_array() => value,
        _ => toml::Value::String(text.to_owned()),
    }
}

impl fmt::Display for BotConfig {
    /// The shortest text that reads as this bot: settings that have their
    /// default are left out. For a `gtp` bot it is the command line alone; its
    /// other settings can only be written in TOML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Gtp(config) = self {
            return f.pad(&format!("gtp:{}", config.command));
        }
        let table = |config: &Self| toml::Table::try_from(config).map_err(|_| fmt::Error);
        let own = table(self)?;
        let kind = own.get("kind").and_then(toml::Value::as_str).ok_or(fmt::Error)?;
        let mut default = match own.get("evaluator").and_then(toml::Value::as_str) {
            // Of its own settings it is the one that must be written.
            Some(name) => {
                let mut default = of_evaluator(name).map_err(|_| fmt::Error)?;
                default.remove("evaluator");
                default
            }
            // A registered kind may need settings: then all are written.
            None => kind.parse().map_or_else(|_| Ok(toml::Table::new()), |bot| table(&bot))?,
        };
        if own.contains_key("seconds") {
            // With a clock, playouts that are left out are without limit.
            default.remove("playouts");
        }
        let settings: Vec<String> = own
            .iter()
            .filter(|&(key, value)| default.get(key) != Some(value))
            .map(|(key, value)| match value {
                toml::Value::String(text) => format!("{key}={text}"),
                other => format!("{key}={other}"),
            })
            .collect();
        if settings.is_empty() {
            f.pad(kind)
        } else {
            f.pad(&format!("{kind}:{}", settings.join(",")))
        }
    }
}

impl BotConfig {
    /// This bot with the setting `key` changed to `value`; `key` is the name in the TOML
    /// form.
    ///
    /// # Errors
    /// The reason, in one line, if there is no such setting or it cannot have this value.
    pub fn with_setting(&self, key: &str, value: toml::Value) -> Result<Self, String> {
        let mut table = toml::Table::try_from(self).map_err(|fault| fault.to_string())?;
        table.insert(key.to_owned(), value);
        from_table(&table)
    }

    /// The text form with every setting, also those that have their default.
    #[must_use]
    pub fn complete(&self) -> String {
        let Ok(table) = toml::Table::try_from(self) else { return self.to_string() };
        let settings: Vec<String> = table
            .iter()
            .filter(|&(key, _)| key != "kind")
            .map(|(key, value)| format!("{key}={}", value.to_string().trim_matches('"')))
            .collect();
        let kind = table.get("kind").and_then(toml::Value::as_str).unwrap_or_default();
        if settings.is_empty() { kind.to_owned() } else { format!("{kind}:{}", settings.join(",")) }
    }
}
