//! Configurations of bots: the kinds there are, each with its settings.

use super::Bot;
use super::kind::Kind;
use super::random::RandomConfig;
use super::two_ply::TwoPlyConfig;
use serde::{Deserialize, Serialize};
use tengen_go::Size;
use tengen_gtp::GtpConfig;
use tengen_search::{ConfigError, UctConfig};

/// The kinds of bots, in the order in which help shows them: name and help.
pub(crate) const KINDS: [(&str, &str); 4] = [
    ("random", RandomConfig::HELP),
    ("two-ply", TwoPlyConfig::HELP),
    ("uct", UctConfig::HELP),
    ("gtp", GtpConfig::HELP),
];

/// A kind of bot and all its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum BotConfig {
    /// Random moves.
    Random(RandomConfig),
    /// Minimax of depth two on the area score.
    TwoPly(TwoPlyConfig),
    /// Monte Carlo tree search.
    Uct(UctConfig),
    /// Another program, through GTP.
    Gtp(GtpConfig),
}

/// Calls a method of [`Kind`] of the settings of whatever kind `$config` is.
macro_rules! of_kind {
    ($config:expr, $method:ident($($argument:expr),*)) => {
        match $config {
            BotConfig::Random(config) => Kind::$method(config $(, $argument)*),
            BotConfig::TwoPly(config) => Kind::$method(config $(, $argument)*),
            BotConfig::Uct(config) => Kind::$method(config $(, $argument)*),
            BotConfig::Gtp(config) => Kind::$method(config $(, $argument)*),
        }
    };
}

impl BotConfig {
    /// The kinds of bots with all that may be written after `--bot`, a line each.
    #[must_use]
    pub fn help() -> String {
        KINDS.map(|(_, help)| help).join("\n")
    }

    /// A bot of this kind for one game. `seed` decides every draw that it
    /// makes; `pool` runs the workers of a search where there are several.
    #[must_use]
    pub fn build<'pool>(
        &self,
        seed: u64,
        pool: Option<&'pool rayon::ThreadPool>,
    ) -> Box<dyn Bot + 'pool> {
        of_kind!(self, build(seed, pool))
    }

    /// Refuses the settings of a bot that this version reads, since runs of before
    /// have them, and no longer plays.
    ///
    /// # Errors
    /// The setting.
    pub fn playable(&self) -> Result<(), ConfigError> {
        of_kind!(self, playable())
    }

    /// Whether many games of it can be played side by side on one thread: it uses
    /// neither a clock nor another program.
    #[must_use]
    pub fn shares_a_thread(&self) -> bool {
        of_kind!(self, shares_a_thread())
    }

    /// Number of workers of a search, which threads can run at once.
    #[must_use]
    pub fn workers(&self) -> usize {
        of_kind!(self, workers())
    }

    /// Most bytes that its search trees use in a game on a board of `size`; none
    /// where there is no limit.
    #[must_use]
    pub fn most_bytes(&self, size: Size) -> Option<u64> {
        of_kind!(self, most_bytes(size))
    }

    /// Whether the bot makes simulations, which are then counted.
    #[must_use]
    pub fn makes_playouts(&self) -> bool {
        of_kind!(self, makes_playouts())
    }
}
