//! Configurations of bots: the kinds there are, each with its settings.

use super::Bot;
use super::kind::{BotKind, MoveCost, SideBySide};
use super::random::RandomConfig;
use super::solver::SolverConfig;
use super::two_ply::TwoPlyConfig;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};
use tengen_go::Size;
use tengen_gtp::GtpConfig;
use tengen_search::UctConfig;

/// A kind of bot, as help texts show it.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name, with which the text of a bot begins.
    pub name: &'static str,
    /// How a bot of this kind is written, and what it is.
    pub help: &'static str,
    /// The names of its settings.
    pub(crate) keys: &'static [&'static str],
    /// The meaning of each setting.
    pub(crate) meanings: &'static [&'static str],
    /// A bot of this kind with its default settings.
    pub(crate) default: fn() -> BotConfig,
}

/// The kinds of bots, in the order in which help shows them.
pub const KINDS: [Kind; 5] = [
    Kind {
        name: "random",
        help: RandomConfig::HELP,
        keys: &[],
        meanings: &[],
        default: || BotConfig::Random(RandomConfig::default()),
    },
    Kind {
        name: "two-ply",
        help: TwoPlyConfig::HELP,
        keys: &[],
        meanings: &[],
        default: || BotConfig::TwoPly(TwoPlyConfig::default()),
    },
    Kind {
        name: "uct",
        help: UctConfig::HELP,
        keys: UctConfig::FIELD_NAMES,
        meanings: UctConfig::FIELD_DOCS,
        default: || BotConfig::Uct(UctConfig::default()),
    },
    Kind {
        name: "solver",
        help: SolverConfig::HELP,
        keys: SolverConfig::FIELD_NAMES,
        meanings: SolverConfig::FIELD_DOCS,
        default: || BotConfig::Solver(SolverConfig::default()),
    },
    Kind {
        name: "gtp",
        help: GtpConfig::HELP,
        keys: GtpConfig::FIELD_NAMES,
        meanings: GtpConfig::FIELD_DOCS,
        default: || BotConfig::Gtp(GtpConfig::default()),
    },
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
    /// The exact solver of small boards.
    Solver(SolverConfig),
    /// Another program, through GTP.
    Gtp(GtpConfig),
}

/// Calls the method `$method` of [`BotKind`] on the settings inside `$config`, whatever
/// their kind.
macro_rules! of_kind {
    ($config:expr, $method:ident($($argument:expr),*)) => {
        match $config {
            BotConfig::Random(config) => BotKind::$method(config $(, $argument)*),
            BotConfig::TwoPly(config) => BotKind::$method(config $(, $argument)*),
            BotConfig::Uct(config) => BotKind::$method(config $(, $argument)*),
            BotConfig::Solver(config) => BotKind::$method(config $(, $argument)*),
            BotConfig::Gtp(config) => BotKind::$method(config $(, $argument)*),
        }
    };
}

impl BotConfig {
    /// Help text of `--bot`: one line per kind of bot, with how it is written.
    #[must_use]
    pub fn help() -> String {
        KINDS.map(|kind| kind.help).join("\n")
    }

    /// Builds the player of one game. All its random draws follow from `seed`; `pool`
    /// runs the workers of a search where there are several.
    #[must_use]
    pub fn build<'pool>(
        &self,
        seed: u64,
        pool: Option<&'pool rayon::ThreadPool>,
    ) -> Box<dyn Bot + 'pool> {
        of_kind!(self, build(seed, pool))
    }

    /// How many games of the bot a thread can play side by side.
    #[must_use]
    pub fn side_by_side(&self) -> SideBySide {
        of_kind!(self, side_by_side())
    }

    /// Number of root-parallel workers of a search, which as many threads can run at
    /// once; 1 for a bot that does not search.
    #[must_use]
    pub fn workers(&self) -> usize {
        of_kind!(self, workers())
    }

    /// Upper bound of the bytes that the bot's search trees take in a game on a board
    /// of `size`; none where there is no bound.
    #[must_use]
    pub fn max_bytes(&self, size: Size) -> Option<u64> {
        of_kind!(self, max_bytes(size))
    }

    /// What a move of the bot may cost; none where another program chooses it.
    #[must_use]
    pub fn move_cost(&self) -> Option<MoveCost> {
        of_kind!(self, move_cost())
    }

    /// Whether the bot makes simulations, so that `games.csv` has their number.
    #[must_use]
    pub fn makes_playouts(&self) -> bool {
        of_kind!(self, makes_playouts())
    }
}
