#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! The Go Text Protocol (GTP), version 2: commands and answers, and a client that
//! runs another program as an engine.
//!
//! [`protocol`] reads and writes commands and answers, a [`Client`] runs an
//! engine, a [`GtpConfig`] has its settings. Nothing here knows Go: the caller
//! knows which commands to send and what their arguments and results mean.

mod client;
mod clock;
mod companion;
mod config;
mod cpu_time;
mod line;
mod log;
mod process;
pub mod protocol;
mod reader;
mod system;

pub use client::{Client, Fault, Launch};
pub use clock::{Clock, TimeUp};
pub use companion::Companion;
pub use config::{ClockConfig, GtpConfig};
pub use line::{Line, read_line};
pub use log::{Log, Source};
pub use process::adopt_orphans;
pub use system::SystemFault;

/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
