//! `tengen schema`: the settings of a kind of run as a JSON Schema.

use super::Failure;
use super::experiments::{self, RunKind};
use crate::bots::Kind;
use crate::settings::{Domain, Form, Setting, Table};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::ops::Bound;

/// Print the JSON Schema of the settings of a kind of run
///
/// An editor completes and checks the TOML file of a run by this schema. In VS Code, install the
/// extension Even Better TOML, and write `#:schema tournament.json` in the first line of the file.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Kind of run
    #[arg(value_enum)]
    kind: RunKind,
}

impl ValueEnum for RunKind {
    fn value_variants<'a>() -> &'a [Self] {
        experiments::all()
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let name = self.name();
        Some(PossibleValue::new(name).help(format!("A run of the command `{name}`")))
    }
}

pub fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(&schema(arguments.kind))?;
    Ok(writeln!(output, "{text}")?)
}

/// The settings of a run of `kind`, as a JSON Schema.
pub(super) fn schema(kind: RunKind) -> Value {
    let (settings, defaults) = (kind.settings)();
    let mut schema = object(&settings, &defaults);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    let bots = Kind::all().into_iter().map(|kind| {
        let mut bot = object(kind.settings, &kind.defaults());
        bot["properties"]["kind"] = json!({ "const": kind.name });
        bot["properties"]["name"] = json!({ "type": "string", "description": "Name of the bot" });
        bot["required"] = json!(["kind"]);
        bot["description"] = json!(kind.help);
        bot
    });
    let text = json!({ "type": "string" });
    let bots: Vec<Value> = std::iter::once(text).chain(bots).collect();
    schema["$defs"] = json!({ "bot": { "anyOf": bots } });
    schema
}

/// A table with exactly these `settings`, which have these `defaults`.
fn object(settings: &[Setting], defaults: &Table) -> Value {
    let property = |setting: &Setting| (setting.key.to_owned(), property(setting, defaults));
    let properties: Map<String, Value> = settings.iter().map(property).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn property(setting: &Setting, defaults: &Table) -> Value {
    let mut property = match (setting.domain)() {
        // A single value is read as a list of one value.
        Domain::List(each) => {
            let each = described(&each);
            json!({ "anyOf": [each, { "type": "array", "items": each }] })
        }
        domain if setting.form == Form::Pairs => {
            json!({ "type": "object", "title": domain.to_string() })
        }
        domain => described(&domain),
    };
    property["description"] = json!(setting.meaning());
    if let Some(default) = setting.default(defaults) {
        property["description"] = json!(format!("{} [default: {default}]", setting.meaning()));
    }
    property
}

/// The values of `domain`.
fn described(domain: &Domain) -> Value {
    match domain {
        Domain::Whole { least, most: i64::MAX } => json!({ "type": "integer", "minimum": least }),
        Domain::Whole { least, most } => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Domain::Number { least, most } => {
            let mut number = json!({ "type": "number" });
            match least {
                Bound::Included(least) => number["minimum"] = json!(least),
                Bound::Excluded(least) => number["exclusiveMinimum"] = json!(least),
                Bound::Unbounded => {}
            }
            match most {
                Bound::Included(most) => number["maximum"] = json!(most),
                Bound::Excluded(most) => number["exclusiveMaximum"] = json!(most),
                Bound::Unbounded => {}
            }
            number
        }
        Domain::Truth => json!({ "type": "boolean" }),
        Domain::Names(names) => {
            let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            json!({ "enum": names })
        }
        Domain::Text(forms) if forms.is_empty() => json!({ "type": "string" }),
        Domain::Path { names: [], forms: "" } => json!({ "type": "string", "format": "path" }),
        Domain::Path { names, forms } => {
            json!({ "title": forms, "format": "path", "examples": names })
        }
        // Some of these texts may also be numbers or tables, so no type is given.
        Domain::Text(forms) => json!({ "title": forms }),
        Domain::Described { name, forms } => {
            json!({ "title": forms, "$ref": format!("#/$defs/{name}") })
        }
        Domain::List(each) => json!({ "type": "array", "items": described(each) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_has_every_setting_with_its_range() {
        for kind in experiments::all() {
            let schema = schema(*kind);
            let properties = schema["properties"].as_object().unwrap();
            assert_eq!(properties.len(), (kind.settings)().0.len(), "{kind:?}");
            assert!(properties.values().all(|property| property["description"].is_string()));
        }
        let tournament = schema(experiments::all()[0]);
        let pairs = &tournament["properties"]["pairs"];
        assert_eq!((&pairs["minimum"], &pairs["maximum"]), (&json!(1), &json!(10_000_000)));
        let uct = &tournament["$defs"]["bot"]["anyOf"][3];
        assert_eq!(uct["properties"]["kind"]["const"], "uct");
        assert_eq!(uct["properties"]["seconds"]["exclusiveMinimum"], 0.0);
        assert_eq!(uct["properties"]["own_eyes"]["type"], "boolean");
    }
}
