#![deny(missing_docs)]
#![forbid(unsafe_code)]
//! The local page: a server of the page's files, of what the page asks for, and of the
//! runs below one folder, which it reads and, where that is allowed, starts.
//!
//! [`Server::bind`] listens, [`Server::run`] serves; [`router`] is the same without a
//! network. From the bottom up: `guard` lets requests in, `assets` holds the page's files,
//! `refused` turns refusals into statuses, `ask` answers what takes no time, `think`
//! streams searches, `server::runs` reads folders, `start` has runs played, `server` listens. [`page`] and [`runs`] answer
//! without a server too.
//!
//! Safety: the server keeps no game. Unless runs may be started ([`Starts`]) it writes no file and starts no process;
//! else it makes the folder of a new run, and the program itself, as another process, writes into it.
//! Other programs and files are named on the command line alone. The server answers to its own address
//! alone and to no page of another site; away from the loopback address every question
//! needs a token. A question's size and cost are bounded ([`Options`]), a search ends when
//! its client leaves, and only folders of runs directly below the runs folder are read.

pub mod page;
#[cfg(feature = "search")]
pub mod runs;
#[cfg(feature = "server")]
mod server;

#[cfg(feature = "server")]
pub use server::{Options, Server, StartKind, Starts, new_token, router};
