//! The questions of the page and their answers, as JSON: positions, game records and searches.
//!
//! Nothing here knows a network or keeps a game: every question carries the whole game
//! ([`GameText`]), so that any answer can be given by a server or by WebAssembly in the
//! browser, and a position can be sent as a link.
//!
//! [`rules_answer`] answers questions about positions and records, `answer` all questions that need
//! no search, `deep_answer` questions that grow a tree or play playouts. `Thinking` is a search
//! whose progress can be read. [`Limits`] bound the cost of a question. Everything but
//! [`rules_answer`] needs the feature `search`: without it the module is small, so a browser loads
//! it first.

mod answer;
#[cfg(feature = "search")]
mod bots;
mod dead_stones;
#[cfg(feature = "search")]
mod deep;
mod game_text;
#[cfg(feature = "search")]
mod handicaps;
#[cfg(feature = "search")]
mod playouts;
mod position;
mod record;
#[cfg(feature = "search")]
mod simulation;
#[cfg(feature = "search")]
mod solve;
#[cfg(feature = "search")]
mod thinking;
#[cfg(feature = "search")]
mod tree;
#[cfg(feature = "search")]
mod trees;
mod variations;

#[cfg(feature = "search")]
pub use answer::answer;
pub use answer::{read_question, rules_answer};
#[cfg(feature = "search")]
pub use bots::{BotOffer, Offers};
pub use dead_stones::{DeadRequest, DeadStones};
#[cfg(feature = "search")]
pub use deep::{deep_answer, is_deep};
pub use game_text::{GameText, Player};
#[cfg(feature = "search")]
pub use handicaps::{HandicapRequest, Handicaps};
#[cfg(feature = "search")]
pub use playouts::{PlayoutsAnswer, PlayoutsRequest};
pub use position::{Count, PlayRequest, Position};
pub use record::RecordText;
#[cfg(feature = "search")]
pub use simulation::{SimulationAnswer, SimulationRequest};
#[cfg(feature = "search")]
pub use solve::{SolveRequest, Verdict};
#[cfg(feature = "search")]
pub use thinking::{Purpose, ThinkRequest, Thinking, Update};
#[cfg(feature = "search")]
pub use tree::{TreeAnswer, TreeRequest};
pub use variations::{LeftOutText, MarkText, VariationText};

/// Bounds on what one question may cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Most simulations of a search, analysis or move.
    pub simulations: u64,
    /// Most seconds of an analysis.
    pub analysis_seconds: f64,
    /// Most seconds of a move.
    pub move_seconds: f64,
    /// Size of a search's trees at which the search ends, in bytes.
    pub bytes: usize,
    /// Most plies of a game.
    pub plies: usize,
    /// Most nodes that the solver examines for a move.
    pub solver_nodes: u64,
    /// Most memory of the solver's tables, in mebibytes.
    pub solver_mebibytes: u32,
    /// Most root-parallel workers of a search.
    pub workers: u32,
    /// Most simulations of a tree that is opened.
    pub tree_simulations: u64,
    /// The highest number of a simulation that is shown step by step.
    pub shown_simulation: u64,
    /// Most playouts that are counted for owners and scores.
    pub counted_playouts: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            simulations: 20_000_000,
            analysis_seconds: 600.0,
            move_seconds: 60.0,
            bytes: 1 << 30,
            plies: 2_000,
            solver_nodes: 1_000_000,
            solver_mebibytes: 64,
            workers: 64,
            tree_simulations: 200_000,
            shown_simulation: 20_000,
            counted_playouts: 100_000,
        }
    }
}

/// Why a question has no answer: one line, for the person who asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(String);

impl Refusal {
    /// A refusal for the reason `why`, which is made one line.
    #[must_use]
    pub fn new(why: impl std::fmt::Display) -> Self {
        let why = why.to_string();
        Self(why.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}
