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
mod dead_stones;
mod game_text;
mod position;
mod record;
#[cfg(feature = "search")]
mod search;
mod variations;

#[cfg(feature = "search")]
pub(crate) use answer::write;
pub use answer::{read_question, rules_answer};
pub use game_text::GameText;
pub use position::Position;
pub use record::RecordText;
#[cfg(feature = "search")]
pub use search::{Offers, Purpose, ThinkRequest, Thinking, Update, answer, deep_answer, is_deep};
pub use variations::VariationText;

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
