//! What ranks say to each other, as JSON.

use crate::counts::Counts;
use crate::position::Position;
use crate::root::Root;
use serde::{Deserialize, Serialize};
use tengen_bots::{BotConfig, SpecError};
use tengen_search::UctConfig;

/// What rank 0 says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Order {
    /// Begin a search, and end the one before it.
    Search(Box<SearchOrder>),
    /// Go on after an exchange.
    Continue {
        /// The number of the search.
        search: u64,
        /// The counts of all workers together; none where nothing was shared.
        all: Counts,
    },
    /// End the search: no more simulations are to be made.
    Finish {
        /// The number of the search.
        search: u64,
    },
    /// End the process.
    Quit {
        /// Whether all ranks were told so, and none is lost.
        all_ranks_end: bool,
    },
}

/// A search, of which the helper is one worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SearchOrder {
    /// The number of the search, from 1.
    pub search: u64,
    pub position: Position,
    /// The bot: `uct:key=value,...`, with its number of workers.
    pub bot: String,
    pub seed: u64,
    /// The number of the helper among the workers.
    pub worker: u32,
}

/// What a helper says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// The counts after a round.
    Round {
        /// The number of the search.
        search: u64,
        counts: Counts,
        is_done: bool,
    },
    /// The result, after [`Order::Finish`].
    Found {
        /// The number of the search.
        search: u64,
        root: Root,
    },
    /// The search cannot be made.
    Failed {
        /// The number of the search.
        search: u64,
        /// Why.
        reason: String,
    },
}

/// The settings of the search of `bot`, the text of a bot. Refuses a bot of another kind than uct.
pub fn searched(bot: &str) -> Result<UctConfig, String> {
    let bot: BotConfig = bot.parse().map_err(|fault: SpecError| fault.to_string())?;
    let config = bot.uct().cloned();
    config.ok_or_else(|| format!("invalid search `{bot}`: expected a bot of kind uct"))
}
