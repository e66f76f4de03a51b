//! Values of settings: reading them, and saying in plain words what is wrong with one. serde's own
//! messages name types of Rust, and often not the key.

use crate::error::SettingError;
use crate::table::Form;
use crate::{one_line, shortened, suggestion};
use serde::de::DeserializeOwned;
use toml::{Table, Value};

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
            return SettingError::of(key, said).at(place);
        }
        let said = or_as_text(&value, said, |text| read::<T>(&text).err());
        SettingError::of(key, invalid(key, &value, &said))
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
    let said = or_as_text(value, whole.clone(), |text| alone(key, text));
    Err(invalid(key, value, &said))
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

/// `said` of `value`, a number or a truth value; or what `refuse` says of its text: a setting that is
/// written as text names what is expected when it is an invalid text.
fn or_as_text(value: &Value, said: String, refuse: impl FnOnce(Value) -> Option<String>) -> String {
    let is_plain = value.is_integer() || value.is_float() || value.is_bool();
    let as_text = is_plain.then(|| refuse(Value::String(value.to_string()))).flatten();
    as_text.filter(|said| !is_of_types(said)).unwrap_or(said)
}

/// What is wrong with `key = value`, of which serde says `said`.
fn invalid(key: &str, value: &Value, said: &str) -> String {
    let shown = match value {
        Value::String(text) => one_line(text).into_owned(),
        other => one_line(&other.to_string()).into_owned(),
    };
    let shown = shortened(&shown);
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
    ["invalid type: ", "invalid value: ", "data did not match"]
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
        // The largest `u64` that TOML can write is no `f64`: the next one is.
        let is_larger =
            said.split('`').any(|text| text.parse::<f64>().is_ok_and(|n| n >= most as f64 + 1.0));
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

#[cfg(test)]
mod tests {
    use super::*;

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
        let said_of = |text: &str| take::<u64>(&mut text.parse().unwrap(), "seed", Form::One);
        let error = said_of("seed = '9223372036854775808'").unwrap_err().to_string();
        assert!(error.ends_with("write a whole number from 0 to 9223372036854775807"), "{error}");
        assert_eq!(said("word = 3"), "`word` is 3: write a text, in quotes");
        assert_eq!(said("lnaes = 3"), "unknown setting `lnaes`: did you mean `lanes`?");
        let bot: Bot = read_table(&"lanes = 2\nword = 'x'".parse().unwrap(), "a bot").unwrap();
        assert_eq!((bot.lanes, bot.word.as_str()), (2, "x"));
    }
}
