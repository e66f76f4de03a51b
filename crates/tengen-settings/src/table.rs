//! Settings of a run as a table: given in a file, by options of a command line or both, merged key
//! by key, and read once.

use crate::{one_line, suggestion};
use serde::de::DeserializeOwned;
use std::fmt::Display;
use toml::{Table, Value};

/// A setting that cannot be used: one line that names it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{said}")]
pub struct SettingError {
    key: Option<String>,
    /// Which value of the key it is, from 0, where it has several.
    place: usize,
    said: String,
}

impl SettingError {
    /// The error `said` about the setting `key`, which it names.
    #[must_use]
    pub fn of(key: &str, said: impl Into<String>) -> Self {
        Self { key: Some(key.to_owned()), place: 0, said: said.into() }
    }

    /// The error that `key` has the value `value`, but must be as `range` says.
    #[must_use]
    pub fn range(key: &str, value: impl Display, range: &str) -> Self {
        Self::of(key, format!("`{key}` is {value}: it must be {range}"))
    }

    /// The error that `key` is left out and has no default.
    #[must_use]
    pub fn missing(key: &str) -> Self {
        format!("`{key}` is missing").into()
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
        // A value of a list stands below the one line that sets its key, of a table at its own.
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

/// Checks that `value`, that of the setting `key`, is one that is `allowed`; `range` names those.
///
/// # Errors
/// If it is not.
pub fn check(
    key: &str,
    value: impl Display,
    allowed: bool,
    range: &str,
) -> Result<(), SettingError> {
    if allowed { Ok(()) } else { Err(SettingError::range(key, value, range)) }
}

/// How a setting is given on a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One value.
    One,
    /// Given any number of times, a value each.
    Many,
    /// One value, or several with commas between them.
    List,
    /// Given any number of times, each as NAME=VALUE.
    Pairs,
    /// `true` where no value is given.
    Flag,
    /// Not at all: in a file only.
    File,
}

/// A setting, as help texts show it.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its key in a file; the option has `-` for `_`.
    pub key: &'static str,
    /// What stands for its value.
    pub value: &'static str,
    /// How it is given on a command line.
    pub form: Form,
    /// Its meaning, its range and its default, as lines of a doc comment.
    pub help: &'static str,
    /// The names that the value may have, each with its meaning; none for other values.
    pub choices: fn() -> Vec<(&'static str, &'static str)>,
}

/// Settings that are declared by [`settings!`](crate::settings).
pub trait Settings: Sized {
    /// What they belong to, as "a tournament".
    const OWNER: &'static str;

    /// The settings, in the order of declaration.
    const ALL: &'static [Setting];

    /// Takes the settings out of `table`; those that are left out have their defaults. Keys of
    /// other settings stay there.
    ///
    /// # Errors
    /// The first setting that is invalid.
    fn take(table: &mut Table) -> Result<Self, SettingError>;

    /// Reads the settings, which are all that `table` holds.
    ///
    /// # Errors
    /// The first setting that is unknown or invalid.
    fn from_table(mut table: Table) -> Result<Self, SettingError> {
        refuse_unknown(&table, Self::OWNER, Self::ALL.iter())?;
        Self::take(&mut table)
    }

    /// Reads the settings from a TOML text.
    ///
    /// # Errors
    /// One line: the number of the line with the first setting that is unknown or invalid, and what
    /// is expected there.
    fn from_toml(text: &str) -> Result<Self, SettingError> {
        Self::from_table(parse(text)?).map_err(|error| error.in_text(text).into())
    }
}

/// The table that `text`, a TOML file, writes.
///
/// # Errors
/// One line: the number of the line, and what is wrong there.
pub fn parse(text: &str) -> Result<Table, SettingError> {
    text.parse::<Table>().map_err(|error| {
        let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
        let said = error.message();
        if ["128, expected", "overflowed", "too large"].iter().any(|it| said.contains(it)) {
            let most = i64::MAX;
            return format!("line {line}: expected a text in quotes, or a number up to {most}")
                .into();
        }
        format!("line {line}: {}", one_line(said)).into()
    })
}

