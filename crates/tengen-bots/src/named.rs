//! Bots with names, as tournaments have them.

use super::config::BotConfig;
use super::preset::BotPreset;
use super::spec::{SpecError, from_table, written_in};
use serde::{Deserialize, Deserializer, Serialize, de};
use std::str::FromStr;
use tengen_search::UctConfig;
use tengen_search::config::path_in;
use tengen_settings::{Domain, Refusal, SettingValue, Settings, one_line as as_field};
use toml::{Table, Value};

/// A bot with its name in the tournament: the name that was chosen; else the text as it was
/// written, if that begins with a preset; else the text form of the settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NamedBot {
    /// Unique in a tournament.
    pub name: String,
    /// Its configuration.
    #[serde(flatten)]
    pub config: BotConfig,
}

impl NamedBot {
    /// Whether the name was chosen, rather than made from the settings.
    #[must_use]
    pub fn is_named(&self) -> bool {
        !self.has_text(&self.name) && self.name != self.config.to_string()
    }

    /// Whether rows call the bot `name`: by its name or, if none was chosen, by a text of it with
    /// the keys of an earlier version.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || (!self.is_named() && self.has_text(name))
    }

    fn has_text(&self, text: &str) -> bool {
        text.parse::<BotConfig>().is_ok_and(|bot| bot == self.config)
    }
}

fn not_a_name(name: &str) -> String {
    format!("invalid name of a bot `{name}`: expected letters, digits, `_`, `.` and `-`")
}

/// The error about `name` in a table: most often the settings were edited, and the name is still
/// the text of the earlier ones.
fn not_its_name(name: &str) -> String {
    if written_in(name).is_err() {
        return not_a_name(name);
    }
    format!(
        "the name `{name}` is the text of other settings than those beside it: undo their change, \
         or leave `name` out"
    )
}

/// The name of a bot that was given none: its `text`. Rows refer to bots by name, so it must be a
/// text that rows hold unchanged.
fn name_from_text(text: String) -> Result<String, String> {
    if as_field(&text) == text {
        return Ok(text);
    }
    Err("its text is its name and has a line break or another control character: write it on one \
         line, or give the bot a name"
        .to_owned())
}

/// Whether `text`, a bot or the name of one, begins with the name of a preset.
fn begins_with_preset(text: &str) -> bool {
    text.split(':').next().is_some_and(|name| BotPreset::named(name).is_some())
}

/// Whether `name` may be given to a bot.
fn is_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    !name.is_empty() && name.chars().all(allowed)
}

/// `value` of the setting `key` without the path of a file; none if it names no file.
fn without_path(key: &str, value: &Value) -> Option<String> {
    let text = value.as_str()?;
    let path = path_in(key, text)?;
    Some(format!("{}{}", &text[..path.start], &text[path.end..]))
}

/// Whether `name` is a text of the bot `config`, with the number `#2` if it is the second bot of
/// its text. Versions with other defaults left out, or wrote, other settings: a text is one of this
/// bot if the bot has all settings that it writes.
fn is_text_of(name: &str, config: &BotConfig) -> bool {
    let says_so = |text: &str| {
        let (Ok(mut said), Ok(mut table)) = (written_in(text), Table::try_from(config)) else {
            return false;
        };
        if UctConfig::rename(&mut said).is_err() {
            return false;
        }
        if begins_with_preset(text) {
            // Other versions may have other presets; the settings that the preset stood for are
            // beside it.
            said.remove("kind");
        }
        // A run, and the files that it names, may have been moved since.
        said.retain(|key, value| {
            let named = without_path(key, value);
            named.is_none() || named != table.get(key).and_then(|own| without_path(key, own))
        });
        table.extend(said);
        from_table(&table).is_ok_and(|bot| bot == *config)
    };
    let numbered = name.rsplit_once('#').filter(|(_, number)| number.parse::<u64>().is_ok());
    as_field(name) == name && (says_so(name) || numbered.is_some_and(|(text, _)| says_so(text)))
}

impl FromStr for NamedBot {
    type Err = SpecError;

    /// Reads `SPEC` or `NAME=SPEC`: a name of letters, digits, `_`, `.` and
    /// `-` before the first `=` that comes before any `:`.
    fn from_str(text: &str) -> Result<Self, SpecError> {
        let head = text.split(':').next().unwrap_or(text);
        let Some((name, _)) = head.split_once('=') else {
            let config: BotConfig = text.parse()?;
            let own = if begins_with_preset(text) { text.to_owned() } else { config.to_string() };
            let name = name_from_text(own).map_err(|reason| SpecError::new(text, reason))?;
            return Ok(Self { name, config });
        };
        if !is_name(name) {
            return Err(SpecError::new(text, not_a_name(name)));
        }
        Ok(Self { name: name.to_owned(), config: text[name.len() + 1..].parse()? })
    }
}

/// How a bot is written.
const FORMS: &str = "a bot: a text such as uct:simulations=1000 or name=uct:simulations=1000";

/// A text as on the command line, or a table with `kind`, the settings and maybe a `name`.
impl SettingValue for NamedBot {
    fn domain() -> Domain {
        Domain::Described { name: "bot", forms: FORMS }
    }

    fn read(value: &Value) -> Result<Self, Refusal> {
        match value {
            Value::String(text) => text.parse().map_err(Refusal::because),
            Value::Table(table) => of_table(table.clone()).map_err(Refusal::because),
            _ => Err(Refusal::because(format!("expected {FORMS}, or a table with `kind`"))),
        }
    }
}

/// The bot that `table` describes, or what is wrong with it in one line.
fn of_table(mut table: Table) -> Result<NamedBot, String> {
    let name = match table.remove("name") {
        Some(Value::String(name)) => Some(name),
        Some(other) => return Err(not_a_name(&other.to_string())),
        None => None,
    };
    let config = from_table(&table)?;
    if let Some(name) = name.clone().filter(|name| is_name(name)) {
        return Ok(NamedBot { name, config });
    }
    let text = name_from_text(config.to_string())?;
    let name = name.unwrap_or(text);
    if is_text_of(&name, &config) {
        Ok(NamedBot { name, config })
    } else {
        Err(not_its_name(&name))
    }
}

impl<'de> Deserialize<'de> for NamedBot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = Self::read(&Value::deserialize(deserializer)?);
        read.map_err(|refusal| de::Error::custom(refusal.said.unwrap_or_default()))
    }
}

#[cfg(test)]
#[path = "spec_tests.rs"]
mod tests;
