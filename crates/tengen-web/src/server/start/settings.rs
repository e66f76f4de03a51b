//! Settings of a run as a page sends them; refuses programs and files that a page must not name.

use super::StartKind;
use crate::page::{Offers, Refusal, read_question};
use serde_json::{Map, Value};
use toml::Table;

/// Settings that the server sets.
const NOT_HERE: [&str; 2] = ["kind", "out"];

/// The opponent that is no bot.
const SELF: &str = "self";

/// The most letters of a name.
const MAX_NAME: usize = 100;

/// The schema of `kind` with only the settings that a page can give in addition to the name.
pub fn schema(kind: &StartKind) -> Value {
    let mut schema = kind.schema.clone();
    if let Some(properties) = schema["properties"].as_object_mut() {
        properties.retain(|key, _| key != "name" && !is_hidden(kind, key));
    }
    schema
}

/// Whether a page cannot give the setting `key` of runs of `kind`.
fn is_hidden(kind: &StartKind, key: &str) -> bool {
    NOT_HERE.contains(&key) || kind.hidden.contains(&key)
}

/// The name, and the settings including the name, of a run of `kind` in `question`. Refuses
/// programs and files that the command line has not named.
pub fn read(kind: &StartKind, question: &str, offers: &Offers) -> Result<(String, Table), Refusal> {
    let given: Map<String, Value> = read_question(question)?;
    let name = match given.get("name") {
        Some(Value::String(name)) => name.clone(),
        _ => {
            return Err(Refusal::new(
                "`name` is missing or no text: the run has the folder of that name",
            ));
        }
    };
    check_name(&name)?;
    let mut table = Table::new();
    for (key, value) in given {
        if is_hidden(kind, &key) {
            return Err(Refusal::new(format!("`{key}` cannot be set from the page")));
        }
        let refused = |why: &dyn std::fmt::Display| Refusal::new(format!("`{key}`: {why}"));
        let mut value: toml::Value = serde_json::from_value(value).map_err(|_| {
            refused(&"it has a part without a value (null), or a number above 9223372036854775807")
        })?;
        let schema = one_of(&kind.schema["properties"][&key]);
        if schema["$ref"] == "#/$defs/bot" {
            resolve(&mut value, offers).map_err(|why| refused(&why))?;
        } else if names_program(&value, offers) {
            return Err(refused(&PROGRAM));
        }
        if names_file(schema, &value) && kind.first.get(&key) != Some(&value) {
            return Err(refused(&"a page cannot name a file: use the command line"));
        }
        table.insert(key, value);
    }
    Ok((name, table))
}

fn check_name(name: &str) -> Result<(), Refusal> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty()
        || name.len() > MAX_NAME
        || name.starts_with('.')
        || !name.chars().all(allowed)
    {
        let why = "expected letters, digits, `-`, `_` and `.`, and no `.` at the beginning";
        return Err(Refusal::new(format!("invalid `name` {name}: {why}")));
    }
    Ok(())
}

/// The schema of one value of a setting with this `schema`, which may be of a list.
fn one_of(schema: &Value) -> &Value {
    schema.get("anyOf").map_or(schema, |forms| &forms[0])
}

/// Whether `value`, which has this `schema`, names a file.
fn names_file(schema: &Value, value: &toml::Value) -> bool {
    let is_other_name = |value: &toml::Value| {
        let names = schema["examples"].as_array();
        names.into_iter().flatten().any(|name| name.as_str() == value.as_str())
    };
    schema["format"] == "path" && !is_other_name(value)
}

/// Replaces offered names by the specifications of these bots.
fn resolve(value: &mut toml::Value, offers: &Offers) -> Result<(), Refusal> {
    match value {
        toml::Value::Array(bots) => bots.iter_mut().try_for_each(|bot| resolve(bot, offers)),
        toml::Value::String(text) if text == SELF => Ok(()),
        toml::Value::String(text) => {
            *text = offers.resolved(text)?;
            Ok(())
        }
        _ => Err(Refusal::new("expected the text of a bot, such as uct:simulations=1000")),
    }
}

/// Why a page cannot name a program that the command line has not named.
const PROGRAM: &str = "a bot is another program, which only the command line may start (--bot)";

/// Refuses the settings `config` of a run if they name a program that the command line has not
/// named: the folder may come from somebody else.
pub fn refuse_programs(config: &str, offers: &Offers) -> Result<(), Refusal> {
    let table: Table = config.parse().map_err(|_| Refusal::new("config.toml cannot be read"))?;
    if names_program(&toml::Value::Table(table), offers) {
        return Err(Refusal::new(PROGRAM));
    }
    Ok(())
}

/// Whether `value` names a program that is none of `offers`.
fn names_program(value: &toml::Value, offers: &Offers) -> bool {
    match value {
        toml::Value::Array(all) => all.iter().any(|one| names_program(one, offers)),
        toml::Value::String(text) => {
            let head = text.split(':').next().unwrap_or_default();
            head.rsplit('=').next().unwrap_or_default().trim() == "gtp"
        }
        toml::Value::Table(table)
            if table.get("kind").and_then(toml::Value::as_str) == Some("gtp") =>
        {
            !offers.has_program(table)
        }
        toml::Value::Table(table) => table.values().any(|one| names_program(one, offers)),
        _ => false,
    }
}
