//! Plans and plays matches.
//!
//! [`Settings`] are what a user says, a [`Tournament`] is all of it filled in,
//! a [`Schedule`] numbers its games, [`tournament::run`] plays them.

mod config;
mod opening;
mod play;
mod schedule;
pub mod tournament;

pub use config::{Format, Settings, SettingsError, Tournament};
pub use schedule::{GamePlan, Pairing, Schedule, Seat};
