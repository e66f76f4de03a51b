//! Bots as text: `uct:simulations=1000,exploration=0.7`.

use super::config::BotConfig;
use super::kinds::Kind;
use super::preset::BotPreset;
use std::fmt;
use std::str::FromStr;
use tengen_gtp::GtpConfig;
use toml::{Table, Value};

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
        from_table(&written_in(text)?).map_err(|reason| SpecError::new(text, reason))
    }
}

/// The settings that `text` writes, with the kind or preset.
pub(super) fn written_in(text: &str) -> Result<Table, SpecError> {
    let error = |reason: String| SpecError::new(text, reason);
    let (kind, settings) = text.split_once(':').unwrap_or((text, ""));
    if BotPreset::named(kind).is_none() {
        Kind::named(kind).map_err(error)?;
    }
    let mut table = Table::from_iter([("kind".to_owned(), kind.into())]);
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

/// The bot that `table` describes, or what is wrong with it in one line.
pub(super) fn from_table(table: &Table) -> Result<BotConfig, String> {
    let mut settings = table.clone();
    BotPreset::expand(&mut settings);
    let Some(kind) = settings.remove("kind") else {
        return Err(format!("`kind` is missing: write one of {}", Kind::names().join(", ")));
    };
    Kind::named(kind.as_str().unwrap_or_default())?.read(settings)
}

/// A number or a truth value as TOML writes it; anything else is a string.
pub fn parse_value(text: &str) -> Value {
    match text.parse::<Value>() {
        Ok(value) if !value.is_table() && !value.is_array() => value,
        _ => Value::String(text.to_owned()),
    }
}

impl fmt::Display for BotConfig {
    /// The shortest text that reads as this bot: settings that have their
    /// default are left out. For a `gtp` bot it is the command line alone; its
    /// other settings can only be written in TOML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(config) = self.settings_of::<GtpConfig>() {
            return f.pad(&format!("gtp:{}", config.command));
        }
        f.pad(&self.text_with(&self.declared().shortest(self.table()), as_text))
    }
}

/// `value` as a text of a bot has it.
fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

impl BotConfig {
    /// This bot with the setting `key` changed to `value`; `key` is the name in the TOML
    /// form.
    ///
    /// # Errors
    /// The reason, in one line, if there is no such setting or it cannot have this value.
    pub fn with_setting(&self, key: &str, value: Value) -> Result<Self, String> {
        let mut settings = self.table().clone();
        settings.insert(key.to_owned(), value);
        self.declared().read(settings)
    }

    /// This bot with the setting `key` at `value`, which is written as on the command line; `none`
    /// removes an optional setting. Settings that have their defaults follow those that they depend on.
    ///
    /// # Errors
    /// Why there is no such bot, in one line.
    pub fn with(&self, key: &str, value: &str) -> Result<Self, String> {
        if key == "kind" {
            return Err("`kind` cannot be set: begin with another --bot".to_owned());
        }
        let mut settings = self.declared().shortest(self.table());
        settings.insert(key.to_owned(), parse_value(value));
        let with = self.declared().read(settings.clone());
        if with.is_err() && value == "none" {
            settings.remove(key);
            let without = self.declared().read(settings);
            if let Some(without) = without.ok().filter(|without| without != self) {
                return Ok(without);
            }
        }
        with
    }

    /// The settings by name, as a text of the bot has their values; those without a value are
    /// left out.
    #[must_use]
    pub fn settings(&self) -> Vec<(String, String)> {
        self.table().iter().map(|(key, value)| (key.clone(), as_text(value))).collect()
    }

    /// The text form with every setting, also those that have their default.
    #[must_use]
    pub fn complete(&self) -> String {
        self.text_with(self.table(), |value| value.to_string().trim_matches('"').to_owned())
    }

    /// The text form with `settings`, whose values are written by `text`.
    fn text_with(&self, settings: &Table, text: impl Fn(&Value) -> String) -> String {
        let settings = settings.iter().map(|(key, value)| format!("{key}={}", text(value)));
        let settings = settings.collect::<Vec<_>>().join(",");
        let separator = if settings.is_empty() { "" } else { ":" };
        format!("{}{separator}{settings}", self.kind())
    }
}
