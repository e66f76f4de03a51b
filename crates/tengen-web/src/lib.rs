#![deny(missing_docs)]
#![forbid(unsafe_code)]
//! The local page. Its server delivers the page's files, answers the page's questions, and
//! reads the runs below one folder; where that is allowed, it starts runs.
//!
//! [`Server::bind`] listens, [`Server::run`] serves; [`router`] answers without a
//! network. From the bottom up: `guard` lets requests in, `assets` holds the page's files,
//! `refused` turns refusals into statuses, `ask` answers quick questions, `think`
//! streams searches, `server::runs` reads folders, `start` starts runs, `server` listens.
//! [`page`] and [`runs`] answer without a server too.
//!
//! Safety: the server keeps no game. Unless runs may be started ([`Starts`]), it writes no file and
//! starts no process. If they may, it makes the folder of a new run and starts the program itself
//! as another process, which writes into that folder. Only the command line names other programs
//! and files. The server answers only to its own address, and to no page of another site; at any
//! address but the loopback address every question needs a token. A question's size and cost are
//! bounded ([`Options`]), a search ends when its client leaves, and the server reads only folders
//! of runs directly below the runs folder.

pub mod page;
#[cfg(feature = "search")]
pub mod runs;
#[cfg(feature = "server")]
mod server;

#[cfg(feature = "server")]
pub use server::{Options, Server, StartKind, Starts, new_token, router};