/// Refuses a key of `table` that is none of `known`, the settings of `owner`.
///
/// # Errors
/// The first such key.
pub fn refuse_unknown<'a>(
    table: &Table,
    owner: &str,
    known: impl Iterator<Item = &'a Setting>,
) -> Result<(), SettingError> {
    let names: Vec<&str> = known.map(|setting| setting.key).collect();
    match table.keys().find(|key| !names.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => {
            let likely = suggestion(key, &names);
            Err(SettingError::of(key, format!("unknown setting `{key}` of {owner}: {likely}")))
        }
    }
}

/// Takes the setting `key` out of `table`; none if it is left out.
///
/// # Errors
/// If its value is not a `T`; what is expected.
pub fn take<T: DeserializeOwned>(
    table: &mut Table,
    key: &str,
    form: Form,
) -> Result<Option<T>, SettingError> {
    let Some(value) = table.remove(key) else { return Ok(None) };
    let value = match form {
        Form::List if !value.is_array() => Value::Array(vec![value]),
        _ => value,
    };
    read(&value).map(Some).map_err(|said| {
        if let (Form::Many, Value::Array(values)) = (form, &value) {
            let alone = |value: &Value| read::<T>(&Value::Array(vec![value.clone()])).err();
            let guilty =
                values.iter().enumerate().find_map(|(place, it)| Some((place, alone(it)?)));
            let (place, said) = guilty.unwrap_or((0, said));
            let said = invalid(key, &values[place], &said);
            return SettingError { place, ..SettingError::of(key, said) };
        }
        // A setting that is written as text says what is expected when it is an invalid text.
        let as_text = || read::<T>(&Value::String(value.to_string())).err();
        let is_plain = value.is_integer() || value.is_float() || value.is_bool();
        let as_text = is_plain.then(as_text).flatten();
        let said = as_text.filter(|said| !is_of_types(said)).unwrap_or(said);
        SettingError::of(key, invalid(key, &value, &said))
    })
}

/// `value` as a `T`. A text that holds a number or a truth value may stand for it, as it does on a
/// command line.
fn read<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    let error = match value.clone().try_into() {
        Ok(read) => return Ok(read),
        Err(error) => one_line(error.message()).into_owned(),
    };
    let plain = match value {
        Value::String(text) => plain(text).ok_or_else(|| error.clone())?,
        Value::Array(values) => {
            let each = |value: &Value| value.as_str().map_or(Some(value.clone()), plain);
            values
                .iter()
                .map(each)
                .collect::<Option<Vec<_>>>()
                .map(Value::Array)
                .ok_or_else(|| error.clone())?
        }
        _ => return Err(error),
    };
    plain.try_into().map_err(|as_plain| {
        if is_of_types(&error) { one_line(as_plain.message()).into_owned() } else { error }
    })
}

/// The number or the truth value that `text` writes.
fn plain(text: &str) -> Option<Value> {
    let whole = text.parse().map(Value::Integer);
    let number = || text.parse().map(Value::Float);
    let truth = || text.parse().map(Value::Boolean);
    whole.or_else(|_| number()).or_else(|_| truth()).ok()
}

/// What is wrong with `key = value`, of which serde says `said`.
pub(crate) fn invalid(key: &str, value: &Value, said: &str) -> String {
    let shown = match value {
        Value::String(text) => one_line(text).into_owned(),
        other => one_line(&other.to_string()).into_owned(),
    };
    if let Some(unknown) = unknown_field(said, key) {
        return format!("`{key}`: {unknown}");
    }
    match (expected(said), is_of_types(said)) {
        (Some(expected), _) => format!("`{key}` is {shown}: {expected}"),
        (None, true) if !value.is_str() => format!("`{key}` is {shown}: write a text, in quotes"),
        (None, true) => format!("`{key}` cannot be {shown}"),
        (None, false) if said.contains(key) => said.to_owned(),
        (None, false) => format!("`{key}`: {said}"),
    }
}

