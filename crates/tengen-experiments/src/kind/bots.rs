//! The bots of a run, each with the settings that tell it from the others.

use crate::report::files::plain;
use serde::Serialize;
use tengen_bots::NamedBot;
use toml::{Table, Value};

/// A bot of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BotLine {
    /// Its name.
    pub name: String,
    /// The settings in which it differs from the other bots of its kind: names and values.
    pub settings: Vec<(String, String)>,
}

/// The bots of the settings `config`, in their order. Bots of one kind list the settings in which
/// they differ; a bot that is the only one of its kind lists its non-default settings.
pub(super) fn bots(config: &Table) -> Vec<BotLine> {
    let Some(Value::Array(all)) = config.get("bot") else { return Vec::new() };
    let all: Vec<&Table> = all.iter().filter_map(Value::as_table).collect();
    let kind = |bot: &Table| bot.get("kind").map(plain).unwrap_or_default();
    let has_kinds = all.windows(2).any(|bots| kind(bots[0]) != kind(bots[1]));
    let line = |bot: &&Table| {
        let alike: Vec<&&Table> = all.iter().filter(|other| kind(other) == kind(bot)).collect();
        let differs = |key: &str| alike.iter().any(|other| other.get(key) != bot.get(key));
        let own = |key: &str| (key.to_owned(), bot.get(key).map_or("none".to_owned(), plain));
        let settings = if let [_] = alike[..] {
            alone(bot)
        } else {
            let mut keys: Vec<&String> = alike.iter().flat_map(|bot| bot.keys()).collect();
            keys.sort_unstable();
            keys.dedup();
            keys.into_iter()
                .filter(|key| *key != "name" && differs(key))
                .map(|key| own(key))
                .collect()
        };
        let kind = has_kinds.then(|| ("kind".to_owned(), kind(bot)));
        BotLine {
            name: bot.get("name").map(plain).unwrap_or_default(),
            settings: kind.into_iter().chain(settings).collect(),
        }
    };
    all.iter().map(line).collect()
}

/// The non-default settings of `bot`; none if this version does not know them.
fn alone(bot: &Table) -> Vec<(String, String)> {
    let Ok(NamedBot { config, .. }) = Value::Table(bot.clone()).try_into::<NamedBot>() else {
        return Vec::new();
    };
    let spec = config.to_string();
    let Some((_, settings)) = spec.split_once(':') else { return Vec::new() };
    vec![("settings".to_owned(), settings.to_owned())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_differences_are_shown() {
        let config = "[[bot]]\nname = 'a'\nkind = 'uct'\nrave = 'none'\nexploration = 0.5\n\
                      [[bot]]\nname = 'b'\nkind = 'uct'\nrave = 'none'\nexploration = 0.3\nnew = true\n";
        let shown = |text: &str| -> Vec<String> {
            let lines = bots(&text.parse().unwrap()).into_iter();
            let one = |(key, value): &(String, String)| format!("{key}={value}");
            let texts = lines.map(|BotLine { name, settings }| {
                let settings: Vec<String> = settings.iter().map(one).collect();
                format!("{name}: {}", settings.join(", "))
            });
            texts.collect()
        };
        assert_eq!(shown(config), ["a: exploration=0.5, new=none", "b: exploration=0.3, new=true"]);
        let other = format!("{config}[[bot]]\nname = 'r'\nkind = 'random'\n");
        assert_eq!(shown(&other)[2], "r: kind=random");
        assert_eq!(shown(&other)[0], "a: kind=uct, exploration=0.5, new=none");
        assert!(shown("name = 'x'").is_empty() && shown("bot = 'uct'").is_empty());
    }
}
