//! Error messages for a TOML table of settings that cannot be read.
//!
//! serde's messages name types of Rust (`expected u64`) and often not the key. Here
//! the key is found by reading the settings one at a time, and the message says what
//! may be written there.

use crate::suggestion;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

/// Reads settings from the TOML `text`; `owner` is what they belong to, as "a tournament".
///
/// # Errors
/// One line: the number of the line with the error, the key, and what may be written
/// there.
pub fn read<T: DeserializeOwned>(text: &str, owner: &str) -> Result<T, String> {
    toml::from_str(text).map_err(|error| {
        let number = error.span().map(|span| text[..span.start].matches('\n').count());
        let line = number.and_then(|number| text.lines().nth(number));
        let said = match text.parse::<Table>() {
            Ok(table) => Reading { table: &table, owner, required: &[], line }.explain::<T>(&error),
            Err(error) => match in_quotes(text, &error).map(|text| read::<T>(&text, owner)) {
                Some(Err(said)) => return said,
                Some(Ok(_)) => format!("expected a text in quotes, or a number up to {}", i64::MAX),
                None => one_line(&error),
            },
        };
        let place = number.map_or(String::new(), |number| format!("line {}: ", number + 1));
        format!("{place}{said}")
    })
}

/// `text` with the integer of which `error` says that a table cannot hold it in quotes:
/// then the table can be read, to find the key. The integer stays too large to be read.
fn in_quotes(text: &str, error: &toml::de::Error) -> Option<String> {
    if !error.message().contains("128, expected") && !error.message().contains("overflowed") {
        return None;
    }
    let span = error.span()?;
    let number = text.get(span.clone()).filter(|number| !number.contains(['"', '\'', '\n']))?;
    Some(format!("{}\"{number}\"{}", &text[..span.start], &text[span.end..]))
}

/// The beginning of serde's message about a key that is not there.
const MISSING: &str = "missing field ";

/// A TOML table of settings, with what an error message about it needs.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// The table.
    pub table: &'a Table,
    /// The name of what the settings belong to, as in "random has no settings".
    pub owner: &'a str,
    /// The keys that must be there for any other key to be read.
    pub required: &'a [&'a str],
    /// The text of the line with the error, if known: of several wrong keys the
    /// message names the one in this line.
    pub line: Option<&'a str>,
}

