//! Tournaments: settings, schedule, openings, games and sessions.
//!
//! [`Settings`] are the settings that a user gives, a [`Tournament`] has all of them
//! filled in, a [`Schedule`] numbers its games, [`play_games`] plays them.
//! A run is read with the [`Outline`] of its settings alone.

mod batch;
mod config;
mod counted;
mod experiment;
mod game;
mod opening;
mod openings;
mod outline;
mod preflight;
mod provenance;
mod row;
mod schedule;
mod settings;
mod supply;
mod threads;
mod toml_form;

pub use config::{SettingsError, Tournament};
pub use counted::Counted;
pub use game::play;
pub use opening::{Opening, OpeningError, Source};
pub use outline::{BotName, Outline};
pub use preflight::preflight;
pub use provenance::{provenance, settings_digest};
pub use row::{GameRow, Outcome, Termination};
pub use schedule::{Format, GamePlan, Pairing, Schedule, Seat};
pub use settings::{MAX_GAMES_PER_THREAD, Openings, Settings};
pub use supply::{Next, PlannedGame};
pub use threads::{Due, play_games, play_supplied};
pub use toml_form::SettingsTextError;
