//! Bots as text: `uct:playouts=1000,exploration=0.7`, and names for them.

use super::BotConfig;
use serde::Serialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use std::fmt;
use std::str::FromStr;

/// A text that describes no bot.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("bot `{spec}`: {reason}")]
pub struct SpecError {
    spec: String,
    reason: String,
}

/// The kinds of bots, in the order in which help shows them.
const KINDS: [&str; 3] = ["random", "two-ply", "uct"];

impl FromStr for BotConfig {
    type Err = SpecError;

    /// Reads `kind` or `kind:key=value,key=value`; keys and values are those
    /// of the TOML form, and what is left out has its default.
    fn from_str(text: &str) -> Result<Self, SpecError> {
        let error = |reason: String| SpecError { spec: text.to_owned(), reason };
        let (kind, settings) = text.split_once(':').unwrap_or((text, ""));
        if !KINDS.contains(&kind) {
            let kinds = KINDS.join(", ");
            return Err(error(format!("`{kind}` is no kind of bot: write one of {kinds}")));
        }
        let mut table = toml::Table::from_iter([("kind".to_owned(), kind.into())]);
        for setting in settings.split(',').filter(|_| text.contains(':')) {
            let Some((key, value)) = setting.split_once('=') else {
                return Err(error(format!("`{setting}` is no setting: write key=value")));
            };
            let key = key.trim();
            if table.insert(key.to_owned(), parse_value(value.trim())).is_some() {
                return Err(error(format!("`{key}` is set twice")));
            }
        }
        table.try_into().map_err(|reason: toml::de::Error| error(one_line(&reason)))
    }
}

/// A number or a truth value as TOML writes it; anything else is a string.
fn parse_value(text: &str) -> toml::Value {
    match text.parse::<toml::Value>() {
        Ok(value) if !value.is_table() && !value.is_array() => value,
        _ => toml::Value::String(text.to_owned()),
    }
}

/// What serde says, without the line breaks of TOML's pictures.
fn one_line(error: &toml::de::Error) -> String {
    error.message().replace('\n', " ")
}

impl fmt::Display for BotConfig {
    /// The shortest text that reads as this bot: settings that have their
    /// default are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = |config: &Self| toml::Table::try_from(config).map_err(|_| fmt::Error);
        let own = table(self)?;
        let kind = own.get("kind").and_then(toml::Value::as_str).ok_or(fmt::Error)?;
        let default = table(&kind.parse().map_err(|_| fmt::Error)?)?;
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

/// A bot and the name it goes by: the text form, unless it was given one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NamedBot {
    /// Unique in a tournament.
    pub name: String,
    /// The bot.
    #[serde(flatten)]
    pub config: BotConfig,
}

impl NamedBot {
    /// Whether the name was chosen, rather than made from the settings.
    #[must_use]
    pub fn is_named(&self) -> bool {
        self.name != self.config.to_string()
    }
}

fn not_a_name(name: &str) -> String {
    format!("`{name}` is no name of a bot: write letters, digits, `_`, `.` and `-`")
}

/// Whether `name` may be given to a bot.
fn is_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    !name.is_empty() && name.chars().all(allowed)
}

impl FromStr for NamedBot {
    type Err = SpecError;

    /// Reads `SPEC` or `NAME=SPEC`: a name of letters, digits, `_`, `.` and
    /// `-` before the first `=` that comes before any `:`.
    fn from_str(text: &str) -> Result<Self, SpecError> {
        let head = text.split(':').next().unwrap_or(text);
        let Some((name, _)) = head.split_once('=') else {
            let config: BotConfig = text.parse()?;
            return Ok(Self { name: config.to_string(), config });
        };
        if !is_name(name) {
            return Err(SpecError { spec: text.to_owned(), reason: not_a_name(name) });
        }
        Ok(Self { name: name.to_owned(), config: text[name.len() + 1..].parse()? })
    }
}

/// The TOML form: a table with `kind`, its settings and maybe a `name`.
#[derive(serde::Deserialize)]
struct Entry {
    name: Option<String>,
    #[serde(flatten)]
    config: BotConfig,
}

impl<'de> Deserialize<'de> for NamedBot {
    /// Reads a table, or a string as on the command line.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrTable;