impl Reading<'_> {
    /// The error message for a table that could not be read as a `T` because of
    /// `error`: one line with the key and what may be written there.
    #[must_use]
    pub fn explain<T: DeserializeOwned>(&self, error: &toml::de::Error) -> String {
        let Some((key, value, said)) = self.guilty::<T>(error) else {
            return self.in_words(&one_line(error));
        };
        let in_text = || {
            // If the setting is written as text, its error for a wrong text lists what
            // may be written; its error for a value of another type does not.
            let text = Value::String(shown(value));
            self.table.get(&key)?;
            let other = one_line(&self.alone::<T>(&key, &text)?);
            if is_of_types(&other) { None } else { expected(&other).or(Some(other)) }
        };
        let allowed = expected(&said).or_else(|| is_of_types(&said).then(in_text).flatten());
        match (allowed, is_of_types(&said)) {
            (Some(allowed), _) if is_quoted(value) && !takes_text(&allowed) => {
                format!("`{key}` is the text {value}: {allowed}, without quotes")
            }
            (Some(allowed), _) => format!("`{key}` is {}: {allowed}", shown(value)),
            (None, true) if !value.is_str() => {
                format!("`{key}` is {}: write a text, in quotes", shown(value))
            }
            (None, true) => format!("`{key}` cannot be {}", shown(value)),
            (None, false) => {
                let said = self.in_words(&said);
                if said.contains(&key) { said } else { format!("`{key}`: {said}") }
            }
        }
    }

    /// The key and value of a setting that cannot be read even without the other
    /// settings, and serde's message.
    ///
    /// A setting that fails alone for another reason than `error` is not to blame: the
    /// default of a setting that was left out may be what does not suit it.
    fn guilty<T: DeserializeOwned>(
        &self,
        error: &toml::de::Error,
    ) -> Option<(String, &Value, String)> {
        let in_line = |key: &str| self.line.is_some_and(|line| line.contains(key));
        let whole = one_line(error);
        self.table
            .iter()
            .filter(|(key, _)| *key != "kind")
            .filter_map(|(key, value)| Some((key, value, self.alone::<T>(key, value)?)))
            .map(|(key, value, alone)| (key, value, one_line(&alone), alone))
            .filter(|(key, _, said, _)| *said == whole || in_line(key))
            .filter(|(_, _, said, _)| !said.starts_with(MISSING))
            .max_by_key(|(key, _, said, _)| (in_line(key), *said == whole))
            .map(|(key, value, said, alone)| {
                let (key, value) = self.place(&alone).unwrap_or((key.clone(), value));
                (key, value, said)
            })
    }

    /// The key, as `param.exploration` in a table of this table, and the value of the setting
    /// that `alone`, the error of reading one key, is about.
    fn place(&self, alone: &toml::de::Error) -> Option<(String, &Value)> {
        let said = alone.to_string();
        let key = said.lines().find_map(|line| line.strip_prefix("in `")?.strip_suffix('`'))?;
        let mut keys = key.split('.');
        let outer = self.table.get(keys.next()?)?;
        let value = keys.try_fold(outer, |value, key| value.get(key))?;
        Some((key.to_owned(), value))
    }

    /// The error of reading a table of the required settings and `key = value` alone.
    fn alone<T: DeserializeOwned>(&self, key: &str, value: &Value) -> Option<toml::de::Error> {
        let mut table: Table = self
            .required
            .iter()
            .filter_map(|&required| Some((required.to_owned(), self.table.get(required)?.clone())))
            .collect();
        table.insert(key.to_owned(), value.clone());
        table.try_into::<T>().err()
    }

    /// serde's message `said`, reworded if it is about a missing or an unknown key.
    fn in_words(&self, said: &str) -> String {
        if let Some(unknown) = said.strip_prefix("unknown field ") {
            // The key, and those that there are, each in quotes.
            let names: Vec<&str> = unknown.split('`').skip(1).step_by(2).collect();
            let (key, known) = names.split_first().map_or(("", &[][..]), |(key, all)| (*key, all));
            if known.is_empty() {
                return format!("unknown setting `{key}`: {} has no settings", self.owner);
            }
            return format!("unknown setting `{key}`: {}", suggestion(key, known));
        }
        match said.strip_prefix(MISSING) {
            Some(key) => format!("{key} is missing"),
            None => said.to_owned(),
        }
    }
}

fn one_line(error: &toml::de::Error) -> String {
    error.message().replace('\n', " ")
}

/// Whether serde's message `said` is about types of Rust.
fn is_of_types(said: &str) -> bool {
    ["invalid type: ", "invalid value: ", "data did not match", "wanted "]
        .iter()
        .any(|begin| said.starts_with(begin))
}

/// Whether `value` is a number or a truth value in quotes, which make it a text.
fn is_quoted(value: &Value) -> bool {
    let plain = |text: &str| text.parse::<Value>().is_ok_and(|value| !value.is_str());
    value.as_str().is_some_and(plain)
}

/// Whether a text may stand where `allowed` may be written.
fn takes_text(allowed: &str) -> bool {
    !["write a whole number", "write a number", "write true"]
        .iter()
        .any(|it| allowed.starts_with(it))
}

/// What may be written instead, if serde's message `said` contains it.
fn expected(said: &str) -> Option<String> {
    let (fault, wanted) = said.split_once(", expected ")?;
    if fault.starts_with("unknown variant") {
        return Some(format!("write {wanted}"));
    }
    if !is_of_types(fault) {
        return None;
    }
    let most = |most: u64| Some(format!("write a whole number from 0 to {most}"));
    match wanted {
        "u8" => most(u8::MAX.into()),
        "u16" => most(u16::MAX.into()),
        "u32" => most(u32::MAX.into()),
        // TOML has no larger integers.
        "u64" | "usize" | "i64" => most(i64::MAX.unsigned_abs()),
        "a nonzero u32" | "a nonzero u64" => Some("write a whole number from 1".to_owned()),
        "f32" | "f64" => Some("write a number".to_owned()),
        "a boolean" => Some("write true or false".to_owned()),
        "a sequence" => Some("write a list, in brackets".to_owned()),
        "a map" => Some("write a table, in braces".to_owned()),
        _ => None,
    }
}

/// `value` as TOML, but a text without its quotes.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string().replace('\n', " "),
    }
}

#[cfg(test)]
#[path = "faults_tests.rs"]
mod tests;
