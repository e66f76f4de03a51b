#![deny(missing_docs)]
#![forbid(unsafe_code)]
//! The local page: a server of the page's files, of what the page asks for, and of the
//! runs below one folder, which it only reads.
//!
//! [`Server::bind`] listens, [`Server::run`] serves; [`router`] is the same without a
//! network. From the bottom up: `guard` lets requests in, `assets` holds the page's files,
//! `refused` turns refusals into statuses, `ask` answers what takes no time, `think`
//! streams searches, `server::runs` reads folders, `server` listens. [`page`] and [`runs`] answer
//! without a server too.
//!
//! Safety: the server keeps no game and writes no file. It answers to its own address
//! alone and to no page of another site; away from the loopback address every question
//! needs a token. A question's size and cost are bounded ([`Options`]), a search ends when
//! its client leaves, and only folders of runs directly below the runs folder are read.

pub mod page;
pub mod runs;
#[cfg(feature = "server")]
mod server;

#[cfg(feature = "server")]
pub use server::{Options, Server, new_token, router};
