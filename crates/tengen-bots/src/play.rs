//! Bots that play one game at a time, against a person or another program.

use super::config::BotConfig;
use super::spec::{SpecError, config_of, table_of};

/// Leaves in flight of a search that plays one game at a time, unless its bot says
/// otherwise. In the same time they win more games than one leaf, though each simulation
/// is worth less: `results/README.md`, in-flight-equal-time-9x9.
pub const PLAY_IN_FLIGHT: u32 = 4;

impl BotConfig {
    /// Reads the text of a bot that plays one game at a time: a `uct` bot that does not set
    /// `in_flight` has [`PLAY_IN_FLIGHT`] leaves in flight, stronger than one in the same
    /// time, and at most as strong with the same playouts. All else is as in a tournament, and
    /// bots with `sharing` are, which has one leaf in flight.
    ///
    /// # Errors
    /// If the text is no bot.
    pub fn for_play(text: &str) -> Result<Self, SpecError> {
        let mut table = table_of(text)?;
        let shares = table.get("sharing").is_some_and(|value| value.as_str() != Some("none"));
        if table["kind"].as_str() == Some("uct") && !shares {
            table.entry("in_flight").or_insert(PLAY_IN_FLIGHT.into());
        }
        config_of(text, &table)
    }

    /// Help text of `--bot` where the bot is read by [`Self::for_play`].
    #[must_use]
    pub fn help_for_play() -> String {
        let help = Self::help();
        format!("{help}\nHere uct has in_flight={PLAY_IN_FLIGHT} unless it or sharing is set")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_search::UctConfig;

    #[test]
    fn only_what_is_not_set_is_filled_in() {
        let uct = |in_flight| BotConfig::Uct(UctConfig { in_flight, ..UctConfig::default() });
        assert_eq!(BotConfig::for_play("uct"), Ok(uct(PLAY_IN_FLIGHT)));
        assert_eq!(BotConfig::for_play("uct:in_flight=1"), Ok(uct(1)));
        let shares = "uct:workers=2,sharing=upper-tree:50:0.05:3";
        for other in ["random", "two-ply", "gtp:cat", shares] {
            assert_eq!(BotConfig::for_play(other), other.parse());
        }
        let text = BotConfig::for_play("uct:playouts=10").map(|bot| bot.to_string());
        assert_eq!(text.as_deref(), Ok("uct:in_flight=4,playouts=10"), "the record says it");
        let fault = |spec: &str| BotConfig::for_play(spec).unwrap_err().to_string();
        assert_eq!(fault("uct:x=1"), "uct:x=1".parse::<BotConfig>().unwrap_err().to_string());
    }
}
