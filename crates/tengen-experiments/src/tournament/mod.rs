//! Tournaments: settings, schedule, openings, games and reports.
//!
//! A [`Tournament`] has all settings, a [`Schedule`] numbers its games, [`play_games`] plays them.
//! A run is read with the [`Outline`] of its settings alone.

mod batch;
mod blocks;
mod config;
mod counted;
mod effort;
mod estimate;
mod experiment;
mod game;
mod opening;
mod openings;
mod outline;
mod preflight;
mod provenance;
#[cfg(feature = "report")]
pub mod report;
mod row;
mod rule;
mod schedule;
mod searches;
mod supply;
mod threads;

pub(crate) use blocks::GAMES;
pub use config::Tournament;
#[cfg(feature = "report")]
pub(crate) use config::{SCALING_KEYS, TOURNAMENT_KEY};
pub use counted::Counted;
pub use game::play;
pub use opening::{Opening, Openings};
pub use openings::random_opening;
pub use outline::{BotName, Outline};
pub use preflight::preflight;
pub use provenance::{provenance, settings_digest, settings_digest_with_paths, signatures};
pub use row::{GameRow, Outcome, Termination};
pub use rule::{Rule, Verdict};
pub use schedule::{Format, GamePlan, Pairing, Schedule, Seat};
pub(crate) use searches::short;
pub use searches::{PlayedGame, SearchRecord};
pub use supply::{Next, PlannedGame};
pub use threads::{Due, End, play_games, play_planned, play_supplied};
