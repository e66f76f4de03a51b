//! Configurations of bots: the kind and its settings.

use super::Bot;
use super::gtp::GtpBot;
use super::random::RandomBot;
use super::two_ply::TwoPlyBot;
use super::uct::UctBot;
use serde::{Deserialize, Serialize};
use tengen_go::Size;
use tengen_gtp::GtpConfig;
use tengen_search::{ConfigError, UctConfig};

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

/// The random bot has no settings: each move is drawn with equal probability
/// from those that a playout would play.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RandomConfig {}

/// The two-ply bot has no settings: [`tengen_search::two_ply`] says what it
/// plays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TwoPlyConfig {}

impl BotConfig {
    /// A bot of this kind for one game. `seed` decides every draw that it
    /// makes; `pool` runs the workers of a search where there are several.
    #[must_use]
    pub fn build<'pool>(
        &self,
        seed: u64,
        pool: Option<&'pool rayon::ThreadPool>,
    ) -> Box<dyn Bot + 'pool> {
        match self {
            Self::Random(RandomConfig {}) => Box::new(RandomBot::new(seed)),
            Self::TwoPly(TwoPlyConfig {}) => Box::new(TwoPlyBot::new(seed)),
            Self::Uct(config) => Box::new(UctBot::new(config.clone(), seed, pool)),
            Self::Gtp(config) => Box::new(GtpBot::new(config.clone(), seed)),
        }
    }

    /// Refuses the settings of a bot that this version reads, since runs of before
    /// have them, and no longer plays.
    ///
    /// # Errors
    /// The setting.
    pub fn playable(&self) -> Result<(), ConfigError> {
        match self {
            Self::Uct(config) => config.playable(),
            Self::Random(_) | Self::TwoPly(_) | Self::Gtp(_) => Ok(()),
        }
    }

    /// Whether many games of it can be played side by side on one thread: it uses
    /// neither a clock nor another program.
    #[must_use]
    pub const fn shares_a_thread(&self) -> bool {
        match self {
            Self::Random(_) | Self::TwoPly(_) => true,
            Self::Uct(config) => config.seconds.is_none(),
            Self::Gtp(_) => false,
        }
    }

    /// Number of workers of a search, which threads can run at once.
    #[must_use]
    pub const fn workers(&self) -> usize {
        match self {
            Self::Uct(config) => config.workers as usize,
            Self::Random(_) | Self::TwoPly(_) | Self::Gtp(_) => 1,
        }
    }

    /// Most bytes that its search trees use in a game on a board of `size`; none
    /// where there is no limit.
    #[must_use]
    pub fn most_bytes(&self, size: Size) -> Option<u64> {
        match self {
            // What is kept is a part of what the moves before have grown.
            Self::Uct(config) if config.reuse => config.most_bytes(size).map(|bytes| 2 * bytes),
            Self::Uct(config) => config.most_bytes(size),
            Self::Random(_) | Self::TwoPly(_) | Self::Gtp(_) => Some(0),
        }
    }

    /// Whether the bot makes simulations, which are then counted.
    #[must_use]
    pub const fn makes_playouts(&self) -> bool {
        matches!(self, Self::Uct(_))
    }
}
