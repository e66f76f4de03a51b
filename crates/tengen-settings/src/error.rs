//! Settings that cannot be used, and texts that cannot be read.

use crate::shortened;
use std::borrow::Cow;
use std::fmt::Display;

/// An invalid text, with a description of the valid ones.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("invalid {thing} `{text}`: expected {expected}")]
pub struct ParseError {
    thing: &'static str,
    text: String,
    expected: Cow<'static, str>,
}

impl ParseError {
    /// The error that `text` is no valid `thing`; `expected` describes the valid ones.
    pub fn new(
        thing: &'static str,
        text: impl Into<String>,
        expected: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { thing, text: text.into(), expected: expected.into() }
    }
}

/// A setting that cannot be used: one line that names it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{said}")]
pub struct SettingError {
    key: Option<String>,
    /// The number of the wrong value, from 0, where the key has several.
    place: usize,
    said: String,
}

impl SettingError {
    /// The error `said` about the setting `key`, which it names.
    #[must_use]
    pub fn of(key: &str, said: impl Into<String>) -> Self {
        Self { key: Some(key.to_owned()), place: 0, said: said.into() }
    }

    /// The error about the value number `place` of its key, from 0.
    #[must_use]
    pub(crate) fn at(self, place: usize) -> Self {
        Self { place, ..self }
    }

    /// The error that `key` has the value `value`, but must be as `range` says.
    #[must_use]
    pub fn range(key: &str, value: impl Display, range: &str) -> Self {
        let value = value.to_string();
        Self::of(key, format!("`{key}` is {}: it must be {range}", shortened(&value)))
    }

    /// The error that `key` is left out and has no default.
    #[must_use]
    pub fn missing(key: &str) -> Self {
        Self::of(key, format!("`{key}` is missing"))
    }

    /// The key of the setting, if there is one.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// The error with the number of the line of `text`, a TOML file, that sets the key.
    #[must_use]
    pub fn in_text(&self, text: &str) -> String {
        let sets = |line: &str| {
            let key = self.key.as_deref()?;
            let rest = line.trim_start().trim_start_matches('[').strip_prefix(key)?;
            rest.trim_start().starts_with(['=', ']', '.']).then_some(())
        };
        let mut lines = text.lines().zip(1..).filter(|(line, _)| sets(line).is_some()).peekable();
        // Only one line sets the key of a list of values; each table of a list sets it on a line of
        // its own.
        let first = lines.peek().copied();
        match lines.nth(self.place).or(first) {
            Some((_, line)) => format!("line {line}: {}", self.said),
            None => self.said.clone(),
        }
    }
}

impl From<String> for SettingError {
    fn from(said: String) -> Self {
        Self { key: None, place: 0, said }
    }
}

/// Refuses the `value` of the setting `key` unless it is `allowed`; `range` names the allowed
/// values.
pub fn check(
    key: &str,
    value: impl Display,
    allowed: bool,
    range: &str,
) -> Result<(), SettingError> {
    if allowed { Ok(()) } else { Err(SettingError::range(key, value, range)) }
}
