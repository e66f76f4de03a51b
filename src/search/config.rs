//! Everything that a UCT search can be told.

use crate::go::Komi;
use crate::playout::{Manner, Policy, Stop};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The playouts of a move unless told otherwise.
const DEFAULT_PLAYOUTS: u64 = 1_000;

/// How the move is picked when the search is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FinalMove {
    /// The move with the most visits; among equals the one of higher value.
    #[default]
    Visits,
    /// The move of highest mean value among those with a visit; among equals
    /// the one with more visits.
    Value,
}

/// The settings of a UCT search: all numbers that decide what it finds, but
/// for its seed. The machine's numbers, such as threads, are not among them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields, default)]
pub struct UctConfig {
    /// Simulations a move, all workers together; with tree reuse these are
    /// added to what the kept tree holds. 1000 if neither this nor `seconds`
    /// is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playouts: Option<u64>,
    /// Seconds a move. Results that depend on a clock cannot be repeated. With
    /// `playouts` too, whichever comes first ends the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Independent searches that share the budget and are merged at the root.
    pub workers: u32,
    /// The constant c of UCB1, [`super::select::ucb1`].
    pub exploration: f64,
    /// The value of a move without visits, [`super::select::ucb1`]; `inf`
    /// tries every move once first.
    pub first_play: f64,
    /// A node gets its children when it is reached after so many visits.
    pub expansion: u32,
    /// How the move is picked in the end.
    pub final_move: FinalMove,
    /// Whether the part of the tree below the moves made is kept for the next
    /// move.
    pub reuse: bool,
    /// Nodes a worker's tree may hold; a full tree grows no further.
    pub max_nodes: u32,
    /// How playouts choose their moves.
    pub policy: Policy,
    /// When playouts stop before they are over.
    pub stop: Stop,
}

impl Default for UctConfig {
    fn default() -> Self {
        Self {
            playouts: Some(DEFAULT_PLAYOUTS),
            seconds: None,
            workers: 1,
            exploration: 0.5,
            first_play: f64::INFINITY,
            expansion: 2,
            final_move: FinalMove::default(),
            reuse: false,
            max_nodes: 1 << 24,
            policy: Policy::default(),
            stop: Stop::default(),
        }
    }
}

/// A setting outside its range.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{field}` is {value}: it must be {range}")]
pub struct ConfigError {
    field: &'static str,
    value: String,
    range: &'static str,
}

impl UctConfig {
    /// How the playouts of a search go in a game of this komi.
    #[must_use]
    pub const fn manner(&self, komi: Komi) -> Manner {
        Manner { policy: self.policy, stop: self.stop, komi }
    }

    /// Refuses values that no search can work with.
    ///
    /// # Errors
    /// The first setting outside its range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let check = |field, value: &dyn ToString, allowed: bool, range| {
            if allowed {
                Ok(())
            } else {
                Err(ConfigError { field, value: value.to_string(), range })
            }
        };
        if let Some(playouts) = self.playouts {
            let allowed = (1..=1_000_000_000).contains(&playouts);
            check("playouts", &playouts, allowed, "1 to 1000000000")?;
        }
        if let Some(seconds) = self.seconds {
            let allowed = seconds > 0.0 && seconds <= 1e6;
            check("seconds", &seconds, allowed, "above 0 and at most 1000000")?;
        }
        let playouts = self.playouts.unwrap_or(u64::MAX);
        let allowed = (1..=1024).contains(&self.workers);
        check("workers", &self.workers, allowed, "1 to 1024")?;
        let allowed = u64::from(self.workers) <= playouts;
        check("workers", &self.workers, allowed, "at most `playouts`, which they share")?;
        let allowed = (0.0..=1e6).contains(&self.exploration);
        check("exploration", &self.exploration, allowed, "0 to 1000000")?;
        let allowed = self.first_play >= 0.0;
        check("first_play", &self.first_play, allowed, "0 or more, or inf")?;
        let allowed = (1..=1_000_000).contains(&self.expansion);
        check("expansion", &self.expansion, allowed, "1 to 1000000")?;
        let allowed = (1_000..=2_000_000_000).contains(&self.max_nodes);
        check("max_nodes", &self.max_nodes, allowed, "1000 to 2000000000")
    }
}

impl<'de> Deserialize<'de> for UctConfig {
    /// Reads the settings, fills in the budget and checks the ranges.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut config = Self::deserialize(deserializer)?;
        if config.playouts.is_none() && config.seconds.is_none() {
            config.playouts = Some(DEFAULT_PLAYOUTS);
        }
        config.validate().map_err(serde::de::Error::custom)?;
        Ok(config)
    }
}

impl Serialize for UctConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}
