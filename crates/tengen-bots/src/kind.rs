//! The trait that the settings of every kind of bot implement.

use super::Bot;
use std::any::Any;
use tengen_go::Size;

/// The limits that a bot's settings set for one move. 0 means no limit: the bot does not use the
/// resource, or may use any amount.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MoveCost {
    /// Simulations: the setting `simulations`.
    pub simulations: u64,
    /// Seconds of wall-clock time.
    pub seconds: f64,
    /// Root-parallel workers: as many threads can run a search at once.
    pub workers: u32,
    /// Nodes that the solver examines.
    pub solver_nodes: u64,
    /// Memory of the solver's tables, in mebibytes.
    pub solver_mebibytes: u32,
}

/// How many games of a bot one thread can play side by side, so that the searches of all games
/// share its lanes. Ordered from the most to the fewest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SideBySide {
    /// Any number.
    Any,
    /// As many as the run allows: each game starts a process of the program that plays.
    PerProcess,
    /// One: the bot has a clock, and must not wait for other searches.
    One,
}

/// The settings of a kind of bot: they build its players, and say what running one
/// takes. A program registers kinds of its own ([`register`](super::register)).
///
/// Only [`help`](Self::help) and [`build`](Self::build) are required.
/// [`move_cost`](Self::move_cost) and [`makes_simulations`](Self::makes_simulations) are for bots
/// that make simulations, [`max_bytes`](Self::max_bytes) for those that keep a large tree.
pub trait BotKind: Any + Send + Sync {
    /// Line of the help text: how a bot of this kind is written, and what it is.
    #[must_use]
    fn help() -> &'static str
    where
        Self: Sized;

    /// Builds the player of one game. All its random draws follow from `seed`; `pool`
    /// runs the workers of a search where there are several.
    fn build<'pool>(
        &self,
        seed: u64,
        pool: Option<&'pool rayon::ThreadPool>,
    ) -> Box<dyn Bot + 'pool>;

    /// How many games of the bot a thread can play side by side.
    fn side_by_side(&self) -> SideBySide {
        SideBySide::Any
    }

    /// Upper bound of the bytes that the bot's search trees take in a game on a board
    /// of `size`; none where there is no bound.
    fn max_bytes(&self, size: Size) -> Option<u64> {
        let _ = size;
        Some(0)
    }

    /// The limits of a move; none where another program chooses the move. The default is for bots
    /// that do not search.
    fn move_cost(&self) -> Option<MoveCost> {
        Some(MoveCost::default())
    }

    /// Whether the bot makes simulations, so that `games.csv` has their number.
    fn makes_simulations(&self) -> bool {
        false
    }

    /// Whether [`Bot::begin_analysis`] may show a search.
    fn can_analyze(&self) -> bool {
        true
    }

    /// The versions of the registered components that the settings name. Bots with equal texts but
    /// other versions are different bots.
    fn versions(&self) -> Vec<String> {
        Vec::new()
    }
}
