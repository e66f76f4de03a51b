//! Tournaments: settings, schedule, openings, games and sessions.
//!
//! [`Settings`] are the settings that a user gives, a [`Tournament`] has all of them
//! filled in, a [`Schedule`] numbers its games, [`play_games`] plays them, and a
//! [`Session`] writes the files of the run and knows which games are missing.

mod admission;
mod batch;
mod chunk;
mod chunk_file;
mod config;
mod game;
mod merging;
mod missing;
mod opening;
mod openings;
mod preflight;
mod provenance;
mod replay;
mod schedule;
mod session;
mod settings;
mod supply;
mod threads;
mod toml_form;

pub use chunk::{Chunk, ChunkError};
pub use chunk_file::ChunkFile;
pub use config::{SettingsError, Tournament};
pub use game::play;
pub use merging::{chunk_files, merge, merge_chunks};
pub use missing::Missing;
pub use opening::{Opening, OpeningError, Source};
pub use preflight::{PreflightError, preflight};
pub use provenance::{ProvenanceError, provenance, settings_digest};
pub use replay::{ReplayError, replay};
pub use schedule::{Format, GamePlan, Pairing, Schedule, Seat};
pub use session::{LOCK, Session, SessionError};
pub use settings::{MAX_GAMES_PER_THREAD, Openings, Settings};
pub use supply::{Next, PlannedGame};
pub use threads::{Concurrency, Due, play_games, play_supplied};
pub use toml_form::SettingsTextError;
