#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! A simulated cluster: workers of unlike speed that come, go, stall and lie play a
//! tournament in chunks, on virtual time.
//!
//! The schedule, the chunks, their files, the merging and the sequential test are those of
//! a real run ([`tengen_tournament`], [`tengen_results`], [`tengen_stats`]); only the games
//! are not played: `GameModel` draws their lengths, times and winners, fitted to the rows
//! of a published run.
//!
//! ```text
//! until every chunk is complete:
//!     a worker comes             it waits for the dispatcher, starts a job, and plays
//!     a job ends                 all games of the chunk are there; or the worker has gone, or
//!                                the batch system has ended the job at its time limit: then
//!                                the chunk waits again, and the games that ended are kept
//!     a worker goes              the games that it was playing are lost
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `settings.rs` | the settings, a TOML file |
//! | `games.rs` | lengths, times and winners of games |
//! | `progress.rs` | the games that a job has finished after a time |
//! | `worker.rs` | speed, presence and stalls of a worker |
//! | `agenda.rs`, `simulation.rs` | the events, in order of time |
//! | `run.rs` | a whole tournament, written to files and merged |
//! | `decision.rs` | the time to the decision of a sequential test |
//! | `lies.rs` | which false games merging notices, and which a replay |
//! | `tables.rs` | the results as Markdown |

mod agenda;
mod decision;
mod games;
mod lies;
mod progress;
mod run;
mod settings;
mod simulation;
mod tables;
mod worker;

pub use run::ClusterError;
pub use settings::{Settings, SettingsError};
pub use tables::write_tables;
