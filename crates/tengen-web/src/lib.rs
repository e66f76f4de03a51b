#![deny(missing_docs)]
#![forbid(unsafe_code)]
//! The local page: a server of the page's files, of what the page asks for, and of the
//! runs below one folder, which it only reads.
//!
//! [`Server::bind`] listens, [`Server::run`] serves; [`router`] is the same without a
//! network. From the bottom up: `guard` lets requests in, `assets` holds the page's files,
//! `refused` turns refusals into statuses, `ask` answers what takes no time, `think`
//! streams searches, `runs` reads folders, `server` listens.
//!
//! Safety: the server keeps no game and writes no file. It answers to its own address
//! alone and to no page of another site; away from the loopback address every question
//! needs a token. A question's size and cost are bounded ([`Options`]), a search ends when
//! its client leaves, and only folders of runs directly below the runs folder are read.

#[cfg(feature = "server")]
mod ask;
#[cfg(feature = "server")]
mod assets;
#[cfg(feature = "server")]
mod guard;
#[cfg(feature = "server")]
mod listener;
pub mod page;
#[cfg(feature = "server")]
mod refused;
#[cfg(feature = "server")]
mod runs;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "server")]
mod think;

#[cfg(feature = "server")]
pub use server::{Options, Server, new_token, router};

#[cfg(feature = "server")]
use crate::page::{Limits, Offers};
#[cfg(feature = "server")]
use runs::Runs;
#[cfg(feature = "server")]
use std::sync::Arc;
#[cfg(feature = "server")]
use tokio::sync::Semaphore;

/// What the answers of a server have in common.
#[cfg(feature = "server")]
struct Shared {
    offers: Offers,
    limits: Limits,
    /// One permit per search that may run at once.
    searches: Arc<Semaphore>,
    /// Number of those permits.
    max_searches: usize,
    /// One permit per open stream of events of the runs.
    streams: Arc<Semaphore>,
    runs: Arc<Runs>,
    door: guard::Door,
}

#[cfg(feature = "server")]
type App = Arc<Shared>;