/// Whether serde's message `said` is about types of Rust.
fn is_of_types(said: &str) -> bool {
    ["invalid type: ", "invalid value: ", "data did not match", "wanted "]
        .iter()
        .any(|begin| said.starts_with(begin))
}

/// What may be written instead, if serde's message `said` contains it.
fn expected(said: &str) -> Option<String> {
    let (error, expected) = said.split_once(", expected ")?;
    if error.starts_with("unknown variant") {
        return Some(format!("write {expected}"));
    }
    if !is_of_types(error) {
        return None;
    }
    let most = |most: u64| {
        let is_larger =
            said.split('`').any(|text| text.parse::<f64>().is_ok_and(|n| n > most as f64));
        let end = if is_larger { format!(" to {most}") } else { String::new() };
        Some(format!("write a whole number from 0{end}"))
    };
    match expected {
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

/// serde's message `said`, if it is about a key that is none of `owner`, in our words.
fn unknown_field(said: &str, owner: &str) -> Option<String> {
    let unknown = said.strip_prefix("unknown field ")?;
    // The key, and those that there are, each in quotes.
    let names: Vec<&str> = unknown.split('`').skip(1).step_by(2).collect();
    let (key, known) = names.split_first()?;
    Some(match known {
        [] => format!("unknown setting `{key}`: {owner} has no settings"),
        _ => format!("unknown setting `{key}`: {}", suggestion(key, known)),
    })
}

/// Reads `table` as a `T`; `owner` is what it describes, as "uct". Every key but `kind` is one of
/// its settings, and each has a default.
///
/// # Errors
/// One line: the setting that is unknown or invalid, and what is expected.
pub fn read_table<T: DeserializeOwned>(table: &Table, owner: &str) -> Result<T, String> {
    let whole = match table.clone().try_into::<T>() {
        Ok(read) => return Ok(read),
        Err(error) => one_line(error.message()).into_owned(),
    };
    if let Some(unknown) = unknown_field(&whole, owner) {
        return Err(unknown);
    }
    let alone = |key: &String, value: Value| {
        let mut only = Table::from_iter([(key.clone(), value)]);
        only.extend(table.get_key_value("kind").map(|(key, value)| (key.clone(), value.clone())));
        only.try_into::<T>().err().map(|error| one_line(error.message()).into_owned())
    };
    // Only the setting that fails alone for the same reason is to blame.
    let is_guilty =
        |key: &String, value: &Value| alone(key, value.clone()).as_ref() == Some(&whole);
    let Some((key, value)) =
        table.iter().find(|(key, value)| *key != "kind" && is_guilty(key, value))
    else {
        return Err(whole);
    };
    // A setting that is written as text says what is expected when it is an invalid text.
    let as_text = (!value.is_str()).then(|| alone(key, Value::String(value.to_string()))).flatten();
    let said = as_text.filter(|said| !is_of_types(said)).unwrap_or(whole);
    Err(invalid(key, value, &said))
}

/// Declares a struct of settings, each with its help, type, default, the name of its value and its
/// [`Form`]; a default may use the settings above it. Implements [`Settings`] for it; the settings
/// are checked by its function `checked`, which may complete them.
#[macro_export]
macro_rules! settings {
    (
        $owner:literal
        $(#[$meta:meta])*
        $visibility:vis struct $name:ident {
            $(
                $(#[doc = $help:literal])+
                $(#[serde($($serde:tt)*)])?
                $field:ident: $type:ty = $default:expr,
                $key:literal $value:literal $form:ident $($choices:path)?;
            )+
        }
    ) => {
        $(#[$meta])*
        #[derive(serde::Serialize)]
        $visibility struct $name {
            $(
                $(#[doc = $help])+
                $(#[serde($($serde)*)])?
                #[serde(rename = $key)]
                pub $field: $type,
            )+
        }

        impl $crate::Settings for $name {
            const OWNER: &'static str = $owner;

            const ALL: &'static [$crate::Setting] = &[$($crate::Setting {
                key: $key,
                value: $value,
                form: $crate::Form::$form,
                help: concat!($($help, "\n"),+),
                choices: $crate::choices!($($choices)?),
            }),+];

            fn take(table: &mut toml::Table) -> Result<Self, $crate::SettingError> {
                $(
                    let $field: $type = match $crate::take(table, $key, $crate::Form::$form)? {
                        Some(given) => given,
                        None => $default,
                    };
                )+
                Self { $($field),+ }.checked()
            }
        }
    };
}

/// The function that names the values of a type, if there is one.
#[doc(hidden)]
#[macro_export]
macro_rules! choices {
    () => {
        Vec::new
    };
    ($type:path) => {
        $crate::choices::names::<$type>
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    settings! {
        "a test"
        /// Settings of a test.
        #[derive(Debug, PartialEq)]
        struct Sample {
            /// Name of the run
            name: String = "x".to_owned(), "name" "NAME" One;
            /// Number of pairs
            /// [default: 3]
            pairs: u32 = 3, "pairs" "PAIRS" One;
            /// Twice as many
            twice: u32 = 2 * pairs, "twice" "N" One;
            /// Numbers of games
            games: Vec<u64> = vec![1], "games" "GAMES" List;
        }
    }

    impl Sample {
        fn checked(self) -> Result<Self, SettingError> {
            check("pairs", self.pairs, self.pairs > 0, "1 or more").map(|()| self)
        }
    }

    #[test]
    fn a_default_may_depend_on_what_is_given() {
        let sample = Sample::from_toml("pairs = 5\nname = '2026'\ngames = 3").unwrap();
        let games = vec![3];
        assert_eq!(sample, Sample { name: "2026".into(), pairs: 5, twice: 10, games });
        assert_eq!(Sample::ALL[1].help, " Number of pairs\n [default: 3]\n");
        assert!(Sample::from_toml("pairs = '0x7'").is_err());
        // As on a command line, where every value is a text.
        let sample = Sample::from_toml("pairs = '7'\ngames = ['1', '2']").unwrap();
        assert_eq!((sample.twice, sample.games), (14, vec![1, 2]));
    }

    #[test]
    fn an_invalid_setting_is_named_with_its_line() {
        let whole = "write a whole number from 0";
        for (text, said) in [
            ("name = 'a'\npairs = 1.5", format!("line 2: `pairs` is 1.5: {whole}")),
            ("pairs = 'many'", format!("line 1: `pairs` is many: {whole}")),
            ("pairs = '-1'", format!("line 1: `pairs` is -1: {whole}")),
            ("name = 1\n", "line 1: `name` is 1: write a text, in quotes".to_owned()),
            ("\npairs = 0", "line 2: `pairs` is 0: it must be 1 or more".to_owned()),
            (
                "pair = 3",
                "line 1: unknown setting `pair` of a test: did you mean `pairs`?".to_owned(),
            ),
            (
                "pairs = 99999999999999999999",
                format!("line 1: expected a text in quotes, or a number up to {}", i64::MAX),
            ),
        ] {
            assert_eq!(Sample::from_toml(text).unwrap_err().to_string(), said, "{text}");
        }
    }

    #[test]
    fn a_table_blames_the_setting_that_fails_alone() {
        #[derive(Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields, default)]
        struct Bot {
            lanes: u64,
            word: String,
        }
        impl Default for Bot {
            fn default() -> Self {
                Self { lanes: 1, word: String::new() }
            }
        }
        let said = |text: &str| read_table::<Bot>(&text.parse().unwrap(), "a bot").unwrap_err();
        assert!(said("lanes = -1\nword = 'x'").starts_with("`lanes` is -1: write a whole number"));
        assert_eq!(said("word = 3"), "`word` is 3: write a text, in quotes");
        assert_eq!(said("lnaes = 3"), "unknown setting `lnaes`: did you mean `lanes`?");
        let bot: Bot = read_table(&"lanes = 2\nword = 'x'".parse().unwrap(), "a bot").unwrap();
        assert_eq!((bot.lanes, bot.word.as_str()), (2, "x"));
    }
}
