//! Presets of the kind `uct`.

use crate::BotConfig;
use tengen_search::UctConfig;
use tengen_settings::Table;
use toml::Value;

/// A name that stands for a bot of kind `uct` with settings: `NAME:KEY=VALUE` is `uct` with these
/// settings, where a value that is given takes the place of the preset's. `config.toml` holds all
/// settings, so that a run does not change when its preset does.
pub struct BotPreset {
    /// The name.
    pub name: &'static str,
    /// How a bot of the preset is written, and what it is.
    pub help: &'static str,
    config: fn() -> UctConfig,
}

pub(super) const PRESETS: [BotPreset; 2] = [
    BotPreset {
        name: "plain",
        help: "plain[:key=value,...]: uct without knowledge of Go: UCB1 and uniform playouts",
        config: UctConfig::plain,
    },
    BotPreset {
        name: "strong",
        help: "strong[:key=value,...]: uct with settings that win more games if uct plays one game at a time",
        config: strong,
    },
];

/// With `in_flight` a search that plays one game at a time wins more games in the same time
/// (`results/README.md`, in-flight-default-9x9), with `reuse` with as many new simulations (reuse-9x9). `epoch`
/// saves time where trees are large, `smart_pruning` in moves that are clear, and `sure_win` in
/// games that are won.
fn strong() -> UctConfig {
    UctConfig {
        in_flight: 16,
        reuse: true,
        epoch: 0.001,
        smart_pruning: 2.0,
        sure_win: 0.95,
        ..UctConfig::default()
    }
}

impl BotPreset {
    /// All presets, in the order in which help shows them.
    #[must_use]
    pub const fn all() -> &'static [Self] {
        &PRESETS
    }

    /// The preset `name`; none if there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// The settings in which it differs from `uct`.
    #[must_use]
    pub fn settings(&self) -> Table {
        let bot = BotConfig::from((self.config)());
        bot.declared().shortest(bot.table())
    }

    /// If the `kind` of the bot in `table` is a preset, replaces it by `uct` and the preset's
    /// settings.
    pub(super) fn expand(table: &mut Table) {
        let kind = table.get("kind").and_then(Value::as_str);
        let Some(preset) = kind.and_then(Self::named) else { return };
        for (key, value) in preset.settings() {
            table.entry(key).or_insert(value);
        }
        table.insert("kind".to_owned(), "uct".into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NamedBot;

    fn bot(text: &str) -> BotConfig {
        text.parse().unwrap()
    }

    #[test]
    fn a_preset_is_uct_with_its_settings() {
        assert_eq!(bot("plain"), UctConfig::plain().into());
        assert_eq!(
            bot("strong:simulations=10").to_string(),
            "uct:epoch=0.001,in_flight=16,reuse=true,simulations=10,smart_pruning=2.0,sure_win=0.95"
        );
        let given = "strong:in_flight=3,prior=none,policy=uniform,reuse=false,epoch=0,smart_pruning=0,sure_win=1";
        assert_eq!(bot(given), bot("uct:in_flight=3,prior=none,policy=uniform"));
        for without in ["prior=heuristic:20", "rave=none", "rave=none,prior=none"] {
            let uct = bot(&format!("strong:{without}")).uct().unwrap().clone();
            assert_eq!((uct.prior_exploration, uct.exploration), (0.0, 0.1), "{without}");
        }
        let uct = bot("strong:prior=learned:14:50,exploration=0.2").uct().unwrap().clone();
        assert_eq!((uct.prior_exploration, uct.exploration), (0.15, 0.2));
        let table: Table = "kind = 'plain'\nplayouts = 7".parse().unwrap();
        assert_eq!(table.try_into::<BotConfig>().unwrap(), bot("plain:simulations=7"));
        let said = "strong:colour=1".parse::<BotConfig>().unwrap_err().to_string();
        assert!(said.starts_with("bot `strong:colour=1`:") && said.contains("colour"), "{said}");
        let said = "strung".parse::<BotConfig>().unwrap_err().to_string();
        assert!(said.contains("did you mean `strong`"), "{said}");
    }

    #[test]
    fn a_bot_of_a_preset_has_its_text_as_name() {
        let named = |text: &str| text.parse::<NamedBot>().unwrap();
        let own = named("plain:simulations=7");
        assert_eq!((own.name.as_str(), own.is_named()), ("plain:simulations=7", false));
        let read: NamedBot = Table::try_from(&own).unwrap().try_into().unwrap();
        assert_eq!(read, own);
        let said = "plain:simulations=7\n".parse::<NamedBot>().unwrap_err().to_string();
        assert!(said.contains("line break"), "{said}");
        let chosen = named("plain=uct:simulations=7");
        assert_eq!((chosen.name.as_str(), chosen.is_named()), ("plain", true));
        // Its name is the text of other settings; the preset may have other settings in another
        // version.
        let mut table = Table::try_from(&own).unwrap();
        table.insert("exploration".to_owned(), 0.3.into());
        assert_eq!(table.clone().try_into::<NamedBot>().unwrap().name, own.name);
        table.insert("simulations".to_owned(), 8.into());
        assert!(table.try_into::<NamedBot>().unwrap_err().to_string().contains("other settings"));
    }
}
