//! The Go Text Protocol, version 2: what goes over the wire, and programs that
//! are asked through it.
//!
//! [`protocol`] is text, a [`Client`] is a program at the other end of it, a
//! [`GtpConfig`] says which. Nothing here knows Go: what the words mean is up
//! to the caller.

mod client;
mod clock;
mod config;
mod descendants;
mod line;
mod log;
mod process;
pub mod protocol;
mod reader;
mod resource;

pub use client::{Client, Fault, Launch};
pub use clock::{Clock, TimeUp};
pub use config::{ClockConfig, ConfigError, GtpConfig};
pub use descendants::adopt_orphans;
pub use line::{Line, read_line};
pub use resource::{Resource, ResourceFault};
