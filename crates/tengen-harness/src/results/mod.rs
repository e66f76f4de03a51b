//! The files of a run: its folder, its manifest, its journal and its rows.

mod csv_text;
mod directory;
mod fingerprint;
mod foreign;
pub mod journal;
mod lock;
mod manifest;
mod prefix;
mod rows;

pub use csv_text::to_csv;
pub use directory::{DirectoryError, RunDirectory};
pub use fingerprint::{BotSignature, Digest, Fingerprint, ParseFingerprintError, Provenance};
pub use foreign::{ForeignRow, Mismatch};
pub use journal::{Entry, Journal, JournalError, PlayedGame};
pub use lock::{LockError, RunLock};
pub use manifest::{Build, Machine, Manifest, ManifestError, SCHEMA, SessionRecord};
pub use prefix::Prefix;
pub use rows::{GameRow, Outcome, RowWriter, Termination};