        impl<'de> Visitor<'de> for TextOrTable {
            type Value = NamedBot;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a bot: a string such as \"uct:playouts=1000\" or a table with `kind`")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<NamedBot, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<NamedBot, A::Error> {
                let entry = Entry::deserialize(MapAccessDeserializer::new(map))?;
                let text = entry.config.to_string();
                let name = entry.name.unwrap_or_else(|| text.clone());
                // A name made from the text may carry the number of a twin.
                if is_name(&name) || name.split('#').next() == Some(&text) {
                    Ok(NamedBot { name, config: entry.config })
                } else {
                    Err(de::Error::custom(not_a_name(&name)))
                }
            }
        }

        deserializer.deserialize_any(TextOrTable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::RandomConfig;
    use crate::search::{FinalMove, UctConfig};
    use proptest::prelude::*;

    fn refused(text: &str) -> String {
        text.parse::<NamedBot>().unwrap_err().to_string()
    }

    #[test]
    fn reads_kinds_settings_and_names() {
        assert_eq!("random".parse(), Ok(BotConfig::Random(RandomConfig {})));
        let uct = UctConfig {
            playouts: Some(200),
            exploration: 1.0,
            workers: 2,
            final_move: FinalMove::Value,
            ..UctConfig::default()
        };
        let spec = "uct:playouts=200,exploration=1,workers=2,final_move=value";
        assert_eq!(spec.parse(), Ok(BotConfig::Uct(uct.clone())));
        let named: NamedBot = format!("strong-1.0={spec}").parse().unwrap();
        assert_eq!((named.name.as_str(), named.config), ("strong-1.0", BotConfig::Uct(uct)));
        assert_eq!("uct".parse(), Ok(BotConfig::Uct(UctConfig::default())));
    }

    #[test]
    fn a_clock_alone_leaves_playouts_without_limit() {
        let BotConfig::Uct(config) = "uct:seconds=0.5".parse().unwrap() else { panic!() };
        assert_eq!((config.playouts, config.seconds), (None, Some(0.5)));
        let BotConfig::Uct(config) = "uct:exploration=1".parse().unwrap() else { panic!() };
        assert_eq!((config.playouts, config.seconds), (Some(1000), None));
    }

    #[test]
    fn leaves_out_what_is_default() {
        let text = |spec: &str| spec.parse::<BotConfig>().unwrap().to_string();
        assert_eq!(text("uct:playouts=1000,workers=1"), "uct");
        assert_eq!(text("uct:workers=4,playouts=500"), "uct:playouts=500,workers=4");
        assert_eq!(text("uct:seconds=2"), "uct:seconds=2.0");
        assert_eq!(text("two-ply"), "two-ply");
    }

    #[test]
    fn names_the_fault() {
        for (text, fault) in [
            ("alphago", "`alphago` is no kind"),
            ("uct:playout=10", "unknown field `playout`"),
            ("uct:playouts=many", "many"),
            ("uct:playouts=0", "`playouts` is 0"),
            ("uct:exploration=-1", "`exploration` is -1"),
            ("uct:exploration=nan", "`exploration` is NaN"),
            ("uct:playouts", "`playouts` is no setting"),
            ("uct:", "`` is no setting"),
            ("uct:playouts=1,playouts=2", "`playouts` is set twice"),
            ("uct:kind=random", "`kind` is set twice"),
            ("random:playouts=10", "unknown field `playouts`"),
            ("two-ply:depth=3", "unknown field `depth`"),
            ("my bot=random", "`my bot` is no name"),
            ("=random", "`` is no name"),
            ("", "`` is no kind"),
        ] {
            let error = refused(text);
            assert!(error.contains(fault), "{text}: {error}");
            assert!(!error.contains('\n'), "{text}: {error}");
        }
    }

    #[test]
    fn toml_takes_text_and_tables() {
        #[derive(Debug, serde::Deserialize)]
        struct Bots {
            bot: Vec<NamedBot>,
        }
        let read = |text: &str| toml::from_str::<Bots>(text).map(|bots| bots.bot);
        let texts = read("bot = ['a=uct:playouts=9', 'random']").unwrap();
        let tables = "[[bot]]\nname = 'a'\nkind = 'uct'\nplayouts = 9\n[[bot]]\nkind = 'random'";
        assert_eq!(texts, read(tables).unwrap());
        for (text, fault) in [
            ("[[bot]]\nkind = 'uct'\nplayots = 9", "playots"),
            ("[[bot]]\nkind = 'random'\nplayouts = 9", "playouts"),
            ("[[bot]]\nkind = 'magic'", "magic"),
            ("bot = ['magic']", "magic"),
            ("bot = [3]", "a bot: a string"),
            ("[[bot]]\nkind = 'random'\nname = 'my bot'", "`my bot` is no name"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(fault), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn text_round_trips(
            playouts in proptest::option::of(1_u64..1_000_000),
            seconds in proptest::option::of(0.001_f64..100.0),
            workers in 1_u32..2,
            exploration in 0.0_f64..10.0,
            first_play in prop_oneof![Just(f64::INFINITY), 0.0_f64..2.0],
            expansion in 1_u32..100,
            value in any::<bool>(),
            reuse in any::<bool>(),
        ) {
            let final_move = if value { FinalMove::Value } else { FinalMove::Visits };
            let playouts = playouts.or(seconds.is_none().then_some(7));
            let max_nodes = 4_096;
            let config = BotConfig::Uct(UctConfig {
                playouts, seconds, workers, exploration, first_play, expansion, final_move, reuse,
                max_nodes,
            });
            prop_assert_eq!(config.to_string().parse(), Ok(config.clone()));
            let toml = toml::to_string(&config).unwrap();
            prop_assert_eq!(toml::from_str::<BotConfig>(&toml).unwrap(), config);
        }
    }
}
